import type { SearchOptions } from '../../../engine/api/searches.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { parseBoolean } from '../../../util/units.ts'
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { takes } from '../../param-form.ts'
import {
  decimal,
  flag,
  integer,
  list,
  millis,
  type ParamReader,
  type ParamValues,
  searchPreference,
  searchType,
  text,
} from '../../params.ts'
import { SOURCE_PARAMS, sourceFilter } from '../document/document.ts'
import { URL_QUERY_PARAMS, withUrlQuery } from './url-query.ts'
import { URL_SUGGEST_PARAMS, withUrlSuggest } from './url-suggest.ts'

/** Parameters of a search, by template too. */
const SEARCH_PARAMS = {
  ...TARGET_PARAMS,
  ...SOURCE_PARAMS,
  ...URL_QUERY_PARAMS,
  ...URL_SUGGEST_PARAMS,
  phase_took: flag,
  from: integer,
  size: integer,
  sort,
  stored_fields: list,
  docvalue_fields: list,
  explain: flag,
  version: flag,
  seq_no_primary_term: flag,
  track_scores: flag,
  track_total_hits: totalHits,
  min_score: decimal,
  terminate_after: integer,
  timeout: millis,
  routing: list,
  preference: searchPreference,
  search_type: searchType,
  request_cache: flag,
  scroll: millis,
  stats: list,
  allow_partial_search_results: flag,
  // Without effect on one node, but checked.
  batched_reduce_size: atLeast(2, 'batchedReduceSize'),
  max_concurrent_shard_requests: atLeast(1, 'maxConcurrentShardRequests'),
  pre_filter_shard_size: atLeast(1, 'preFilterShardSize'),
  cancel_after_time_interval: millis,
  include_named_queries_score: flag,
  rest_total_hits_as_int: flag,
  typed_keys: flag,
  search_pipeline: text,
  verbose_pipeline: flag,
  // Without effect on one node.
  ignore_throttled: flag,
  ccs_minimize_roundtrips: flag,
}

/** `GET|POST [/{index}]/_search`. */
export const search: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_search'],
    ['POST', '/_search'],
    ['GET', '/{index}/_search'],
    ['POST', '/{index}/_search'],
  ],
  action: 'indices:data/read/search',
  params: SEARCH_PARAMS,
  body: 'json-alone',
  async handle({ engine, params, part, body, human, context }): Promise<Answer> {
    const target = targetOf(part('index'), params, 'open')
    const asked = withUrlSuggest(withUrlQuery(body, params), params)
    const options = searchOptions(params)
    const outcome = await engine.searches.search({ target, body: asked, options, human }, context)
    return { json: outcome.body, warnings: outcome.warnings ?? [] }
  },
})

/** `GET|POST [/{index}]/_search/template`: the body of the search is made by a template. */
export const searchTemplate: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_search/template'],
    ['POST', '/_search/template'],
    ['GET', '/{index}/_search/template'],
    ['POST', '/{index}/_search/template'],
  ],
  action: 'indices:data/read/search/template',
  params: SEARCH_PARAMS,
  body: 'json-required',
  async handle({ engine, params, part, body, human, context }): Promise<Answer> {
    const target = targetOf(part('index'), params, 'open')
    const options = searchOptions(params)
    const outcome = await engine.searches.searchTemplate({ target, body, options, human }, context)
    return { json: outcome.body, warnings: outcome.warnings ?? [] }
  },
})

/** Options that the parameters of a search set. */
function searchOptions(params: ParamValues<typeof SEARCH_PARAMS>): SearchOptions {
  return present({
    from: params.from,
    size: params.size,
    sort: params.sort,
    source: sourceFilter(params) ?? undefined,
    storedFields: params.stored_fields,
    docvalueFields: params.docvalue_fields,
    trackScores: params.track_scores,
    trackTotalHits: params.track_total_hits,
    explain: params.explain,
    version: params.version,
    seqNoPrimaryTerm: params.seq_no_primary_term,
    minScore: params.min_score,
    terminateAfter: params.terminate_after,
    timeoutInMillis: params.timeout,
    routing: params.routing,
    preference: params.preference,
    searchType: params.search_type,
    phaseTook: params.phase_took,
    requestCache: params.request_cache,
    stats: params.stats,
    allowPartialSearchResults: params.allow_partial_search_results,
    batchedReduceSize: params.batched_reduce_size,
    maxConcurrentShardRequests: params.max_concurrent_shard_requests,
    preFilterShardSize: params.pre_filter_shard_size,
    cancelAfterTimeIntervalInMillis: params.cancel_after_time_interval,
    includeNamedQueriesScore: params.include_named_queries_score,
    restTotalHitsAsInt: params.rest_total_hits_as_int,
    scrollInMillis: params.scroll,
    typedKeys: params.typed_keys,
    searchPipeline: params.search_pipeline,
    verbosePipeline: params.verbose_pipeline,
  })
}

/** An integer that is refused below a bound, in the server's own words. */
export function atLeast(least: number, words: string): ParamReader<number> {
  return takes(`integer from ${least}`, (value, name) => {
    const number = integer(value, name)
    if (number >= least) return number
    throw new IllegalArgumentError(`${words} must be >= ${least}`)
  })
}

/** The entries that have a value. */
export function present<T extends object>(
  options: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: T[K] } = {}
  // Not by `Object.entries`: a search has some thirty options, most of them without a value.
  for (const key of Object.keys(options) as (keyof T)[])
    if (options[key] !== undefined) kept[key] = options[key]
  return kept as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** Fields with their order: `a,b:desc`. */
export function sort(value: string): NonNullable<SearchOptions['sort']> {
  return list(value).map(item => {
    const at = item.lastIndexOf(':')
    if (at < 0) return { field: item, order: null }
    const order = item.slice(at + 1)
    if (order === 'asc' || order === 'desc') return { field: item.slice(0, at), order }
    throw new IllegalArgumentError(`Unknown SortOrder [${order}]`)
  })
}

function totalHits(value: string, name: string): boolean | number {
  return /^-?\d+$/.test(value) ? integer(value, name) : value === '' || parseBoolean(value)
}

takes('list of fields, each with or without `:asc`, `:desc`', sort)
takes('boolean, or integer', totalHits)
