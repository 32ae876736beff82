import type { Segment } from '../../segment/segment.ts'
import { SUM } from '../scorer/combination.ts'
import { ConjunctionScorer } from '../scorer/conjunction-scorer.ts'
import { RequiredExcludedScorer, RequiredOptionalScorer } from '../scorer/required-scorers.ts'
import { exactIterator, type Scorer, type ScorerSupplier, totalCost } from '../scorer/scorer.ts'
import { type DisjunctionStyle, disjunction } from './disjunction.ts'
import { type Explainer, type Explanation, step } from './explanation.ts'
import { USES_OF_COMBINED } from './key-text.ts'
import { constantScorer, type ScorerContext } from './scorer-context.ts'
import { STEPS_OF_WINDOWS, STEPS_TO_ASK, STEPS_TO_ASK_OPTIONAL, setStepsOf } from './step-costs.ts'
import type { LeafStates } from './weight.ts'
import type { BooleanWeight, Occur } from './weight-node.ts'
import type { WeightOps, WeightType } from './weight-type.ts'

/** Occurs by ord in a record. */
const OCCURS: readonly Occur[] = ['must', 'should', 'filter', 'must_not']

/** Boolean combination: MUST, FILTER, SHOULD and MUST_NOT clauses. */
export const booleanWeight: WeightType<BooleanWeight> = {
  supplier: booleanSupplier,
  explainMiss: missOfBoolean,
  explain(node, { score }, at) {
    const details = node.clauses.flatMap(({ occur, node: clause }) => {
      if (occur === 'must_not') return []
      const inner = at.explain(clause)
      if (inner === null) return []
      return [occur === 'filter' ? stepOfFilter(inner) : inner]
    })
    return step(score, 'sum of:', details)
  },
  count: () => -1,
  steps: booleanSteps,
  setSteps: (node, states, segment, of) =>
    node.scored || !isUnion(node)
      ? 0
      : node.clauses.reduce(
          (sum, { node: child }) => sum + setStepsOf(child, states, segment, of),
          0,
        ),
  isOfAlternatives: node =>
    node.clauses.every(({ occur }) => occur === 'should' || occur === 'must_not'),
  matches: () => Number.NaN,
  isDivisible: (node, of) => node.clauses.every(clause => of.isDivisible(clause.node)),
  scoreEstimate(node, states, of) {
    let sum = 0
    for (const { occur, node: child } of node.clauses) {
      if (occur !== 'must' && occur !== 'should') continue
      const estimate = of.scoreEstimate(child, states)
      if (occur === 'must' && estimate === 0) return 0
      sum += estimate
    }
    return sum
  },
  clause: (node, scored) => (scored ? 'nested_bool' : { kind: 'set', node, constant: 0 }),
  documentSet: node =>
    isUnion(node)
      ? { kind: 'union', nodes: node.clauses.map(clause => clause.node) }
      : { kind: 'iterators', node },
  countScratch(node, counts, of) {
    if (!node.scored) counts.sets++
    for (const { node: inner } of node.clauses) of.countScratch(inner, counts)
  },
  cacheKey(node, of) {
    const keys = node.clauses.map(({ occur, node: child }) => [occur, of.cacheKey(child)] as const)
    if (keys.some(([, key]) => key === null)) return null
    const clauses = keys.map(([occur, key]) => `${occur}(${key})`).join('')
    return `b${node.minimumShouldMatch}${clauses};`
  },
  minUsesToCache: () => USES_OF_COMBINED,
  record: {
    write(to, node, of) {
      to.number(node.id)
      to.list(node.clauses, (out, { occur, node: child }) => {
        out.number(OCCURS.indexOf(occur))
        of.writeRecord(out, child)
      })
      to.number(node.minimumShouldMatch)
      to.flag(node.scored)
    },
    read: (from, of) => ({
      kind: 'boolean',
      id: from.number(),
      clauses: from.list(input => ({
        occur: OCCURS[input.number()]!,
        node: of.readRecord(input),
      })),
      minimumShouldMatch: from.number(),
      scored: from.flag(),
    }),
  },
}

/** Whether one clause is enough, whichever it is. */
function isUnion({ clauses, minimumShouldMatch }: BooleanWeight): boolean {
  return minimumShouldMatch <= 1 && clauses.every(({ occur }) => occur === 'should')
}

/** Required clauses that miss, prohibited ones that match, and what matches beside them. */
function missOfBoolean({ clauses, minimumShouldMatch }: BooleanWeight, at: Explainer): Explanation {
  const details: Explanation[] = []
  let hasFailed = false
  let matched = 0
  for (const { occur, node } of clauses) {
    const inner = at.explain(node)
    if (inner === null) {
      if (occur !== 'must' && occur !== 'filter') continue
      details.push(step(0, `no match on required clause (${at.text(node)})`, [at.miss(node)]))
      hasFailed = true
    } else if (occur === 'must_not') {
      details.push(step(0, `match on prohibited clause (${at.text(node)})`, [inner]))
      hasFailed = true
    } else {
      details.push(occur === 'filter' ? stepOfFilter(inner) : inner)
      matched++
    }
  }
  if (hasFailed)
    return step(0, 'Failure to meet condition(s) of required/prohibited clause(s)', details)
  if (matched === 0) return step(0, 'No matching clauses', details)
  const reason = `Failure to match minimum number of optional clauses: ${minimumShouldMatch}`
  return step(0, reason, details)
}

