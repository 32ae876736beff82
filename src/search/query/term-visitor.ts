import { START } from '../../util/automaton/automaton.ts'
import type { TermAutomaton } from './matching-terms.ts'
import type { IntervalSource, Span } from './query.ts'

/** Words in a row; the last ones may be beginnings of words. */
export interface SoughtPhrase {
  readonly field: string
  /** Alternatives by position. */
  readonly terms: readonly (readonly string[])[]
  /** One for each list of terms, ascending. */
  readonly positions: readonly number[]
  readonly slop: number
  readonly isPrefix: boolean
}

/** Receives what a query looks for in texts; clauses that must not match are never told. */
export interface TermVisitor {
  /** A term, wherever it stands. */
  term(field: string, term: string): void
  /**
   * All terms of a kind, wherever they stand.
   * @param label the query's text, by which they are one
   */
  termsLike(field: string, label: string, accepts: (term: string) => boolean): void
  phrase(phrase: SoughtPhrase): void
  /** Terms, where they are part of a span. */
  span(field: string, span: Span): void
  /** Terms, where they are part of an interval. */
  intervals(field: string, source: IntervalSource): void
  /** The visitor of a query whose scores are multiplied. */
  boosted(factor: number): TermVisitor
}

/** Whether an automaton accepts a term. */
export function acceptedBy(
  automaton: Pick<TermAutomaton, 'step' | 'accepts'>,
): (term: string) => boolean {
  return term => {
    let state = START
    for (let at = 0; at < term.length; ) {
      const point = term.codePointAt(at)!
      state = automaton.step(state, point)
      at += point > 0xffff ? 2 : 1
    }
    return automaton.accepts(state)
  }
}
