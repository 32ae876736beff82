/** Runs a weight over chosen documents of a leaf, outside of any slice. */
import type { DocIdIterator } from '../codec/doc-id-iterator.ts'
import { MAX_CALLING_THREAD_MILLIS, newDocumentRun } from '../script/script-run.ts'
import type { Leaf } from '../segment/leaf.ts'
import { exactIterator, type Scorer } from './scorer/scorer.ts'
import { UNWATCHED } from './scorer/watch.ts'
import { WindowPool } from './scorer/window-pool.ts'
import type { ScorerContext } from './weight/scorer-context.ts'
import type { LeafStates, Weight } from './weight/weight.ts'
import { scorerSupplier } from './weight/weight-ops.ts'

/** Matches of a weight in one leaf, all of them: nothing is skipped. */
export interface Matches {
  readonly iterator: DocIdIterator
  readonly scorer: Scorer
}

/** The context of scorers over a whole leaf, without a profile. */
export function wholeLeaf(leaf: Leaf, states: LeafStates): ScorerContext {
  return {
    leaf,
    states,
    prunes: false,
    wrap: null,
    inverses: new Map(),
    postings: [],
    skippers: [],
    endDoc: leaf.maxDoc,
    windows: new WindowPool(),
    watch: UNWATCHED,
    scripts: newDocumentRun(MAX_CALLING_THREAD_MILLIS),
    listScores: null,
    batches: null,
  }
}

/**
 * Opens a weight on one leaf, deleted documents included.
 * @param weight of the whole shard
 * @param leaf   with the weight's sections and scratch for its iterators
 * @returns null where no document matches; valid while the scratch is
 */
export function openMatches(weight: Weight, leaf: Leaf, leafOrd: number): Matches | null {
  const states = weight.leaves[leafOrd] ?? { terms: [], expansions: [] }
  const scorer = scorerSupplier(weight.root, wholeLeaf(leaf, states))?.get(Infinity) ?? null
  return scorer === null ? null : { iterator: exactIterator(scorer, UNWATCHED), scorer }
}
