/** What the suppliers of one leaf share, and what they make scorers with. */
import type { DocIdIterator } from '../../codec/doc-id-iterator.ts'
import type { PostingsIterator } from '../../codec/postings/reader.ts'
import type { TermState } from '../../codec/terms/format.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BatchClock } from '../scorer/batch-clock.ts'
import { ConstantScorer } from '../scorer/constant-scorer.ts'
import type { Scorer, ScorerSupplier, TwoPhase } from '../scorer/scorer.ts'
import type { Watch } from '../scorer/watch.ts'
import type { WindowPool } from '../scorer/window-pool.ts'
import type { LeafStates } from './weight.ts'

/** Wraps what is made for a node, so that calls can be counted: how a profile listens. */
export type WrapSupplier = (
  nodeId: number,
  make: () => ScorerSupplier | null,
) => ScorerSupplier | null

/** What scorers of one leaf share. */
export interface ScorerContext {
  readonly leaf: Leaf
  readonly states: LeafStates
  /** True where only the best scores are wanted and blocks may be passed over. */
  readonly prunes: boolean
  /** Null when nobody listens. */
  readonly wrap: WrapSupplier | null
  /** Inverse norms by mean length, kept over the leaves of a slice. */
  readonly inverses: Map<number, Float32Array>
  /** Everything that counts skipped blocks, for the slice's counters. */
  readonly postings: PostingsIterator[]
  readonly skippers: { readonly skipped: number }[]
  /** The end of the range of documents that is searched: the leaf's, or that of a part of it. */
  readonly endDoc: number
  readonly windows: WindowPool
  readonly watch: Watch
  /** Null when nobody measures. */
  readonly batches: BatchClock | null
}

/** A supplier of known cost. */
export function supplier(cost: number, get: (leadCost: number) => Scorer): ScorerSupplier {
  return { cost: () => cost, get }
}

/** A constant scorer whose early end is counted. */
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

/** A term's postings in the leaf, whose counters the slice adds up. */
export function openPostings(
  field: string,
  state: TermState,
  context: ScorerContext,
): PostingsIterator {
  const postings = context.leaf.postings(field, state)
  context.postings.push(postings)
  return postings
}
