/** Puts the lists of a hybrid query's sub-queries together: this stands between reduce and fetch. */
import {
  addTotals,
  type MergedHit,
  type MergedResult,
  type ShardResult,
} from '../../../parallel/reduce.ts'
import type { SliceHit, TotalHits } from '../../../search/collector/collect-spec.ts'
import { groupKey } from '../../../search/collector/group-values.ts'
import type { SortValue } from '../../../search/collector/sort-key.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { mergeShards } from '../merge-shards.ts'
import type { HybridScoring } from './hybrid-scoring.ts'
import { checkScoring, combinationOf, comparableScores, weightsOf } from './score-lists.ts'
import { SelectedOrder } from './selected-order.ts'

/** The part of a search's request that its lists are put together by. */
export interface CombinedPage {
  readonly from: number
  readonly size: number
  /** Combined scores below it are dropped; null: none is. */
  readonly minScore: number | null
  readonly trackTotalHits: number
  /** By score, the one that hits come after; null: none. */
  readonly searchAfter: readonly SortValue[] | null
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
      found.hits[a]!.globalDoc - found.hits[b]!.globalDoc,
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

/** The documents of all lists, each once, by the order in which the lists name them. */
class ListedDocuments {
  readonly hits: SliceHit[] = []
  /** Of each, which shard it is in. */
  readonly shards: number[] = []
  /** Of each, a comparable score of every sub-query; 0 where it is not in the list. */
  readonly parts: Float32Array
  readonly #lists: number

  constructor(shards: readonly ShardResult[], lists: number, scoring: HybridScoring) {
    this.#lists = lists
    const listed = shards.reduce(
      (sum, shard) => sum + (shard.lists ?? []).reduce((all, list) => all + list.length, 0),
      0,
    )
    this.parts = new Float32Array(listed * lists)
    const known = shards.map(() => new Map<number, number>())
    for (let list = 0; list < lists; list++) {
      const ofShards = shards.map(shard => shard.lists?.[list] ?? [])
      const scores = comparableScores(ofShards, list, scoring)
      let next = 0
      for (const [shard, hits] of ofShards.entries())
        for (const hit of hits)
          this.parts[this.#at(hit, shard, known[shard]!) * lists + list] = scores[next++]!
    }
  }

  #at(hit: SliceHit, shard: number, known: Map<number, number>): number {
    let at = known.get(hit.globalDoc)
    if (at === undefined) {
      at = this.hits.length
      known.set(hit.globalDoc, at)
      this.hits.push(hit)
      this.shards.push(shard)
    }
    return at
  }

  /** The score of each. */
  combined(scoring: HybridScoring): Float32Array {
    const combination = combinationOf(scoring)
    const weights = weightsOf(scoring, this.#lists)
    const scores = new Float32Array(this.hits.length)
    for (let at = 0; at < scores.length; at++)
      scores[at] = combination.combine(this.parts, at * this.#lists, weights)
    return scores
  }

  /** Of documents in order, the first of each group. */
  firstOfGroups(order: readonly number[]): readonly number[] {
    const seen = new Set<string | bigint | null>()
    return order.filter(at => {
      const key = groupKey(this.hits[at]!.sort?.at(-1) ?? null)
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
  }

  /** The hit with its combined score, which is also what it is sorted by. */
  scoredHit(at: number, score: number): MergedHit {
    const hit = this.hits[at]!
    const sort = hit.sort === null ? null : [score, ...hit.sort.slice(1)]
    return { shard: this.shards[at]!, hit: { globalDoc: hit.globalDoc, score, sort } }
  }
}
