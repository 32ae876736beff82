/**
 * Queries at Lucene's level, as plain data: what the DSL is turned into, what is rewritten, and
 * what a weight is made from. Every record survives a structured clone and never changes.
 *
 * Values are already in the form in which the index holds them: terms as text (compared by their
 * UTF-8 bytes), numbers as sortable 64-bit integers (`point-value.ts`). Boosts are float32.
 */
import type { Occur } from '../weight/weight.ts'

/** One clause of a boolean query. */
export interface BooleanClause {
  readonly occur: Occur
  readonly query: Query
}

export interface MatchAllQuery {
  readonly kind: 'matchAll'
}

export interface MatchNoneQuery {
  readonly kind: 'matchNone'
  /** Why, as the profile prints it. */
  readonly reason: string
}

/** One term, scored by BM25. */
export interface TermQuery {
  readonly kind: 'term'
  readonly field: string
  readonly term: string
}

/** Any of several terms of one field; constant score. */
export interface TermsInSetQuery {
  readonly kind: 'termsInSet'
  readonly field: string
  /** Without repeats, ascending by UTF-8 bytes. */
  readonly terms: readonly string[]
}

export interface BooleanQuery {
  readonly kind: 'boolean'
  readonly clauses: readonly BooleanClause[]
  /** How many `should` clauses must match; more than there are match nothing. */
  readonly minimumShouldMatch: number
}

/** Terms at given distances; two terms may stand at one position, and then both must occur. */
export interface PhraseQuery {
  readonly kind: 'phrase'
  readonly field: string
  readonly terms: readonly string[]
  /** One for each term, ascending. */
  readonly positions: readonly number[]
  /** 0: exactly as given. */
  readonly slop: number
}

/**
 * Terms that stand for one another: scored as one term that occurs as often as all together and in
 * as many documents as the commonest.
 */
export interface SynonymQuery {
  readonly kind: 'synonym'
  readonly field: string
  /** Ascending; one may be there twice and then counts twice. */
  readonly terms: readonly string[]
}

/** Terms at given distances, one of several at each. */
export interface MultiPhraseQuery {
  readonly kind: 'multiPhrase'
  readonly field: string
  readonly terms: readonly (readonly string[])[]
  /** One for each list of terms, ascending. */
  readonly positions: readonly number[]
  readonly slop: number
}

/** The same, where the terms of the last position are what terms there start with. */
export interface PhrasePrefixQuery {
  readonly kind: 'phrasePrefix'
  readonly field: string
  readonly terms: readonly (readonly string[])[]
  readonly positions: readonly number[]
  readonly slop: number
  /** How many terms the last position may become on a shard. */
  readonly maxExpansions: number
}

/** Stretches of positions in a document. */
export type Span =
  | { readonly kind: 'term'; readonly term: string }
  /** Any of the first terms of a shard that start so. */
  | { readonly kind: 'prefix'; readonly prefix: string; readonly maxExpansions: number }
  | { readonly kind: 'or'; readonly spans: readonly Span[] }
  /** One right behind the other. */
  | { readonly kind: 'near'; readonly spans: readonly Span[] }
  /** Positions of which nothing is asked; within `near`. */
  | { readonly kind: 'gap'; readonly width: number }

/** Paths of a token graph as a phrase. */
export interface SpanQuery {
  readonly kind: 'span'
  readonly field: string
  readonly span: Span
}

/** The inner query's documents, each with the score 1. */
export interface ConstantScoreQuery {
  readonly kind: 'constantScore'
  readonly query: Query
}

/** The best of several queries' scores, plus `tieBreaker` times the others'. */
export interface DisjunctionMaxQuery {
  readonly kind: 'disMax'
  readonly queries: readonly Query[]
  readonly tieBreaker: number
}

/** `positive`'s documents and scores, times `negativeBoost` where `negative` matches too. */
export interface BoostingQuery {
  readonly kind: 'boosting'
  readonly positive: Query
  readonly negative: Query
  readonly negativeBoost: number
}

/** The inner query with its scores multiplied. */
export interface BoostQuery {
  readonly kind: 'boost'
  readonly query: Query
  readonly boost: number
}

/** Documents that have a number in a closed interval; constant score. */
export interface PointRangeQuery {
  readonly kind: 'pointRange'
  readonly field: string
  /** Ends, both included, as sortable integers; `lower` is never above `upper`. */
  readonly lower: bigint
  readonly upper: bigint
  /** The ends as they print: plain numbers, dates in epoch milliseconds. */
  readonly lowerText: string
  readonly upperText: string
  /** Which structures the field has; at least one. */
  readonly indexed: boolean
  readonly docValues: boolean
  /** A `range` over dates, which a shard's values may decide (`rewrite-dates.ts`). */
  readonly isDateRange?: true
}

/** Documents that have one of several numbers; constant score. */
export interface PointInSetQuery {
  readonly kind: 'pointInSet'
  readonly field: string
  /** Ascending, without repeats. */
  readonly values: readonly bigint[]
  readonly texts: readonly string[]
  readonly indexed: boolean
  readonly docValues: boolean
}

/** Documents with a term in an interval of byte order; null is open. Constant score. */
export interface TermRangeQuery {
  readonly kind: 'termRange'
  readonly field: string
  readonly lower: string | null
  readonly upper: string | null
  readonly includeLower: boolean
  readonly includeUpper: boolean
}

/** Documents with a term that starts so; constant score. */
export interface PrefixQuery {
  readonly kind: 'prefix'
  readonly field: string
  readonly prefix: string
}

/** Documents in which a field has a norm or a doc value; constant score. */
export interface FieldExistsQuery {
  readonly kind: 'fieldExists'
  readonly field: string
  /**
   * The mapping keeps neither, so documents are listed under the field's name in `_field_names`,
   * and those from before norms were turned off still have a norm.
   */
  readonly listed: boolean
}

/** Documents by `_id`; constant score. */
export interface IdsQuery {
  readonly kind: 'ids'
  /** Without repeats, ascending. */
  readonly ids: readonly string[]
}

export type Query =
  | MatchAllQuery
  | MatchNoneQuery
  | TermQuery
  | TermsInSetQuery
  | BooleanQuery
  | PhraseQuery
  | SynonymQuery
  | MultiPhraseQuery
  | PhrasePrefixQuery
  | SpanQuery
  | ConstantScoreQuery
  | DisjunctionMaxQuery
  | BoostingQuery
  | BoostQuery
  | PointRangeQuery
  | PointInSetQuery
  | TermRangeQuery
  | PrefixQuery
  | FieldExistsQuery
  | IdsQuery

/** Every document, each with the score 1. */
export const MATCH_ALL: MatchAllQuery = { kind: 'matchAll' }

/** No document, for a reason that the profile prints. */
export function matchNone(reason: string): MatchNoneQuery {
  return { kind: 'matchNone', reason }
}

/** The query with its scores multiplied; the query itself when that changes nothing. */
export function boosted(query: Query, boost: number): Query {
  const factor = Math.fround(boost)
  return factor === 1 || query.kind === 'matchNone'
    ? query
    : { kind: 'boost', query, boost: factor }
}

/**
 * A text that is equal for equal queries alone. Terms, fields and ids keep their own order, clauses
 * theirs: `a b` and `b a` differ. Kept with the record, since rewriting asks again and again.
 */
export function queryKey(query: Query): string {
  let key = keys.get(query)
  if (key === undefined) {
    key = JSON.stringify(query, (_key, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    )
    keys.set(query, key)
  }
  return key
}

const keys = new WeakMap<Query, string>()
