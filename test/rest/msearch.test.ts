import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  for (const index of ['a', 'b'])
    await rest.call(`PUT /${index}/_doc/1?refresh&routing=r`, { title: 'sea', in: index })
})

afterAll(() => rest.close())

const ALL = { query: { match_all: {} } }

it('answers each search as it would be answered alone, with its status', async () => {
  const { json, status } = await rest.call(
    'POST /_msearch',
    ndjson({ index: 'a' }, { ...ALL, explain: true }, {}, ALL, { index: ['a', 'b'] }, { size: 0 }),
  )
  expect(status).toBe(200)
  const alone = await rest.call('GET /a/_search', { ...ALL, explain: true })
  const [first, second, third] = json.responses
  expect(first).toEqual({ ...alone.json, took: first.took, status: 200 })
  expect(Object.keys(first).at(-1)).toBe('status')
  expect([second.hits.total.value, third.hits.total.value, third.hits.hits]).toEqual([2, 2, []])
  expect(Object.keys(json)).toEqual(['took', 'responses'])
})

it('tells the error of one search beside the answers of others', async () => {
  const lines = ndjson(
    { index: 'gone' },
    ALL,
    { index: 'a' },
    { sort: 'none' },
    { index: 'a' },
    ALL,
  )
  const { json } = await rest.call('POST /_msearch', lines)
  const [gone, unsorted, found] = json.responses
  expect([gone.status, unsorted.status, found.status]).toEqual([404, 400, 200])
  expect(gone.error).toMatchObject({
    root_cause: [{ type: 'index_not_found_exception', reason: 'no such index [gone]' }],
    type: 'index_not_found_exception',
    reason: 'no such index [gone]',
  })
  expect(gone.error).not.toHaveProperty('stack_trace')
  expect(unsorted.error.root_cause[0].reason).toBe(
    'No mapping found for [none] in order to sort on',
  )
  const traced = await rest.call('POST /_msearch?error_trace', lines)
  expect(traced.json.responses[0].error.stack_trace).toContain('IndexNotFoundException')
})

it('takes the index of the URL where a header names none, whose lines may be empty', async () => {
  const { json } = await rest.call(
    'GET /b/_msearch',
    `\n{}\n${JSON.stringify(ALL)}\n\n{"size":0}\n`,
  )
  expect(
    json.responses.map((each: { hits: { total: { value: number } } }) => each.hits.total.value),
  ).toEqual([1, 1])
})

it('reads every key of a header', async () => {
  const header = {
    index: 'a,gone*',
    search_type: 'query_then_fetch',
    preference: '_local',
    routing: 'r',
    request_cache: true,
    expand_wildcards: 'open',
    ignore_unavailable: true,
    allow_no_indices: true,
    allow_partial_search_results: false,
    cancel_after_time_interval: '10s',
    ccs_minimize_roundtrips: false,
    ignore_throttled: true,
  }
  const { json } = await rest.call('POST /_msearch', ndjson(header, ALL))
  expect(json.responses[0].hits.total.value).toBe(1)
  const other = { indices: ['gone'], ignoreUnavailable: true, searchType: 'query_then_fetch' }
  const renamed = await rest.call('POST /_msearch', ndjson(other, ALL))
  expect(renamed.json.responses[0]).toMatchObject({ status: 200, _shards: { total: 0 } })
})

it('takes the parameters of the URL for all searches', async () => {
  const { json } = await rest.call(
    'POST /_msearch?rest_total_hits_as_int&typed_keys&max_concurrent_searches=1' +
      '&max_concurrent_shard_requests=2&pre_filter_shard_size=3&ccs_minimize_roundtrips',
    ndjson({ index: 'a' }, ALL, { index: 'b' }, ALL),
  )
  expect(json.responses.map((each: { hits: { total: number } }) => each.hits.total)).toEqual([1, 1])
})

it('drops a header that no body follows', async () => {
  const { json } = await rest.call('POST /_msearch', ndjson({ index: 'a' }, ALL, { index: 'b' }))
  expect(json.responses).toHaveLength(1)
})

it.each<[string, string, string, string]>([
  [
    '/_msearch',
    '{}\n{}',
    'illegal_argument_exception',
    'The msearch request must be terminated by a newline [\\n]',
  ],
  [
    '/_msearch',
    '\n',
    'action_request_validation_exception',
    'Validation Failed: 1: no requests added;',
  ],
  [
    '/_msearch?max_concurrent_searches=0',
    '{}\n{}\n',
    'illegal_argument_exception',
    'maxConcurrentSearchRequests must be positive',
  ],
  [
    '/_msearch',
    '{"nope":1}\n{}\n',
    'illegal_argument_exception',
    'key [nope] is not supported in the metadata section',
  ],
  [
    '/_msearch',
    '{"index":{"a":1}}\n{}\n',
    'illegal_argument_exception',
    'key [index] of the metadata section must not be an object',
  ],
  [
    '/_msearch',
    '{}\n{}\n{}\n{"nope":1}\n',
    'parsing_exception',
    'Unknown key for a VALUE_NUMBER in [nope].',
  ],
  [
    '/_msearch?rest_total_hits_as_int',
    '{}\n{"track_total_hits":10}\n',
    'illegal_argument_exception',
    '[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got 10',
  ],
  [
    '/_msearch',
    '\n{"size":0}\n',
    'illegal_argument_exception',
    'key [size] is not supported in the metadata section',
  ],
  [
    '/_msearch',
    '{}\n{}\n{"index":"a","scroll":"1m"}\n',
    'illegal_argument_exception',
    'key [scroll] is not supported in the metadata section',
  ],
  [
    '/_msearch?search_type=best',
    '{}\n{}\n',
    'illegal_argument_exception',
    'No search type for [best]',
  ],
])('refuses the whole of %s with %j', async (path, body, type, reason) => {
  const { status, json } = await rest.call(`POST ${path}`, body)
  expect([status, json.error.type, json.error.reason]).toEqual([400, type, reason])
})
