/** The sections of `_nodes`, a metric each. */
import { arch, availableParallelism, platform, release, version } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import type { NodeInfo, ThreadPoolInfo } from '../../../engine/api/cluster.ts'
import type { SearchProcessorTypes } from '../../../engine/api/search-pipelines.ts'
import { nodeSettings } from '../../../schema/setting-registry.ts'
import { Settings } from '../../../schema/settings.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import { addressOf } from '../../node-view.ts'
import { shownSettings } from '../../shown-settings.ts'
import { printAggregationValues } from './aggregation-values.ts'

/** The sources of a section. */
export interface SectionSource {
  readonly info: NodeInfo
  /** Types of ingest processors. */
  readonly processors: readonly string[]
  readonly searchProcessors: SearchProcessorTypes
  /** Whether settings print by their full keys. */
  readonly isFlat: boolean
  /** Where the server listens, `host:port`; null without one. */
  readonly httpAddress: string | null
}

/** By the name of the metric, in print order. */
export const NODE_SECTIONS: Readonly<Record<string, (source: SectionSource) => JsonValue>> = {
  settings: ({ info, isFlat }) => settingsOf(info).toJson(isFlat),
  os: () => ({
    refresh_interval_in_millis: 1000,
    name: platform(),
    pretty_name: version(),
    arch: arch(),
    version: release(),
    available_processors: availableParallelism(),
    allocated_processors: availableParallelism(),
  }),
  process: () => ({ refresh_interval_in_millis: 1000, id: process.pid, mlockall: false }),
  jvm: () => jvm(),
  thread_pool: ({ info }) =>
    new Map(info.threadPools.map((pool): [string, JsonValue] => [pool.name, printPool(pool)])),
  transport: ({ info, httpAddress }) => ({
    // Nodes do not talk to each other here: nothing is bound.
    bound_address: [],
    publish_address: addressOf(info, httpAddress).transportAddress,
    profiles: {},
  }),
  http: ({ info, httpAddress }) => ({
    bound_address: httpAddress === null ? [] : [httpAddress],
    publish_address: httpAddress ?? '',
    max_content_length_in_bytes: nodeSettings.bytes(info.settings, 'http.max_content_length') ?? 0,
  }),
  plugins: () => [],
  modules: () => [],
  ingest: ({ processors }) => ({ processors: namedTypes(processors) }),
  aggregations: printAggregationValues,
  search_pipelines: ({ searchProcessors: { request, phaseResults, response } }) => ({
    phase_results_processors: namedTypes(phaseResults),
    request_processors: namedTypes(request),
    response_processors: namedTypes(response),
  }),
}

function namedTypes(types: readonly string[]): JsonRecord[] {
  return types.map(type => ({ type }))
}

/** Those that were given, and those that every node has. */
function settingsOf({ settings, clusterName, nodeName }: NodeInfo): Settings {
  const usual = new Map([
    ['client.type', 'node'],
    ['cluster.name', clusterName],
    ['node.name', nodeName],
  ])
  return Settings.EMPTY.with(usual).with(shownSettings(settings).toMap())
}

/** No Java here; clients that read a version from this section find the runtime's. */
function jvm(): JsonRecord {
  const { heap_size_limit, total_heap_size, malloced_memory } = getHeapStatistics()
  return {
    pid: process.pid,
    version: process.versions.node,
    vm_name: 'Node.js',
    vm_version: process.versions.v8,
    vm_vendor: 'Node.js',
    bundled_jdk: false,
    using_bundled_jdk: null,
    start_time_in_millis: Math.round(performance.timeOrigin),
    mem: {
      heap_init_in_bytes: total_heap_size,
      heap_max_in_bytes: heap_size_limit,
      non_heap_init_in_bytes: malloced_memory,
      non_heap_max_in_bytes: 0,
      direct_max_in_bytes: 0,
    },
    gc_collectors: [],
    memory_pools: [],
    using_compressed_ordinary_object_pointers: 'unknown',
    input_arguments: [...process.execArgv],
  }
}

function printPool(pool: ThreadPoolInfo): JsonRecord {
  if (pool.type !== 'scaling')
    return { type: pool.type, size: pool.size, queue_size: pool.queueSize }
  const { type, core, max, keepAlive, queueSize } = pool
  return { type, core, max, keep_alive: keepAlive, queue_size: queueSize }
}
