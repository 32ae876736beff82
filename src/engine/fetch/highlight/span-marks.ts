/** Spans of a query in one text. */
import type { Query, Span } from '../../../search/query/query.ts'
import { visitTerms } from '../../../search/query/query-ops.ts'
import type { SoughtPhrase, TermVisitor } from '../../../search/query/term-visitor.ts'
import {
  ContainingSpans,
  FirstSpans,
  GapSpans,
  NearSpans,
  NO_MORE_POSITIONS,
  NotSpans,
  OrSpans,
  type Spans,
  TermSpans,
  UnorderedSpans,
  WithinSpans,
} from '../../../search/scorer/spans.ts'
import { type FoundTerms, type Occurrence, OccurrencePostings, termsLike } from './found-terms.ts'

/** Receives spans of a text. */
export interface SpanVisitor {
  /** @param end the position behind the last one */
  span(start: number, end: number): void
  /** A token that the span told last is made of. */
  token(term: string, occurrence: Occurrence): void
}

/** Visits the spans of a text, as Lucene finds them. */
export function visitSpans(span: Span, found: FoundTerms, visitor: SpanVisitor): void {
  const postings = new Map<TermSpans, OccurrencePostings>()
  const spans = openSpans(span, found, postings)
  if (spans === null || !spans.open(0)) return
  while (spans.next() !== NO_MORE_POSITIONS) {
    visitor.span(spans.start, spans.end)
    spans.collect(leaf => {
      const of = postings.get(leaf)!
      visitor.token(of.term, of.current())
    })
  }
}

/** A phrase as a span; words that stand at one position are alternatives. */
export function phraseSpan({ field, terms, positions, slop, isPrefix }: SoughtPhrase): Span {
  const byPosition = new Map<number, Span[]>()
  for (const [i, alternatives] of terms.entries()) {
    const position = positions[i] ?? 0
    const spans = byPosition.get(position) ?? []
    for (const term of alternatives)
      spans.push(
        isPrefix && i === terms.length - 1
          ? { kind: 'multi', query: { kind: 'prefix', field, prefix: term } }
          : { kind: 'term', term },
      )
    byPosition.set(position, spans)
  }
  const spans = [...byPosition.values()].map(
    (each): Span => (each.length === 1 ? each[0]! : { kind: 'or', spans: each }),
  )
  if (spans.length === 1) return spans[0]!
  const width = (positions.at(-1) ?? 0) - (positions[0] ?? 0) + 1
  const gaps = Math.max(0, width - spans.length)
  return { kind: 'near', spans, slop: slop + gaps, inOrder: slop === 0 }
}

/** The spans of a text, not opened yet; null: there are none. */
function openSpans(
  span: Span,
  found: FoundTerms,
  postings: Map<TermSpans, OccurrencePostings>,
): Spans | null {
  const open = (inner: Span): Spans | null => openSpans(inner, found, postings)
  switch (span.kind) {
    case 'term':
      return termSpans(span.term, found, postings)
    case 'multi':
      return anyOf(termsOf(span.query, found).map(term => termSpans(term, found, postings)))
    case 'or':
      return anyOf(span.spans.map(open))
    case 'near': {
      const all = span.spans.flatMap(each => open(each) ?? [])
      if (all.length < span.spans.length) return null
      if (all.length === 1) return all[0]!
      return span.inOrder ? new NearSpans(all, span.slop) : new UnorderedSpans(all, span.slop)
    }
    case 'gap':
      return new GapSpans(span.width)
    case 'first': {
      const inner = open(span.span)
      return inner === null ? null : new FirstSpans(inner, span.end)
    }
    case 'not': {
      const include = open(span.include)
      const exclude = open(span.exclude)
      if (include === null || exclude === null) return include
      return new NotSpans(include, exclude, span.pre, span.post)
    }
    case 'containing':
    case 'within': {
      const big = open(span.big)
      const little = open(span.little)
      if (big === null || little === null) return null
      return span.kind === 'containing'
        ? new ContainingSpans(big, little)
        : new WithinSpans(big, little)
    }
    case 'masked':
      return open(span.span)
  }
}

function anyOf(all: readonly (Spans | null)[]): Spans | null {
  const spans = all.flatMap(each => each ?? [])
  return spans.length < 2 ? (spans[0] ?? null) : new OrSpans(spans)
}

function termSpans(
  term: string,
  found: FoundTerms,
  postings: Map<TermSpans, OccurrencePostings>,
): Spans | null {
  const occurrences = found.get(term)
  if (occurrences === undefined) return null
  const own = new OccurrencePostings(term, occurrences)
  const spans = new TermSpans(own)
  postings.set(spans, own)
  return spans
}

/** The terms of a text that a span may be made of. */
export function termsOfSpan(span: Span, found: FoundTerms): readonly string[] {
  switch (span.kind) {
    case 'term':
      return found.has(span.term) ? [span.term] : []
    case 'multi':
      return termsOf(span.query, found)
    case 'or':
    case 'near':
      return span.spans.flatMap(inner => termsOfSpan(inner, found))
    case 'gap':
      return []
    case 'first':
    case 'masked':
      return termsOfSpan(span.span, found)
    case 'not':
      return termsOfSpan(span.include, found)
    case 'containing':
    case 'within':
      return [...termsOfSpan(span.big, found), ...termsOfSpan(span.little, found)]
  }
}

/** The terms of a text that a query for many terms looks for, in the order of their text. */
export function termsOf(query: Query, found: FoundTerms): readonly string[] {
  const terms = new Set<string>()
  const visitor: TermVisitor = {
    term: (_field, term) => void (found.has(term) && terms.add(term)),
    termsLike(_field, label, accepts) {
      for (const term of termsLike(found, { label, accepts })) terms.add(term)
    },
    phrase() {},
    span() {},
    intervals() {},
    boosted: () => visitor,
  }
  visitTerms(query, visitor)
  return [...terms].sort()
}
