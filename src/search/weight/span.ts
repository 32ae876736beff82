import type { PositionPostings } from '../scorer/freq-postings.ts'
import { PhraseScorer } from '../scorer/phrase-scorer.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import { SpanMatcher } from '../scorer/span-matcher.ts'
import {
  ContainingSpans,
  FirstSpans,
  GapSpans,
  NearSpans,
  NotSpans,
  OrSpans,
  type Spans,
  TermSpans,
  UnorderedSpans,
  WithinSpans,
} from '../scorer/spans.ts'
import { UnionPostings } from '../scorer/union-postings.ts'
import { explainPhrase, shardDocFreq } from './explain-frequency.ts'
import { missOfTerm } from './explain-miss.ts'
import { freqScoring } from './freq-scoring.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import { openPostings, type ScorerContext, supplier } from './scorer-context.ts'
import type { SpanPlan } from './span-plan.ts'
import { postingsOf, STEPS_OF_POSITIONS } from './step-costs.ts'
import type { SpanWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Documents with a span: not cached, as it has only term ids, which are local to this search. */
export const spanWeight: WeightType<SpanWeight> = {
  ...ON_ITERATORS,
  supplier: spanSupplier,
  explainMiss: missOfTerm,
  explain(node, match, at) {
    const termIds = node.termIds.filter(termId => shardDocFreq(termId, at) > 0)
    return explainPhrase(node, match, termIds, at)
  },
  steps: (node, states) => STEPS_OF_POSITIONS * postingsOf(states, node.termIds),
  clause: () => 'span',
}

function spanSupplier(node: SpanWeight, context: ScorerContext): ScorerSupplier | null {
  const span = withTerms(node.span, context)
  if (span === null) return null
  const cost = Math.min(...conditionsOf(span).map(part => costOf(part, context)))
  return supplier(cost, () => {
    const opened = new Map<SpanPlan, PositionPostings>()
    const root = spansOf(span, opened, context)
    // A condition on a document is met by any of its terms.
    const conditions = conditionsOf(span).map(part => {
      const own = termsOf(part).map(term => opened.get(term)!)
      return own.length === 1 ? own[0]! : new UnionPostings(own)
    })
    const lead = conditions[0]!
    const matcher = new SpanMatcher(root, [...opened.values()], () => lead.docId())
    const isOneField = termsOf(span).every(({ field }) => field === node.field)
    const own = freqScoring(node, context)
    // The impacts of another field are made with its own lengths: they bound nothing here.
    const scoring = isOneField ? own : { ...own, drift: Number.POSITIVE_INFINITY }
    const scorer = new PhraseScorer(conditions, matcher, true, scoring, context.watch)
    context.skippers.push(scorer.skipper)
    return scorer
  })
}

/** The span without alternatives whose terms the leaf lacks; null when nothing is left. */
function withTerms(span: SpanPlan, context: ScorerContext): SpanPlan | null {
  switch (span.kind) {
    case 'term':
      // A plan may stand at several places, and each has postings of its own.
      return (context.states.terms[span.termId] ?? null) === null ? null : { ...span }
    case 'gap':
      return span
    case 'or': {
      const spans = span.spans.flatMap(each => withTerms(each, context) ?? [])
      if (spans.length === 0) return null
      return spans.length === 1 ? spans[0]! : { kind: 'or', spans }
    }
    case 'near': {
      const spans = span.spans.flatMap(each => withTerms(each, context) ?? [])
      return spans.length < span.spans.length ? null : { ...span, spans }
    }
    case 'first': {
      const inner = withTerms(span.span, context)
      return inner === null ? null : { ...span, span: inner }
    }
    case 'not': {
      const include = withTerms(span.include, context)
      const exclude = withTerms(span.exclude, context)
      if (include === null || exclude === null) return include
      return { ...span, include, exclude }
    }
    case 'containing':
    case 'within': {
      const big = withTerms(span.big, context)
      const little = withTerms(span.little, context)
      return big === null || little === null ? null : { ...span, big, little }
    }
  }
}

/** Parts of a span that a document with it must have, each by one of its terms. */
function conditionsOf(span: SpanPlan): readonly SpanPlan[] {
  switch (span.kind) {
    case 'term':
    case 'or':
      return [span]
    case 'gap':
      return []
    case 'near':
      return span.spans.flatMap(conditionsOf)
    case 'first':
      return conditionsOf(span.span)
    case 'not':
      return conditionsOf(span.include)
    case 'containing':
    case 'within':
      return [...conditionsOf(span.big), ...conditionsOf(span.little)]
  }
}

/** The terms of a span, those that it excludes left out. */
function termsOf(span: SpanPlan): readonly Extract<SpanPlan, { kind: 'term' }>[] {
  switch (span.kind) {
    case 'term':
      return [span]
    case 'or':
    case 'near':
      return span.spans.flatMap(termsOf)
    case 'gap':
      return []
    case 'first':
      return termsOf(span.span)
    case 'not':
      return termsOf(span.include)
    case 'containing':
    case 'within':
      return [...termsOf(span.big), ...termsOf(span.little)]
  }
}

function costOf(span: SpanPlan, { states }: ScorerContext): number {
  return termsOf(span).reduce((sum, { termId }) => sum + (states.terms[termId]?.docFreq ?? 0), 0)
}

/** @param opened receives the postings of each term of the span */
function spansOf(
  span: SpanPlan,
  opened: Map<SpanPlan, PositionPostings>,
  context: ScorerContext,
): Spans {
  const made = (inner: SpanPlan): Spans => spansOf(inner, opened, context)
  switch (span.kind) {
    case 'term': {
      const postings = openPostings(span.field, context.states.terms[span.termId]!, context)
      opened.set(span, postings)
      return new TermSpans(postings)
    }
    case 'gap':
      return new GapSpans(span.width)
    case 'or':
      return new OrSpans(span.spans.map(made))
    case 'near':
      return span.inOrder
        ? new NearSpans(span.spans.map(made), span.slop)
        : new UnorderedSpans(span.spans.map(made), span.slop)
    case 'first':
      return new FirstSpans(made(span.span), span.end)
    case 'not':
      return new NotSpans(made(span.include), made(span.exclude), span.pre, span.post)
    case 'containing':
      return new ContainingSpans(made(span.big), made(span.little))
    case 'within':
      return new WithinSpans(made(span.big), made(span.little))
  }
}
