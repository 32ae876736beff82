/**
 * Searches leaves for one term alone, with only deletes to exclude and nothing to count. Overhead
 * around the kernel dominates so small a search, so this path does without slices and shapes. Its
 * hits equal those of `bulk-slice.ts` to the bit.
 */
import { tokensOf } from '../../codec/directory/format.ts'
import type { TermState } from '../../codec/terms/format.ts'
import { NO_TICKER } from '../../kernels/kernel-module.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { appended } from '../../util/lists.ts'
import { noCounts, type SliceCounters, type SliceHit } from '../collector/collect-spec.ts'
import { averageLength, inverseDocFreq } from '../similarity/bm25.ts'
import { type SharedScratch, sharedScratch } from './bulk-scratch.ts'
import type { ColumnSort } from './column-sort.ts'
import { CursorMaker, type CursorScoring, UNSCORED } from './cursor-maker.ts'
import { damageOf } from './damaged-postings.ts'
import { CURSOR_BYTES, PLAN } from './plan-record.ts'
import { ScoreHits } from './score-hits.ts'

/** A term and its postings per leaf. */
export interface SoleTerm {
  readonly field: string
  /** By leaf ord; null when the leaf lacks the term. */
  readonly states: readonly (TermState | null)[]
  readonly scoring: CursorScoring
}

/** Looks a term up and computes its weight, from the statistics of `create-weight.ts`. */
export function findTerm(
  leaves: readonly Leaf[],
  field: string,
  term: string,
): SoleTerm & { readonly docFreq: number } {
  let states: (TermState | null)[] = []
  let docFreq = 0
  let docCount = 0
  let tokens = 0
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i]!
    const info = leaf.fieldInfo(field)
    const state = leaf.terms(field)?.lookupText(term) ?? null
    states = appended(states, state)
    if (state !== null) docFreq += state.docFreq
    if (info === null) continue
    docCount += info.docCount
    tokens += tokensOf(info)
  }
  const weight = docFreq === 0 ? 0 : inverseDocFreq(docFreq, Math.max(docCount, docFreq))
  const average = averageLength(tokens, docCount)
  return { field, states, docFreq, scoring: { weight, average, similarity: null } }
}

/** The hits of a search for one term. */
export interface SoleTermResult {
  /** Best first. */
  readonly hits: readonly SliceHit[]
  readonly counters: SliceCounters
}

const BY_SCORE = { searchAfter: null, sort: null }

/** The best documents of a term by their scores. */
export function bestOfTerm(
  leaves: readonly Leaf[],
  term: SoleTerm,
  topCount: number,
): SoleTermResult {
  const hits = new ScoreHits(topCount, BY_SCORE)
  const counters = noCounts()
  let threshold = 0
  try {
    onLeaves(leaves, term, term.scoring, hits, (leaf, { termPlan }, cursor) => {
      const { i32, f32 } = leaf.views
      const accept = Math.max(leaf.record.liveDocs, 0)
      // The other fields of this plan never change.
      const plan = termPlan >> 2
      i32[plan + PLAN.cursors / 4] = cursor
      i32[plan + PLAN.maxDoc / 4] = leaf.maxDoc
      i32[plan + PLAN.accept / 4] = accept
      i32[plan + PLAN.primes / 4] = accept === 0 && hits.isEmpty ? 1 : 0
      i32[plan + PLAN.docBase / 4] = leaf.docBase
      f32[plan + PLAN.threshold / 4] = threshold
      hits.fill(leaf.views, termPlan)
      leaf.kernels.searchTerm(termPlan)
      threshold = Math.max(threshold, hits.hear(leaf.views, termPlan))
      counters.blocksDecoded += i32[plan + PLAN.blocksDecoded / 4]!
      counters.blocksSkipped += i32[plan + PLAN.blocksSkipped / 4]!
      counters.postingsScored += i32[plan + PLAN.postingsScored / 4]!
    })
    return { hits: hits.hits(), counters }
  } finally {
    hits.release()
  }
}

/** The first documents of a term in the order of a column. */
export function firstOfTerm(
  leaves: readonly Leaf[],
  term: SoleTerm,
  sort: ColumnSort,
): SoleTermResult {
  onLeaves(leaves, term, UNSCORED, null, (leaf, _, cursor) => {
    const part = { leafOrd: leaf.ord, minDoc: 0, maxDoc: leaf.maxDoc }
    sort.takeTerm(leaf, part, cursor, Math.max(leaf.record.liveDocs, 0), false)
  })
  return { hits: sort.hits(), counters: noCounts() }
}

/**
 * Runs a kernel over each leaf that has the term.
 * @param hits moved into each leaf's arena
 * @param run  receives the address of the term's cursor
 */
function onLeaves(
  leaves: readonly Leaf[],
  { field, states }: SoleTerm,
  scoring: CursorScoring,
  hits: ScoreHits | null,
  run: (leaf: Leaf, shared: SharedScratch, cursor: number) => void,
): void {
  for (let i = 0; i < leaves.length; i++) {
    const state = states[i]!
    if (state === null) continue
    const leaf = leaves[i]!
    const { scratch, kernels } = leaf
    const shared = sharedScratch(scratch, leaf.views)
    hits?.moveTo(leaf)
    shared.inverses.beginPart()
    // Too short to be worth stopping.
    kernels.hooks.ticker = NO_TICKER
    const mark = scratch.mark()
    try {
      const cursor = scratch.allocate(CURSOR_BYTES)
      new CursorMaker(leaf, shared).term(cursor, field, state, scoring, 0)
      run(leaf, shared, cursor)
    } catch (error) {
      throw damageOf(leaf, error)
    } finally {
      scratch.release(mark)
    }
  }
}
