import { floatText } from '../../util/json/float-text.ts'
import type { Combination } from '../scorer/combination.ts'
import { totalCost } from '../scorer/scorer.ts'
import { disjunction } from './disjunction.ts'
import { step } from './explanation.ts'
import { USES_OF_COMBINED } from './key-text.ts'
import { STEPS_OF_WINDOWS } from './step-costs.ts'
import type { DisMaxWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** The max of several nodes' scores, plus a share of the others'. */
export const disMaxWeight: WeightType<DisMaxWeight> = {
  supplier(node, context, of) {
    const inner = node.children.flatMap(child => of.supplier(child, context) ?? [])
    const [only] = inner
    if (only === undefined) return null
    if (inner.length === 1) return only
    let known = -1
    const cost = (): number => (known < 0 ? (known = totalCost(inner)) : known)
    const combination: Combination = { kind: 'max', tieBreaker: node.tieBreaker }
    const style = { minimum: 1, combination, scored: node.scored }
    return { cost, get: lead => disjunction(inner, style, lead, cost(), context) }
  },
  explainMiss: ({ children }, at) =>
    step(
      0,
      'No matching clause',
      children.map(child => at.miss(child)),
    ),
  explain({ children, tieBreaker }, { score }, at) {
    const details = children.flatMap(child => at.explain(child) ?? [])
    const words =
      tieBreaker === 0 ? 'max of:' : `max plus ${floatText(tieBreaker)} times others of:`
    return step(score, words, details)
  },
  count: () => -1,
  steps(node, states, segment, of) {
    let steps = STEPS_OF_WINDOWS * segment.maxDoc
    for (const child of node.children) steps += of.steps(child, states, segment)
    return steps
  },
  setSteps: () => 0,
  isOfAlternatives: () => true,
  matches: () => Number.NaN,
  isDivisible: (node, of) => node.children.every(of.isDivisible),
  scoreEstimate: (node, states, of) =>
    node.children.reduce((max, child) => Math.max(max, of.scoreEstimate(child, states)), 0),
  clause: (node, scored) => (scored ? 'dis_max' : { kind: 'set', node, constant: 0 }),
  documentSet: node => ({ kind: 'union', nodes: node.children }),
  countScratch(node, counts, of) {
    if (!node.scored) counts.sets++
    for (const child of node.children) of.countScratch(child, counts)
  },
  cacheKey(node, of) {
    const keys = node.children.map(of.cacheKey)
    return keys.includes(null) ? null : `d(${keys.join(')(')});`
  },
  minUsesToCache: () => USES_OF_COMBINED,
  record: {
    write(to, node, of) {
      to.number(node.id)
      to.list(node.children, of.writeRecord)
      to.number(node.tieBreaker)
      to.flag(node.scored)
    },
    read: (from, of) => ({
      kind: 'disMax',
      id: from.number(),
      children: from.list(of.readRecord),
      tieBreaker: from.number(),
      scored: from.flag(),
    }),
  },
}
