import { CoveringScorer } from '../scorer/covering-scorer.ts'
import { NumberValues } from '../scorer/number-values.ts'
import { totalCost } from '../scorer/scorer.ts'
import { type Explainer, step } from './explanation.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import type { CoveringWeight } from './weight.ts'
import type { WeightType } from './weight-type.ts'

/** Documents that match as many of several nodes as a field of theirs says. */
export const coveringWeight: WeightType<CoveringWeight> = {
  ...ON_ITERATORS,
  supplier({ children, minimum }, context, of) {
    const { leaf, watch } = context
    const inner = children.flatMap(child => of.supplier(child, context) ?? [])
    const values = leaf.numericValues(minimum.field)
    if (inner.length === 0 || values === null) return null
    const cost = totalCost(inner)
    return {
      cost: () => cost,
      get: () => {
        const scorers = inner.map(each => each.get(cost))
        return new CoveringScorer(scorers, new NumberValues(values, minimum), watch)
      },
    }
  },
  explainMiss({ children, minimum }, at) {
    const details = children.flatMap(child => at.explain(child) ?? [])
    const required = requiredAt(minimum, at)
    return step(0, `${details.length} matches for ${required} required matches`, details)
  },
  explain({ children, minimum, scored }, { score }, at) {
    const details = children.flatMap(child => at.explain(child) ?? [])
    const required = requiredAt(minimum, at)
    const words = `${details.length} matches for ${required} required matches, sum of:`
    return step(score, words, scored ? details : [])
  },
  isOfAlternatives: () => false,
  steps: ({ children }, states, segment, of) =>
    children.reduce((sum, child) => sum + of.steps(child, states, segment), 0),
  isDivisible: ({ children }, of) => children.every(of.isDivisible),
  clause: () => 'covering',
}

function requiredAt(minimum: CoveringWeight['minimum'], { leaf, docId }: Explainer): number {
  const values = new NumberValues(leaf.numericValues(minimum.field), minimum)
  return values.open(docId) === 0 ? 1 : Math.max(1, Math.trunc(values.value(0)))
}
