import type { PositionPostings } from '../scorer/freq-postings.ts'
import { PhraseScorer } from '../scorer/phrase-scorer.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import {
  GapSpans,
  NearSpans,
  OrSpans,
  SpanMatcher,
  type Spans,
  TermSpans,
} from '../scorer/span-matcher.ts'
import { UnionPostings } from '../scorer/union-postings.ts'
import { explainPhrase, shardDocFreq } from './explain-frequency.ts'
import { missOfTerm } from './explain-miss.ts'
import { freqScoring } from './freq-scoring.ts'
import { openPostings, type ScorerContext, supplier } from './scorer-context.ts'
import { postingsOf, STEPS_OF_POSITIONS } from './step-costs.ts'
import type { SpanPlan, SpanWeight } from './weight.ts'
import type { WeightType } from './weight-type.ts'

/** The paths of a token graph, matched as a phrase. */
export const spanWeight: WeightType<SpanWeight> = {
  supplier: spanSupplier,
  explainMiss: missOfTerm,
  explain(node, match, at) {
    const termIds = node.termIds.filter(termId => shardDocFreq(termId, at) > 0)
    return explainPhrase(node, match, termIds, at)
  },
  count: () => -1,
  steps: (node, states) => STEPS_OF_POSITIONS * postingsOf(states, node.termIds),
  setSteps: () => 0,
  isOfAlternatives: () => true,
  matches: () => Number.NaN,
  isDivisible: () => true,
  scoreEstimate: () => 0,
  clause: () => 'span',
  documentSet: node => ({ kind: 'iterators', node }),
  countScratch(_node, counts) {
    counts.sets++
  },
  // Not cached: it has only term ids, which are local to this search.
  cacheKey: () => null,
  minUsesToCache: () => null,
  record: 'serialised',
}

function spanSupplier(node: SpanWeight, context: ScorerContext): ScorerSupplier | null {
  const { field } = node
  const span = withTerms(node.span, context)
  if (span === null) return null
  // Conditions on a document: one for each span of a near span, met by any of its terms.
  const parts = span.kind === 'near' ? span.spans.filter(each => each.kind !== 'gap') : [span]
  const costs = parts.map(part => costOf(part, context))
  return supplier(Math.min(...costs), () => {
    const all: PositionPostings[] = []
    const made = new Map<SpanPlan, Spans>()
    const conditions = parts.map(part => {
      const own: PositionPostings[] = []
      made.set(part, spansOf(part, field, own, context))
      all.push(...own)
      return own.length === 1 ? own[0]! : new UnionPostings(own)
    })
    const root =
      span.kind === 'near'
        ? new NearSpans(
            span.spans.map(each => made.get(each) ?? spansOf(each, field, all, context)),
          )
        : made.get(span)!
    const lead = conditions[0]!
    const matcher = new SpanMatcher(root, all, () => lead.docId())
    const scorer = new PhraseScorer(
      conditions,
      matcher,
      true,
      freqScoring(node, context),
      context.watch,
    )
    context.skippers.push(scorer.skipper)
    return scorer
  })
}

/** The span without alternatives whose terms the leaf lacks; null when nothing is left. */
function withTerms(span: SpanPlan, context: ScorerContext): SpanPlan | null {
  switch (span.kind) {
    case 'term':
      return (context.states.terms[span.termId] ?? null) === null ? null : span
    case 'gap':
      return span
    case 'or': {
      const spans = span.spans.flatMap(each => withTerms(each, context) ?? [])
      if (spans.length === 0) return null
      return spans.length === 1 ? spans[0]! : { kind: 'or', spans }
    }
    case 'near': {
      const spans = span.spans.flatMap(each => withTerms(each, context) ?? [])
      return spans.length < span.spans.length ? null : { kind: 'near', spans }
    }
  }
}

function costOf(span: SpanPlan, context: ScorerContext): number {
  if (span.kind === 'term') return context.states.terms[span.termId]?.docFreq ?? 0
  if (span.kind === 'gap') return 0
  return span.spans.reduce((sum, each) => sum + costOf(each, context), 0)
}

/** @param opened receives the postings of the span's terms */
function spansOf(
  span: SpanPlan,
  field: string,
  opened: PositionPostings[],
  context: ScorerContext,
): Spans {
  switch (span.kind) {
    case 'term': {
      const postings = openPostings(field, context.states.terms[span.termId]!, context)
      opened.push(postings)
      return new TermSpans(postings)
    }
    case 'gap':
      return new GapSpans(span.width)
    case 'or':
      return new OrSpans(span.spans.map(each => spansOf(each, field, opened, context)))
    case 'near':
      return new NearSpans(span.spans.map(each => spansOf(each, field, opened, context)))
  }
}
