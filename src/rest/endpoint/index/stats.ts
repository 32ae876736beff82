import type { NodeInfo } from '../../../engine/api/cluster.ts'
import type { IndexStats, OperationStats, ShardStats } from '../../../engine/api/stats.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { withHumanTwins } from '../../human.ts'
import {
  choice,
  flag,
  list,
  type ParamReader,
  unrecognized,
  unsupportedParams,
} from '../../params.ts'

const NEVER_RUN = Object.fromEntries(
  ['scroll', 'point_in_time', 'suggest'].flatMap(name => [
    [`${name}_total`, 0],
    [`${name}_time_in_millis`, 0],
    [`${name}_current`, 0],
  ]),
)

/** The object that a metric prints for some shards together. */
const METRICS: Record<string, (shards: readonly ShardStats[]) => JsonRecord> = {
  docs: shards => ({
    count: sum(shards, s => s.docCount),
    deleted: sum(shards, s => s.deletedDocCount),
  }),
  store: shards => ({ size_in_bytes: sum(shards, s => s.storeInBytes), reserved_in_bytes: 0 }),
  indexing: shards => ({
    ...operations('index', shards, s => s.indexing),
    index_failed: sum(shards, s => s.indexing.failed),
    ...operations('delete', shards, s => s.deletes),
    noop_update_total: sum(shards, s => s.indexing.noop),
    is_throttled: false,
    throttle_time_in_millis: 0,
  }),
  get: shards => ({
    total: sum(shards, s => s.get.exists.count + s.get.missing.count),
    time_in_millis: sum(shards, s => s.get.exists.timeInMillis + s.get.missing.timeInMillis),
    exists_total: sum(shards, s => s.get.exists.count),
    exists_time_in_millis: sum(shards, s => s.get.exists.timeInMillis),
    missing_total: sum(shards, s => s.get.missing.count),
    missing_time_in_millis: sum(shards, s => s.get.missing.timeInMillis),
    current: sum(shards, s => s.get.exists.current + s.get.missing.current),
  }),
  search: shards => ({
    open_contexts: 0,
    ...operations('query', shards, s => s.query),
    ...operations('fetch', shards, s => s.fetch),
    // Neither scrolls nor points in time nor suggesters are built: none has run.
    ...NEVER_RUN,
  }),
  merge: shards => ({
    current: sum(shards, s => s.merge.current),
    total: sum(shards, s => s.merge.count),
    total_time_in_millis: sum(shards, s => s.merge.timeInMillis),
    total_docs: sum(shards, s => s.merge.docs),
    total_size_in_bytes: sum(shards, s => s.merge.sizeInBytes),
    // Merges are never stopped or slowed down.
    total_stopped_time_in_millis: 0,
    total_throttled_time_in_millis: 0,
  }),
  refresh: shards => ({
    total: sum(shards, s => s.refresh.count),
    total_time_in_millis: sum(shards, s => s.refresh.timeInMillis),
    listeners: 0,
  }),
  flush: shards => ({
    total: sum(shards, s => s.flush.count),
    periodic: 0,
    total_time_in_millis: sum(shards, s => s.flush.timeInMillis),
  }),
  query_cache: shards => {
    const hits = sum(shards, s => s.filterCache.hits)
    const misses = sum(shards, s => s.filterCache.misses)
    const made = sum(shards, s => s.filterCache.made)
    const kept = sum(shards, s => s.filterCache.kept)
    return {
      memory_size_in_bytes: sum(shards, s => s.filterCache.bytes),
      total_count: hits + misses,
      hit_count: hits,
      miss_count: misses,
      cache_size: kept,
      cache_count: made,
      evictions: made - kept,
    }
  },
  segments: shards => ({
    count: sum(shards, s => s.segmentCount),
    memory_in_bytes: sum(shards, s => s.segmentMemoryInBytes),
  }),
  translog: shards => ({
    operations: sum(shards, s => s.translogOperations),
    size_in_bytes: sum(shards, s => s.translogInBytes),
  }),
  // There are no such caches, warmers and recoveries here: their counts are truly 0.
  warmer: () => ({ current: 0, total: 0, total_time_in_millis: 0 }),
  fielddata: () => ({ memory_size_in_bytes: 0, evictions: 0 }),
  completion: () => ({ size_in_bytes: 0 }),
  recovery: () => ({ current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 }),
  request_cache: () => ({ memory_size_in_bytes: 0, evictions: 0, hit_count: 0, miss_count: 0 }),
}
const level: ParamReader<string> = choice('cluster', 'indices', 'shards', 'shard')
/** The wire prints the merge metric in the plural. */
const SECTION_NAMES: Record<string, string> = { merge: 'merges' }

