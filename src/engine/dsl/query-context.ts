import type { DerivedFields } from '../../schema/derived-field.ts'
import type { KeywordField } from '../../schema/field-type/keyword-field.ts'
import type { TextField } from '../../schema/field-type/text-field.ts'
import type { Mapping } from '../../schema/mapping.ts'
import type { ScriptRequest } from '../../script/script-request.ts'
import type { Query, SeenQuery } from '../../search/query/query.ts'
import type { ScriptPlan } from '../../search/script/script-plan.ts'
import type { DefinedSimilarity } from '../../search/weight/similarity.ts'
import type { Mask } from '../../task/access.ts'
import { EngineError, IllegalArgumentError, toErrorRecord } from '../../util/errors.ts'
import type { JsonObjectNode } from '../../util/json/json-tree.ts'
import type { SearchScripts } from '../api/scripts.ts'
import type { VectorRequests } from '../api/vectors.ts'
import type { Answers, Lookup } from './lookup.ts'
import type { QueryNotes } from './query-notes.ts'

/** The documents that a caller may see, who may not see all. */
export interface SeenDocuments {
  /** None that are nested. */
  readonly roots: SeenQuery
  /** With those that are nested in them. */
  readonly blocks: SeenQuery
}

/** A token of a query's text. */
export interface QueryToken {
  readonly term: string
  /** Positions after the token before: 1, more where a word was taken out, 0 for a stack. */
  readonly positionIncrement: number
  /** Positions that it spans: more than 1 in a graph. */
  readonly positionLength: number
  /** In the text, UTF-16 units. */
  readonly endOffset: number
}

/** A query's text as its field's searches are analysed. */
export interface QueryText {
  readonly tokens: readonly QueryToken[]
  /** Where the text ends: behind the last token where anything follows it. */
  readonly endOffset: number
  /** False where tokens overlap so that position lengths shall be passed over. */
  readonly mayBeGraph: boolean
}

/** The nested query that a query stands in. */
export interface NestedScope {
  /** Its path; null outside of any. */
  readonly path: string | null
  /** How many nested queries are around. */
  readonly depth: number
  /** `index.query.max_nested_depth`. */
  readonly maxDepth: number
}

/** The index side of making a request's query. */
export interface QueryContext {
  readonly index: string
  readonly indexUuid: string
  /** Other names of the index. */
  readonly aliases: readonly string[]
  readonly mapping: Mapping
  /**
   * A field that is not mapped as queries and sorts name it to the index: of one that is hidden from the caller the
   * index has values.
   */
  absentName(name: string): string
  /** The mapping with the fields that are masked for the caller, which are shown and not searched. */
  readonly shown: Mapping
  /** The text that a field's text is shown as; null: as it is. */
  maskOf(name: string): Mask | null
  /** The documents that scripts of queries run on; null: all. */
  readonly seen: SeenDocuments | null
  /** The derived fields that queries and answers may name: of the mapping, and over them those of the request. */
  readonly derived: DerivedFields
  /** `index.query.derived_field.enabled` and `search.derived_field.enabled`. */
  readonly allowsDerived: boolean
  /** The request's now, the same for every clause and shard; read by `readNow` and `nowIn` alone. */
  readonly nowInMillis: number
  /** How many shards the request searches, of all its indices together. */
  readonly searchedShards: number
  /** `index.max_terms_count`. */
  readonly maxTermsCount: number
  /** `index.max_adjacency_matrix_filters`. */
  readonly maxAdjacencyMatrixFilters: number
  /** `index.max_result_window`. */
  readonly maxResultWindow: number
  /** `index.max_regex_length`, UTF-16 units. */
  readonly maxRegexLength: number
  /** `index.knn.algo_param.ef_search`. */
  readonly efSearch: number
  /** `index.query_string.lenient`. */
  readonly isLenient: boolean
  /** `search.query.max_query_string_length`, UTF-16 units. */
  readonly maxQueryStringLength: number
  /** `indices.query.bool.max_clause_count`. */
  readonly maxClauseCount: number
  /** `index.query.default_field`: names and patterns, with boosts. */
  readonly defaultFields: readonly string[]
  /** `search.allow_expensive_queries`. */
  readonly allowsExpensive: boolean
  /** `search.keyword_index_or_doc_values_enabled`: queries for many terms of keywords may run over either. */
  readonly eitherTerms: boolean
  /** `indices.id_field_data.enabled`: whether hits may be sorted by `_id`. */
  readonly loadsIds: boolean
  readonly nested: NestedScope
  /** Grows while queries are made. */
  readonly notes: QueryNotes
  /** Answers to the lookups of the request's queries. */
  readonly answers: Answers
  /** Checks the request's scripts. */
  readonly scripts: SearchScripts
  /** Grow while queries and scripts about vectors are made. */
  readonly vectorRequests: VectorRequests
  /** `scriptPlan`, which reads fields itself and so cannot be imported by what finds them. */
  readonly planScript: (script: ScriptRequest, name: string, context: QueryContext) => ScriptPlan
  /**
   * A text as the field's searches are analysed.
   * @param field    null: none of texts, an analyzer is named
   * @param analyzer names another analyzer; null: the field's own
   * @param isQuote  a phrase, for which a field may have an analyzer of its own
   * @returns null when there is no analyzer of that name
   */
  analyze(
    field: TextField | null,
    text: string,
    analyzer: string | null,
    isQuote: boolean,
  ): QueryText | null
  /**
   * A word, or a part of one, in the form of the field's terms: its analyzer without what takes texts
   * apart.
   * @param analyzer names another analyzer; null: the field's own
   */
  normalizeWord(field: TextField, word: string, analyzer: string | null): string
  /**
   * How a field's terms score; null: by BM25 with its default parameters.
   * @param name of a similarity; null: the index's default
   * @throws {EngineError} its script may not run
   */
  similarityOf(name: string | null): FieldSimilarity | null
  hasAnalyzer(name: string): boolean
  /** The analyzer of a field's searches by name; empty: the index's own. */
  analyzerName(field: TextField): string
  /** A keyword's value as its normalizer leaves it. */
  normalize(field: Pick<KeywordField, 'normalizer'>, value: string): string
}

