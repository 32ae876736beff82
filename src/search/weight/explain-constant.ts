import { floatText } from '../../util/json/float-text.ts'
import { type ExplainedMatch, type Explainer, type Explanation, step } from './explanation.ts'
import type { WeightNode } from './weight.ts'

/** Explains a node with a constant score. */
export function explainConstant(
  node: WeightNode,
  { score }: ExplainedMatch,
  at: Explainer,
): Explanation {
  const power = score === 1 ? '' : `^${floatText(score)}`
  return step(score, `${at.text(node)}${power}`)
}
