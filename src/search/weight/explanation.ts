/** Explanations of scores: the steps of the computation as a tree, in Lucene's words. */
import type { Leaf } from '../../segment/leaf.ts'
import type { BitSet } from '../../util/bit-set.ts'
import type { LeafStates, Weight } from './weight.ts'
import type { WeightNode } from './weight-node.ts'

/** One step; integers are counts, all other values float32. */
export interface Explanation {
  readonly value: number
  readonly isInteger: boolean
  readonly description: string
  readonly details: readonly Explanation[]
}

/** State of a node's scorer at the document. */
export interface ExplainedMatch {
  readonly score: number
  /** Frequency of a phrase or of intervals, float32; 0 for scorers of other kinds. */
  readonly phraseFreq: number
}

/** The explained document; kinds of nodes recurse and print themselves through it. */
export interface Explainer {
  readonly weight: Weight
  readonly leaf: Leaf
  readonly states: LeafStates
  readonly docId: number
  /** Explains a child node; null when it does not match the document. */
  explain(node: WeightNode): Explanation | null
  /** Explains why a child node does not match the document. */
  miss(node: WeightNode): Explanation
  /** Explains a child node for another document of the leaf; null when it does not match that. */
  explainAt(node: WeightNode, docId: number): Explanation | null
  /** The leaf's documents that have a term of the weight. */
  documentsWith(field: string, termId: number): BitSet
  /** The node, printed as a query. */
  text(node: WeightNode): string
}

/** A step whose value is a float32. */
export function step(
  value: number,
  description: string,
  details: readonly Explanation[] = [],
): Explanation {
  return { value: Math.fround(value), isInteger: false, description, details }
}

/** A step that counts documents. */
export function countOf(value: number, description: string): Explanation {
  return { value, isInteger: true, description, details: [] }
}
