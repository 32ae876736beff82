/**
 * Queries at Lucene's level, as plain data: the DSL is parsed into these, they are rewritten, and
 * weights are made from them. Every record survives a structured clone and never changes.
 *
 * Values are already in the index's form: terms as text (compared by their UTF-8 bytes), numbers as
 * sortable 64-bit integers (`point-value.ts`). Boosts are float32.
 */

import type { SimpleShape } from '../../schema/geo-shape/simple-shape.ts'
import type { TakenEngine } from '../../schema/knn-vector/method-checks.ts'
import type { VectorElement, VectorSpace } from '../../schema/knn-vector/vector-space.ts'
import type { LuceneOperators } from '../../util/automaton/lucene-pattern.ts'
import type { BlockScoreMode } from '../scorer/block-join-scorer.ts'
import type { FeatureFunction } from '../scorer/feature-value.ts'
import type { FunctionCombination } from '../scorer/function-score-scorer.ts'
import type { GeoArea } from '../scorer/geo-area.ts'
import type { IntervalRelation } from '../scorer/interval/related-intervals.ts'
import type { DerivedValues } from '../script/derived-values.ts'
import type { ScriptPlan } from '../script/script-plan.ts'
import type { GivenCounts } from '../similarity/scored-terms.ts'
import type { FunctionNames, ScoreFunction } from '../weight/function/score-function.ts'
import type { DefinedSimilarity, OwnBm25 } from '../weight/similarity.ts'
import type { CoveringMinimum, FeatureOrigin, JoinedDocs, Occur } from '../weight/weight-node.ts'

/** One clause of a boolean query. */
export interface BooleanClause {
  readonly occur: Occur
  readonly query: Query
}

/** Every document, each with score 1. */
export interface MatchAllQuery {
  readonly kind: 'matchAll'
}

/** No document. */
export interface MatchNoneQuery {
  readonly kind: 'matchNone'
  /** The reason that the profile prints. */
  readonly reason: string
}

/** One term, scored by BM25. */
export interface TermQuery {
  readonly kind: 'term'
  readonly field: string
  readonly term: string
  /** In place of the term's own counts: terms of an expansion, or of several fields, may share theirs. */
  readonly counts?: GivenCounts
}

/** Any of several terms of one field; constant score. */
export interface TermsInSetQuery {
  readonly kind: 'termsInSet'
  readonly field: string
  /** Distinct, ascending by UTF-8 bytes. */
  readonly terms: readonly string[]
}

/**
 * Terms of several fields, scored by BM25 as if all were one field: they share their document
 * frequencies. Before a shard is known; there it is the best of its terms.
 */
export interface BlendedQuery {
  readonly kind: 'blended'
  readonly terms: readonly {
    readonly field: string
    readonly term: string
    readonly boost: number
  }[]
  readonly tieBreaker: number
}

/**
 * Any of several terms in any of several fields, scored by BM25 as one term of one field whose
 * frequencies and lengths are the weighted sums of theirs.
 */
export interface CombinedFieldsQuery {
  readonly kind: 'combinedFields'
  /** Distinct; weights are float32, min 1. */
  readonly fields: readonly { readonly field: string; readonly weight: number }[]
  readonly terms: readonly string[]
  /** BM25 with parameters of its own; null: the default ones. */
  readonly similarity: OwnBm25 | null
}

/** MUST, FILTER, SHOULD and MUST_NOT clauses. */
export interface BooleanQuery {
  readonly kind: 'boolean'
  readonly clauses: readonly BooleanClause[]
  /**
   * Min number of `should` clauses that must match; a minimum above their number matches nothing.
   */
  readonly minimumShouldMatch: number
}

/** Terms at given positions; several terms may share a position, and then all must occur. */
export interface PhraseQuery {
  readonly kind: 'phrase'
  readonly field: string
  readonly terms: readonly string[]
  /** One for each term, ascending. */
  readonly positions: readonly number[]
  /** 0: exact. */
  readonly slop: number
}

/**
 * Synonyms, scored as one term: frequencies are summed, and the document frequency is the max of
 * theirs.
 */
export interface SynonymQuery {
  readonly kind: 'synonym'
  readonly field: string
  /** Ascending; a repeated term counts each time. */
  readonly terms: readonly string[]
}

