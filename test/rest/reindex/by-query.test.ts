import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const DOCUMENTS = 6

beforeEach(async () => {
  await rest.call('DELETE /*')
  await ok('PUT /i', { settings: { number_of_shards: 2 } })
  const lines = Array.from({ length: DOCUMENTS }, (_, n) => [
    { index: { _id: `${n}`, routing: n === 0 ? 'r' : null } },
    { n, word: n % 2 === 0 ? 'even' : 'odd' },
  ])
  await ok('POST /i/_bulk?refresh=true', ndjson(...lines.flat()))
})

const numbers = async (): Promise<number[]> => {
  const { hits } = await ok('GET /i/_search?size=100&sort=n')
  return hits.hits.map(({ _source }: { _source: { n: number } }) => _source.n)
}

describe('an update by query', () => {
  it('writes every document anew, and tells nothing of created ones', async () => {
    const answer = await ok('POST /i/_update_by_query?refresh=true')
    expect(Object.keys(answer)).toEqual([
      'took',
      'timed_out',
      'total',
      'updated',
      'deleted',
      'batches',
      'version_conflicts',
      'noops',
      'retries',
      'throttled_millis',
      'requests_per_second',
      'throttled_until_millis',
      'failures',
    ])
    expect(answer).toMatchObject({ total: DOCUMENTS, updated: DOCUMENTS, batches: 1 })
    expect(await ok('GET /i/_doc/0?routing=r')).toMatchObject({ _version: 2, _routing: 'r' })
  })

  it('shows fields that the mapping has come to know', async () => {
    await ok('PUT /i/_mapping', {
      properties: { word: { type: 'text', fields: { whole: { type: 'keyword' } } } },
    }).catch(() => {})
    await ok('PUT /i/_mapping', {
      properties: { n: { type: 'long', fields: { text: { type: 'keyword' } } } },
    })
    const count = async (): Promise<number> => (await ok('GET /i/_count?q=n.text:3')).count
    expect(await count()).toBe(0)
    await ok('POST /i/_update_by_query?refresh=true')
    expect(await count()).toBe(1)
  })

  it('changes what a query finds by a script', async () => {
    const script = { source: 'ctx._source.n += params.by', params: { by: 10 } }
    const answer = await ok('POST /i/_update_by_query?refresh=true', {
      query: { term: { 'word.keyword': 'odd' } },
      script,
    })
    expect(answer).toMatchObject({ total: 3, updated: 3 })
    expect(await numbers()).toEqual([0, 2, 4, 11, 13, 15])
  })

  it('takes the query of the URL', async () => {
    const answer = await ok('POST /i/_update_by_query?q=word:odd&refresh=true')
    expect(answer).toMatchObject({ total: 3, updated: 3 })
  })

  it('leaves out and deletes as the script says', async () => {
    const source = "ctx.op = ctx._source.n < 2 ? 'noop' : ctx._source.n < 4 ? 'delete' : 'index'"
    const answer = await ok('POST /i/_update_by_query?refresh=true', { script: { source } })
    expect(answer).toMatchObject({ noops: 2, deleted: 2, updated: 2 })
    expect(await numbers()).toEqual([0, 1, 4, 5])
  })

  it.each([
    ["ctx._id = 'x'", 'Modifying [_id] not allowed'],
    ["ctx._index = 'x'", 'Modifying [_index] not allowed'],
    ["ctx._routing = 'x'", 'Modifying [_routing] not allowed'],
    ['ctx._version = 7', 'Modifying [_version] not allowed'],
    ['ctx.junk = 1', 'Invalid fields added to context [junk]'],
    [
      "ctx.op = 'junk'",
      'Operation type [junk] not allowed, only [noop, index, delete] are allowed',
    ],
  ])('is refused for %s', async (source, reason) => {
    expect(await failure('POST /i/_update_by_query', { script: { source } })).toEqual([
      400,
      'illegal_argument_exception',
      reason,
    ])
  })

  it('passes documents through a pipeline', async () => {
    await ok('PUT /_ingest/pipeline/p', { processors: [{ set: { field: 'seen', value: true } }] })
    await ok('POST /i/_update_by_query?pipeline=p&refresh=true')
    expect((await ok('GET /i/_doc/1'))._source.seen).toBe(true)
    expect(await failure('POST /i/_update_by_query?pipeline=none')).toEqual([
      400,
      'illegal_argument_exception',
      'pipeline with id [none] does not exist',
    ])
  })

  it('is cut into slices, each a part of the answer', async () => {
    const answer = await ok('POST /i/_update_by_query?slices=3&scroll_size=1')
    expect(answer).toMatchObject({ total: DOCUMENTS, updated: DOCUMENTS, batches: DOCUMENTS })
    expect(answer.slices).toHaveLength(3)
  })

  it.each([
    ['in the URL', '?max_docs=2', {}],
    ['under its old name', '?size=2', {}],
    ['in the body', '', { max_docs: 2 }],
  ])('ends behind max_docs %s', async (_, query, body) => {
    const answer = await ok(`POST /i/_update_by_query${query}`, body)
    expect(answer).toMatchObject({ total: 2, updated: 2 })
  })
})

