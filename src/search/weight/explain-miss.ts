/** Explanations of documents that do not match, in Lucene's words: steps of value 0. */
import { constantText } from './explain-constant.ts'
import { type Explainer, type Explanation, step } from './explanation.ts'
import type { WeightNode } from './weight-node.ts'

/** Of a node with a constant score. */
export function missOfConstant(node: WeightNode, at: Explainer): Explanation {
  return step(0, `${constantText(node, at)} doesn't match id ${at.docId}`)
}

/** Of a node that scores terms by their frequency, without positions. */
export function missOfTerm(): Explanation {
  return step(0, 'no matching term')
}

/**
 * Of a phrase.
 * @param termIds the alternatives at each position
 */
export function missOfPhrase(
  field: string,
  termIds: readonly (readonly number[])[],
  at: Explainer,
): Explanation {
  const isThere = (id: number): boolean => at.documentsWith(field, id).has(at.docId)
  const hasAll = termIds.every(ids => ids.some(isThere))
  return step(0, hasAll ? 'no matching phrase' : 'no matching terms')
}
