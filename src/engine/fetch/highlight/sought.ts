/** Terms and phrases that a query seeks in the texts of a field, in the order of its clauses. */
import type { IntervalSource, Query, Span } from '../../../search/query/query.ts'
import { visitTerms } from '../../../search/query/query-ops.ts'
import type { SoughtPhrase, TermVisitor } from '../../../search/query/term-visitor.ts'

/** Terms of a kind. */
export interface SoughtLike {
  /** The clause's text: its terms count as one. */
  readonly label: string
  readonly accepts: (term: string) => boolean
}

/** A clause of a query that looks for terms; its weight is the product of the boosts around it. */
export type SoughtClause = { readonly weight: number } & (
  | { readonly kind: 'term'; readonly term: string }
  | ({ readonly kind: 'like' } & SoughtLike)
  | { readonly kind: 'phrase'; readonly phrase: SoughtPhrase }
  | { readonly kind: 'span'; readonly span: Span }
  | { readonly kind: 'intervals'; readonly source: IntervalSource }
)

/** One sought term, pattern or phrase. */
export interface Sought {
  readonly clauses: readonly SoughtClause[]
  /** Terms in them, and kinds of terms, wherever in a clause they stand. */
  readonly terms: ReadonlySet<string>
  readonly likes: readonly SoughtLike[]
  /**
   * Other tokens between two of the text's from which on their number does not count; 0: positions do not, infinity:
   * positions themselves do.
   */
  readonly reach: number
  /** Whether a clause, or a part of one, has the term. */
  has(term: string): boolean
}

/**
 * The positions of tokens that a highlighter reads: their distances, where clauses ask for positions; the positions
 * themselves, where clauses do; or these, whatever the clauses.
 */
export type ReadPositions = 'distances' | 'asked' | 'all'

/** Answers of `has` that are kept; beyond as many they are forgotten together. */
const MAX_KNOWN = 10_000

/**
 * Collects the terms and phrases that a query seeks in a field.
 * @param takes the fields whose clauses count
 */
export function soughtBy(
  query: Query,
  takes: (field: string) => boolean,
  positions: ReadPositions,
): Sought {
  const clauses: SoughtClause[] = []
  const words = new SoughtWords(() => true)
  visitTerms(query, new ClauseVisitor(clauses, words, takes, 1))
  const { terms, likes } = words
  const known = new Map<string, boolean>()
  const isLike = (term: string): boolean => {
    let is = known.get(term)
    if (is !== undefined) return is
    if (known.size >= MAX_KNOWN) known.clear()
    is = likes.some(({ accepts }) => accepts(term))
    known.set(term, is)
    return is
  }
  return {
    clauses,
    terms,
    likes,
    reach: reachOf(clauses, positions),
    has: likes.length === 0 ? term => terms.has(term) : term => terms.has(term) || isLike(term),
  }
}

/** As `Sought.reach`. */
function reachOf(clauses: readonly SoughtClause[], positions: ReadPositions): number {
  const reach = clauses.reduce((most, clause) => Math.max(most, reachOfClause(clause)), 0)
  const readsDistances = positions === 'distances' || (positions === 'asked' && reach === 0)
  return readsDistances ? reach : Number.POSITIVE_INFINITY
}

function reachOfClause(clause: SoughtClause): number {
  if (clause.kind === 'term' || clause.kind === 'like') return 0
  if (clause.kind !== 'phrase') return Number.POSITIVE_INFINITY
  const { positions, slop } = clause.phrase
  return 1 + slop + (positions.at(-1) ?? 0) - (positions[0] ?? 0)
}

class ClauseVisitor implements TermVisitor {
  readonly #clauses: SoughtClause[]
  readonly #words: SoughtWords
  readonly #takes: (field: string) => boolean
  readonly #weight: number

  constructor(
    clauses: SoughtClause[],
    words: SoughtWords,
    takes: (field: string) => boolean,
    weight: number,
  ) {
    this.#clauses = clauses
    this.#words = words
    this.#takes = takes
    this.#weight = weight
  }

