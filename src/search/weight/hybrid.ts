import { HybridScorer } from '../scorer/hybrid-scorer.ts'
import { totalCost } from '../scorer/scorer.ts'
import { step } from './explanation.ts'
import { USES_OF_COMBINED } from './key-text.ts'
import type { HybridWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Documents of any sub-query, each of whose scores is told apart. */
export const hybridWeight: WeightType<HybridWeight> = {
  supplier({ children }, context, of) {
    const inner = children.map(child => of.supplier(child, context))
    const found = inner.filter(each => each !== null)
    if (found.length === 0) return null
    let known = -1
    const cost = (): number => (known < 0 ? (known = totalCost(found)) : known)
    return {
      cost,
      get(lead) {
        const scorers = inner.map(each => each?.get(Math.min(lead, cost())) ?? null)
        return new HybridScorer(scorers, context.listScores, context.watch)
      },
    }
  },
  explainMiss: ({ children }, at) =>
    step(
      0,
      'no matching clause',
      children.map(child => at.miss(child)),
    ),
  explain({ children }, _match, at) {
    const details = children.map(child => at.explain(child) ?? at.miss(child))
    const best = details.reduce((max, { value }) => Math.max(max, value), 0)
    return step(best, 'combined score of:', details)
  },
  count: () => -1,
  steps: ({ children }, states, segment, of) =>
    children.reduce((sum, child) => sum + of.steps(child, states, segment), 0),
  setSteps: () => 0,
  isOfAlternatives: () => false,
  matches: () => Number.NaN,
  isDivisible: ({ children }, of) => children.every(of.isDivisible),
  scoreEstimate: () => 0,
  clause: () => 'hybrid',
  documentSet: node => ({ kind: 'iterators', node }),
  countScratch({ children }, counts, of) {
    for (const child of children) of.countScratch(child, counts)
  },
  cacheKey({ children }, of) {
    const keys = children.map(of.cacheKey)
    return keys.includes(null) ? null : `h(${keys.join(')(')});`
  },
  minUsesToCache: () => USES_OF_COMBINED,
  record: 'serialised',
}