/** How a field's terms score where that is not by BM25 with its default parameters. */
export type FieldSimilarity = DefinedSimilarity | 'constant'

/** A query that has been read and checked, but not yet made for an index. */
export interface ParsedQuery {
  /** Whether a `must` clause of it becomes a filter, as its parser says (`query/query-parser.ts`). */
  readonly mustBecomesFilter: 'never' | 'always' | 'onNumbers'
  /** The field that it names, where it names just one. */
  readonly field: string | null
  /** Float32. */
  readonly boost: number
  /** Its `_name`. */
  readonly name: string | null
  /** Lookups of the query and those within it, run before they are built. */
  readonly lookups: readonly Lookup<unknown>[]
  /** Inner hits that it and the queries within it ask for, each as the request wrote it. */
  readonly innerHits: readonly JsonObjectNode[]
  /**
   * Makes the query for an index.
   * @throws {EngineError} what the index has does not fit the request
   */
  build(context: QueryContext): Query
  /**
   * The same for a kind that may stand nowhere but at the top of a search, whose `build` refuses; null: it
   * may stand anywhere.
   */
  readonly buildOnTop: ((context: QueryContext) => Query) | null
}

/** Makes the query of a search, which no other query is around. */
export function buildTopQuery(parsed: ParsedQuery, context: QueryContext): Query {
  return buildQuery({ ...parsed, build: parsed.buildOnTop ?? parsed.build }, context)
}

/** A refusal that is answered as it stands, and not as a query that could not be created. */
export class QueryRefusedError extends IllegalArgumentError {}

/** Makes a query for an index; what is not about the request's text says that creating it failed. */
export function buildQuery(parsed: ParsedQuery, context: QueryContext): Query {
  try {
    return parsed.build(context)
  } catch (error) {
    if (!(error instanceof EngineError) || error instanceof QueryRefusedError) throw error
    const { type } = error.record
    if (type === 'parsing_exception' || type === 'security_exception') throw error
    if (type === 'query_shard_exception') throw withIndex(error, context)
    throw new EngineError({
      type: 'query_shard_exception',
      reason: `failed to create query: ${error.record.reason}`,
      extra: placeOf(context),
      causedBy: toErrorRecord(error),
      ...(type === 'script_exception' && { rootCause: [toErrorRecord(error)] }),
    })
  }
}

/** The index that a query is made for. */
type AskedIndex = Pick<QueryContext, 'index' | 'indexUuid'>

/** An error of a request for an index: a `query_shard_exception` tells the index, if it does not yet. */
export function withIndex(error: EngineError, index: AskedIndex): EngineError {
  const { record } = error
  if (record.type !== 'query_shard_exception') return error
  return new EngineError({ ...record, extra: { ...placeOf(index), ...record.extra } })
}

function placeOf({ index, indexUuid }: AskedIndex): { index: string; index_uuid: string } {
  return { index, index_uuid: indexUuid }
}

/** The request's now, which its answer depends on from here on. */
export function readNow({ notes, nowInMillis }: QueryContext): number {
  notes.now.isRead = true
  return nowInMillis
}

/** The now of a date with maths; it counts as read where the text begins with it. */
export function nowIn(text: string, context: QueryContext): number {
  return text.startsWith('now') ? readNow(context) : context.nowInMillis
}

/** The error of an index for a query that does not fit it. */
export function shardError(reason: string): EngineError {
  return new EngineError({ type: 'query_shard_exception', reason })
}