  boosted(factor: number): TermVisitor {
    const weight = Math.fround(this.#weight * factor)
    return new ClauseVisitor(this.#clauses, this.#words, this.#takes, weight)
  }

  term(field: string, term: string): void {
    if (!this.#takes(field)) return
    this.#words.term(field, term)
    this.#clauses.push({ kind: 'term', weight: this.#weight, term })
  }

  termsLike(field: string, label: string, accepts: (term: string) => boolean): void {
    if (!this.#takes(field)) return
    this.#words.termsLike(field, label, accepts)
    this.#clauses.push({ kind: 'like', weight: this.#weight, label, accepts })
  }

  phrase(phrase: SoughtPhrase): void {
    if (!this.#takes(phrase.field)) return
    this.#words.phrase(phrase)
    this.#clauses.push({ kind: 'phrase', weight: this.#weight, phrase })
  }

  span(field: string, span: Span): void {
    const fields = new SoughtWords(this.#takes)
    if (!fields.takesAll(field, span)) return
    this.#words.span(field, span)
    this.#clauses.push({ kind: 'span', weight: this.#weight, span })
  }

  intervals(field: string, source: IntervalSource): void {
    if (!this.#takes(field)) return
    this.#words.intervals(field, source)
    this.#clauses.push({ kind: 'intervals', weight: this.#weight, source })
  }
}

/** The words of clauses, wherever in them they stand. */
class SoughtWords implements TermVisitor {
  readonly terms = new Set<string>()
  readonly likes: SoughtLike[] = []
  readonly #takes: (field: string) => boolean
  #isTaken = true

  constructor(takes: (field: string) => boolean) {
    this.#takes = takes
  }

  /** Whether all fields of a span count. */
  takesAll(field: string, span: Span): boolean {
    this.span(field, span)
    return this.#isTaken
  }

  boosted(): TermVisitor {
    return this
  }

  term(field: string, term: string): void {
    if (!this.#takes(field)) this.#isTaken = false
    this.terms.add(term)
  }

  termsLike(field: string, label: string, accepts: (term: string) => boolean): void {
    if (!this.#takes(field)) this.#isTaken = false
    this.likes.push({ label, accepts })
  }

  phrase({ field, terms, isPrefix }: SoughtPhrase): void {
    for (const [i, alternatives] of terms.entries())
      for (const term of alternatives)
        if (isPrefix && i === terms.length - 1)
          this.termsLike(field, term, each => each.startsWith(term))
        else this.term(field, term)
  }

  span(field: string, span: Span): void {
    switch (span.kind) {
      case 'term':
        this.term(span.field ?? field, span.term)
        break
      case 'multi':
        visitTerms(span.query, this)
        break
      case 'or':
      case 'near':
        for (const inner of span.spans) this.span(field, inner)
        break
      case 'gap':
        break
      case 'first':
        this.span(field, span.span)
        break
      case 'not':
        this.span(field, span.include)
        this.span(field, span.exclude)
        break
      case 'containing':
      case 'within':
        this.span(field, span.big)
        this.span(field, span.little)
        break
      case 'masked':
        this.span(span.field, span.span)
        break
    }
  }

  intervals(field: string, source: IntervalSource): void {
    switch (source.kind) {
      case 'none':
        break
      case 'term':
        this.term(field, source.term)
        break
      case 'multi':
        visitTerms(source.query, this)
        break
      case 'or':
      case 'block':
      case 'ordered':
      case 'unordered':
        for (const inner of source.sources) this.intervals(field, inner)
        break
      case 'repeated':
      case 'maxGaps':
      case 'extend':
      case 'beside':
      case 'script':
        this.intervals(field, source.source)
        break
      case 'related':
        this.intervals(field, source.source)
        this.intervals(field, source.other)
        break
      case 'fixed':
        this.intervals(source.field, source.source)
        break
    }
  }
}
