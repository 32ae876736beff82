/** The sections of `_nodes/stats`, a metric each. Counters of work that this node never does are 0. */
import type { ScriptUse } from '../../../engine/api/cluster.ts'
import type { OperationCount, ProcessorCount } from '../../../engine/api/operation-count.ts'
import type { IngestStats } from '../../../engine/api/pipelines.ts'
import type {
  FactoryRuns,
  SearchPipelineStats,
  SystemProcessorStats,
} from '../../../engine/api/search-pipelines.ts'
import {
  Float64,
  type JsonMap,
  type JsonRecord,
  type JsonValue,
} from '../../../util/json/json-value.ts'
import { sizeText } from '../../../util/units.ts'
import { printCaches } from './cache-section.ts'
import {
  printAdmission,
  printBackpressure,
  printIndexingPressure,
  printResourceUse,
  printSelection,
  printShardPressure,
} from './load-sections.ts'
import { printDisk, printProcess, printRuntime, printSystem } from './machine-sections.ts'
import type { NodeStatSource } from './node-stat-source.ts'

/** By the name of the metric, in print order. */
export const NODE_STAT_SECTIONS: Readonly<Record<string, (source: NodeStatSource) => JsonValue>> = {
  os: printSystem,
  process: printProcess,
  jvm: printRuntime,
  thread_pool: ({ info }) =>
    new Map(
      info.threadPools.map(({ name, use }): [string, JsonValue] => [
        name,
        {
          threads: use.threads,
          queue: use.queued,
          active: use.active,
          rejected: use.rejected,
          largest: use.largest,
          completed: use.completed,
          total_wait_time_in_nanos: Math.round(use.waitedInMillis * 1e6),
        },
      ]),
    ),
  fs: printDisk,
  transport: () => ({
    server_open: 0,
    total_outbound_connections: 0,
    rx_count: 0,
    rx_size_in_bytes: 0,
    tx_count: 0,
    tx_size_in_bytes: 0,
  }),
  http: ({ connections, refusals: { search, write, other, surplus } }) => ({
    current_open: connections.open,
    total_opened: connections.opened,
    // Of our own: every request that admission refused.
    total_rejected: search + write + other + surplus,
  }),
  breaker: ({ use }) =>
    new Map(
      use.breakers.map((breaker): [string, JsonValue] => [
        breaker.name,
        {
          limit_size_in_bytes: breaker.limitInBytes,
          limit_size: sizeText(breaker.limitInBytes),
          estimated_size_in_bytes: Math.round(breaker.usedInBytes),
          estimated_size: sizeText(Math.round(breaker.usedInBytes)),
          overhead: new Float64(breaker.overhead),
          tripped: breaker.tripped,
        },
      ]),
    ),
  script: ({ use }) => ({
    ...printCounts(sumOf(use.scripts)),
    contexts: use.scripts.map(each => ({ context: each.context, ...printCounts(each) })),
  }),
  discovery: ({ use: { stateUpdates } }) => ({
    // No state comes from another node, or goes to one.
    cluster_state_queue: { total: 0, pending: 0, committed: 0 },
    published_cluster_states: { full_states: 0, incompatible_diffs: 0, compatible_diffs: 0 },
    cluster_state_stats: {
      overall: {
        update_count: stateUpdates.count,
        total_time_in_millis: Math.round(stateUpdates.timeInMillis),
        failed_count: stateUpdates.failed,
      },
    },
  }),
  ingest: ({ ingest }) => printIngest(ingest()),
  search_pipeline: ({ searchPipelines }) => printSearchPipelines(searchPipelines()),
  adaptive_selection: printSelection,
  script_cache: ({ use }) => ({
    sum: printCounts(sumOf(use.scripts)),
    contexts: use.scripts.map(each => ({ context: each.context, ...printCounts(each) })),
  }),
  indexing_pressure: printIndexingPressure,
  shard_indexing_pressure: printShardPressure,
  search_backpressure: printBackpressure,
  cluster_manager_throttling: () => ({
    stats: { total_throttled_tasks: 0, throttled_tasks_per_task_type: {} },
  }),
  weighted_routing: () => ({ stats: { fail_open_count: 0 } }),
  resource_usage_stats: printResourceUse,
  admission_control: printAdmission,
  caches: ({ use, level, stats }) => printCaches(use.requestCache, level, stats),
  // Folders keep no statistics of their own.
  repositories: () => [],
}

function printIngest({ total, pipelines }: IngestStats): JsonRecord {
  return {
    total: printCount(total),
    pipelines: new Map(
      pipelines.map(pipeline => [
        pipeline.id,
        { ...printCount(pipeline), processors: pipeline.processors.map(printProcessor) },
      ]),
    ),
  }
}

function printSearchPipelines(stats: SearchPipelineStats): JsonRecord {
  return {
    total_request: printCount(stats.totalRequest),
    total_response: printCount(stats.totalResponse),
    pipelines: new Map(
      stats.pipelines.map(({ id, request, response }) => [
        id,
        {
          request: printCount(request),
          response: printCount(response),
          request_processors: request.processors.map(printProcessor),
          response_processors: response.processors.map(printProcessor),
        },
      ]),
    ),
    system_generated_processors: {
      request_processors: stats.systemRequest.processors.map(printProcessor),
      response_processors: stats.systemResponse.processors.map(printProcessor),
    },
    system_generated_factories: {
      request_processor_factories: stats.systemRequest.factories.map(printFactory),
      response_processor_factories: stats.systemResponse.factories.map(printFactory),
    },
  }
}

function printFactory({
  name,
  evaluations,
  generations,
}: SystemProcessorStats['factories'][0]): JsonMap {
  return new Map([
    [
      name,
      {
        type: name,
        evaluation_stats: printRuns(evaluations),
        generation_stats: printRuns(generations),
      },
    ],
  ])
}

function printRuns({ count, timeInMicros, current, failed }: FactoryRuns): JsonRecord {
  return { count, time_in_microseconds: timeInMicros, current, failed }
}

/** A processor below its label, as pipelines of both kinds print it. */
function printProcessor(processor: ProcessorCount): JsonMap {
  return new Map([[processor.label, { type: processor.type, stats: printCount(processor) }]])
}

function printCount({ count, timeInMillis, current, failed }: OperationCount): JsonRecord {
  return { count, time_in_millis: timeInMillis, current, failed }
}

type ScriptCounts = Omit<ScriptUse, 'context'>

function sumOf(contexts: readonly ScriptCounts[]): ScriptCounts {
  const total = (of: (counts: ScriptCounts) => number): number =>
    contexts.reduce((sum, counts) => sum + of(counts), 0)
  return {
    compilations: total(({ compilations }) => compilations),
    evictions: total(({ evictions }) => evictions),
    refused: total(({ refused }) => refused),
  }
}

function printCounts({ compilations, evictions, refused }: ScriptCounts): JsonRecord {
  return {
    compilations,
    cache_evictions: evictions,
    compilation_limit_triggered: refused,
  }
}
