/**
 * One shard's profile as response data, keys in the documented order. `human` adds a text twin to
 * each duration, all twins before the first raw value of their object.
 */
import type { CollectSpec } from '../search/collector/collect-spec.ts'
import { collectorRoles } from '../search/search-slice.ts'
import type { SliceRecord } from '../search/slice-report.ts'
import type { WeightNodeInfo } from '../search/weight/weight.ts'
import type { JsonRecord, JsonValue } from '../util/json/json-value.ts'
import { collectorDurations } from './collector-durations.ts'
import { collectorName, type ReasonStyle } from './collector-names.ts'
import type { FetchProfiler } from './fetch-profiler.ts'
import { durations } from './human-duration.ts'
import { kernelProfile } from './kernel-profile.ts'
import { reduceCollector } from './reduce-collector.ts'
import { type QueryTimes, reduceConcurrent, reduceSequential } from './reduce-query.ts'
import { partitionOf } from './slice-partition.ts'
import type { SliceProfile } from './slice-profile.ts'
import { LEAF_TIMING_TYPES } from './timing-types.ts'

/** The measurements of one search of a shard. */
export interface SearchMeasurements {
  readonly nodes: readonly WeightNodeInfo[]
  readonly rewriteTime: number
  readonly slices: readonly SliceProfile[]
  readonly spec: CollectSpec
  /** Time to merge the slices' results. */
  readonly reduceTime: number
  /** The collector of its aggregations, printed; null: it has none. */
  readonly gathers: JsonRecord | null
  /** Whether it ran for its aggregations alone. */
  readonly isForGathers: boolean
}

/** All measurements of one shard; those of its search by themselves. */
export interface ShardMeasurements extends SearchMeasurements {
  readonly nodeId: string
  readonly index: string
  readonly shard: number
  /** The search for the aggregations of all documents; null: there is none. */
  readonly global: SearchMeasurements | null
  /** The production slices and their start; null when not requested. */
  readonly production: { readonly slices: readonly SliceRecord[]; readonly started: number } | null
  /** Its aggregations, printed. */
  readonly aggregations: readonly JsonRecord[]
  /** Times of the fetch; null when not requested. */
  readonly fetch: FetchProfiler | null
}

/** Print style of a profile. */
export interface ProfileStyle {
  readonly concurrent: boolean
  readonly human: boolean
  readonly reasons: ReasonStyle
  /** `profile_slices`: an object per slice beside the aggregates. */
  readonly perSlice: boolean
}

/** The shard's entry; the caller sorts several shards' entries by `id`. */
export function shardProfile(shard: ShardMeasurements, style: ProfileStyle): JsonRecord {
  const searches = [searchProfile(shard, style)]
  if (shard.global !== null) searches.push(searchProfile(shard.global, style))
  return {
    id: `[${shard.nodeId}][${shard.index}][${shard.shard}]`,
    inbound_network_time_in_millis: 0,
    outbound_network_time_in_millis: 0,
    searches,
    kernels:
      shard.production === null
        ? undefined
        : kernelProfile(shard.production.slices, shard.production.started, style.human),
    aggregations: shard.aggregations,
    fetch: shard.fetch === null ? undefined : shard.fetch.report(style.human),
  }
}

/** One of a shard's searches. */
function searchProfile(search: SearchMeasurements, style: ProfileStyle): JsonRecord {
  // A slice that was stopped before its first leaf is left out.
  const slices = search.slices.filter(slice => slice.leaves.length > 0)
  const children = search.nodes.map((): number[] => [])
  search.nodes.forEach((node, id) => {
    if (node.parent >= 0) children[node.parent]?.push(id)
  })
  // Children have higher ids than their parents: built back to front, without recursion.
  const built: JsonRecord[] = []
  for (let id = search.nodes.length - 1; id >= 0; id--) {
    const node = search.nodes[id] as WeightNodeInfo
    const times = style.concurrent
      ? reduceConcurrent(slices, id, node.createStart, node.createTime)
      : reduceSequential(slices, id, node.createTime)
    const below = (children[id] ?? []).map(child => built[child] as JsonRecord)
    built[id] = queryNode(node, times, below, slices, search.nodes[0] as WeightNodeInfo, style)
  }
  return {
    query: built.slice(0, 1),
    rewrite_time: search.rewriteTime,
    collector: [
      search.isForGathers && search.gathers !== null
        ? search.gathers
        : collectorTree(search, slices, style),
    ],
  }
}

