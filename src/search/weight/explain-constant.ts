import { floatText } from '../../util/json/float-text.ts'
import { type ExplainedMatch, type Explainer, type Explanation, step } from './explanation.ts'
import type { WeightNode } from './weight-node.ts'

/** Explains a node with a constant score. */
export function explainConstant(
  node: WeightNode,
  { score }: ExplainedMatch,
  at: Explainer,
): Explanation {
  const power = score === 1 ? '' : `^${floatText(score)}`
  return step(score, `${constantText(node, at)}${power}`)
}

const VALUES = ', dvQuery='

/**
 * The query as its explanation prints it: of one that may run over either structure, Lucene explains
 * what runs over doc values, as one document is looked at.
 */
export function constantText(node: WeightNode, at: Explainer): string {
  const text = at.text(node)
  if (!text.startsWith('IndexOrDocValuesQuery(')) return text
  return text.slice(text.lastIndexOf(VALUES) + VALUES.length, -1)
}
