/** Merges the results of slices and shards; the result never depends on the cut. */

import {
  addCounts,
  type CollectSpec,
  noCounts,
  type SliceCounters,
  type SliceHit,
  type SliceResult,
  type TotalHits,
} from '../search/collector/collect-spec.ts'
import { compareHits } from '../search/collector/compare-hits.ts'
import { groupKey } from '../search/collector/group-values.ts'
import type { SortKey } from '../search/sort/sort-key.ts'
import type { Leaf } from '../segment/leaf.ts'
import { reduceGathers } from './gathers.ts'

/** The result of one shard. */
export interface ShardResult {
  /** Best first, max `spec.topCount`. */
  readonly hits: readonly SliceHit[]
  /** The best hits of each sub-query of a hybrid query, in place of `hits`; absent: it is none. */
  readonly lists?: readonly (readonly SliceHit[])[]
  /** The hits' sort; null: by score. */
  readonly sort: readonly SortKey[] | null
  /** Whether hits stand for groups, whose values follow those of the sort. */
  readonly isCollapsed: boolean
  /** Null when hits are not counted. */
  readonly total: TotalHits | null
  /** Max score of the matches; NaN when none was computed. */
  readonly maxScore: number
  readonly timedOut: boolean
  readonly cancelled: boolean
  readonly terminatedEarly: boolean
  readonly counters: SliceCounters
  /** One result for each gather beside the hits. */
  readonly parts: readonly unknown[]
}

/** One hit of the whole search. */
export interface MergedHit {
  /** Index of the shard in the merged list. */
  readonly shard: number
  readonly hit: SliceHit
}

/** The merged result of all shards. */
export interface MergedResult {
  /** From `from` on, best first. */
  readonly hits: readonly MergedHit[]
  readonly total: TotalHits | null
  readonly maxScore: number
  readonly timedOut: boolean
  readonly terminatedEarly: boolean
}

/**
 * Merges the slices of one shard.
 * @param leaves its own, which gathers beside the hits may read
 */
export function reduceSlices(
  spec: CollectSpec,
  slices: readonly SliceResult[],
  leaves: readonly Leaf[],
): ShardResult {
  if (slices.length === 1) return resultOfOne(spec, slices[0]!, leaves)
  const timedOut = slices.some(slice => slice.timedOut)
  const cancelled = slices.some(slice => slice.cancelled)
  const counters = noCounts()
  let hitCount = 0
  for (const slice of slices) {
    addCounts(counters, slice.counters)
    hitCount += slice.hitCount
  }
  return {
    hits: bestOf(
      spec,
      slices.map(slice => slice.hits),
    ),
    ...(spec.lists > 0 && {
      lists: Array.from({ length: spec.lists }, (_, i) =>
        bestOf(
          spec,
          slices.map(slice => slice.lists?.[i] ?? []),
        ),
      ),
    }),
    sort: spec.sort,
    isCollapsed: spec.collapse !== null,
    total: totalOf(spec, hitCount, timedOut || cancelled),
    maxScore: largest(slices.map(slice => slice.maxScore)),
    timedOut,
    cancelled,
    terminatedEarly: slices.some(slice => slice.terminatedEarly),
    counters,
    parts: reduceGathers(
      spec.others,
      slices.map(slice => slice.partials),
      leaves,
    ),
  }
}

/** The best hits of all slices. */
function bestOf(
  { sort, collapse, topCount }: CollectSpec,
  slices: readonly (readonly SliceHit[])[],
): readonly SliceHit[] {
  const hits = slices.flat()
  hits.sort((a, b) => compareHits(sort, a, sort, b) || a.globalDoc - b.globalDoc)
  return firstOfGroups(hits, collapse !== null, hit => hit).slice(0, topCount)
}

const NO_PARTS: readonly unknown[] = []

/** A single slice's hits are sorted and cut already. */
function resultOfOne(spec: CollectSpec, slice: SliceResult, leaves: readonly Leaf[]): ShardResult {
  const { hits, lists, maxScore, timedOut, cancelled, terminatedEarly, counters } = slice
  const total = totalOf(spec, slice.hitCount, timedOut || cancelled)
  const { sort, others } = spec
  const parts = others.length === 0 ? NO_PARTS : reduceGathers(others, [slice.partials], leaves)
  return {
    hits,
    ...(lists !== undefined && { lists }),
    sort,
    isCollapsed: spec.collapse !== null,
    total,
    maxScore,
    timedOut,
    cancelled,
    terminatedEarly,
    counters,
    parts,
  }
}

/** Merges shards in order of index and shard number: of equal hits the earlier shard's is first. */
export function reduceShards(
  shards: readonly ShardResult[],
  from: number,
  size: number,
  trackTotalHits: number,
): MergedResult {
  const all = mergedHits(shards)
  const isCollapsed = shards.some(shard => shard.isCollapsed)
  return {
    hits: firstOfGroups(all, isCollapsed, ({ hit }) => hit).slice(from, from + size),
    total: trackTotalHits < 0 ? null : addTotals(shards, trackTotalHits),
    maxScore: largest(shards.map(shard => shard.maxScore)),
    timedOut: shards.some(shard => shard.timedOut),
    terminatedEarly: shards.some(shard => shard.terminatedEarly),
  }
}

function mergedHits(shards: readonly ShardResult[]): readonly MergedHit[] {
  const all: MergedHit[] = []
  for (let shard = 0; shard < shards.length; shard++)
    for (const hit of shards[shard]!.hits) all.push({ shard, hit })
  const compare = (a: MergedHit, b: MergedHit): number =>
    compareHits(sortOf(shards, a.shard), a.hit, sortOf(shards, b.shard), b.hit) ||
    a.shard - b.shard ||
    a.hit.globalDoc - b.hit.globalDoc
  // Those of one shard mostly are in order: to look costs less than to sort.
  for (let i = 1; i < all.length; i++)
    if (compare(all[i - 1]!, all[i]!) > 0) return all.sort(compare)
  return all
}

/** Of hits in order, the first of each group. */
function firstOfGroups<H>(
  hits: readonly H[],
  isCollapsed: boolean,
  hitOf: (hit: H) => SliceHit,
): readonly H[] {
  if (!isCollapsed) return hits
  const seen = new Set<string | bigint | null>()
  return hits.filter(each => {
    const key = groupKey(hitOf(each).sort?.at(-1) ?? null)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function sortOf(shards: readonly ShardResult[], shard: number): readonly SortKey[] | null {
  return shards[shard]?.sort ?? null
}

function totalOf(spec: CollectSpec, hitCount: number, wasStopped: boolean): TotalHits | null {
  if (spec.trackTotalHits < 0) return null
  if (spec.knownTotal !== null && !wasStopped) return spec.knownTotal
  if (hitCount > spec.trackTotalHits) return { value: spec.trackTotalHits, relation: 'gte' }
  return { value: hitCount, relation: wasStopped ? 'gte' : 'eq' }
}

/** Adds up what shards have counted, up to a limit. */
export function addTotals(shards: readonly ShardResult[], limit: number): TotalHits {
  let value = 0
  let isLowerBound = false
  for (const { total } of shards) {
    value += total?.value ?? 0
    if (total?.relation === 'gte') isLowerBound = true
  }
  if (value > limit) return { value: limit, relation: 'gte' }
  return { value, relation: isLowerBound ? 'gte' : 'eq' }
}

/** The max; NaN of an empty list. */
function largest(values: readonly number[]): number {
  let max = Number.NaN
  for (const value of values) if (!(value <= max) && !Number.isNaN(value)) max = value
  return max
}