function queryNode(
  node: WeightNodeInfo,
  times: QueryTimes,
  children: readonly JsonRecord[],
  slices: readonly SliceProfile[],
  root: WeightNodeInfo,
  style: ProfileStyle,
): JsonRecord {
  const spans: [string, number][] = [['time', times.time]]
  if (times.slices !== null) {
    spans.push(['max_slice_time', times.slices.maxTime])
    spans.push(['min_slice_time', times.slices.minTime])
    spans.push(['avg_slice_time', times.slices.avgTime])
  }
  return {
    type: node.type,
    description: node.description,
    ...durations(spans, style.human),
    breakdown: breakdown(times),
    slices:
      style.perSlice && times.slices !== null ? sliceNodes(times, slices, root, style) : undefined,
    children: children.length > 0 ? children : undefined,
  }
}

/** All keys of a node, alphabetical: 66 of a concurrent search, 18 of a sequential one. */
function breakdown(times: QueryTimes): JsonRecord {
  const entries: [string, number][] = [
    ['create_weight', times.createWeight],
    ['create_weight_count', 1],
  ]
  LEAF_TIMING_TYPES.forEach((type, i) => {
    const own = times.types[i]
    if (own === undefined) return
    entries.push([type, own.time], [`${type}_count`, own.count])
    if (times.slices === null) return
    entries.push([`max_${type}`, own.maxTime], [`max_${type}_count`, own.maxCount])
    entries.push([`min_${type}`, own.minTime], [`min_${type}_count`, own.minCount])
    entries.push([`avg_${type}`, own.avgTime], [`avg_${type}_count`, own.avgCount])
  })
  return alphabetical(entries)
}

function alphabetical(entries: readonly (readonly [string, JsonValue])[]): JsonRecord {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

function sliceNodes(
  times: QueryTimes,
  slices: readonly SliceProfile[],
  root: WeightNodeInfo,
  style: ProfileStyle,
): readonly JsonRecord[] {
  return slices.map((slice, i) => {
    const span = times.slices?.each[i]
    const entries: [string, number][] = []
    LEAF_TIMING_TYPES.forEach((type, at) => {
      const own = span?.types[at]
      entries.push([type, own?.time ?? 0], [`${type}_count`, own?.count ?? 0])
    })
    return {
      slice_id: slice.sliceId,
      ...durations([['slice_time', span?.time ?? 0]], style.human),
      worker: slice.worker,
      queue_time_in_nanos: Math.max(0, slice.start - slice.queued),
      start_offset_in_nanos: Math.max(0, slice.start - root.createStart),
      partitions: slice.leaves.map(partitionOf),
      breakdown: alphabetical(entries),
    }
  })
}

function collectorTree(
  search: SearchMeasurements,
  slices: readonly SliceProfile[],
  style: ProfileStyle,
): JsonRecord {
  let inner: JsonRecord | null = null
  collectorRoles(search.spec).forEach((role, index) => {
    const name = collectorName(role, search.spec, style.concurrent, style.reasons)
    if (name === null) return
    const reduceTime = style.concurrent ? search.reduceTime : null
    const times = reduceCollector(
      slices.map(({ collectors }) => collectors[index]),
      reduceTime,
    )
    const beside = role === 'gathers' && search.gathers !== null ? [search.gathers] : []
    inner = {
      name: name.name,
      reason: name.reason,
      ...collectorDurations(times, style.human),
      children: inner === null ? undefined : [inner, ...beside],
    }
  })
  return inner as unknown as JsonRecord
}
