/** Updates and deletions of what a query finds. */

import type { RequestedScript } from '../../../engine/api/scripts.ts'
import type { SearchOptions } from '../../../engine/api/searches.ts'
import { readText } from '../../../engine/dsl/json-scalars.ts'
import { parseScript } from '../../../engine/dsl/parse-script.ts'
import type { ByScrollCall } from '../../../service/reindex/by-scroll-call.ts'
import { validationFailed } from '../../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import {
  type Answer,
  type Call,
  defineEndpoint,
  type Endpoint,
  objectBody,
  TARGET_PARAMS,
  targetOf,
} from '../../endpoint.ts'
import { flag, integer, list, millis, searchPreference, searchType, text } from '../../params.ts'
import { SOURCE_PARAMS, sourceFilter } from '../document/document.ts'
import { present, sort } from '../search/search.ts'
import { URL_QUERY_PARAMS, withUrlQuery } from '../search/url-query.ts'
import { answerOf } from './answer.ts'
import {
  BY_SCROLL_PARAMS,
  type ByScrollBody,
  batchSizeOf,
  byScrollOptions,
  conflicts,
  readMaxDocs,
  scrollSize,
  searchFaults,
  sliceOf,
} from './by-scroll-params.ts'

const PARAMS = {
  ...TARGET_PARAMS,
  ...URL_QUERY_PARAMS,
  ...BY_SCROLL_PARAMS,
  ...SOURCE_PARAMS,
  conflicts,
  from: integer,
  routing: list,
  preference: searchPreference,
  request_cache: flag,
  scroll_size: scrollSize,
  search_timeout: millis,
  search_type: searchType,
  size: BY_SCROLL_PARAMS.max_docs,
  sort,
  stats: list,
  terminate_after: integer,
  version: flag,
}

const UPDATE_PARAMS = { ...PARAMS, pipeline: text }

/** `POST /{index}/_update_by_query`. */
export const updateByQuery: Endpoint = defineEndpoint({
  routes: [['POST', '/{index}/_update_by_query']],
  action: 'indices:data/write/update/byquery',
  params: UPDATE_PARAMS,
  body: 'json',
  async handle(call): Promise<Answer> {
    const { services, params } = call
    const { request, script } = readCall(call, ['script'])
    const run = await services.reindex.updateByQuery({
      ...request,
      pipeline: params.pipeline ?? null,
      script,
    })
    const style = { hasCreated: false, hasUpdated: true }
    return await answerOf(call, params.wait_for_completion ?? true, run, style)
  },
})

/** `POST /{index}/_delete_by_query`. */
export const deleteByQuery: Endpoint = defineEndpoint({
  routes: [['POST', '/{index}/_delete_by_query']],
  action: 'indices:data/write/delete/byquery',
  params: PARAMS,
  body: 'json',
  async handle(call): Promise<Answer> {
    const { services, params } = call
    const { request } = readCall(call, [])
    if (!request.source.body.entries.some(({ key }) => key === 'query'))
      throw validationFailed(['query is missing'])
    const run = services.reindex.deleteByQuery(request)
    const style = { hasCreated: false, hasUpdated: false }
    return await answerOf(call, params.wait_for_completion ?? true, run, style)
  },
})

interface ReadCall {
  readonly request: ByScrollCall
  readonly script: RequestedScript | null
}

/** @param keys of the body that are neither those of a search nor of every such call */
function readCall(
  { engine, params, part, body }: Call<typeof PARAMS>,
  keys: readonly 'script'[],
): ReadCall {
  const given = body === null ? NO_BODY : objectBody(body)
  const of = (name: string): JsonNode | undefined =>
    given.entries.find(({ key }) => key === name)?.value
  const read = bodyOf(given, params)
  const options = byScrollOptions(params, read)
  const own = ['conflicts', 'max_docs', 'size', ...keys, ...(read.isAutoSliced ? ['slice'] : [])]
  const entries = given.entries.filter(({ key }) => !own.includes(key))
  const search = withUrlQuery({ ...given, entries }, params) as JsonObjectNode
  const faults = searchFaults(search, read, options.slices, params.from)
  if (faults.length > 0) throw validationFailed(faults)
  const source = {
    target: targetOf(part('index'), params, 'open'),
    body: search,
    options: optionsOf(params),
  }
  // A search that is scrolled through may be cut into slices.
  const scrolled = { ...source.options, scrollInMillis: options.scrollInMillis }
  engine.searches.check({ ...source, options: scrolled, human: false })
  const script = keys.includes('script') ? of('script') : undefined
  return {
    request: { ...options, source },
    script: script === undefined ? null : parseScript(script),
  }
}

type Params = Call<typeof PARAMS>['params']

const NO_BODY: JsonObjectNode = { kind: 'object', line: 1, col: 1, entries: [] }

/** What the body says; parameters win over its keys. */
function bodyOf({ entries }: JsonObjectNode, params: Params): ByScrollBody {
  let aborts = true
  let size: number | null = null
  const maxDocs: number[] = []
  for (const { key, value } of entries) {
    if (key === 'conflicts') aborts = conflicts(readText(value))
    else if (key === 'max_docs') maxDocs.push(readMaxDocs(value, key))
    else if (key === 'size') size = batchSizeOf(value)
  }
  if (params.size !== undefined) maxDocs.push(params.size)
  return {
    maxDocs,
    abortsOnConflict: params.conflicts ?? aborts,
    batchSize: params.scroll_size ?? size,
    ...sliceOf(entries),
  }
}

function optionsOf(params: Params): SearchOptions {
  return present({
    sort: params.sort,
    source: sourceFilter(params) ?? undefined,
    terminateAfter: params.terminate_after,
    timeoutInMillis: params.search_timeout,
    routing: params.routing,
    preference: params.preference,
    searchType: params.search_type,
    requestCache: params.request_cache,
    stats: params.stats,
  })
}