/** `GET [/{index}]/_stats[/{metric}]`. */
export const stats: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_stats'],
    ['GET', '/_stats/{metric}'],
    ['GET', '/{index}/_stats'],
    ['GET', '/{index}/_stats/{metric}'],
  ],
  action: 'indices:monitor/stats',
  params: {
    ...TARGET_PARAMS,
    ...unsupportedParams('groups include_segment_file_sizes'),
    level,
    fields: list,
    fielddata_fields: list,
    completion_fields: list,
    forbid_closed_indices: flag,
    include_unloaded_segments: flag,
  },
  body: 'none',
  async handle({ engine, params, part, path, human, context }): Promise<Answer> {
    const asked = list(part('metric'))
    const known = Object.keys(METRICS)
    const unknown = asked.filter(metric => metric !== '_all' && !known.includes(metric))
    if (unknown.length > 0) throw unrecognized(path, 'metric', unknown, known)
    const isAll = asked.length === 0 || asked.includes('_all')
    const metrics = isAll ? known : known.filter(metric => asked.includes(metric))
    const target = targetOf(part('index'), params, 'open')
    const indices = await engine.cluster.stats(
      target,
      params.forbid_closed_indices ?? true,
      context,
    )
    const shards = indices.flatMap(index => index.shards)
    const total = sumOf(indices.map(index => index.numberOfShards * (1 + index.numberOfReplicas)))
    const printed = new Map(
      indices.map((index): [string, JsonValue] => [
        index.index,
        {
          uuid: index.uuid,
          ...both(metrics, index.shards),
          shards: params.level?.startsWith('shard')
            ? printShards(metrics, index, engine.cluster.nodeInfo())
            : undefined,
        } as JsonRecord,
      ]),
    )
    const body = {
      _shards: { total, successful: shards.length, failed: 0 },
      _all: both(metrics, shards),
      indices: params.level === 'cluster' ? undefined : printed,
    } as JsonRecord
    return { json: human ? withHumanTwins(body) : body }
  },
})

/** Primaries and all copies: on one node the same. */
function both(
  metrics: readonly string[],
  shards: readonly ShardStats[],
): Record<string, JsonValue> {
  const printed = print(metrics, shards)
  return { primaries: printed, total: printed }
}

function print(metrics: readonly string[], shards: readonly ShardStats[]): JsonRecord {
  return Object.fromEntries(
    metrics.map(metric => [SECTION_NAMES[metric] ?? metric, METRICS[metric]!(shards)]),
  )
}

function printShards(
  metrics: readonly string[],
  index: IndexStats,
  { nodeId, folder }: NodeInfo,
): JsonValue {
  // Of what lies in memory there is no path.
  const path = folder ?? ''
  return new Map(
    index.shards.map((shard): [string, JsonValue] => [
      String(shard.shard),
      [
        {
          routing: { state: 'STARTED', primary: true, node: nodeId, relocating_node: null },
          ...(print(metrics, [shard]) as Record<string, JsonValue>),
          commit: printCommit(shard.commit),
          seq_no: {
            max_seq_no: shard.maxSeqNo,
            local_checkpoint: shard.maxSeqNo,
            global_checkpoint: shard.maxSeqNo,
          },
          // Leases hold operations back for other copies, and there are none.
          retention_leases: { primary_term: shard.primaryTerm, version: 0, leases: [] },
          shard_path: { state_path: path, data_path: path, is_custom_data_path: false },
        },
      ],
    ]),
  )
}

function printCommit({ id, generation, docCount, ...data }: ShardStats['commit']): JsonRecord {
  const { maxSeqNo, localCheckpoint, logId } = data
  const userData = {
    local_checkpoint: String(localCheckpoint),
    max_seq_no: String(maxSeqNo),
    translog_uuid: logId ?? undefined,
  } as JsonRecord
  return { id, generation, user_data: userData, num_docs: docCount }
}

function operations(
  name: string,
  shards: readonly ShardStats[],
  of: (shard: ShardStats) => OperationStats,
): Record<string, number> {
  return {
    [`${name}_total`]: sum(shards, shard => of(shard).count),
    [`${name}_time_in_millis`]: sum(shards, shard => of(shard).timeInMillis),
    [`${name}_current`]: sum(shards, shard => of(shard).current),
  }
}

function sum(shards: readonly ShardStats[], of: (shard: ShardStats) => number): number {
  return sumOf(shards.map(of))
}

function sumOf(numbers: readonly number[]): number {
  return Math.round(numbers.reduce((total, number) => total + number, 0))
}