function stepOfFilter(inner: Explanation): Explanation {
  return step(0, 'match on required clause, product of:', [step(0, 'FILTER clause'), inner])
}

/**
 * Of required clauses the one with the fewest documents leads, and the others are advanced to it.
 */
function booleanSteps(
  node: BooleanWeight,
  states: LeafStates,
  segment: Segment,
  ops: WeightOps,
): number {
  let lead = Number.POSITIVE_INFINITY
  // For each document of the leading clause, which is not advanced itself.
  let asking = 1 - STEPS_TO_ASK
  let alternatives = 0
  let sets = 0
  for (const { occur, node: child } of node.clauses) {
    const set = ops.setSteps(child, states, segment)
    sets += set
    if (set > 0) continue
    const steps = ops.steps(child, states, segment)
    const mustMatch = occur === 'must' || occur === 'filter'
    asking += mustMatch || occur === 'must_not' ? STEPS_TO_ASK : STEPS_TO_ASK_OPTIONAL
    if (mustMatch) lead = Math.min(lead, steps)
    else alternatives += steps
  }
  if (lead === Number.POSITIVE_INFINITY)
    return sets + alternatives + STEPS_OF_WINDOWS * segment.maxDoc
  return sets + lead * asking
}

const UNSCORED: DisjunctionStyle = { minimum: 1, combination: SUM, scored: false }

function booleanSupplier(
  node: BooleanWeight,
  context: ScorerContext,
  ops: WeightOps,
): ScorerSupplier | null {
  const required: { supplier: ScorerSupplier; scores: boolean }[] = []
  const optional: ScorerSupplier[] = []
  const prohibited: ScorerSupplier[] = []
  for (const { occur, node: child } of node.clauses) {
    const inner = ops.supplier(child, context)
    if (inner === null) {
      if (occur === 'must' || occur === 'filter') return null
    } else if (occur === 'should') optional.push(inner)
    else if (occur === 'must_not') prohibited.push(inner)
    else required.push({ supplier: inner, scores: node.scored && occur === 'must' })
  }
  const minimum = node.minimumShouldMatch
  if (optional.length < minimum) return null
  if (required.length === 0 && optional.length === 0) return null
  // Without scores, SHOULD clauses beside required ones need not be opened.
  const usesOptional = optional.length > 0 && (required.length === 0 || minimum > 0 || node.scored)
  // Computed once: each call on a child is counted.
  let known = -1
  let knownOptional = -1
  const optionalCost = (): number =>
    knownOptional < 0 ? (knownOptional = totalCost(optional)) : knownOptional
  const cost = (): number => {
    if (known >= 0) return known
    let min = Number.POSITIVE_INFINITY
    for (const each of required) min = Math.min(min, each.supplier.cost())
    if (required.length === 0 || minimum > 0) min = Math.min(min, optionalCost())
    return (known = min)
  }
  const sums = { minimum, combination: SUM, scored: node.scored }
  return {
    cost,
    get: leadCost => {
      const lead = Math.min(leadCost, cost())
      const required_ = requiredScorer(required, lead, context)
      let optional_: Scorer | null = null
      if (usesOptional) {
        const asked = required_ === null ? leadCost : lead
        optional_ = disjunction(optional, sums, asked, optionalCost(), context)
      }
      let positive: Scorer
      if (required_ === null) positive = optional_ as Scorer
      else if (optional_ === null) positive = required_
      else if (minimum > 0)
        positive = new ConjunctionScorer(
          [required_, optional_],
          scoringOf(node, [required_, optional_]),
          context.watch,
        )
      else {
        const both = new RequiredOptionalScorer(required_, optional_, context.watch)
        context.skippers.push(both.skipper)
        positive = both
      }
      if (prohibited.length === 0) return positive
      const excluder = disjunction(prohibited, UNSCORED, lead, totalCost(prohibited), context)
      return new RequiredExcludedScorer(positive, excluder)
    },
  }
}

function requiredScorer(
  required: readonly { supplier: ScorerSupplier; scores: boolean }[],
  lead: number,
  context: ScorerContext,
): Scorer | null {
  const scorers = required.map(each => each.supplier.get(lead))
  const [only] = scorers
  if (only === undefined) return null
  const scoring = scorers.filter((_, i) => required[i]?.scores === true)
  if (scorers.length > 1) {
    const both = new ConjunctionScorer(scorers, scoring, context.watch)
    context.skippers.push(both.skipper)
    return both
  }
  return scoring.length === 1 ? only : unscored(only, context)
}

function scoringOf(node: BooleanWeight, scorers: readonly Scorer[]): readonly Scorer[] {
  return node.scored ? scorers : []
}

/** A filter alone scores 0. */
function unscored(scorer: Scorer, context: ScorerContext): Scorer {
  const check = scorer.twoPhase()
  if (check !== null) return constantScorer(context, 0, check.approximation, check)
  return constantScorer(context, 0, exactIterator(scorer, context.watch))
}
