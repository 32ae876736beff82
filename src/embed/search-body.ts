/** A search as a program asks for it, and the body that the engine reads. */
import { IllegalArgumentError } from '../util/errors.ts'
import type { AggregationRequests } from './aggregations.ts'
import { checkOptions, checkRecord } from './arguments.ts'
import type { Clause } from './clause.ts'
import { type Highlight, highlightBody } from './highlight-body.ts'
import { type HybridBody, type HybridSearch, hybridBody } from './hybrid-search.ts'
import { type SuggestionRequests, suggestBody } from './suggest-body.ts'

/** `_source` in hits: all, none, one pattern, several, or both kinds of them. */
export type SourceSelection =
  | boolean
  | string
  | readonly string[]
  | { readonly includes?: readonly string[]; readonly excludes?: readonly string[] }

/** A field, or a pattern of fields, with the format that its values print in. */
export type FieldSelection = string | { readonly field: string; readonly format?: string }

/** The best hits of each shard, scored anew. */
export interface Rescore {
  /** Hits of each shard that are scored anew; default 10. */
  readonly windowSize?: number
  readonly query: Clause
  /** Factors of the two scores; default 1. */
  readonly queryWeight?: number
  readonly rescoreWeight?: number
  /** How the two become one; default `total`. */
  readonly scoreMode?: 'total' | 'multiply' | 'avg' | 'max' | 'min'
}

/** Of hits with one value of a field, only the first. */
export interface Collapse {
  /** Of keywords or numbers. */
  readonly field: string
  /** Other hits of each group, in the form of the query language. */
  readonly innerHits?: Clause | readonly Clause[]
}

/** The body of a search. Keys in `query`, `postFilter` and `sort` are those of the query language. */
export interface SearchRequest {
  /** Default: every document. */
  readonly query?: Clause
  /** In place of `query`: the hits of several queries in one list, with or without options. */
  readonly hybrid?: readonly Clause[] | HybridSearch
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
  /** Values of fields with `store: true`; they stop sources that are not asked for. */
  readonly storedFields?: readonly string[]
  /** Values by document, as they are indexed. */
  readonly docvalueFields?: readonly FieldSelection[]
  /** Fields that scripts make, in the query language: `{ half: { script: "doc['n'].value / 2.0" } }`. */
  readonly scriptFields?: Readonly<Record<string, Clause>>
  /** Fields that scripts make for this search, in the form of a mapping's: `{ day: { type: 'long', script: … } }`. */
  readonly derived?: Readonly<Record<string, Clause>>
  /** Values of sources, as the mapping reads them. */
  readonly fields?: readonly FieldSelection[]
  readonly highlight?: Highlight
  /** Several run in turn. */
  readonly rescore?: Rescore | readonly Rescore[]
  readonly collapse?: Collapse
  /** Names of queries come with their scores. */
  readonly includeNamedQueriesScore?: boolean
  /** Buckets and metrics of all matches, in the query language. */
  readonly aggs?: AggregationRequests
  /** Suggestions beside the hits; without a query there are no hits. */
  readonly suggest?: SuggestionRequests
  /** A search pipeline by id, `_none` for none, or its definition in the form of the API. */
  readonly searchPipeline?: string | Clause
  /**
   * The result lists each processor of the pipeline with its input, output, time and status. The search goes
   * on behind a processor that fails.
   */
  readonly verbosePipeline?: boolean
  /** Groups under whose names the search is counted in statistics. */
  readonly stats?: readonly string[]
  /** Options of extensions, in the form of the API: `{ mmr: { … } }`. */
  readonly ext?: Clause
  readonly profile?: boolean
  /** With `profile`: an entry per slice beside the aggregates. */
  readonly profileSlices?: boolean
  /** With `profile`: the search runs as it does without one too, and what its slices took is told. */
  readonly profileKernels?: boolean
}

const WIRE_KEYS: Readonly<Record<Exclude<keyof SearchRequest, 'hybrid'>, string>> = {
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
  storedFields: 'stored_fields',
  docvalueFields: 'docvalue_fields',
  scriptFields: 'script_fields',
  derived: 'derived',
  fields: 'fields',
  highlight: 'highlight',
  rescore: 'rescore',
  collapse: 'collapse',
  includeNamedQueriesScore: 'include_named_queries_score',
  aggs: 'aggs',
  suggest: 'suggest',
  searchPipeline: 'search_pipeline',
  verbosePipeline: 'verbose_pipeline',
  stats: 'stats',
  ext: 'ext',
  profile: 'profile',
  profileSlices: 'profile_slices',
  profileKernels: 'profile_kernels',
}

/**
 * The body of a search request.
 * @throws {IllegalArgumentError} unknown key, with a suggestion; `hybrid` beside what it stands for
 */
export function searchBody(request: SearchRequest): object {
  checkRecord('search', request)
  checkOptions('search option', request, { ...WIRE_KEYS, hybrid: true })
  const { hybrid, ...rest } = request
  const body: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined) continue
    body[WIRE_KEYS[key as keyof typeof WIRE_KEYS]] = wireValue(key, value)
  }
  if (hybrid === undefined) return body
  const parts = hybridBody(hybrid)
  for (const key of Object.keys(parts))
    if (body[key] !== undefined) throw new IllegalArgumentError(CLASHES[key as keyof HybridBody])
  return { ...body, ...parts }
}

/** What to do where a hybrid search would give a part of the body that is there. */
const CLASHES: Readonly<Record<keyof HybridBody, string>> = {
  query: '[query] and [hybrid] cannot both be given: make the query one of [hybrid]',
  search_pipeline:
    '[searchPipeline] and [scoring] of [hybrid] cannot both be given: the pipeline may hold the ' +
    'processor that scores',
}

/** A value of the request as the engine reads it: those that are objects of the library's own have other keys. */
function wireValue(key: string, value: unknown): unknown {
  if (key === 'timeout' && typeof value === 'number') return `${value}ms`
  if (key === 'highlight') return highlightBody(value as Highlight)
  if (key === 'suggest') return suggestBody(value as SuggestionRequests)
  if (key === 'rescore') {
    const all = Array.isArray(value) ? (value as readonly Rescore[]) : [value as Rescore]
    return all.map(wireRescore)
  }
  return key === 'collapse' ? wireCollapse(value as Collapse) : value
}

function wireRescore(rescore: Rescore): object {
  checkRecord('rescore', rescore)
  checkOptions('rescore option', rescore, RESCORE_KEYS)
  const { windowSize, query, queryWeight, rescoreWeight, scoreMode } = rescore
  return {
    ...(windowSize === undefined ? {} : { window_size: windowSize }),
    query: {
      rescore_query: query,
      ...(queryWeight === undefined ? {} : { query_weight: queryWeight }),
      ...(rescoreWeight === undefined ? {} : { rescore_query_weight: rescoreWeight }),
      ...(scoreMode === undefined ? {} : { score_mode: scoreMode }),
    },
  }
}

function wireCollapse(collapse: Collapse): object {
  checkRecord('collapse', collapse)
  checkOptions('collapse option', collapse, COLLAPSE_KEYS)
  const { field, innerHits } = collapse
  return { field, ...(innerHits === undefined ? {} : { inner_hits: innerHits }) }
}

const RESCORE_KEYS: Readonly<Record<keyof Rescore, true>> = {
  windowSize: true,
  query: true,
  queryWeight: true,
  rescoreWeight: true,
  scoreMode: true,
}

const COLLAPSE_KEYS: Readonly<Record<keyof Collapse, true>> = { field: true, innerHits: true }
