import type { Leaf } from '../../segment/leaf.ts'
import { compareBytes, encodeUtf8 } from '../../util/bytes.ts'
import type { SpanPlan } from '../weight/weight.ts'
import { phraseStatistics } from './phrase-statistics.ts'
import { termsWithPrefix } from './prefix-terms.ts'
import type { Span, SpanQuery } from './query.ts'
import type { QueryType, WeightBuilder } from './query-type.ts'

const CLASS_NAMES: Readonly<Record<Span['kind'], string>> = {
  term: 'SpanTermQuery',
  prefix: 'SpanMultiTermQueryWrapper',
  or: 'SpanOrQuery',
  near: 'SpanNearQuery',
  gap: 'SpanGapQuery',
}

/** The paths of a token graph, matched as a phrase. */
export const spanQuery: QueryType<SpanQuery> = {
  className: query => CLASS_NAMES[query.span.kind],
  text: query => spanText(query.field, query.span),
  clauseCount: query => countSpans(query.span),
  mapInner: null,
  onShard(query, leaves) {
    const span = expandSpan(query.field, query.span, leaves)
    return span === query.span ? query : { ...query, span }
  },
  createWeight({ field, span }, builder, id, boost, scored) {
    const byTerm = new Map<string, number>()
    const plan = planOf(span, field, builder, byTerm)
    // Each term counts once, however many times the span holds it.
    const sorted = [...byTerm].sort(([a], [b]) => compareBytes(encodeUtf8(a), encodeUtf8(b)))
    const termIds = sorted.map(([, termId]) => termId)
    const { docCount, average, weight } = phraseStatistics(builder, field, termIds, boost, scored)
    return {
      kind: 'span',
      id,
      field,
      span: plan,
      termIds,
      docCount,
      boost,
      weight,
      average,
      scored,
    }
  },
}

/** The span with its terms looked up. @param byTerm receives their ids by text */
function planOf(
  span: Span,
  field: string,
  builder: WeightBuilder,
  byTerm: Map<string, number>,
): SpanPlan {
  switch (span.kind) {
    case 'term': {
      const termId = builder.terms.termId(field, span.term)
      byTerm.set(span.term, termId)
      builder.cost += 2 * builder.terms.docFreqOf(termId)
      builder.openPostings++
      return { kind: 'term', termId }
    }
    case 'or':
    case 'near':
      return {
        kind: span.kind,
        spans: span.spans.map(each => planOf(each, field, builder, byTerm)),
      }
    case 'gap':
      return span
    // Prefixes were expanded on the shard; one without terms is gone.
    case 'prefix':
      return { kind: 'or', spans: [] }
  }
}

function expandSpan(field: string, span: Span, leaves: readonly Leaf[]): Span {
  switch (span.kind) {
    case 'prefix': {
      const terms = termsWithPrefix(field, span.prefix, span.maxExpansions, leaves)
      const spans = terms.map((term): Span => ({ kind: 'term', term }))
      return spans.length === 1 ? spans[0]! : { kind: 'or', spans }
    }
    case 'or':
    case 'near': {
      const spans = span.spans.map(each => expandSpan(field, each, leaves))
      return spans.every((each, i) => each === span.spans[i]) ? span : { ...span, spans }
    }
    case 'term':
    case 'gap':
      return span
  }
}

function countSpans(span: Span): number {
  if (span.kind !== 'or' && span.kind !== 'near') return 1
  return span.spans.reduce((sum, inner) => sum + countSpans(inner), 0)
}

function spanText(field: string, span: Span): string {
  const inner = (spans: readonly Span[]): string =>
    spans.map(each => spanText(field, each)).join(', ')
  switch (span.kind) {
    case 'term':
      return `${field}:${span.term}`
    case 'prefix':
      return `SpanMultiTermQueryWrapper(${field}:${span.prefix}*)`
    case 'or':
      return `spanOr([${inner(span.spans)}])`
    case 'near':
      return `spanNear([${inner(span.spans)}], 0, true)`
    case 'gap':
      return `SpanGap(${field}:${span.width})`
  }
}
