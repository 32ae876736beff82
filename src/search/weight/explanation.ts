/** Explanations of scores: the steps of the computation as a tree, in Lucene's words. */
import type { Leaf } from '../../segment/leaf.ts'
import type { LeafStates, Weight, WeightNode } from './weight.ts'

/** One step; integers are counts, everything else is a float32. */
export interface Explanation {
  readonly value: number
  readonly isInteger: boolean
  readonly description: string
  readonly details: readonly Explanation[]
}

/** How a node's scorer stood on the document. */
export interface ExplainedMatch {
  readonly score: number
  /** How often a phrase occurs, float32; 0 for scorers of other kinds. */
  readonly phraseFreq: number
}

/** A document that is explained; kinds of nodes descend and name themselves through it. */
export interface Explainer {
  readonly weight: Weight
  readonly leaf: Leaf
  readonly states: LeafStates
  readonly docId: number
  /** Explains a node below; null when it does not match the document. */
  explain(node: WeightNode): Explanation | null
  /** The node as a query prints. */
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