/** Terms at given positions, several alternatives at each. */
export interface MultiPhraseQuery {
  readonly kind: 'multiPhrase'
  readonly field: string
  readonly terms: readonly (readonly string[])[]
  /** One for each list of terms, ascending. */
  readonly positions: readonly number[]
  readonly slop: number
}

/** The same, with the last position's terms as prefixes. */
export interface PhrasePrefixQuery {
  readonly kind: 'phrasePrefix'
  readonly field: string
  readonly terms: readonly (readonly string[])[]
  readonly positions: readonly number[]
  readonly slop: number
  /** Max terms that the prefixes expand to on a shard. */
  readonly maxExpansions: number
}

/** Intervals of positions in a document. */
export type Span =
  | {
      readonly kind: 'term'
      readonly term: string
      /** Absent: the query's. */
      readonly field?: string
    }
  /** Any of the terms that a query for many terms finds on the shard. */
  | { readonly kind: 'multi'; readonly query: Query }
  | { readonly kind: 'or'; readonly spans: readonly Span[] }
  /**
   * Each with at most `slop` positions between them; in their order and apart, or in any order and
   * maybe one over the other.
   */
  | {
      readonly kind: 'near'
      readonly spans: readonly Span[]
      readonly slop: number
      readonly inOrder: boolean
    }
  /** Any `width` positions; only within `near` in order. */
  | { readonly kind: 'gap'; readonly width: number }
  /** Those that end at or before a position. */
  | { readonly kind: 'first'; readonly span: Span; readonly end: number }
  /** Those with no other one within so many positions before and behind them. */
  | {
      readonly kind: 'not'
      readonly include: Span
      readonly exclude: Span
      readonly pre: number
      readonly post: number
    }
  /** The big ones that contain a little one, or the little ones within a big one. */
  | { readonly kind: 'containing' | 'within'; readonly big: Span; readonly little: Span }
  /** Of another field, as if of the query's. */
  | { readonly kind: 'masked'; readonly field: string; readonly shown: string; readonly span: Span }

/** Documents with the words that are typical of texts: chosen on the shard, by its frequencies. */
export interface MoreLikeThisQuery {
  readonly kind: 'moreLikeThis'
  /** Each a query of its own; the words of each list are looked for in the likeliest of its fields. */
  readonly parts: readonly (readonly {
    /** Min one. */
    readonly fields: readonly string[]
    /** With their frequencies in the texts. */
    readonly words: readonly (readonly [word: string, freq: number])[]
  }[])[]
  /** Max words of a list. */
  readonly maxTerms: number
  readonly minTermFreq: number
  readonly minDocFreq: number
  readonly maxDocFreq: number
  /** Float32; 0: words are not boosted. */
  readonly boostTerms: number
  /** Max words of a part. */
  readonly maxClauses: number
  /** How many of so many words must match, by their number. */
  readonly minimums: readonly number[]
}

/** Sources of minimal intervals of positions. */
export type IntervalSource =
  | { readonly kind: 'none' }
  | { readonly kind: 'term'; readonly term: string }
  /** Any of the terms that a query for many terms finds on the shard. */
  | { readonly kind: 'multi'; readonly query: Query; readonly label: string }
  /** `block`: each directly behind the one before; `unordered`: maybe one over the other. */
  | {
      readonly kind: 'or' | 'block' | 'ordered' | 'unordered'
      readonly sources: readonly IntervalSource[]
    }
  /** So many in a row. */
  | { readonly kind: 'repeated'; readonly source: IntervalSource; readonly count: number }
  | { readonly kind: 'maxGaps'; readonly source: IntervalSource; readonly gaps: number }
  /** Made longer at both ends. */
  | {
      readonly kind: 'extend'
      readonly source: IntervalSource
      readonly before: number
      readonly after: number
    }
  /** The positions beside intervals. */
  | { readonly kind: 'beside'; readonly source: IntervalSource; readonly side: 'before' | 'after' }
  /** Those that a script takes. */
  | { readonly kind: 'script'; readonly source: IntervalSource; readonly script: ScriptPlan }
  | {
      readonly kind: 'related'
      readonly relation: IntervalRelation
      readonly source: IntervalSource
      readonly other: IntervalSource
    }
  /** Of another field. */
  | { readonly kind: 'fixed'; readonly field: string; readonly source: IntervalSource }

/** Documents with a minimal interval of positions, scored by how many they have and how close. */
export interface PositionIntervalsQuery {
  readonly kind: 'positionIntervals'
  readonly field: string
  readonly source: IntervalSource
}

