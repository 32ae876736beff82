/** Puts the lists of a hybrid query's sub-queries together: this stands between reduce and fetch. */
import { addTotals, type MergedResult, type ShardResult } from '../../../parallel/reduce.ts'
import type { SliceHit, TotalHits } from '../../../search/collector/collect-spec.ts'
import type { AfterValue } from '../../../search/sort/sort-key.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { mergeShards } from '../merge-shards.ts'
import type { HybridScoring } from './hybrid-scoring.ts'
import { ListedDocuments } from './listed-documents.ts'
import { checkScoring } from './score-lists.ts'
import { SelectedOrder } from './selected-order.ts'

/** The part of a search's request that its lists are put together by. */
export interface CombinedPage {
  readonly from: number
  readonly size: number
  /** Combined scores below it are dropped; null: none is. */
  readonly minScore: number | null
  readonly trackTotalHits: number
  /** By score, the one that hits come after; null: none. */
  readonly searchAfter: readonly AfterValue[] | null
}

/** The hits of a page with the scores that they were made of. */
export interface CombinedResult extends MergedResult {
  /** Of each hit, in order: a comparable score of each sub-query; null: hits are sorted by fields. */
  readonly parts: readonly Float32Array[] | null
}

/**
 * Combines the lists of all shards.
 * @param shards in order of index and shard; all have lists, in the same order of hits
 * @throws {IllegalArgumentError} the scoring does not fit the number of sub-queries; the page begins behind
 *   the last hit; indices sort by values of different types
 */
export function combineLists(
  shards: readonly ShardResult[],
  page: CombinedPage,
  scoring: HybridScoring,
): CombinedResult {
  const lists = shards[0]?.lists?.length ?? 0
  checkScoring(scoring, lists)
  const [first] = shards[0]?.sort ?? []
  if (first !== undefined && first.kind !== 'score') return inOrderOfFields(shards, page)
  const ascending = first?.kind === 'score' && !first.descending
  return inOrderOfScores(shards, lists, page, scoring, ascending)
}

/** Sorted hits are merged as those of shards are; one that is in several lists has the same values in each. */
function inOrderOfFields(shards: readonly ShardResult[], page: CombinedPage): CombinedResult {
  const { from, size, trackTotalHits } = page
  const merged = mergeShards(
    shards.map(shard => ({ ...shard, hits: distinct(shard) })),
    0,
    Number.POSITIVE_INFINITY,
    trackTotalHits,
  )
  checkFrom(from, merged.hits.length)
  return {
    ...merged,
    hits: merged.hits.slice(from, from + size),
    maxScore: Number.NaN,
    parts: null,
  }
}

function distinct({ lists = [] }: ShardResult): readonly SliceHit[] {
  const hits = new Map<number, SliceHit>()
  for (const list of lists)
    for (const hit of list)
      if (!hits.has(hit.globalDoc)) hits.set(hit.globalDoc, { ...hit, score: Number.NaN })
  return [...hits.values()]
}

function inOrderOfScores(
  shards: readonly ShardResult[],
  lists: number,
  page: CombinedPage,
  scoring: HybridScoring,
  ascending: boolean,
): CombinedResult {
  const found = new ListedDocuments(shards, lists, scoring)
  const scores = found.combined(scoring)
  const { from, size, trackTotalHits } = page
  const minScore = page.minScore === null ? null : Math.fround(page.minScore)
  const sign = ascending ? -1 : 1
  const order = new SelectedOrder(
    (a, b) =>
      sign * (scores[b]! - scores[a]!) ||
      found.shards[a]! - found.shards[b]! ||
      found.docs[a]! - found.docs[b]!,
    scores.length,
  )
  const after = page.searchAfter?.[0] ?? null
  let maxScore = 0
  let passing = 0
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at]!
    if (minScore !== null && score < minScore) continue
    passing++
    if (score > maxScore) maxScore = score
    if (typeof after !== 'number' || sign * (after - score) > 0) order.add(at)
  }
  const isCollapsed = shards.some(shard => shard.isCollapsed)
  const inOrder = isCollapsed ? found.firstOfGroups(order.all()) : order.first(from + size)
  checkFrom(from, isCollapsed ? inOrder.length : order.count)
  const chosen = inOrder.slice(from, from + size)
  const total = trackTotalHits < 0 ? null : addTotals(shards, trackTotalHits)
  return {
    hits: chosen.map(at => found.scoredHit(at, scores[at]!)),
    parts: chosen.map(at => found.parts.slice(at * lists, (at + 1) * lists)),
    total: total === null || minScore === null ? total : passed(total, passing, scores.length),
    maxScore,
    timedOut: shards.some(shard => shard.timedOut),
    terminatedEarly: shards.some(shard => shard.terminatedEarly),
  }
}

/**
 * The number of hits that pass a min score, which documents outside the lists are not held against: where
 * all listed ones pass, there may be more.
 */
function passed({ value, relation }: TotalHits, passing: number, listed: number): TotalHits {
  const isAll = passing < listed || (value === listed && relation === 'eq')
  return { value: passing, relation: isAll ? 'eq' : 'gte' }
}

function checkFrom(from: number, count: number): void {
  if (from > count)
    throw new IllegalArgumentError(
      'Reached end of search result, increase pagination_depth value to see more results',
    )
}
