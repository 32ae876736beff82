/** The metrics of shards, each with the section that it prints. */
import type { ShardStats } from '../../engine/api/stats.ts'
import type { JsonRecord, JsonValue } from '../../util/json/json-value.ts'
import { durationText } from '../../util/units.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import { NO_REMOTE_TRANSLOG, NO_SEGMENT_WARMER } from './absent-features.ts'
import { searchMetric } from './search-metric.ts'
import { type SegmentMetricOptions, segmentMetric } from './segment-metric.ts'
import { fieldDataBytes, operations, sum } from './shard-sums.ts'

/** Keys that some metrics print beside their sums. */
export interface MetricOptions extends SegmentMetricOptions {
  /** Names and patterns of groups of searches. */
  readonly groups: readonly string[]
  /** The same of those whose field data is. */
  readonly fielddataFields: readonly string[] | null
  /** Names and patterns of fields whose completions are printed one by one; null: of none. */
  readonly completionFields: readonly string[] | null
  /** Whether the old name of the time of gets is printed too. */
  readonly human: boolean
}

/** Sums alone. */
export const USUAL_METRICS: MetricOptions = {
  groups: [],
  fielddataFields: null,
  completionFields: null,
  hasFileSizes: false,
  hasUnloaded: false,
  human: false,
}

type Metric = (shards: readonly ShardStats[], options: MetricOptions) => JsonRecord

/** In print order. */
const METRICS: Readonly<Record<string, Metric>> = {
  docs: shards => ({
    count: sum(shards, s => s.docCount),
    deleted: sum(shards, s => s.deletedDocCount),
  }),
  store: shards => ({ size_in_bytes: sum(shards, s => s.storeInBytes), reserved_in_bytes: 0 }),
  indexing: shards => ({
    ...operations(
      'index',
      shards.map(s => s.indexing),
    ),
    index_failed: sum(shards, s => s.indexing.failed),
    ...operations(
      'delete',
      shards.map(s => s.deletes),
    ),
    noop_update_total: sum(shards, s => s.indexing.noop),
    // Writers are held up by limits of memory, never slowed down for merges.
    is_throttled: false,
    throttle_time_in_millis: 0,
    doc_status: {},
    max_last_index_request_timestamp: Math.max(0, ...shards.map(s => s.indexing.lastAt)),
  }),
  get: (shards, { human }) => {
    const time = sum(shards, s => s.get.exists.timeInMillis + s.get.missing.timeInMillis)
    return {
      total: sum(shards, s => s.get.exists.count + s.get.missing.count),
      getTime: human ? durationText(time * 1e6) : undefined,
      time_in_millis: time,
      exists_total: sum(shards, s => s.get.exists.count),
      exists_time_in_millis: sum(shards, s => s.get.exists.timeInMillis),
      missing_total: sum(shards, s => s.get.missing.count),
      missing_time_in_millis: sum(shards, s => s.get.missing.timeInMillis),
      current: sum(shards, s => s.get.exists.current + s.get.missing.current),
    } as JsonRecord
  },
  search: (shards, { groups }) => searchMetric(shards, groups),
  merge: shards => ({
    current: sum(shards, s => s.merge.current),
    current_docs: sum(shards, s => s.merge.currentDocs),
    current_size_in_bytes: sum(shards, s => s.merge.currentSizeInBytes),
    total: sum(shards, s => s.merge.count),
    total_time_in_millis: sum(shards, s => s.merge.timeInMillis),
    total_docs: sum(shards, s => s.merge.docs),
    total_size_in_bytes: sum(shards, s => s.merge.sizeInBytes),
    // Merges are never stopped or slowed down.
    total_stopped_time_in_millis: 0,
    total_throttled_time_in_millis: 0,
    total_auto_throttle_in_bytes: 0,
    unreferenced_file_cleanups_performed: 0,
    merged_segment_warmer: NO_SEGMENT_WARMER,
  }),
  refresh: shards => {
    const count = sum(shards, s => s.refresh.count)
    const time = sum(shards, s => s.refresh.timeInMillis)
    return {
      total: count,
      total_time_in_millis: time,
      // Searches see every refresh.
      external_total: count,
      external_total_time_in_millis: time,
      listeners: sum(shards, s => s.refresh.listeners),
    }
  },
  flush: shards => ({
    total: sum(shards, s => s.flush.count),
    periodic: sum(shards, s => s.flush.periodic),
    total_time_in_millis: sum(shards, s => s.flush.timeInMillis),
  }),
  // There are no such caches, warmers and recoveries here: their counts are truly 0.
  warmer: () => ({ current: 0, total: 0, total_time_in_millis: 0 }),
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
  fielddata: (shards, { fielddataFields }) =>
    ({
      memory_size_in_bytes: sum(shards, fieldDataBytes),
      evictions: sum(shards, s => s.fieldData.evictions),
      fields:
        fielddataFields === null
          ? undefined
          : bytesByField(shards, s => s.fieldData.fields, fielddataFields, 'memory_size_in_bytes'),
    }) as JsonRecord,
  completion: (shards, { completionFields }) =>
    ({
      size_in_bytes: sum(shards, completionBytes),
      fields:
        completionFields === null
          ? undefined
          : bytesByField(shards, s => s.completions, completionFields, 'size_in_bytes'),
    }) as JsonRecord,
  segments: segmentMetric,
  translog: shards => {
    const operations = sum(shards, s => s.translogOperations)
    const bytes = sum(shards, s => s.translogInBytes)
    return {
      operations,
      size_in_bytes: bytes,
      // Operations leave the log with the commit that has them.
      uncommitted_operations: operations,
      uncommitted_size_in_bytes: bytes,
      earliest_last_modified_age: Math.max(0, ...shards.map(s => s.translogAgeInMillis)),
      remote_store: NO_REMOTE_TRANSLOG,
    }
  },
  request_cache: shards => ({
    memory_size_in_bytes: sum(shards, s => s.requestCache.bytes),
    evictions: sum(shards, s => s.requestCache.evictions),
    hit_count: sum(shards, s => s.requestCache.hits),
    miss_count: sum(shards, s => s.requestCache.misses),
  }),
  recovery: () => ({ current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 }),
}

/** The names of all metrics, in print order. */
export const METRIC_NAMES: readonly string[] = Object.keys(METRICS)

/** The sections of metrics for some shards together, by the names of the sections. */
export function printMetrics(
  metrics: readonly string[],
  shards: readonly ShardStats[],
  options: MetricOptions,
): JsonRecord {
  return Object.fromEntries(
    metrics.map(metric => [
      metric === 'merge' ? 'merges' : metric,
      METRICS[metric]!(shards, options),
    ]),
  )
}

function completionBytes({ completions }: ShardStats): number {
  let total = 0
  for (const bytes of completions.values()) total += bytes
  return total
}

function bytesByField(
  shards: readonly ShardStats[],
  of: (shard: ShardStats) => ReadonlyMap<string, number>,
  patterns: readonly string[],
  key: string,
): JsonValue | undefined {
  const sizes = new Map<string, number>()
  for (const shard of shards)
    for (const [field, bytes] of of(shard))
      if (patterns.some(pattern => matchesWildcard(pattern, field)))
        sizes.set(field, (sizes.get(field) ?? 0) + bytes)
  if (sizes.size === 0) return undefined
  return new Map([...sizes].map(([field, bytes]): [string, JsonValue] => [field, { [key]: bytes }]))
}
