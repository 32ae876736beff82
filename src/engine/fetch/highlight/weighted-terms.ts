import { type FoundTerms, termsLike } from './found-terms.ts'
import { ownTerms, visitIntervals } from './interval-marks.ts'
import type { Sought, SoughtClause } from './sought.ts'
import { phraseSpan, type SpanVisitor, termsOfSpan, visitSpans } from './span-marks.ts'

/** A term that counts in a text. */
export interface WeightedTerm {
  readonly weight: number
  /** Whether it counts within the spans alone. */
  readonly isInSpans: boolean
  /** Spans that it is part of, those of a clause together. */
  readonly spans: PositionSpans[]
}

/** Terms that count in a text. */
export type WeightedTerms = ReadonlyMap<string, WeightedTerm>

/** Spans of positions, told in the order of their starts. */
class PositionSpans {
  /** By start, the end of the first one that begins there. */
  readonly #ends = new Map<number, number>()
  /** Starts and ends of what they cover together, ascending. */
  readonly #starts: number[] = []
  readonly #covered: number[] = []

  /** @param end the position behind the last one */
  add(start: number, end: number): void {
    if (!this.#ends.has(start)) this.#ends.set(start, end)
    const last = this.#covered.length - 1
    if (last >= 0 && start <= this.#covered[last]!)
      this.#covered[last] = Math.max(this.#covered[last]!, end)
    else {
      this.#starts.push(start)
      this.#covered.push(end)
    }
  }

  get isEmpty(): boolean {
    return this.#starts.length === 0
  }

  /** Where the first span ends that begins at a position; undefined: none does. */
  endOf(start: number): number | undefined {
    return this.#ends.get(start)
  }

  /** Whether some span holds a position. */
  covers(position: number): boolean {
    let low = 0
    let high = this.#starts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#starts[middle]! <= position) low = middle + 1
      else high = middle
    }
    return low > 0 && position < this.#covered[low - 1]!
  }
}

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
  const spans = new PositionSpans()
  const visitor: SpanVisitor = { span: (start, end) => spans.add(start, end), token() {} }
  let terms: readonly string[]
  if (clause.kind === 'intervals') {
    visitIntervals(clause.source, found, visitor)
    terms = ownTerms(clause.source, found)
  } else {
    const span = clause.kind === 'phrase' ? phraseSpan(clause.phrase) : clause.span
    visitSpans(span, found, visitor)
    terms = termsOfSpan(span, found)
  }
  if (spans.isEmpty) return
  for (const term of new Set(terms)) {
    const known = to.get(term)
    if (known === undefined)
      to.set(term, { weight: clause.weight, isInSpans: true, spans: [spans] })
    else known.spans.push(spans)
  }
}
