import type { PositionPostings } from '../scorer/freq-postings.ts'
import { AnyIntervals } from '../scorer/interval/any-intervals.ts'
import { BlockIntervals } from '../scorer/interval/block-intervals.ts'
import { FilteredIntervals } from '../scorer/interval/filtered-intervals.ts'
import type { Intervals } from '../scorer/interval/intervals.ts'
import { MovedIntervals } from '../scorer/interval/moved-intervals.ts'
import { NarrowIntervals } from '../scorer/interval/narrow-intervals.ts'
import { OrderedIntervals } from '../scorer/interval/ordered-intervals.ts'
import { RelatedIntervals } from '../scorer/interval/related-intervals.ts'
import { RepeatedIntervals } from '../scorer/interval/repeated-intervals.ts'
import { TermIntervals } from '../scorer/interval/term-intervals.ts'
import { UnorderedIntervals } from '../scorer/interval/unordered-intervals.ts'
import { IntervalScorer } from '../scorer/interval-scorer.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import { UnionPostings } from '../scorer/union-postings.ts'
import { scriptEngine } from '../script/script-engine.ts'
import { step } from './explanation.ts'
import type { IntervalPlan } from './interval-plan.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { openPostings, type ScorerContext, supplier } from './scorer-context.ts'
import { postingsOf, STEPS_OF_POSITIONS } from './step-costs.ts'
import type { PositionIntervalsWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

type TermPlan = Extract<IntervalPlan, { kind: 'term' }>

/** The last position that an interval may reach. */
const LAST_POSITION = 2147483646

/** Documents with a minimal interval of positions. */
export const positionIntervalsWeight: WeightType<PositionIntervalsWeight> = {
  ...ON_ITERATORS,
  supplier: intervalsSupplier,
  explainMiss: () => step(0, 'no matching intervals'),
  explain(node, { score, phraseFreq }, at) {
    if (!node.scored) return step(score, at.text(node))
    return step(
      score,
      'Saturation function on interval frequency, computed as w * S / (S + k) from:',
      [
        step(node.weight, 'w, weight of this function'),
        step(1, 'k, pivot feature value that would give a score contribution equal to w/2'),
        step(phraseFreq, 'S, interval frequency'),
      ],
    )
  },
  steps: (node, states) =>
    STEPS_OF_POSITIONS *
    postingsOf(
      states,
      allTerms(node.source).map(({ termId }) => termId),
    ),
  clause: () => 'intervals',
}

function intervalsSupplier(
  node: PositionIntervalsWeight,
  context: ScorerContext,
): ScorerSupplier | null {
  const plan = inLeaf(node.source, context)
  if (plan === null) return null
  const conditions = conditionsOf(plan)
  const costs = conditions.map(part =>
    postingsOf(
      context.states,
      allTerms(part).map(({ termId }) => termId),
    ),
  )
  return supplier(Math.min(...costs), () => {
    const opened = new Map<IntervalPlan, PositionPostings>()
    const intervals = intervalsOf(plan, opened, context)
    const docs = conditions.map(part => {
      const own = allTerms(part).map(term => opened.get(term)!)
      return own.length === 1 ? own[0]! : new UnionPostings(own)
    })
    const { minWidth, weight, scored } = node
    return new IntervalScorer(docs, intervals, minWidth, scored ? weight : 0, context.watch)
  })
}

/** The source without what the leaf lacks; null when nothing is left. */
function inLeaf(plan: IntervalPlan, context: ScorerContext): IntervalPlan | null {
  switch (plan.kind) {
    case 'term':
      // A plan may stand at several places, and each has postings of its own.
      return (context.states.terms[plan.termId] ?? null) === null ? null : { ...plan }
    case 'or': {
      const sources = plan.sources.flatMap(each => inLeaf(each, context) ?? [])
      return sources.length === 0 ? null : { kind: 'or', sources }
    }
    case 'block':
    case 'ordered':
    case 'unordered': {
      const sources = plan.sources.flatMap(each => inLeaf(each, context) ?? [])
      return sources.length < plan.sources.length ? null : { ...plan, sources }
    }
    case 'repeated':
    case 'maxGaps':
    case 'extend':
    case 'beside':
    case 'script': {
      const source = inLeaf(plan.source, context)
      return source === null ? null : { ...plan, source }
    }
    case 'related': {
      const source = inLeaf(plan.source, context)
      const other = inLeaf(plan.other, context)
      if (source !== null && other !== null) return { ...plan, source, other }
      return isNegative(plan) ? source : null
    }
  }
}

function isNegative({ relation }: Extract<IntervalPlan, { kind: 'related' }>): boolean {
  return (
    relation === 'notContaining' || relation === 'notContainedBy' || relation === 'notOverlapping'
  )
}

/** Parts of a source that a document with an interval must have, each by one of its terms. */
function conditionsOf(plan: IntervalPlan): readonly IntervalPlan[] {
  switch (plan.kind) {
    case 'term':
    case 'or':
      return [plan]
    case 'block':
    case 'ordered':
    case 'unordered':
      return plan.sources.flatMap(conditionsOf)
    case 'repeated':
    case 'maxGaps':
    case 'extend':
    case 'beside':
    case 'script':
      return conditionsOf(plan.source)
    case 'related':
      return isNegative(plan)
        ? conditionsOf(plan.source)
        : [...conditionsOf(plan.source), ...conditionsOf(plan.other)]
  }
}

/** The terms of a source, those that keep intervals out left out. */
function allTerms(plan: IntervalPlan): readonly TermPlan[] {
  switch (plan.kind) {
    case 'term':
      return [plan]
    case 'or':
    case 'block':
    case 'ordered':
    case 'unordered':
      return plan.sources.flatMap(allTerms)
    case 'repeated':
    case 'maxGaps':
    case 'extend':
    case 'beside':
    case 'script':
      return allTerms(plan.source)
    case 'related':
      return isNegative(plan)
        ? allTerms(plan.source)
        : [...allTerms(plan.source), ...allTerms(plan.other)]
  }
}

/** @param opened receives the postings of each term of the source */
function intervalsOf(
  plan: IntervalPlan,
  opened: Map<IntervalPlan, PositionPostings>,
  context: ScorerContext,
): Intervals {
  const made = (inner: IntervalPlan): Intervals => intervalsOf(inner, opened, context)
  switch (plan.kind) {
    case 'term': {
      const postings = openPostings(plan.field, context.states.terms[plan.termId]!, context)
      opened.set(plan, postings)
      return new TermIntervals(postings)
    }
    case 'or':
      return new AnyIntervals(plan.sources.map(made))
    case 'block':
      return new BlockIntervals(plan.sources.map(made))
    case 'ordered':
      return new OrderedIntervals(plan.sources.map(made))
    case 'unordered':
      return new UnorderedIntervals(plan.sources.map(made))
    case 'repeated':
      return new RepeatedIntervals(made(plan.source), plan.count)
    case 'maxGaps':
      return new NarrowIntervals(made(plan.source), plan.gaps)
    case 'extend': {
      const { before, after } = plan
      return new MovedIntervals(made(plan.source), (start, end) => [
        Math.max(0, start - before),
        Math.min(LAST_POSITION, end + after),
      ])
    }
    case 'beside':
      return new MovedIntervals(
        made(plan.source),
        plan.side === 'before'
          ? start => [Math.max(0, start - 1), Math.max(0, start - 1)]
          : (_start, end) => [end + 1, end + 1],
      )
    case 'script': {
      const accepts = scriptEngine().intervalFilter(plan.script, context.scripts)
      return new FilteredIntervals(made(plan.source), accepts)
    }
    case 'related':
      return new RelatedIntervals(made(plan.source), made(plan.other), plan.relation)
  }
}
