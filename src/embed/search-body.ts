/** A search as a program asks for it, and the body that the engine reads. */
import { KEYS_NOT_YET } from '../engine/search/keys-not-yet.ts'
import { IllegalArgumentError } from '../util/errors.ts'
import { checkOptions, checkRecord } from './arguments.ts'
import { type SuggestionRequests, suggestBody, wireName } from './suggest-body.ts'

/** Part of the query language, in the documented form: `{ match: { title: 'whale' } }`. */
export type Clause = Readonly<Record<string, unknown>>

/** `_source` in hits: all, none, one pattern, several, or both kinds of them. */
export type SourceSelection =
  | boolean
  | string
  | readonly string[]
  | { readonly includes?: readonly string[]; readonly excludes?: readonly string[] }

/** The body of a search. Keys in `query`, `postFilter` and `sort` are those of the query language. */
export interface SearchRequest {
  /** Default: every document. */
  readonly query?: Clause
  /** Narrows the hits after scoring and counting. */
  readonly postFilter?: Clause
  readonly sort?: string | readonly (string | Clause)[]
  /** Hits to pass over; default 0. */
  readonly from?: number
  /** Hits to return; default 10. */
  readonly size?: number
  /** Sort values of the last hit of the page before. */
  readonly searchAfter?: readonly unknown[]
  /** How far to count: default 10,000; true: all; false: not at all. */
  readonly trackTotalHits?: boolean | number
  readonly trackScores?: boolean
  readonly minScore?: number
  /** Stops each shard after so many matches. */
  readonly terminateAfter?: number
  /** Milliseconds, or text such as `30s`; hits so far are returned when it is over. */
  readonly timeout?: number | string
  readonly explain?: boolean
  readonly version?: boolean
  readonly seqNoPrimaryTerm?: boolean
  readonly source?: SourceSelection
  /** What is suggested beside the hits; without a query nothing else is searched for. */
  readonly suggest?: SuggestionRequests
  readonly profile?: boolean
  /** With `profile`: an entry per slice beside the aggregates. */
  readonly profileSlices?: boolean
  /** With `profile`: the search runs as it does without one too, and what its slices took is told. */
  readonly profileKernels?: boolean
}

const WIRE_KEYS: Readonly<Record<keyof SearchRequest, string>> = {
  query: 'query',
  postFilter: 'post_filter',
  sort: 'sort',
  from: 'from',
  size: 'size',
  searchAfter: 'search_after',
  trackTotalHits: 'track_total_hits',
  trackScores: 'track_scores',
  minScore: 'min_score',
  terminateAfter: 'terminate_after',
  timeout: 'timeout',
  explain: 'explain',
  version: 'version',
  seqNoPrimaryTerm: 'seq_no_primary_term',
  source: '_source',
  suggest: 'suggest',
  profile: 'profile',
  profileSlices: 'profile_slices',
  profileKernels: 'profile_kernels',
}

/**
 * The body of a search request.
 * @throws {IllegalArgumentError} unknown key, with a suggestion; a key that is not supported yet
 */
export function searchBody(request: SearchRequest): object {
  checkRecord('search', request)
  for (const key of Object.keys(request))
    if (KEYS_NOT_YET.has(wireName(key)))
      throw new IllegalArgumentError(`[${key}] is not supported yet`)
  checkOptions('search option', request, WIRE_KEYS)
  const body: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(request)) {
    if (value === undefined) continue
    const isMillis = key === 'timeout' && typeof value === 'number'
    body[WIRE_KEYS[key as keyof SearchRequest]] = isMillis
      ? `${value}ms`
      : key === 'suggest'
        ? suggestBody(value as SuggestionRequests)
        : value
  }
  return body
}
