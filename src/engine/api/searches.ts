/** Searches and counts. */
import type { CallContext } from '../../task/call-context.ts'
import type { EngineError, ErrorRecord } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonRecord, JsonValue } from '../../util/json/json-value.ts'
import type { Long } from '../../util/long.ts'
import type { GetOutcome, SourceFilter } from './documents.ts'
import type { ShardCounts, Target } from './target.ts'
import type { TermVectorsCall, TermVectorsOutcome } from './term-vectors.ts'

/** Whether each shard scores by its own statistics, or all by those of all. */
export type SearchType = 'query_then_fetch' | 'dfs_query_then_fetch'

/**
 * Search options of the URL, already checked for their type; each one that is present wins over
 * the body's. `q` and its family are a query in the body by now.
 */
export interface SearchOptions {
  readonly from?: number
  readonly size?: number
  readonly sort?: readonly { readonly field: string; readonly order: 'asc' | 'desc' | null }[]
  readonly source?: SourceFilter
  readonly storedFields?: readonly string[]
  readonly docvalueFields?: readonly string[]
  readonly trackScores?: boolean
  readonly trackTotalHits?: boolean | number
  readonly explain?: boolean
  readonly version?: boolean
  readonly seqNoPrimaryTerm?: boolean
  readonly minScore?: number
  readonly terminateAfter?: number
  readonly timeoutInMillis?: number
  readonly routing?: readonly string[]
  readonly preference?: string
  readonly searchType?: SearchType
  /** The answer says how long each phase took; absent: as the cluster's setting says. */
  readonly phaseTook?: boolean
  readonly requestCache?: boolean
  readonly stats?: readonly string[]
  readonly allowPartialSearchResults?: boolean
  readonly batchedReduceSize?: number
  readonly maxConcurrentShardRequests?: number
  readonly preFilterShardSize?: number
  readonly cancelAfterTimeIntervalInMillis?: number
  readonly includeNamedQueriesScore?: boolean
  readonly restTotalHitsAsInt?: boolean
  /** The search is the first page of a scroll, which is kept so long for the next. */
  readonly scrollInMillis?: number
  /** Names of suggestions are printed with their kinds. */
  readonly typedKeys?: boolean
  /** The id of a search pipeline, `_none` for none: an index's default does not count then. */
  readonly searchPipeline?: string
  /** The answer tells what each processor of the pipeline did. */
  readonly verbosePipeline?: boolean
}

/** One search. */
export interface SearchCall {
  readonly target: Target
  /** The body, or null for match_all. */
  readonly body: JsonNode | null
  readonly options: SearchOptions
  /** `?human`: profile times as text beside the numbers. */
  readonly human: boolean
  /** Cuts each shard into at most so many slices, whatever settings say; at least 1. */
  readonly slices?: number
}

/** A search answer in wire form, keys in the documented order, made by `engine/response`. */
export interface SearchOutcome {
  readonly body: JsonRecord
  /** Absent: none. */
  readonly warnings?: readonly string[]
}

/** Several searches in one call. */
export interface MultiSearchCall {
  readonly searches: readonly SearchCall[]
  /** How many run at a time, at least 1. */
  readonly maxConcurrent: number
}

/** The outcome of one of several searches: an `EngineError`, or a defect of ours, of one that failed. */
export type MultiSearchItem = { readonly outcome: SearchOutcome } | { readonly error: unknown }

/** Counts the matches of a query. */
export interface CountCall {
  readonly target: Target
  readonly body: JsonNode | null
  readonly options: Pick<SearchOptions, 'minScore' | 'terminateAfter' | 'routing' | 'preference'>
}

/** The number of matches, and the shards that answered. */
export interface CountOutcome {
  readonly count: number
  /** Null unless `terminate_after` was given. */
  readonly terminatedEarly: boolean | null
  readonly shards: ShardCounts & { readonly skipped: number }
}

/** Explains one document. */
export interface ExplainCall {
  /** An index, or an alias of one, whose filter holds. */
  readonly index: string
  readonly id: string
  readonly routing: string | null
  /** Has the query. */
  readonly body: JsonNode | null
  /** Null: no source is asked for. */
  readonly source: SourceFilter | null
  /** Names and patterns of stored fields; null: none are asked for. */
  readonly storedFields: readonly string[] | null
}

/** A document that was explained. */
export interface ExplainedHit {
  readonly isMatch: boolean
  /** In wire form. */
  readonly explanation: JsonRecord
  /** Null where neither source nor stored fields were asked for. */
  readonly get:
    | (Pick<GetOutcome, 'routing' | 'ignored' | 'source' | 'fields'> & {
        readonly seqNo: Long | null
        readonly primaryTerm: Long | null
      })
    | null
}

/** The explanation of a document. */
export interface ExplainOutcome {
  /** The index, whatever name led to it. */
  readonly index: string
  readonly id: string
  /** Null: no refresh has made a document of that id searchable. */
  readonly hit: ExplainedHit | null
}

/** Finds the shards that a search would look at. */
export interface SearchShardsCall {
  readonly target: Target
  /** A search body, of which the slice counts. */
  readonly body: JsonNode | null
  readonly routing?: readonly string[] | undefined
  readonly preference?: string | undefined
}

