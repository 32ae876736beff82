import { type FoundTerms, termsLike } from './found-terms.ts'
import { ownTerms, visitIntervals } from './interval-marks.ts'
import type { Sought, SoughtClause } from './sought.ts'
import { phraseSpan, type SpanVisitor, termsOfSpan, visitSpans } from './span-marks.ts'

/** Positions of a text, half open. */
interface PositionSpan {
  readonly start: number
  readonly end: number
}

/** A term that counts in a text. */
export interface WeightedTerm {
  readonly weight: number
  /** Whether it counts within the spans alone. */
  readonly isInSpans: boolean
  /** Spans that hold it. */
  readonly spans: PositionSpan[]
}

/** Terms that count in a text. */
export type WeightedTerms = ReadonlyMap<string, WeightedTerm>

/**
 * The terms of a text that a query's clauses count, in the clauses' order: a term by itself takes the
 * place of what was there, but for spans a term keeps its first weight.
 */
export function weightedTerms({ clauses }: Sought, found: FoundTerms): WeightedTerms {
  const terms = new Map<string, WeightedTerm>()
  for (const clause of clauses) {
    const { weight } = clause
    if (clause.kind === 'term') {
      if (found.has(clause.term)) terms.set(clause.term, { weight, isInSpans: false, spans: [] })
    } else if (clause.kind === 'like') {
      for (const term of termsLike(found, clause))
        terms.set(term, { weight, isInSpans: false, spans: [] })
    } else addSpans(terms, clause, found)
  }
  return terms
}

function addSpans(
  to: Map<string, WeightedTerm>,
  clause: Exclude<SoughtClause, { kind: 'term' | 'like' }>,
  found: FoundTerms,
): void {
  const spans: PositionSpan[] = []
  const visitor: SpanVisitor = {
    span: (start, end) => void spans.push({ start, end }),
    token() {},
  }
  let terms: readonly string[]
  if (clause.kind === 'intervals') {
    visitIntervals(clause.source, found, visitor)
    terms = ownTerms(clause.source, found)
  } else {
    const span = clause.kind === 'phrase' ? phraseSpan(clause.phrase) : clause.span
    visitSpans(span, found, visitor)
    terms = termsOfSpan(span, found)
  }
  if (spans.length === 0) return
  for (const term of new Set(terms)) {
    const known = to.get(term)
    if (known === undefined)
      to.set(term, { weight: clause.weight, isInSpans: true, spans: [...spans] })
    else known.spans.push(...spans)
  }
}