/** Documents with a span, scored by how many it has and how close they are. */
export interface SpanQuery {
  readonly kind: 'span'
  readonly field: string
  readonly span: Span
}

/** One of `max` parts of all documents, by a hash of their ids or of a field's numbers. */
export interface SliceQuery {
  readonly kind: 'slice'
  readonly column: 'ids' | 'numericValues'
  /** `_id`, or the field. */
  readonly field: string
  /** 0 to `max` − 1. */
  readonly slice: number
  readonly max: number
}

/** The inner query's documents, each with score 1. */
export interface ConstantScoreQuery {
  readonly kind: 'constantScore'
  readonly query: Query
}

/** The max of several queries' scores, plus `tieBreaker` times the others'. */
export interface DisjunctionMaxQuery {
  readonly kind: 'disMax'
  readonly queries: readonly Query[]
  readonly tieBreaker: number
}

/** Several queries at the top of a search: the best hits of each are listed, and combined above shards. */
export interface HybridQuery {
  readonly kind: 'hybrid'
  readonly queries: readonly Query[]
  /** Hits of each list and shard; null: as many as are returned. */
  readonly depth: number | null
}

/** `positive`'s documents and scores, times `negativeBoost` where `negative` also matches. */
export interface BoostingQuery {
  readonly kind: 'boosting'
  readonly positive: Query
  readonly negative: Query
  readonly negativeBoost: number
}

/** A query's documents, their scores changed by functions. */
export interface FunctionScoreQuery {
  readonly kind: 'functionScore'
  readonly query: Query
  readonly functions: readonly {
    /** The documents that it holds for; null: all. */
    readonly filter: Query | null
    readonly function: ScoreFunction
    /** Float32; null: none was given. */
    readonly weight: number | null
  }[]
  readonly combination: FunctionCombination
  readonly names?: FunctionNames
}

/** Documents with a date or a place: boost · pivot / (pivot + its distance from the origin). */
export interface DistanceFeatureQuery {
  readonly kind: 'distanceFeature'
  readonly field: string
  readonly origin: FeatureOrigin
  /** In the unit of the values, meters for places. */
  readonly pivot: number
}

/** Documents with a place in an area of the Earth; constant score. */
export interface GeoAreaQuery {
  readonly kind: 'geoArea'
  readonly field: string
  readonly area: GeoArea
  /** The field's structures; at least one is true. */
  readonly indexed: boolean
  readonly docValues: boolean
}

/** Relations of an indexed shape to one that is asked for. */
export type ShapeRelation = 'intersects' | 'disjoint' | 'within' | 'contains'

/** Documents whose shape has a relation to another one; constant score. */
export interface GeoShapeQuery {
  readonly kind: 'geoShape'
  readonly field: string
  readonly relation: ShapeRelation
  /** Not empty; boxes do not cross the antimeridian. One alone where the indexed shape is to contain it. */
  readonly shapes: readonly SimpleShape[]
}

/** Documents with a feature, scored by a function of its number. */
export interface FeatureQuery {
  readonly kind: 'feature'
  readonly field: string
  readonly feature: string
  /** The field as Lucene would have it, for descriptions. */
  readonly shownField: string
  readonly function: FeatureFunction
}

/** A query of fields that score by similarities other than BM25 with its default parameters. */
export interface SimilarityQuery {
  readonly kind: 'similarity'
  readonly query: Query
  readonly similarities: FieldSimilarities
}

/** A query for many terms that may run over an index or over doc values, as its field has both. */
export interface EitherTermsQuery {
  readonly kind: 'eitherTerms'
  readonly query: Query
  /** The query over doc values as it prints. */
  readonly values: string
  /** Rewritten, what runs over doc values is a constant. */
  readonly isRewritten: boolean
}

/** Similarities by field. */
export type FieldSimilarities = readonly (readonly [field: string, DefinedSimilarity])[]

/** A query without the similarities of its fields. */
export function withoutSimilarity(query: Query): Query {
  return query.kind === 'similarity' ? query.query : query
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
  /** Inclusive bounds as sortable integers; `lower` ≤ `upper`. */
  readonly lower: bigint
  readonly upper: bigint
  /** The bounds as printed: plain numbers, dates in epoch milliseconds. */
  readonly lowerText: string
  readonly upperText: string
  /** The bounds as queries on doc values print them, where that is another way. */
  readonly storedTexts?: readonly [lower: string, upper: string]
  /** The field's structures; at least one is true. */
  readonly indexed: boolean
  readonly docValues: boolean
  /** A `range` over dates, which a shard's values may decide (`point-range.ts`). */
  readonly isDateRange?: true
}