/** The shards that a search would look at. */
export interface SearchedShards {
  /** In order of name. */
  readonly indices: readonly {
    readonly index: string
    /** Those that led to it, in order of name. */
    readonly aliases: readonly string[]
    /** That of the aliases, in wire form; null where they narrow nothing. */
    readonly filter: JsonValue
  }[]
  /** In order of index and number. */
  readonly shards: readonly {
    readonly index: string
    readonly shard: number
    /** Null: it could not be opened. */
    readonly allocationId: string | null
  }[]
}

/** Tries whether a query fits its indices. */
export interface ValidateCall {
  readonly target: Target
  /** Has the query; null: match_all. */
  readonly body: JsonNode | null
  /** Explanations print the query as it runs, not as it was made. */
  readonly rewrite: boolean
  /** Every shard of each index; false: one of each. */
  readonly allShards: boolean
}

/** A query as one shard would run it, or why it does not. */
export interface QueryExplanation {
  readonly index: string
  readonly shard: number
  readonly outcome: { readonly query: string } | { readonly error: ErrorRecord }
}

/** Whether a query fits; the error of a body that is no query at all. */
export type ValidateOutcome =
  | { readonly refused: ErrorRecord }
  | {
      readonly shards: ShardCounts
      /** In order of index and shard, those that could be opened. */
      readonly explanations: readonly QueryExplanation[]
    }

/** Asks what requests can do with fields. */
export interface FieldCapsCall {
  readonly target: Target
  /** Names and patterns. */
  readonly fields: readonly string[]
  /** May have a filter of indices. */
  readonly body: JsonNode | null
}

/** Capabilities of a field in one index. */
export interface FieldCapability {
  /** Its type, `object` or `nested`. */
  readonly type: string
  readonly searchable: boolean
  readonly aggregatable: boolean
  readonly meta: ReadonlyMap<string, string>
}

/** The fields of one index, by full name. */
export interface IndexFieldCaps {
  readonly index: string
  readonly fields: ReadonlyMap<string, FieldCapability>
}

/** The indices that the filter leaves, in order of name. */
export interface FieldCapsOutcome {
  readonly indices: readonly IndexFieldCaps[]
}

/** Scores the rankings of queries by ratings of documents. */
export interface RankEvalCall {
  readonly target: Target
  readonly body: JsonNode
  readonly searchType: SearchType
}

/** The ranking of one query. */
export interface RankedQuery {
  readonly id: string
  readonly score: number
  readonly hits: readonly {
    /** In wire form. */
    readonly hit: JsonRecord
    /** Null: not rated. */
    readonly rating: number | null
  }[]
  /** Terms of the score's formula, in wire form. */
  readonly details: JsonRecord
}

/** The rankings of queries. */
export interface RankEvalOutcome {
  /** The name of the metric. */
  readonly metric: string
  /** The mean; NaN where every query failed. */
  readonly score: number
  readonly queries: readonly RankedQuery[]
  /** An `EngineError`, or a defect of ours, by query. */
  readonly failures: readonly { readonly id: string; readonly error: unknown }[]
}

/** Calls that find documents. */
export interface SearchesApi {
  /** Stops at its next check when the context is cancelled, and rejects. */
  search(call: SearchCall, context: CallContext): Promise<SearchOutcome>
  /** Reads a search without making it for any index. @throws {EngineError} what is wrong with it by itself */
  check(call: SearchCall): void
  /**
   * One outcome for each search, in their order. Rejects where there is none, or a request is malformed;
   * what happens later is the outcome of its own search.
   */
  multiSearch(call: MultiSearchCall, context: CallContext): Promise<readonly MultiSearchItem[]>
  /** As `search`; the body is that of a template, which makes the search's. */
  searchTemplate(call: SearchCall, context: CallContext): Promise<SearchOutcome>
  /** As `multiSearch` of such; a template that makes no search fails alone. */
  multiSearchTemplate(
    call: MultiSearchCall,
    context: CallContext,
  ): Promise<readonly MultiSearchItem[]>
  /** As a search. */
  count(call: CountCall, context: CallContext): Promise<CountOutcome>
  validate(call: ValidateCall, context: CallContext): Promise<ValidateOutcome>
  /** Aggregations since the start, one for each index of a search: by type and category of values. */
  aggregationUse(): ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Rejects where the body is malformed; queries that fail are in the outcome. */
  rankEval(call: RankEvalCall, context: CallContext): Promise<RankEvalOutcome>
  fieldCaps(call: FieldCapsCall, context: CallContext): Promise<FieldCapsOutcome>
  shards(call: SearchShardsCall, context: CallContext): Promise<SearchedShards>
  explain(call: ExplainCall, context: CallContext): Promise<ExplainOutcome>
  /** The terms of a document, or of one that the call brings. */
  termVectors(call: TermVectorsCall, context: CallContext): Promise<TermVectorsOutcome>
  /** One outcome for each call, in their order; an error stands for a call that failed. */
  multiTermVectors(
    calls: readonly TermVectorsCall[],
    context: CallContext,
  ): Promise<readonly (TermVectorsOutcome | EngineError)[]>
}
