/**
 * One kind of weight node: its scorers, their costs, its form in kernels. Each kind has its own
 * file, and `weight-types.ts` is the total table. Used on the coordinating thread and on search
 * threads; nodes themselves are plain records (`weight.ts`). Dispatch is once per node and leaf,
 * never per document.
 */
import type { TermState } from '../../codec/terms/format.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Segment } from '../../segment/segment.ts'
import type { WordReader, WordWriter } from '../../util/word-record.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import type { ExplainedMatch, Explainer, Explanation } from './explanation.ts'
import type { ScorerContext } from './scorer-context.ts'
import type { LeafStates, Weight } from './weight.ts'
import type {
  BoxWeight,
  MultiTermWeight,
  PointWeight,
  TermWeight,
  WeightNode,
} from './weight-node.ts'

/** Nodes of one kind. */
export type WeightOf<K extends WeightNode['kind']> = Extract<WeightNode, { readonly kind: K }>

/** A scoring clause: a term by BM25, or a bit set with a constant score. */
export type ScoringClause =
  | { readonly kind: 'term'; readonly node: TermWeight; readonly constant: number | null }
  | { readonly kind: 'set'; readonly node: WeightNode; readonly constant: number }

/** Why a search goes to the iterators; counted in the statistics. */
export type BulkRefusal =
  | 'sort'
  | 'terminate_after'
  | 'profile'
  | 'nested_bool'
  | 'phrase_clause'
  | 'sloppy_repeats'
  | 'synonym'
  | 'multi_phrase'
  | 'span'
  | 'intervals'
  | 'dis_max'
  | 'tie_breaker'
  | 'boosting'
  | 'block_join'
  | 'join'
  | 'combined_fields'
  | 'covering'
  | 'distance_feature'
  | 'feature'
  | 'function_score'
  | 'hybrid'
  | 'script'
  | 'similarity'
  | 'vectors'
  | 'uneven_weights'
  | 'many_clauses'
  | 'many_hits'

/** How a node's documents become a bit set of a leaf. */
export type DocumentSetPlan =
  | { readonly kind: 'all' }
  /** The union of terms' postings; without terms, the leaf has no match. */
  | { readonly kind: 'terms'; readonly field: string; readonly states: readonly TermState[] }
  /** Ranges of the dictionary with too many terms to list. */
  | { readonly kind: 'ranges'; readonly node: MultiTermWeight }
  | { readonly kind: 'points'; readonly node: PointWeight }
  | { readonly kind: 'boxes'; readonly node: BoxWeight }
  /** The union of the sets of other nodes of the weight. */
  | { readonly kind: 'union'; readonly nodes: readonly WeightNode[] }
  /** Bits in the leaf's arena, as the codec of a column keeps them. */
  | { readonly kind: 'presence'; readonly at: number }
  /** Listed by the node's iterators. */
  | { readonly kind: 'iterators'; readonly node: WeightNode }

/** Clauses of a tree by their scratch in kernels; kinds add to it. */
export interface ClauseCounts {
  terms: number
  /** Terms whose positions are read. */
  positions: number
  sets: number
}

/**
 * Operations on nodes of any kind: the files of kinds recurse through these and import no other
 * kind.
 */
export interface WeightOps {
  /** The supplier, wrapped by the context. */
  supplier(node: WeightNode, context: ScorerContext): ScorerSupplier | null
  count(node: WeightNode, weight: Weight, leaves: readonly Leaf[]): number
  steps(node: WeightNode, states: LeafStates, segment: Segment): number
  setSteps(node: WeightNode, states: LeafStates, segment: Segment): number
  isOfAlternatives(node: WeightNode): boolean
  matches(node: WeightNode, states: LeafStates, leaf: Leaf): number
  isDivisible(node: WeightNode): boolean
  scoreEstimate(node: WeightNode, states: LeafStates): number
  documentSet(node: WeightNode, states: LeafStates, leaf: Leaf): DocumentSetPlan
  countScratch(node: WeightNode, counts: ClauseCounts): void
  cacheKey(node: WeightNode): string | null
  minUsesToCache(node: WeightNode): number | null
  writeRecord(to: WordWriter, node: WeightNode): void
  readRecord(from: WordReader): WeightNode
}

/**
 * Operations on nodes of one kind. No member is optional: an absent one would be a wrong answer.
 */
export interface WeightType<W extends WeightNode> {
  /** Null when the node matches nothing in the leaf. */
  supplier(node: W, context: ScorerContext, of: WeightOps): ScorerSupplier | null
  /** Explains why the node does not match the document at `at`. */
  explainMiss(node: W, at: Explainer): Explanation
  /** Explains the score of the document at `at`, which the node matches. */
  explain(node: W, match: ExplainedMatch, at: Explainer): Explanation
  /**
   * The live documents of the whole shard that the node matches, if statistics give them; else −1.
   */
  count(node: W, weight: Weight, leaves: readonly Leaf[], of: WeightOps): number
  /** Estimated steps of iterating over one leaf (`step-costs.ts` defines a step). */
  steps(node: W, states: LeafStates, segment: Segment, of: WeightOps): number
  /** The same for its bit set, made as a whole; 0: it is not made as a whole. */
  setSteps(node: W, states: LeafStates, segment: Segment, of: WeightOps): number
  /** Whether one matching clause suffices, so that non-competitive documents may be skipped. */
  isOfAlternatives(node: W, of: WeightOps): boolean
  /** Estimated matches, when a part of a leaf costs less than all of it; else NaN. */
  matches(node: W, states: LeafStates, leaf: Leaf, of: WeightOps): number
  /** Whether searching a leaf in two halves costs hardly more than at once. */
  isDivisible(node: W, of: WeightOps): boolean
  /** Estimated max score in a leaf; used only to order leaves. */
  scoreEstimate(node: W, states: LeafStates, of: WeightOps): number
  /** The node as a kernels' scoring clause. @param scored false: it then scores 0 */
  clause(node: W, scored: boolean): ScoringClause | BulkRefusal
  documentSet(node: W, states: LeafStates, leaf: Leaf, of: WeightOps): DocumentSetPlan
  countScratch(node: W, counts: ClauseCounts, of: WeightOps): void
  /**
   * Cache key of the node's documents: equal keys mean equal documents in every segment, whatever
   * the scores. Null for nodes that no key describes.
   */
  cacheKey(node: W, of: WeightOps): string | null
  /** Min recent uses on a segment before the bit set is cached; null: never cached. */
  minUsesToCache(node: W, of: WeightOps): number | null
  /**
   * Encoding across threads: written by hand in the same order on both sides, or serialised whole.
   */
  readonly record: NodeRecord<W> | 'serialised'
}

/** A node's words in a record, without its kind. */
export interface NodeRecord<W extends WeightNode> {
  write(to: WordWriter, node: W, of: WeightOps): void
  read(from: WordReader, of: WeightOps): W
}
