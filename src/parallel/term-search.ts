import { soleTermScratchBytes } from '../search/bulk/bulk-scratch.ts'
import type { ColumnSort } from '../search/bulk/column-sort.ts'
import { columnKey, columnSections, columnSort } from '../search/bulk/column-sorts.ts'
import { bestOfTerm, findTerm, firstOfTerm } from '../search/bulk/sole-term.ts'
import type { TotalHits } from '../search/collector/collect-spec.ts'
import type { TopHits } from '../search/collector/gather-plan.ts'
import type { TermQuery } from '../search/query/query.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { Snapshot, SnapshotLeaf } from '../segment/snapshot.ts'
import { appended } from '../util/lists.ts'
import type { OpenLeaves } from './open-leaves.ts'
import type { SearchPlan } from './prepare.ts'
import type { SearchCost } from './search-cost.ts'
import type { ShardSearchOptions, ShardSearchOutcome } from './search-options.ts'
import type { SliceRunner } from './slice-request.ts'

/** One of this many searches takes the general path, which records section use for eviction. */
const SEARCHES_PER_USE = 64

/**
 * Fast path of a search for one term: on the calling thread, over open leaves whose sections are
 * all loaded, with a total from statistics or none. Most small searches are of this form, and for
 * them the general path costs more than the kernels. All other searches take the general path.
 */
export class TermSearch {
  readonly #open: OpenLeaves
  readonly #cost: SearchCost
  readonly #runner: SliceRunner
  #untilUse = SEARCHES_PER_USE

  constructor(open: OpenLeaves, cost: SearchCost, runner: SliceRunner) {
    this.#open = open
    this.#cost = cost
    this.#runner = runner
  }

  /** @returns null when the search must take the general path */
  search(
    snapshot: Snapshot,
    plan: SearchPlan,
    options: ShardSearchOptions,
  ): ShardSearchOutcome | null {
    const { query } = plan
    const hits = plan.gather.sole
    if (query.kind !== 'term' || hits === null || !isPlain(plan, hits, options)) return null
    if (--this.#untilUse === 0) {
      this.#untilUse = SEARCHES_PER_USE
      return null
    }
    const leaves = this.#leavesOf(snapshot.leaves, query.field, hits)
    if (leaves === null) return null
    try {
      return this.#searchLeaves(leaves, query, hits, options)
    } catch (error) {
      // After a trap, kernels and scratch are in an undefined state.
      this.#runner.reset()
      this.#open.clear()
      throw error
    }
  }

  /** Null when a leaf is not open, a section is not loaded, or deletes hide the total. */
  #leavesOf(
    snapshotLeaves: readonly SnapshotLeaf[],
    field: string,
    { topCount, trackTotalHits, sort }: TopHits,
  ): readonly Leaf[] | null {
    const bytes = soleTermScratchBytes(topCount)
    let leaves: Leaf[] = []
    for (let i = 0; i < snapshotLeaves.length; i++) {
      const leaf = this.#open.openLeaf(snapshotLeaves[i]!, bytes)
      if (leaf === null || (leaf.liveDocs !== null && trackTotalHits >= 0)) return null
      const info = leaf.fieldInfo(field)
      if (info !== null) {
        if (info.indexOptions === 'none') return null
        if (!leaf.isLoaded(field, 'terms') || !leaf.isLoaded(field, 'postings')) return null
        if (sort === null && info.hasNorms && !leaf.isLoaded(field, 'norms')) return null
      }
      leaves = appended(leaves, leaf)
    }
    return leaves.length === 0 ? null : leaves
  }

  #searchLeaves(
    leaves: readonly Leaf[],
    { field, term }: TermQuery,
    wanted: TopHits,
    options: ShardSearchOptions,
  ): ShardSearchOutcome | null {
    const sort = sortOf(leaves, wanted)
    if (sort === null && wanted.sort !== null) return null
    const found = findTerm(leaves, field, term)
    const { docFreq } = found
    if (options.executor === 'auto' && !this.#cost.isTermForHere(docFreq, sort === null))
      return null
    const { hits, counters } =
      sort === null ? bestOfTerm(leaves, found, wanted.topCount) : firstOfTerm(leaves, found, sort)
    return {
      prepared: null,
      result: {
        hits,
        sort: wanted.sort,
        isCollapsed: false,
        total: totalOf(docFreq, wanted.trackTotalHits),
        maxScore: sort === null ? (hits[0]?.score ?? Number.NaN) : Number.NaN,
        timedOut: false,
        cancelled: false,
        terminatedEarly: false,
        counters,
        parts: NO_PARTS,
      },
      sliceCount: 1,
      profiles: [],
      reports: [],
      reduceTime: 0,
    }
  }
}

/** Whether hits by score or a column are the only request, without a count beyond statistics. */
function isPlain(
  { maxClauseCount, statistics }: SearchPlan,
  hits: TopHits,
  { profile, reports, kernels, executor }: ShardSearchOptions,
): boolean {
  return (
    kernels &&
    profile === null &&
    !reports &&
    (executor === 'inline' || executor === 'auto') &&
    hits.postFilter === null &&
    maxClauseCount > 0 &&
    statistics === null &&
    hits.topCount > 0 &&
    hits.topCount <= MAX_HITS &&
    hits.trackTotalHits !== Number.POSITIVE_INFINITY &&
    hits.searchAfter === null &&
    !hits.trackScores
  )
}

/** Max hits of the fast path: its scratch is small. */
const MAX_HITS = 1000

const NO_PARTS: readonly unknown[] = []

/** The sort by a column, if all leaves have its column loaded. */
function sortOf(leaves: readonly Leaf[], hits: TopHits): ColumnSort | null {
  const key = columnKey(hits, null)
  if (key === null) return null
  const sort = columnSort(key, hits)
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i]!
    const isLoaded = columnSections(key).every(kind => leaf.isLoaded(key.field, kind))
    if (leaf.fieldInfo(key.field) !== null && !isLoaded) return null
    if (!sort.canSort(leaf)) return null
  }
  return sort
}

function totalOf(docFreq: number, limit: number): TotalHits | null {
  if (limit < 0) return null
  return docFreq > limit ? { value: limit, relation: 'gte' } : { value: docFreq, relation: 'eq' }
}