describe('a deletion by query', () => {
  it('deletes what the query finds, and tells of nothing else', async () => {
    const query = { term: { 'word.keyword': 'odd' } }
    const answer = await ok('POST /i/_delete_by_query?refresh=true', { query })
    expect(Object.keys(answer)).toEqual([
      'took',
      'timed_out',
      'total',
      'deleted',
      'batches',
      'version_conflicts',
      'noops',
      'retries',
      'throttled_millis',
      'requests_per_second',
      'throttled_until_millis',
      'failures',
    ])
    expect(answer).toMatchObject({ total: 3, deleted: 3 })
    expect(await numbers()).toEqual([0, 2, 4])
  })

  it('deletes documents that were routed, and those without a source', async () => {
    await ok('POST /i/_delete_by_query?refresh=true', { query: { match_all: {} } })
    expect(await numbers()).toEqual([])
    await ok('PUT /bare', { mappings: { _source: { enabled: false } } })
    await ok('PUT /bare/_doc/1?refresh=true', { n: 1 })
    const answer = await ok('POST /bare/_delete_by_query', { query: { match_all: {} } })
    expect(answer).toMatchObject({ deleted: 1 })
  })

  it('goes page by page in slices', async () => {
    const answer = await ok('POST /i/_delete_by_query?slices=2&scroll_size=1&refresh=true', {
      query: { match_all: {} },
    })
    expect(answer).toMatchObject({ total: DOCUMENTS, deleted: DOCUMENTS, batches: DOCUMENTS })
    const { _all } = await ok('GET /i/_stats/search')
    expect(_all.total.search.open_contexts).toBe(0)
  })

  it('leaves a document alone that another write has changed since the last refresh', async () => {
    await ok('PUT /i/_settings', { index: { refresh_interval: '-1' } })
    await ok('PUT /i/_doc/1', { n: 100 })
    const body = { query: { term: { n: 1 } } }
    const { status, json } = await rest.call('POST /i/_delete_by_query', body)
    expect([status, json.version_conflicts, json.deleted]).toEqual([409, 1, 0])
    expect(json.failures[0]).toMatchObject({
      index: 'i',
      id: '1',
      status: 409,
      cause: { type: 'version_conflict_engine_exception' },
    })
    const proceeding = await ok('POST /i/_delete_by_query?conflicts=proceed', body)
    expect(proceeding).toMatchObject({ version_conflicts: 1, deleted: 0, failures: [] })
    const inBody = await ok('POST /i/_delete_by_query', { ...body, conflicts: 'proceed' })
    expect(inBody).toMatchObject({ version_conflicts: 1, failures: [] })
    expect((await ok('GET /i/_doc/1'))._source).toEqual({ n: 100 })
  })

  it('needs a query', async () => {
    for (const body of [undefined, {}])
      expect(await failure('POST /i/_delete_by_query', body)).toEqual([
        400,
        'action_request_validation_exception',
        'Validation Failed: 1: query is missing;',
      ])
  })

  it.each([
    [
      '?from=1',
      {},
      'action_request_validation_exception',
      'Validation Failed: 1: using [from] is not allowed in a scroll context;2: from is not supported in this context;',
    ],
    [
      '',
      { from: 1 },
      'action_request_validation_exception',
      'Validation Failed: 1: using [from] is not allowed in a scroll context;2: from is not supported in this context;',
    ],
    [
      '?from=0',
      { from: 1 },
      'action_request_validation_exception',
      'Validation Failed: 1: from is not supported in this context;',
    ],
    [
      '?conflicts=cat',
      {},
      'illegal_argument_exception',
      'conflicts may only be "proceed" or "abort" but was [cat]',
    ],
    [
      '',
      { conflicts: 'cat' },
      'illegal_argument_exception',
      'conflicts may only be "proceed" or "abort" but was [cat]',
    ],
    [
      '?scroll_size=0',
      { size: 1 },
      'action_request_validation_exception',
      'Validation Failed: 1: [size] cannot be [0] in a scroll context;',
    ],
    [
      '?scroll_size=-1',
      {},
      'illegal_argument_exception',
      '[size] parameter cannot be negative, found [-1]',
    ],
    [
      '?size=-4',
      {},
      'illegal_argument_exception',
      '[size] parameter cannot be negative, found [-4]',
    ],
    [
      '?size=4&max_docs=5',
      {},
      'illegal_argument_exception',
      '[max_docs] set to two different values [4] and [5]',
    ],
    [
      '',
      { size: -4 },
      'illegal_argument_exception',
      '[size] parameter cannot be negative, found [-4]',
    ],
    [
      '',
      { size: 0 },
      'action_request_validation_exception',
      'Validation Failed: 1: [size] cannot be [0] in a scroll context;',
    ],
    [
      '?max_docs=1',
      { max_docs: 2 },
      'illegal_argument_exception',
      '[max_docs] set to two different values [2] and [1]',
    ],
    [
      '?slices=0',
      {},
      'illegal_argument_exception',
      '[slices] must be a positive integer or the string "auto", but was [0]',
    ],
  ])('is refused for %s with %j', async (query, body, type, reason) => {
    const request = { query: { match_all: {} }, ...body }
    expect(await failure(`POST /i/_delete_by_query${query}`, request)).toEqual([400, type, reason])
    expect(await numbers()).toHaveLength(DOCUMENTS)
  })

  it('is refused for an index that there is none of', async () => {
    const body = { query: { match_all: {} } }
    expect((await failure('POST /none/_delete_by_query', body)).slice(0, 2)).toEqual([
      404,
      'index_not_found_exception',
    ])
    const lenient = await ok('POST /none/_delete_by_query?ignore_unavailable=true', body)
    expect(lenient).toMatchObject({ total: 0, deleted: 0 })
  })
})
