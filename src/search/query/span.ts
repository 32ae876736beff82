import { compareBytes, encodeUtf8 } from '../../util/bytes.ts'
import type { SpanPlan } from '../weight/span-plan.ts'
import { foundTerms } from './found-terms.ts'
import { phraseStatistics } from './phrase-statistics.ts'
import type { Query, Span, SpanQuery } from './query.ts'
import type { QueryOps, QueryType, WeightBuilder } from './query-type.ts'

const CLASS_NAMES: Readonly<Record<Span['kind'], string>> = {
  term: 'SpanTermQuery',
  multi: 'SpanMultiTermQueryWrapper',
  or: 'SpanOrQuery',
  near: 'SpanNearQuery',
  gap: 'SpanGapQuery',
  first: 'SpanFirstQuery',
  not: 'SpanNotQuery',
  containing: 'SpanContainingQuery',
  within: 'SpanWithinQuery',
  masked: 'FieldMaskingSpanQuery',
}

/** Documents with a span. */
export const spanQuery: QueryType<SpanQuery> = {
  className({ span }) {
    if (span.kind !== 'multi') return CLASS_NAMES[span.kind]
    const terms = foundTerms(span.query)
    return CLASS_NAMES[terms === null ? 'multi' : terms.length === 1 ? 'term' : 'or']
  },
  text: (query, of) => spanText(query.field, query.span, of),
  clauseCount: ({ span }) => countSpans(span),
  mapInner(query, change) {
    const span = mapped(query.span, change)
    return span === query.span ? query : { ...query, span }
  },
  visitTerms: ({ field, span }, visitor) => visitor.span(field, span),
  createWeight({ field, span }, builder, id, boost, scored) {
    // Alone it is the query within; beside others its terms count as the other field's.
    if (span.kind === 'masked')
      return builder.createAs(
        id,
        { kind: 'span', field: span.field, span: span.span },
        boost,
        scored,
      )
    const terms: FieldTerm[] = []
    const plan = planOf(span, field, builder, terms)
    // Each term counts once, however many times the span holds it.
    const known = new Map(terms.map(each => [each.termId, each]))
    const sorted = [...known.values()].sort(byFieldAndText)
    const termIds = sorted.map(({ termId }) => termId)
    const statistics = phraseStatistics(builder, field, termIds, boost, scored)
    return { kind: 'span', id, field, span: plan, termIds, boost, scored, ...statistics }
  },
}

/** A term of a span, looked up. */
interface FieldTerm {
  readonly field: string
  readonly term: string
  readonly termId: number
}

function byFieldAndText(a: FieldTerm, b: FieldTerm): number {
  if (a.field !== b.field) return compareBytes(encodeUtf8(a.field), encodeUtf8(b.field))
  return compareBytes(encodeUtf8(a.term), encodeUtf8(b.term))
}

/** The span with its terms looked up. @param found receives them */
function planOf(span: Span, field: string, builder: WeightBuilder, found: FieldTerm[]): SpanPlan {
  const plan = (inner: Span): SpanPlan => planOf(inner, field, builder, found)
  switch (span.kind) {
    case 'term':
      return planTerm(span.field ?? field, span.term, builder, found)
    case 'multi': {
      const spans = (foundTerms(span.query) ?? []).map(({ field: of, term }) =>
        planTerm(of, term, builder, found),
      )
      return spans.length === 1 ? spans[0]! : { kind: 'or', spans }
    }
    case 'or':
      return { kind: 'or', spans: span.spans.map(plan) }
    case 'near':
      return { ...span, spans: span.spans.map(plan) }
    case 'gap':
      return span
    case 'first':
      return { ...span, span: plan(span.span) }
    case 'not': {
      // Excluded spans do not score.
      const exclude = planOf(span.exclude, field, builder, [])
      return { ...span, include: plan(span.include), exclude }
    }
    case 'containing':
    case 'within':
      return { ...span, big: plan(span.big), little: plan(span.little) }
    case 'masked':
      return planOf(span.span, span.field, builder, found)
  }
}

function planTerm(
  field: string,
  term: string,
  builder: WeightBuilder,
  found: FieldTerm[],
): SpanPlan {
  const { terms } = builder
  const termId = terms.termId(field, term)
  builder.cost += 2 * terms.docFreqOf(termId)
  builder.openPostings++
  terms.use(field, 'postings')
  terms.use(field, 'positions')
  found.push({ field, term, termId })
  return { kind: 'term', field, termId }
}

function mapped(span: Span, change: (inner: Query) => Query): Span {
  switch (span.kind) {
    case 'term':
    case 'gap':
      return span
    case 'multi': {
      const query = change(span.query)
      return query === span.query ? span : { ...span, query }
    }
    case 'or':
    case 'near': {
      const spans = span.spans.map(each => mapped(each, change))
      return spans.every((each, i) => each === span.spans[i]) ? span : { ...span, spans }
    }
    case 'first':
    case 'masked': {
      const inner = mapped(span.span, change)
      return inner === span.span ? span : { ...span, span: inner }
    }
    case 'not': {
      const include = mapped(span.include, change)
      const exclude = mapped(span.exclude, change)
      return include === span.include && exclude === span.exclude
        ? span
        : { ...span, include, exclude }
    }
    case 'containing':
    case 'within': {
      const big = mapped(span.big, change)
      const little = mapped(span.little, change)
      return big === span.big && little === span.little ? span : { ...span, big, little }
    }
  }
}

function countSpans(span: Span): number {
  switch (span.kind) {
    case 'term':
    case 'gap':
      return 1
    case 'multi':
      return foundTerms(span.query)?.length ?? 1
    case 'or':
    case 'near':
      return span.spans.reduce((sum, inner) => sum + countSpans(inner), 0)
    case 'first':
    case 'masked':
      return countSpans(span.span)
    case 'not':
      return countSpans(span.include) + countSpans(span.exclude)
    case 'containing':
    case 'within':
      return countSpans(span.big) + countSpans(span.little)
  }
}

function spanText(field: string, span: Span, of: QueryOps): string {
  const text = (inner: Span): string => spanText(field, inner, of)
  switch (span.kind) {
    case 'term':
      return `${span.field ?? field}:${span.term}`
    case 'multi': {
      const terms = foundTerms(span.query)
      if (terms === null) return `SpanMultiTermQueryWrapper(${of.text(span.query)})`
      const texts = terms.map(each => `${each.field}:${each.term}`)
      return texts.length === 1 ? texts[0]! : `spanOr([${texts.join(', ')}])`
    }
    case 'or':
      return `spanOr([${span.spans.map(text).join(', ')}])`
    case 'near':
      return `spanNear([${span.spans.map(text).join(', ')}], ${span.slop}, ${span.inOrder})`
    case 'gap':
      return `SpanGap(${field}:${span.width})`
    case 'first':
      return `spanFirst(${text(span.span)}, ${span.end})`
    case 'not':
      return `spanNot(${text(span.include)}, ${text(span.exclude)}, ${span.pre}, ${span.post})`
    case 'containing':
      return `SpanContaining(${text(span.big)}, ${text(span.little)})`
    case 'within':
      return `SpanWithin(${text(span.big)}, ${text(span.little)})`
    case 'masked':
      return `mask(${spanText(span.field, span.span, of)}) as ${span.shown}`
  }
}
