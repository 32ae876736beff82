/** Keys of a search that exclude each other: its shards find it, so that they all fail. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  const mappings = { properties: { k: { type: 'keyword' }, n: { type: 'long' } } }
  await rest.call('PUT /i', { mappings, settings: { number_of_shards: 2 } })
  await rest.call('PUT /i/_doc/1?refresh', { k: 'a', n: 1 })
})
afterAll(() => rest.close())

const RESCORE = { query: { rescore_query: { match_all: {} } } }

const CASES: readonly [search: string, body: object, reason: string][] = [
  [
    '_search?scroll=1m',
    { search_after: [1], sort: ['n'] },
    '`search_after` cannot be used in a scroll context.',
  ],
  [
    '_search',
    { search_after: [1], from: 1, sort: ['n'] },
    '`from` parameter must be set to 0 when `search_after` is used.',
  ],
  [
    '_search?from=2',
    { search_after: [1], sort: ['n'] },
    '`from` parameter must be set to 0 when `search_after` is used.',
  ],
  [
    '_search',
    { slice: { id: 0, max: 2 } },
    '`slice` cannot be used outside of a scroll context or PIT context',
  ],
  ['_search?scroll=1m', { collapse: { field: 'k' } }, 'cannot use `collapse` in a scroll context'],
  [
    '_search',
    { collapse: { field: 'k' }, rescore: RESCORE },
    'cannot use `collapse` in conjunction with `rescore`',
  ],
  [
    '_search',
    { collapse: { field: 'k' }, sort: ['n'], search_after: [1] },
    'collapse field and sort field must be the same when use `collapse` in conjunction with ' +
      '`search_after`',
  ],
  [
    '_search',
    { collapse: { field: 'k' }, sort: ['k', 'n'], search_after: ['a', 1] },
    'collapse field and sort field must be the same when use `collapse` in conjunction with ' +
      '`search_after`',
  ],
  [
    '_search',
    { stored_fields: '_none_', _source: true },
    '[stored_fields] cannot be disabled if [_source] is requested',
  ],
  [
    '_search',
    { stored_fields: ['_none_'], fields: ['n'] },
    '[stored_fields] cannot be disabled when using the [fields] option',
  ],
]

describe.each(CASES)('%s with %j', (search, body, reason) => {
  const cause = { type: 'search_exception', reason }

  it('fails all shards', async () => {
    const { status, json } = await rest.call(`POST /i/${search}`, body)
    expect([status, json]).toEqual([
      500,
      {
        error: {
          root_cause: [cause],
          type: 'search_phase_execution_exception',
          reason: 'all shards failed',
          phase: 'query',
          grouped: true,
          failed_shards: [{ shard: 0, index: 'i', node: expect.any(String), reason: cause }],
        },
        status: 500,
      },
    ])
  })

  it('is not told of an index that is missing', async () => {
    const { status, json } = await rest.call(`POST /none/${search}`, body)
    expect([status, json.error.type]).toEqual([404, 'index_not_found_exception'])
  })

  it('has no shard to fail where nothing is searched', async () => {
    const { status, json } = await rest.call(`POST /none*/${search}`, body)
    expect([status, json.hits?.total]).toEqual([200, { value: 0, relation: 'eq' }])
  })
})

it('fails one search of several', async () => {
  const lines = '{"index":"i"}\n{"slice":{"id":0,"max":2}}\n{"index":"i"}\n{"size":0}\n'
  const { status, json } = await rest.call('POST /_msearch', lines)
  const statuses = json.responses.map((each: { status: number }) => each.status)
  expect([status, statuses]).toEqual([200, [500, 200]])
})