/** Documents that have one of several numbers; constant score. */
export interface PointInSetQuery {
  readonly kind: 'pointInSet'
  readonly field: string
  /** Ascending, distinct. */
  readonly values: readonly bigint[]
  readonly texts: readonly string[]
  readonly indexed: boolean
  readonly docValues: boolean
}

/** Documents that have an integer in one of several runs; constant score. */
export interface IntegerRunsQuery {
  readonly kind: 'integerRuns'
  readonly field: string
  /** Closed, ascending and disjoint; min one. */
  readonly runs: readonly { readonly lower: bigint; readonly upper: bigint }[]
  /** The field's structures; at least one is true. */
  readonly indexed: boolean
  readonly docValues: boolean
}

/** Documents that match as many of several queries as a number of theirs or a script says, min one. */
export interface CoveringQuery {
  readonly kind: 'covering'
  readonly queries: readonly Query[]
  readonly minimum: CoveringMinimum
}

/** Documents that have an address between two; constant score. */
export interface AddressRangeQuery {
  readonly kind: 'addressRange'
  readonly field: string
  /** Inclusive bounds as numbers of 128 bits; `lower` ≤ `upper`. */
  readonly lower: bigint
  readonly upper: bigint
  /** The field's structures; at least one is true. */
  readonly indexed: boolean
  readonly docValues: boolean
}

/** Documents that have one of several addresses; constant score. */
export interface AddressInSetQuery {
  readonly kind: 'addressInSet'
  readonly field: string
  /** Numbers of 128 bits, ascending, distinct; at least one. */
  readonly addresses: readonly bigint[]
  readonly indexed: boolean
  readonly docValues: boolean
}

/** Documents that have an interval which lies so to a given one; constant score. */
export interface IntervalQuery {
  readonly kind: 'interval'
  readonly field: string
  readonly relation: 'intersects' | 'within' | 'contains'
  /** The given one's ends, both included, as unsigned numbers of `endWords` words. */
  readonly lower: bigint
  readonly upper: bigint
  readonly endWords: 2 | 4
  readonly lowerText: string
  readonly upperText: string
  /** Whether the field has doc values beside its index. */
  readonly docValues: boolean
}

/** Documents with a term in an interval of byte order; a null bound is open. Constant score. */
export interface TermRangeQuery {
  readonly kind: 'termRange'
  readonly field: string
  readonly lower: string | null
  readonly upper: string | null
  readonly includeLower: boolean
  readonly includeUpper: boolean
  /** How its terms become clauses; absent: all of them score alike. */
  readonly rewrite?: Exclude<TermRewrite, { kind: 'constant' }>
}

/** Documents with a term that has a prefix; constant score. */
export interface PrefixQuery {
  readonly kind: 'prefix'
  readonly field: string
  readonly prefix: string
}

/** A set of terms by pattern; `prefix` and `term` are the pattern's text itself. */
export type TermPattern =
  | { readonly kind: 'term' | 'prefix' | 'wildcard'; readonly text: string }
  | {
      readonly kind: 'regexp'
      readonly text: string
      readonly operators: LuceneOperators
      /** Max states of its automaton. */
      readonly maxStates: number
    }

/** How the terms of a pattern are searched: which of them, and with what scores. */
export type TermRewrite =
  /** All terms, each document with the query's boost. */
  | { readonly kind: 'constant' }
  /** All terms as clauses; more than `max` are an error. */
  | { readonly kind: 'constantClauses' | 'scoringClauses'; readonly max: number }
  /**
   * The first `max` terms by similarity, then by bytes: scored by BM25, by their similarity alone,
   * or by BM25 with the document frequency of the commonest of them.
   */
  | { readonly kind: 'topTerms' | 'topTermsBoost' | 'topTermsBlended'; readonly max: number }

/** Documents with a term that a pattern matches. */
export interface PatternQuery {
  readonly kind: 'pattern'
  readonly field: string
  /** Prefix of the terms ahead of the pattern. */
  readonly start: string
  readonly pattern: TermPattern
  /** Whether ASCII letters of the pattern stand for both cases. */
  readonly ignoresCase: boolean
  readonly rewrite: TermRewrite
}

