/**
 * A kind of weight node: its scorers, what they cost, how kernels take it. Each kind has a file of its
 * own beside this one, and `weight-types.ts` is the total table of them. Both the coordinating thread
 * and search threads use it; nodes themselves are plain records (`weight.ts`). Dispatch is once for
 * each node and leaf, never for each document.
 */
import type { TermState } from '../../codec/terms/format.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Segment } from '../../segment/segment.ts'
import type { WordReader, WordWriter } from '../../util/word-record.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import type { ExplainedMatch, Explainer, Explanation } from './explanation.ts'
import type { ScorerContext } from './scorer-context.ts'
import type {
  LeafStates,
  MultiTermWeight,
  PointWeight,
  TermWeight,
  Weight,
  WeightNode,
} from './weight.ts'

/** Nodes of one kind. */
export type WeightOf<K extends WeightNode['kind']> = Extract<WeightNode, { readonly kind: K }>

/** A clause that adds to scores: a term by BM25, or a set of documents with one score. */
export type ScoringClause =
  | { readonly kind: 'term'; readonly node: TermWeight; readonly constant: number | null }
  | { readonly kind: 'set'; readonly node: WeightNode; readonly constant: number }

/** Why a search is left to the iterators; counted in the statistics. */
export type BulkRefusal =
  | 'sort'
  | 'multi_valued_sort'
  | 'terminate_after'
  | 'post_filter'
  | 'profile'
  | 'nested_bool'
  | 'phrase_clause'
  | 'sloppy_repeats'
  | 'synonym'
  | 'multi_phrase'
  | 'span'
  | 'dis_max'
  | 'tie_breaker'
  | 'boosting'
  | 'uneven_weights'
  | 'many_clauses'
  | 'many_hits'

/** How the documents of a node become a bit set of a leaf. */
export type DocumentSetPlan =
  | { readonly kind: 'all' }
  /** The union of some terms' postings; of none, the leaf has no match. */
  | { readonly kind: 'terms'; readonly field: string; readonly states: readonly TermState[] }
  /** Runs of the dictionary with too many terms to list. */
  | { readonly kind: 'runs'; readonly node: MultiTermWeight }
  | { readonly kind: 'points'; readonly node: PointWeight }
  /** The iterators of a node list them. */
  | { readonly kind: 'iterators'; readonly node: WeightNode }

/** Clauses of a tree by what scratch they take in kernels; kinds add to it. */
export interface ClauseCounts {
  terms: number
  /** Terms whose positions are read. */
  positions: number
  sets: number
}

/** Operations on a node of any kind: kinds' files descend through these and import no other kind. */
export interface WeightOps {
  /** Wrapped as the context wants it. */
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

/** What is done with nodes of one kind. No member is optional: an absent one would be a wrong answer. */
export interface WeightType<W extends WeightNode> {
  /** Null when the node matches nothing in the leaf. */
  supplier(node: W, context: ScorerContext, of: WeightOps): ScorerSupplier | null
  /** Why the document that `at` stands on, which the node matches, has its score. */
  explain(node: W, match: ExplainedMatch, at: Explainer): Explanation
  /** How many live documents the whole shard has of the node, by statistics alone; −1: not known. */
  count(node: W, weight: Weight, leaves: readonly Leaf[], of: WeightOps): number
  /** About how many steps iterating takes in one leaf (`search-steps.ts` says what a step is). */
  steps(node: W, states: LeafStates, segment: Segment, of: WeightOps): number
  /** The same of a bit set made as a whole; 0: the node is read as it is needed. */
  setSteps(node: W, states: LeafStates, segment: Segment, of: WeightOps): number
  /** Whether any clause makes a match, so that documents that cannot compete may be skipped. */
  isOfAlternatives(node: W, of: WeightOps): boolean
  /** About how many documents match, where part of a leaf costs less than all of it; else NaN. */
  matches(node: W, states: LeafStates, leaf: Leaf, of: WeightOps): number
  /** Whether searching two halves of a leaf costs hardly more than all of it. */
  isDivisible(node: W, of: WeightOps): boolean
  /** About the max score of a leaf's documents; it orders leaves and decides nothing else. */
  scoreEstimate(node: W, states: LeafStates, of: WeightOps): number
  /** How kernels take the node as a clause that scores. @param scored false: it then scores 0 */
  clause(node: W, scored: boolean): ScoringClause | BulkRefusal
  documentSet(node: W, states: LeafStates, leaf: Leaf, of: WeightOps): DocumentSetPlan
  countScratch(node: W, counts: ClauseCounts, of: WeightOps): void
  /**
   * What decides the node's documents, whatever they score: equal keys, equal documents in every
   * segment. Null for nodes whose documents a key cannot tell.
   */
  cacheKey(node: W, of: WeightOps): string | null
  /** How often a segment must be asked for the bit set of late before it is cached; null: never. */
  minUsesToCache(node: W, of: WeightOps): number | null
  /** How a node crosses threads: by hand in the order that both sides keep, or serialised whole. */
  readonly record: NodeRecord<W> | 'serialised'
}

/** A node's words in a record, its kind left out. */
export interface NodeRecord<W extends WeightNode> {
  write(to: WordWriter, node: W, of: WeightOps): void
  read(from: WordReader, of: WeightOps): W
}
