/** Shared context of the suppliers and scorers of one leaf. */
import type { DocIdIterator } from '../../codec/doc-id-iterator.ts'
import type { PostingsIterator } from '../../codec/postings/reader.ts'
import type { TermState } from '../../codec/terms/format.ts'
import type { ScriptRun } from '../../script/script-run.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BatchClock } from '../scorer/batch-clock.ts'
import { ConstantScorer } from '../scorer/constant-scorer.ts'
import type { Scorer, ScorerSupplier, TwoPhase } from '../scorer/scorer.ts'
import type { Watch } from '../scorer/watch.ts'
import type { WindowPool } from '../scorer/window-pool.ts'
import type { LeafStates } from './weight.ts'

/** Wraps a node's supplier so that calls are counted: the hook of the profile. */
export type WrapSupplier = (
  nodeId: number,
  make: () => ScorerSupplier | null,
) => ScorerSupplier | null

/** Shared state of one leaf's scorers. */
export interface ScorerContext {
  readonly leaf: Leaf
  readonly states: LeafStates
  /** True when only the best scores are wanted and blocks may be skipped. */
  readonly prunes: boolean
  /** Null without a profile. */
  readonly wrap: WrapSupplier | null
  /** Inverse norms by mean length, shared by the leaves of a slice. */
  readonly inverses: Map<number | string, Float32Array>
  /** All iterators that count skipped blocks, for the slice's counters. */
  readonly postings: PostingsIterator[]
  readonly skippers: { readonly skipped: number }[]
  /** End of the searched range of documents: the leaf's, or that of a part of it. */
  readonly endDoc: number
  readonly windows: WindowPool
  readonly watch: Watch
  /** Limits of the executions of scripts. */
  readonly scripts: ScriptRun
  /** Receives the scores of a hybrid query's sub-queries with each match; null: nothing reads them. */
  readonly listScores: Float32Array | null
  /** Null without a profile. */
  readonly batches: BatchClock | null
}

/** A supplier of known cost. */
export function supplier(cost: number, get: (leadCost: number) => Scorer): ScorerSupplier {
  return { cost: () => cost, get }
}

/** A constant scorer whose early end is counted as a skip. */
export function constantScorer(
  context: ScorerContext,
  score: number,
  approximation: DocIdIterator,
  check: TwoPhase | null = null,
): ConstantScorer {
  const scorer = new ConstantScorer(score, approximation, check)
  context.skippers.push(scorer)
  return scorer
}

/** A term's postings in the leaf; the slice adds up their counters. */
export function openPostings(
  field: string,
  state: TermState,
  context: ScorerContext,
): PostingsIterator {
  const postings = context.leaf.postings(field, state)
  context.postings.push(postings)
  return postings
}