/** Documents with a term that differs from a given one by a few edits. */
export interface FuzzyQuery {
  readonly kind: 'fuzzy'
  readonly field: string
  /** Prefix of the terms ahead of the compared part. */
  readonly start: string
  readonly term: string
  readonly maxEdits: 0 | 1 | 2
  /** Code points at the start of `term` that must be the same. */
  readonly prefixLength: number
  /** Whether two swapped neighbours are one edit. */
  readonly transpositions: boolean
  readonly rewrite: TermRewrite
}

/** Documents in which a field has a norm or a doc value; constant score. */
export interface FieldExistsQuery {
  readonly kind: 'fieldExists'
  readonly field: string
  /**
   * The mapping keeps neither, so documents are listed under the field's name in `_field_names`;
   * those from before norms were turned off still have a norm.
   */
  readonly listed: boolean
}

/** Documents by `_id`; constant score. */
export interface IdsQuery {
  readonly kind: 'ids'
  /** Distinct, ascending. */
  readonly ids: readonly string[]
}

/** Documents of which a nested document matches, by the scores of those that do. */
export interface BlockJoinQuery {
  readonly kind: 'blockJoin'
  /** Matches nested documents alone, none of those that are joined to. */
  readonly query: Query
  /** Path of the nested documents that are joined to; null: the whole documents. */
  readonly parentPath: string | null
  readonly scoreMode: BlockScoreMode
}

/** Nested documents of one path that lie in those of another which a query matches. */
export interface NestedWithinQuery {
  readonly kind: 'nestedWithin'
  readonly path: string
  /** A path around it. */
  readonly outerPath: string
  /** Matches nested documents of the outer path alone. */
  readonly query: Query
}

/** How the scores of the documents that a query matches become those of the documents they are tied to. */
export type JoinScoreMode = 'none' | 'min' | 'max' | 'sum' | 'avg'

/**
 * Documents that are tied by ids to those that another query matches: the parents of children, or the
 * children of parents. They are found by a search of its own in each shard (`bind-joins.ts`).
 */
export interface JoinQuery {
  readonly kind: 'join'
  /** The field with the names of relations. */
  readonly relationField: string
  /** The field with the ids of the parents, in parents and children alike. */
  readonly idField: string
  /** Whether parents or children are to be found. */
  readonly finds: 'parents' | 'children'
  /** Names of the relations of the documents to be found. */
  readonly relations: readonly string[]
  /** Matches documents of the other side alone. */
  readonly query: Query
  readonly scoreMode: JoinScoreMode
  /** Bounds of how many matches a document must be tied to, both included. */
  readonly min: number
  readonly max: number
  /** The documents by ord of the leaf; null before a shard is known. */
  readonly found: readonly JoinedDocs[] | null
}

/** Documents whose vectors are near to another one, scored by how near; in each leaf by itself. */
export interface VectorsQuery {
  readonly kind: 'vectors'
  readonly engine: TakenEngine
  readonly field: string
  readonly space: VectorSpace
  readonly element: VectorElement
  /** Components that the element takes. */
  readonly vector: readonly number[]
  /** How many documents of a leaf are found at most; null: any number. */
  readonly limit: number | null
  /** How many candidates of a leaf's graph are looked at; null: all vectors are, without the graph. */
  readonly candidates: number | null
  /** How many times as many candidates were asked for as hits, float32; null: nothing was said of it. */
  readonly oversample: number | null
  /** Float32, of each document; null: any. */
  readonly minScore: number | null
  /** Null: all documents. */
  readonly filter: Query | null
  /** Whether the filter matches whole documents, whose nested documents are found. */
  readonly filtersWhole: boolean
  /** Whether of the nested documents of each whole one only the best is found. */
  readonly bestOfWhole: boolean
  /** Only nested documents of these whole ones, by ord of the leaf; null: any documents. */
  readonly within: readonly JoinedDocs[] | null
}

/** The documents of a shard whose vectors are nearest to another one (`bind-joins.ts`). */
export interface NearestQuery {
  readonly kind: 'nearest'
  readonly field: string
  /** Finds the nearest of each leaf. */
  readonly query: VectorsQuery
  /** How many there are. */
  readonly k: number
  /** Whether vectors of nested documents are compared, of which the best of k whole documents are found. */
  readonly isNested: boolean
  /** Whether all nested documents of these are found. */
  readonly expandsNested: boolean
  /** The documents by ord of the leaf, whole ones; null before a shard is known. */
  readonly found: readonly JoinedDocs[] | null
}

