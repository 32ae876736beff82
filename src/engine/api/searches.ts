/** Searches and counts. */
import type { CallContext } from '../../task/call-context.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import type { SourceFilter } from './documents.ts'
import type { ShardCounts, Target } from './target.ts'

/**
 * Search options of the URL, already checked for their type; each one that is present wins over
 * the body's. `q` and its family are a query in the body by now.
 */
export interface SearchOptions {
  readonly from?: number
  readonly size?: number
  readonly sort?: readonly { readonly field: string; readonly order: 'asc' | 'desc' | null }[]
  readonly source?: SourceFilter
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
  readonly searchType?: 'query_then_fetch'
  readonly requestCache?: boolean
  readonly stats?: readonly string[]
  readonly allowPartialSearchResults?: boolean
  readonly batchedReduceSize?: number
  readonly maxConcurrentShardRequests?: number
  readonly preFilterShardSize?: number
  readonly cancelAfterTimeIntervalInMillis?: number
  readonly includeNamedQueriesScore?: boolean
  readonly restTotalHitsAsInt?: boolean
  /** Names of suggestions are printed with their kinds. */
  readonly typedKeys?: boolean
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
}

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

/** Calls that find documents. */
export interface SearchesApi {
  /** Stops at its next check when the context is cancelled, and rejects. */
  search(call: SearchCall, context: CallContext): Promise<SearchOutcome>
  /** As a search. */
  count(call: CountCall, context: CallContext): Promise<CountOutcome>
}
