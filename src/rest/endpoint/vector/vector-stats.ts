import type { VectorStats } from '../../../engine/api/vectors.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { Float32, type JsonRecord, type JsonValue } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { isNodeMeant } from '../../node-view.ts'
import { list, millis, unrecognized } from '../../params.ts'
import { nodesAnswer } from '../node/nodes-answer.ts'

type Stat = (stats: VectorStats) => JsonValue

/** Statistics of the cluster, by name. */
const CLUSTER_STATS: Readonly<Record<string, Stat>> = {
  circuit_breaker_triggered: ({ isFull }) => isFull,
  // No vectors are compressed by trained models.
  model_index_status: () => null,
}

/** Statistics of the node, by name; zeros and null are of what there is not here. */
const NODE_STATS: Readonly<Record<string, Stat>> = {
  hit_count: ({ hits }) => hits,
  miss_count: ({ misses }) => misses,
  load_success_count: ({ loads }) => loads,
  load_exception_count: ({ misses, loads }) => misses - loads,
  total_load_time: ({ loadNanos }) => loadNanos,
  eviction_count: ({ evictions }) => evictions,
  graph_memory_usage: stats => kilobytes(bytesOf(stats)),
  graph_memory_usage_percentage: stats => percentage(bytesOf(stats), stats),
  cache_capacity_reached: ({ isFull }) => isFull,
  indices_in_cache: stats =>
    new Map(
      stats.indices.map(({ index, count, bytes }): [string, JsonRecord] => [
        index,
        {
          graph_memory_usage: kilobytes(bytes),
          graph_memory_usage_percentage: percentage(bytes, stats),
          graph_count: count,
        },
      ]),
    ),
  faiss_initialized: () => false,
  nmslib_initialized: () => false,
  lucene_initialized: () => false,
  graph_query_requests: ({ requests }) => requests.graphs,
  graph_query_errors: ({ requests }) => requests.failedGraphs,
  graph_index_requests: () => 0,
  graph_index_errors: () => 0,
  knn_query_requests: ({ requests }) => requests.queries.k.all,
  knn_query_with_filter_requests: ({ requests }) => requests.queries.k.filtered,
  min_score_query_requests: ({ requests }) => requests.queries.minScore.all,
  min_score_query_with_filter_requests: ({ requests }) => requests.queries.minScore.filtered,
  max_distance_query_requests: ({ requests }) => requests.queries.maxDistance.all,
  max_distance_query_with_filter_requests: ({ requests }) => requests.queries.maxDistance.filtered,
  script_compilations: ({ requests }) => requests.compilations,
  script_compilation_errors: ({ requests }) => requests.failedCompilations,
  script_query_requests: ({ requests }) => requests.scripts,
  script_query_errors: ({ requests }) => requests.failedScripts,
  indexing_from_model_degraded: () => false,
  training_requests: () => 0,
  training_errors: () => 0,
  training_memory_usage: () => 0,
  training_memory_usage_percentage: () => new Float32(0),
  graph_stats: () => ({ merge: zeros(MERGES), refresh: zeros(REFRESHES) }),
  remote_vector_index_build_stats: () => ({
    build_stats: zeros(REMOTE_BUILDS),
    client_stats: zeros(REMOTE_CALLS),
    repository_stats: zeros(REMOTE_FILES),
  }),
}

/** Names that are taken but print nothing by themselves: parts of the two above. */
const PARTS: readonly string[] = [
  'refresh',
  'merge',
  'client_stats',
  'repository_stats',
  'build_stats',
]

const REFRESHES = ['total', 'total_time_in_millis']
const MERGES = [
  'current',
  'current_docs',
  'current_size_in_bytes',
  ...REFRESHES,
  'total_docs',
  'total_size_in_bytes',
]
const REMOTE_BUILDS = [
  'remote_index_build_current_flush_operations',
  'remote_index_build_current_merge_operations',
  'remote_index_build_current_flush_size',
  'remote_index_build_current_merge_size',
  'remote_index_build_flush_time_in_millis',
  'remote_index_build_merge_time_in_millis',
]
const REMOTE_CALLS = [
  'build_request_success_count',
  'build_request_failure_count',
  'status_request_success_count',
  'status_request_failure_count',
  'index_build_success_count',
  'index_build_failure_count',
  'waiting_time_in_ms',
]
const REMOTE_FILES = [
  'write_success_count',
  'write_failure_count',
  'successful_write_time_in_millis',
  'read_success_count',
  'read_failure_count',
  'successful_read_time_in_millis',
]
const STATS = [...Object.keys(CLUSTER_STATS), ...Object.keys(NODE_STATS)]

/** `GET /_plugins/_knn[/{nodeId}]/stats[/{stat}]`: vectors in memory and requests about vectors, since the start. */
export const vectorStats: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_plugins/_knn/stats'],
    ['GET', '/_plugins/_knn/stats/{stat}'],
    ['GET', '/_plugins/_knn/{nodeId}/stats'],
    ['GET', '/_plugins/_knn/{nodeId}/stats/{stat}'],
  ],
  action: 'cluster:admin/knn_stats_action',
  params: { timeout: millis },
  body: 'none',
  handle({ engine, part, path, httpAddress }): Answer {
    const names = chosenStats(path, list(part('stat')))
    const info = engine.cluster.nodeInfo()
    const stats = engine.vectors.stats()
    const isMeant = isNodeMeant(list(part('nodeId')), info, httpAddress)
    const node = isMeant ? print(NODE_STATS, names, stats) : null
    return nodesAnswer(info, node, print(CLUSTER_STATS, names, stats))
  },
})

function chosenStats(path: string, asked: readonly string[]): readonly string[] {
  if (asked.length === 0 || asked.every(name => name === '_all')) return STATS
  if (asked.includes('_all'))
    throw new IllegalArgumentError(`Request ${path} contains _all and individual stats`)
  const known = [...STATS, ...PARTS]
  const unknown = asked.filter(name => !known.includes(name))
  if (unknown.length > 0) throw unrecognized(path, 'stat', unknown, known)
  return asked
}

function print(
  table: Readonly<Record<string, Stat>>,
  names: readonly string[],
  stats: VectorStats,
): Map<string, JsonValue> {
  return new Map(
    Object.entries(table)
      .filter(([name]) => names.includes(name))
      .map(([name, stat]) => [name, stat(stats)]),
  )
}

function bytesOf({ indices }: VectorStats): number {
  return indices.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Begun ones count. */
function kilobytes(bytes: number): number {
  return Math.ceil(bytes / 1024)
}

function percentage(bytes: number, { limitInBytes }: VectorStats): Float32 {
  return new Float32((100 * bytes) / limitInBytes)
}

function zeros(names: readonly string[]): Map<string, number> {
  return new Map(names.map(name => [name, 0]))
}