/** Documents that a script takes; constant score. */
export interface ScriptQuery {
  readonly kind: 'script'
  readonly script: ScriptPlan
}

/** A query's documents, scored by a script. */
export interface ScriptScoreQuery {
  readonly kind: 'scriptScore'
  readonly query: Query
  /** The inner query's name, for explanations. */
  readonly name?: string
  readonly script: ScriptPlan
  /** Float32; null: none was given. */
  readonly minScore: number | null
}

/** Documents for which a script emits values that a query matches; constant score (`bind-joins.ts`). */
export interface DerivedQuery {
  readonly kind: 'derived'
  readonly values: DerivedValues
  /** Runs over documents that have the emitted values alone. */
  readonly query: Query
  /** Matches every document whose values may match; null: any document may. */
  readonly prefilter: Query | null
  /** Of the nested objects on which the script runs; null: it runs on whole documents. */
  readonly nestedPath: string | null
  /** The documents by ord of the leaf; null before a shard is known. */
  readonly found: readonly JoinedDocs[] | null
}

/** The documents that roles let the caller see; constant score (`bind-joins.ts`). */
export interface SeenQuery {
  readonly kind: 'seen'
  /** Whether their nested documents, of all paths, are meant with them. */
  readonly withNested: boolean
  /** The documents by ord of the leaf; null before a shard is known. */
  readonly found: readonly JoinedDocs[] | null
}

/** A query whose documents are found by a search of its own, ahead of the shard's. */
export type PriorQuery = JoinQuery | NearestQuery | DerivedQuery | SeenQuery

/** A query's documents, scored by how near their vectors are to one; 0 where they have none. */
export interface VectorScoreQuery {
  readonly kind: 'vectorScore'
  readonly query: Query
  readonly field: string
  readonly space: VectorSpace
  readonly element: VectorElement
  /** Components that the element takes. */
  readonly vector: readonly number[]
  /** Float32; null: none was given. */
  readonly minScore: number | null
  /** The script that asks for it, as the reference server prints it. */
  readonly text: string
}

/** Any query; `query-types.ts` has the table of its kinds. */
export type Query =
  | MatchAllQuery
  | MatchNoneQuery
  | TermQuery
  | TermsInSetQuery
  | BlendedQuery
  | CombinedFieldsQuery
  | BooleanQuery
  | PhraseQuery
  | SynonymQuery
  | MultiPhraseQuery
  | PhrasePrefixQuery
  | SpanQuery
  | PositionIntervalsQuery
  | MoreLikeThisQuery
  | ConstantScoreQuery
  | DisjunctionMaxQuery
  | HybridQuery
  | BoostingQuery
  | FunctionScoreQuery
  | DistanceFeatureQuery
  | FeatureQuery
  | GeoAreaQuery
  | GeoShapeQuery
  | SimilarityQuery
  | BoostQuery
  | EitherTermsQuery
  | PointRangeQuery
  | PointInSetQuery
  | IntegerRunsQuery
  | CoveringQuery
  | AddressRangeQuery
  | AddressInSetQuery
  | IntervalQuery
  | TermRangeQuery
  | PrefixQuery
  | PatternQuery
  | FuzzyQuery
  | FieldExistsQuery
  | IdsQuery
  | BlockJoinQuery
  | NestedWithinQuery
  | JoinQuery
  | VectorsQuery
  | NearestQuery
  | DerivedQuery
  | SeenQuery
  | SliceQuery
  | ScriptQuery
  | ScriptScoreQuery
  | VectorScoreQuery

/** Every document, each with score 1. */
export const MATCH_ALL: MatchAllQuery = { kind: 'matchAll' }

/** Matches no document; the profile prints the reason. */
export function matchNone(reason: string): MatchNoneQuery {
  return { kind: 'matchNone', reason }
}

/** The query with its scores multiplied; the query itself for a boost of 1. */
export function boosted(query: Query, boost: number): Query {
  const factor = Math.fround(boost)
  return factor === 1 || query.kind === 'matchNone'
    ? query
    : { kind: 'boost', query, boost: factor }
}
