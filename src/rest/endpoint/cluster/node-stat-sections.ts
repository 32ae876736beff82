/** The sections of `_nodes/stats`, a metric each. Counters of work that this node never does are 0. */
import { loadavg } from 'node:os'
import type { NodeInfo, NodeUse, ScriptUse } from '../../../engine/api/cluster.ts'
import type { IngestCount, IngestStats } from '../../../engine/api/pipelines.ts'
import { Float64, type JsonRecord, type JsonValue } from '../../../util/json/json-value.ts'
import type { ConnectionCounts } from '../../endpoint.ts'
import { cpuPercent, heapUse, memoryUse } from '../../process-use.ts'

/** The sources of a section. */
export interface NodeStatSource {
  readonly info: NodeInfo
  readonly use: NodeUse
  readonly ingest: () => IngestStats
  readonly connections: Readonly<ConnectionCounts>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** By the name of the metric, in print order. */
export const NODE_STAT_SECTIONS: Readonly<Record<string, (source: NodeStatSource) => JsonValue>> = {
  os: ({ now }) => {
    const [one = 0, five = 0, fifteen = 0] = loadavg()
    return {
      timestamp: now,
      cpu: {
        percent: cpuPercent(),
        load_average: {
          '1m': new Float64(one),
          '5m': new Float64(five),
          '15m': new Float64(fifteen),
        },
      },
      mem: memoryUse(),
    }
  },
  process: ({ now, use }) => {
    const { user, system } = process.cpuUsage()
    return {
      timestamp: now,
      open_file_descriptors: use.openFileCount,
      max_file_descriptors: use.maxOpenFileCount,
      cpu: { percent: cpuPercent(), total_in_millis: Math.round((user + system) / 1000) },
      // The runtime does not tell it.
      mem: { total_virtual_in_bytes: -1 },
    }
  },
  jvm,
  thread_pool: ({ info }) =>
    new Map(
      info.threadPools.map(({ name, use }): [string, JsonValue] => [
        name,
        {
          threads: use.threads,
          queue: use.queued,
          active: use.active,
          rejected: use.rejected,
          // Threads stay once they were started.
          largest: use.threads,
          completed: use.completed,
          total_wait_time_in_nanos: Math.round(use.waitedInMillis * 1e6),
        },
      ]),
    ),
  fs: ({ now, use, info }) => {
    const { disk } = use
    const total =
      disk === null
        ? {}
        : {
            total_in_bytes: disk.totalInBytes,
            free_in_bytes: disk.freeInBytes,
            available_in_bytes: disk.availableInBytes,
          }
    const { folder } = info
    const data =
      folder === null || disk === null ? [] : [{ path: folder, type: use.fileSystem, ...total }]
    return { timestamp: now, total, data, io_stats: {} }
  },
  transport: () => ({
    server_open: 0,
    total_outbound_connections: 0,
    rx_count: 0,
    rx_size_in_bytes: 0,
    tx_count: 0,
    tx_size_in_bytes: 0,
  }),
  http: ({ connections }) => ({
    current_open: connections.open,
    total_opened: connections.opened,
  }),
  breaker: ({ use }) =>
    new Map(
      use.breakers.map((breaker): [string, JsonValue] => [
        breaker.name,
        {
          limit_size_in_bytes: breaker.limitInBytes,
          estimated_size_in_bytes: Math.round(breaker.usedInBytes),
          overhead: new Float64(breaker.overhead),
          tripped: breaker.tripped,
        },
      ]),
    ),
  script: ({ use }) => ({
    ...printCounts(sumOf(use.scripts)),
    contexts: use.scripts.map(each => ({ context: each.context, ...printCounts(each) })),
  }),
  discovery: () => ({
    cluster_state_queue: { total: 0, pending: 0, committed: 0 },
    published_cluster_states: { full_states: 0, incompatible_diffs: 0, compatible_diffs: 0 },
  }),
  ingest: ({ ingest }) => printIngest(ingest()),
  adaptive_selection: () => ({}),
  script_cache: ({ use }) => ({
    sum: printCounts(sumOf(use.scripts)),
    contexts: use.scripts.map(each => ({ context: each.context, ...printCounts(each) })),
  }),
  indexing_pressure: indexingPressure,
  shard_indexing_pressure: () => ({}),
  search_backpressure: () => ({}),
  cluster_manager_throttling: () => ({ stats: { total_throttled_tasks: 0 } }),
  weighted_routing: () => ({ stats: { fail_open_count: 0 } }),
  resource_usage_stats: () => ({}),
  admission_control: () => ({}),
  caches: ({ use: { requestCache } }) => ({
    request_cache: {
      size_in_bytes: requestCache.bytes,
      evictions: requestCache.evictions,
      hit_count: requestCache.hits,
      miss_count: requestCache.misses,
      item_count: requestCache.count,
    },
  }),
}

function printIngest({ total, pipelines }: IngestStats): JsonRecord {
  return {
    total: printIngestCount(total),
    pipelines: new Map(
      pipelines.map(pipeline => [
        pipeline.id,
        {
          ...printIngestCount(pipeline),
          processors: pipeline.processors.map(
            processor =>
              new Map([
                [processor.label, { type: processor.type, stats: printIngestCount(processor) }],
              ]),
          ),
        },
      ]),
    ),
  }
}

function printIngestCount({ count, timeInMillis, current, failed }: IngestCount): JsonRecord {
  return { count, time_in_millis: timeInMillis, current, failed }
}

/** No Java here: the heap and the buffers of the runtime. */
function jvm({ now, info }: NodeStatSource): JsonRecord {
  const { used, max } = heapUse()
  const { heapTotal, external, arrayBuffers } = process.memoryUsage()
  // The coordinating one, and those that it has started.
  const threads = info.threadPools.reduce((sum, { use }) => sum + use.threads, 1)
  return {
    timestamp: now,
    uptime_in_millis: Math.round(process.uptime() * 1000),
    mem: {
      heap_used_in_bytes: used,
      heap_used_percent: Math.round((100 * used) / max),
      heap_committed_in_bytes: heapTotal,
      heap_max_in_bytes: max,
      non_heap_used_in_bytes: external,
      non_heap_committed_in_bytes: external,
      pools: {},
    },
    threads: { count: threads, peak_count: threads },
    gc: { collectors: {} },
    buffer_pools: {
      // How many there are is not counted.
      direct: { count: 0, used_in_bytes: arrayBuffers, total_capacity_in_bytes: arrayBuffers },
    },
    classes: { current_loaded_count: 0, total_loaded_count: 0, total_unloaded_count: 0 },
  }
}

/** Every operation is coordinated here, and none is a copy's. */
function indexingPressure({ use }: NodeStatSource): JsonRecord {
  const { currentInBytes, totalInBytes, rejections, limitInBytes } = use.indexingPressure
  const bytes = (coordinating: number): Record<string, JsonValue> => ({
    combined_coordinating_and_primary_in_bytes: coordinating,
    coordinating_in_bytes: coordinating,
    primary_in_bytes: 0,
    replica_in_bytes: 0,
    all_in_bytes: coordinating,
  })
  return {
    memory: {
      current: bytes(currentInBytes),
      total: {
        ...bytes(totalInBytes),
        coordinating_rejections: rejections,
        primary_rejections: 0,
        replica_rejections: 0,
      },
      limit_in_bytes: limitInBytes,
    },
  }
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
