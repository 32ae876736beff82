import type { MultiSearchCall, MultiSearchItem, SearchCall } from '../../../engine/api/searches.ts'
import { IllegalArgumentError, statusOf, toErrorRecord } from '../../../util/errors.ts'
import type { JsonObjectNode } from '../../../util/json/json-tree.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import {
  type Answer,
  type Call,
  defineEndpoint,
  type Endpoint,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { wholeError } from '../../error-body.ts'
import {
  flag,
  integer,
  list,
  millis,
  type ParamValues,
  searchPreference,
  searchType,
  text,
} from '../../params.ts'
import { atLeast, present } from './search.ts'
import { headerText, readSearchLines, type SearchLines } from './search-lines.ts'

/** Parameters that the URL sets for all searches, and a header for its own. */
const HEADER_PARAMS = {
  ...TARGET_PARAMS,
  search_type: searchType,
  routing: list,
  cancel_after_time_interval: millis,
  // Without effect on one node, but checked.
  ccs_minimize_roundtrips: flag,
  ignore_throttled: flag,
}

/** Parameters of a header. */
const OWN_PARAMS = {
  ...HEADER_PARAMS,
  index: text,
  preference: searchPreference,
  request_cache: flag,
  allow_partial_search_results: flag,
}

/** Other names of keys, as the real server takes them. */
const OTHER_NAMES: Readonly<Record<string, keyof typeof OWN_PARAMS>> = {
  indices: 'index',
  searchType: 'search_type',
  requestCache: 'request_cache',
  expandWildcards: 'expand_wildcards',
  ignoreUnavailable: 'ignore_unavailable',
  allowNoIndices: 'allow_no_indices',
  ignoreThrottled: 'ignore_throttled',
  cancelAfterTimeInterval: 'cancel_after_time_interval',
}

/** Searches that run at a time unless the request says. */
const USUAL_CONCURRENCY = 10

const PARAMS = {
  ...HEADER_PARAMS,
  max_concurrent_searches: integer,
  rest_total_hits_as_int: flag,
  // Without effect on one node.
  max_concurrent_shard_requests: atLeast(1, 'maxConcurrentShardRequests'),
  pre_filter_shard_size: atLeast(1, 'preFilterShardSize'),
  typed_keys: flag,
}

/** `GET|POST [/{index}]/_msearch`. */
export const multiSearch: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_msearch'],
    ['POST', '/_msearch'],
    ['GET', '/{index}/_msearch'],
    ['POST', '/{index}/_msearch'],
  ],
  action: 'indices:data/read/msearch',
  params: PARAMS,
  body: 'lines',
  handle: call =>
    answerAll(call, searches => call.engine.searches.multiSearch(searches, call.context)),
})

/** `GET|POST [/{index}]/_msearch/template`: bodies of searches are made by templates. */
export const multiSearchTemplate: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_msearch/template'],
    ['POST', '/_msearch/template'],
    ['GET', '/{index}/_msearch/template'],
    ['POST', '/{index}/_msearch/template'],
  ],
  action: 'indices:data/read/msearch/template',
  params: PARAMS,
  body: 'lines',
  handle: call =>
    answerAll(call, searches => call.engine.searches.multiSearchTemplate(searches, call.context)),
})

/** Reads the lines, runs their searches and prints one answer for each. */
async function answerAll(
  { engine, params, part, bytes, human, hasErrorTrace }: Call<typeof PARAMS>,
  run: (searches: MultiSearchCall) => Promise<readonly MultiSearchItem[]>,
): Promise<Answer> {
  const maxConcurrent = params.max_concurrent_searches ?? USUAL_CONCURRENCY
  if (maxConcurrent < 1)
    throw new IllegalArgumentError('maxConcurrentSearchRequests must be positive')
  const started = performance.now()
  const searches = readSearchLines(bytes).flatMap(lines => {
    const search = searchOf(lines, part('index'), params, {
      totalAsInt: params.rest_total_hits_as_int,
      typedKeys: params.typed_keys,
      human,
      allowsIndices: engine.cluster.allowsExplicitIndex,
    })
    return lines.body === null ? [] : [search]
  })
  const items = await run({ searches, maxConcurrent })
  return {
    json: {
      took: Math.floor(performance.now() - started),
      responses: items.map(item => printItem(item, hasErrorTrace)),
    },
    warnings: [...new Set(items.flatMap(warningsOf))],
  }
}

/** Options of a call that hold for all its searches. */
interface SearchesCall {
  readonly totalAsInt: boolean | undefined
  readonly typedKeys: boolean | undefined
  readonly human: boolean
  /** Whether headers may name indices. */
  readonly allowsIndices: boolean
}

function searchOf(
  { header, body }: SearchLines,
  index: string,
  defaults: ParamValues<typeof HEADER_PARAMS>,
  { totalAsInt, typedKeys, human, allowsIndices }: SearchesCall,
): SearchCall {
  const own = header === null ? {} : readHeader(header)
  if (own.index !== undefined && !allowsIndices)
    throw new IllegalArgumentError('explicit index in multi search is not allowed')
  const params = { ...defaults, ...own }
  return {
    target: targetOf(own.index ?? index, params, 'open'),
    body,
    options: present({
      routing: params.routing,
      searchType: params.search_type,
      cancelAfterTimeIntervalInMillis: params.cancel_after_time_interval,
      preference: own.preference,
      requestCache: own.request_cache,
      allowPartialSearchResults: own.allow_partial_search_results,
      restTotalHitsAsInt: totalAsInt,
      typedKeys,
    }),
    human,
  }
}

function readHeader(header: JsonObjectNode): Partial<ParamValues<typeof OWN_PARAMS>> {
  const values: Record<string, unknown> = {}
  for (const entry of header.entries) {
    const name = OTHER_NAMES[entry.key] ?? entry.key
    if (!Object.hasOwn(OWN_PARAMS, name))
      throw new IllegalArgumentError(`key [${entry.key}] is not supported in the metadata section`)
    values[name] = OWN_PARAMS[name as keyof typeof OWN_PARAMS](headerText(entry), name)
  }
  return values as Partial<ParamValues<typeof OWN_PARAMS>>
}

function warningsOf(item: MultiSearchItem): readonly string[] {
  return 'outcome' in item ? (item.outcome.warnings ?? []) : []
}

function printItem(item: MultiSearchItem, hasErrorTrace: boolean): JsonRecord {
  if ('outcome' in item) return { ...item.outcome.body, status: 200 }
  return {
    error: wholeError(item.error, hasErrorTrace),
    status: statusOf(toErrorRecord(item.error)),
  }
}
