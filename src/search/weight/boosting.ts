import { BoostingScorer } from '../scorer/required-scorers.ts'
import { type Explainer, type Explanation, step } from './explanation.ts'
import { USES_OF_OTHERS } from './key-text.ts'
import type { BoostingWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** One node's documents and scores, demoted where a second node also matches. */
export const boostingWeight: WeightType<BoostingWeight> = {
  supplier(node, context, of) {
    const positive = of.supplier(node.positive, context)
    if (positive === null) return null
    const negative = of.supplier(node.negative, context)
    return {
      cost: () => positive.cost(),
      get: lead =>
        new BoostingScorer(
          positive.get(lead),
          negative === null ? null : negative.get(positive.cost()),
          node.factor,
          node.boost,
          context.watch,
        ),
    }
  },
  explainMiss: ({ positive }, at) => at.explain(positive) ?? at.miss(positive),
  explain(node, { score }, at) {
    const whole = `weight(${at.text(node)})`
    const positive = at.explain(node.positive)
    if (positive === null) return step(score, `${whole}, result of:`)
    const own = at.explain(node.negative) === null ? positive : demoted(node, positive, at)
    if (node.boost === 1) return step(score, `${whole}, result of:`, [own])
    return step(score, `${whole}, product of:`, [step(node.boost, 'boost'), own])
  },
  count: () => -1,
  steps: (node, states, segment, of) =>
    of.steps(node.positive, states, segment) + of.steps(node.negative, states, segment),
  setSteps: () => 0,
  isOfAlternatives: () => true,
  matches: () => Number.NaN,
  isDivisible: (node, of) => of.isDivisible(node.positive) && of.isDivisible(node.negative),
  scoreEstimate: () => 0,
  clause: () => 'boosting',
  documentSet: node => ({ kind: 'iterators', node }),
  countScratch(_node, counts) {
    counts.sets++
  },
  // Demotion does not change the documents.
  cacheKey: (node, of) => of.cacheKey(node.positive),
  minUsesToCache: () => USES_OF_OTHERS,
  record: 'serialised',
}

function demoted(
  { negative, factor }: BoostingWeight,
  positive: Explanation,
  at: Explainer,
): Explanation {
  const matched = step(factor, `Matched boosting query score(${at.text(negative)})`)
  return step(positive.value * factor, 'product of:', [positive, matched])
}
