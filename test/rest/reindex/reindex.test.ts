import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const DOCUMENTS = 7
const RATE = '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.'

beforeEach(async () => {
  await rest.call('DELETE /*')
  await ok('PUT /from', { settings: { number_of_shards: 2 } })
  const lines = Array.from({ length: DOCUMENTS }, (_, i) => [
    { index: { _id: `${i}`, routing: i % 2 === 0 ? 'even' : null } },
    { n: i },
  ])
  await ok('POST /from/_bulk?refresh=true', ndjson(...lines.flat()))
})

const body = (more: object = {}, source: object = {}, dest: object = {}): object => ({
  source: { index: 'from', ...source },
  dest: { index: 'to', ...dest },
  ...more,
})

const reindex = (request: object, query = ''): ReturnType<typeof ok> =>
  ok(`POST /_reindex?refresh=true${query}`, request)

const hits = async (index = 'to'): Promise<{ _id: string; _source: unknown }[]> =>
  (await ok(`GET /${index}/_search?size=100&sort=n&version=true`)).hits.hits

describe('a reindex', () => {
  it('copies every document with its routing, and tells in the documented order', async () => {
    const answer = await reindex(body())
    expect(Object.keys(answer)).toEqual([
      'took',
      'timed_out',
      'total',
      'updated',
      'created',
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
    expect(answer).toMatchObject({
      timed_out: false,
      total: DOCUMENTS,
      created: DOCUMENTS,
      updated: 0,
      batches: 1,
      retries: { bulk: 0, search: 0 },
      failures: [],
    })
    expect((await hits()).map(({ _id, _source }) => [_id, _source])).toEqual(
      Array.from({ length: DOCUMENTS }, (_, i) => [`${i}`, { n: i }]),
    )
    expect((await ok('GET /to/_doc/2?routing=even'))._routing).toBe('even')
    const { text } = await rest.call('POST /_reindex', body())
    expect(text).toContain('"requests_per_second":-1.0')
  })

  it('shows times as text when asked for by a human', async () => {
    expect(await ok('POST /_reindex?human', body())).toMatchObject({
      throttled: '0s',
      throttled_until: '0s',
    })
  })

  it('goes page by page, and leaves no scroll open', async () => {
    expect(await reindex(body({}, { size: 2 }))).toMatchObject({ batches: 4, created: DOCUMENTS })
    const { _all } = await ok('GET /from/_stats/search')
    expect(_all.total.search.open_contexts).toBe(0)
  })

  it('copies what a query finds, and the fields that are asked for', async () => {
    const source = { query: { range: { n: { gte: 5 } } }, _source: ['x*'] }
    expect(await reindex(body({}, source))).toMatchObject({ total: 2, created: 2 })
    expect((await ok('GET /to/_doc/5'))._source).toEqual({})
  })

  it.each([
    ['in the URL', '&max_docs=3', body()],
    ['in the body', '', body({ max_docs: 3 })],
    ['under its old name', '', body({ size: 3 })],
    ['in the source', '', body({}, { max_docs: 3 })],
    ['three times', '&max_docs=3', body({ max_docs: 3 }, { max_docs: 3 })],
  ])('ends behind max_docs %s', async (_, query, request) => {
    expect(await reindex(request, query)).toMatchObject({ total: 3, created: 3 })
    expect(await hits()).toHaveLength(3)
  })

  it('takes a sort, which it warns of', async () => {
    const request = body({ max_docs: 2 }, { sort: [{ n: 'desc' }] })
    const { headers } = await rest.call('POST /_reindex?refresh=true', request)
    expect(headers['warning']).toContain('The sort option in reindex is deprecated.')
    expect((await hits()).map(({ _id }) => _id)).toEqual(['5', '6'])
  })

  it.each([
    ['keep', ['even', undefined]],
    ['discard', [undefined, undefined]],
    ['=fixed', ['fixed', 'fixed']],
  ])('routes by %s', async (routing, expected) => {
    await reindex(body({}, {}, { routing }))
    const found = (await ok('GET /to/_search?size=100&sort=n')).hits.hits
    expect(found.slice(0, 2).map((hit: { _routing?: string }) => hit._routing)).toEqual(expected)
  })

  it('overwrites, or takes the version of the source', async () => {
    await ok('PUT /from/_doc/0?version=9&version_type=external&refresh=true&routing=even', { n: 0 })
    await ok('PUT /to/_doc/0?version=10&version_type=external&routing=even', { n: -1 })
    const later = body({ conflicts: 'proceed' }, {}, { version_type: 'external' })
    expect(await reindex(later)).toMatchObject({ version_conflicts: 1, created: 6, failures: [] })
    expect(await reindex(body())).toMatchObject({ updated: DOCUMENTS, created: 0 })
    expect((await ok('GET /to/_doc/0?routing=even'))._version).toBe(11)
  })

  it.each(['external', 'external_gt'])('takes a rising version with %s', async type => {
    await ok('PUT /to/_doc/1?version=1&version_type=external', { n: 1 })
    await ok('PUT /from/_doc/1?version=5&version_type=external&refresh=true', { n: 100 })
    await reindex(body({ conflicts: 'proceed' }, {}, { version_type: type }))
    expect(await ok('GET /to/_doc/1')).toMatchObject({ _version: 5, _source: { n: 100 } })
  })

  it('ends at a conflict behind the batch, with its failure, and counts it', async () => {
    await ok('PUT /to/_doc/1', { n: 1 })
    const { status, json } = await rest.call(
      'POST /_reindex',
      body({}, { sort: 'n', size: 3 }, { op_type: 'create' }),
    )
    expect([status, json.created, json.version_conflicts, json.batches]).toEqual([409, 2, 1, 1])
    expect(json.failures).toEqual([
      {
        index: 'to',
        id: '1',
        cause: {
          type: 'version_conflict_engine_exception',
          reason: '[1]: version conflict, document already exists (current version [1])',
          index: 'to',
          shard: '0',
          index_uuid: expect.any(String),
        },
        status: 409,
      },
    ])
  })

  it('counts conflicts and goes on when told to', async () => {
    await ok('PUT /to/_doc/1', { n: 1 })
    const request = body({ conflicts: 'proceed' }, { size: 3 }, { op_type: 'create' })
    expect(await reindex(request)).toMatchObject({
      created: 6,
      version_conflicts: 1,
      batches: 3,
      failures: [],
    })
  })

  it('passes documents through a pipeline', async () => {
    await ok('PUT /_ingest/pipeline/p', { processors: [{ set: { field: 'seen', value: true } }] })
    await reindex(body({}, {}, { pipeline: 'p' }))
    expect((await hits())[0]!._source).toEqual({ n: 0, seen: true })
  })

  it.each(['2', '5', 'auto'])('is cut into %s slices, which together copy all', async slices => {
    const answer = await reindex(body({}, { size: 1 }), `&slices=${slices}`)
    expect(answer).toMatchObject({ total: DOCUMENTS, created: DOCUMENTS, batches: DOCUMENTS })
    const parts = answer.slices as { slice_id: number; created: number }[]
    expect(parts.map(({ slice_id }) => slice_id)).toEqual(
      Array.from({ length: slices === 'auto' ? 2 : Number(slices) }, (_, i) => i),
    )
    expect(parts.reduce((sum, { created }) => sum + created, 0)).toBe(DOCUMENTS)
    expect(await hits()).toHaveLength(DOCUMENTS)
  })

  it('copies one slice of its own, or as many as there are shards', async () => {
    const first = await reindex(body({}, { slice: { id: 0, max: 2 } }))
    const second = await reindex(body({}, { slice: { id: 1, max: 2 } }))
    expect(first.created + second.created).toBe(DOCUMENTS)
    expect((await reindex(body({}, { slice: 'auto' }))).slices).toHaveLength(2)
  })

  it('writes through a write alias, and only through one when it must', async () => {
    await ok('PUT /real', { aliases: { to: {} } })
    expect(await reindex(body(), '&require_alias=true')).toMatchObject({ created: DOCUMENTS })
    expect(await hits('real')).toHaveLength(DOCUMENTS)
  })
})

describe('a script of a reindex', () => {
  const scripted = (source: string, more: object = {}): ReturnType<typeof ok> =>
    reindex(body({ script: { source, ...more } }))

  it('changes sources with its parameters, in painless and its other name', async () => {
    await scripted('ctx._source.n = ctx._source.n * params.by', { params: { by: 2 } })
    expect((await hits())[1]!._source).toEqual({ n: 2 })
    await scripted('ctx._source.id = ctx._id + ctx._index', { lang: 'java' })
    expect((await hits())[1]!._source).toEqual({ n: 1, id: '1from' })
  })

  it('leaves documents out, or deletes them', async () => {
    await reindex(body())
    const answer = await scripted(
      "if (ctx._source.n == 0) ctx.op = 'noop'; if (ctx._source.n == 1) ctx.op = 'delete'",
    )
    expect(answer).toMatchObject({ noops: 1, deleted: 1, updated: 5, total: DOCUMENTS })
    expect((await hits()).map(({ _id }) => _id)).toEqual(['0', '2', '3', '4', '5', '6'])
  })

  it('creates no index when it leaves everything out', async () => {
    expect(await scripted("ctx.op = 'noop'")).toMatchObject({ noops: DOCUMENTS, batches: 1 })
    expect((await rest.call('HEAD /to')).status).toBe(404)
  })

  it('moves documents', async () => {
    await scripted(
      "ctx._id = 'x' + ctx._id; if (ctx._source.n > 4) ctx._index = 'big'; ctx._routing = 'r'",
    )
    expect((await hits('big')).map(({ _id }) => _id)).toEqual(['x5', 'x6'])
    expect((await ok('GET /to/_doc/x1?routing=r'))._routing).toBe('r')
  })

  it('gives new ids for null, and forces a write by a version of null', async () => {
    await ok('PUT /to/_doc/1?version=9&version_type=external', { n: 1 })
    const external = body(
      { script: 'ctx._version = null; ctx._source.n = 5' },
      { query: { term: { n: 1 } } },
      { version_type: 'external' },
    )
    expect(await reindex(external)).toMatchObject({ updated: 1 })
    expect((await ok('GET /to/_doc/1'))._version).toBe(10)
    await reindex(body({ script: 'ctx._id = null' }, { query: { term: { n: 2 } } }))
    const ids = (await hits()).map(({ _id }) => _id)
    expect(ids.find(id => id !== '1')).toHaveLength(20)
  })

  it.each([
    [
      "ctx.op = 'junk'",
      'Operation type [junk] not allowed, only [noop, index, delete] are allowed',
    ],
    ['ctx.op = null', 'Script cleared operation type'],
    ['ctx.junk = 1', 'Invalid fields added to context [junk]'],
    ['ctx._index = null', "Can't reindex without a destination index!"],
    ["ctx._version = 'x'", '_version may only be set to an int or a long but was [x]'],
    ['ctx._source = null', 'the script left [_source] of type [null]; it must be a map'],
  ])('is refused for %s', async (script, reason) => {
    expect(await failure('POST /_reindex', body({ script: { source: script } }))).toEqual([
      400,
      'illegal_argument_exception',
      reason,
    ])
  })

  it('tells of faults when it is compiled, and when it runs', async () => {
    const { json, status } = await rest.call(
      'POST /_reindex',
      body({ script: { source: 'syntax errors are fun!' } }),
    )
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'script_exception',
      'compile error',
    ])
    const source = "throw new IllegalArgumentException('Cats!')"
    const thrown = await rest.call('POST /_reindex', body({ script: { source } }))
    expect([thrown.status, thrown.json.error.type, thrown.json.error.caused_by.reason]).toEqual([
      400,
      'script_exception',
      'Cats!',
    ])
    expect(
      await failure('POST /_reindex', body({ script: { source: '1', lang: 'cobol' } })),
    ).toEqual([400, 'illegal_argument_exception', 'script_lang not supported [cobol]'])
  })
})

it('tells of shards whose search fails, and copies nothing of the page', async () => {
  const source = "if (doc['n'].value == 6) throw new IllegalArgumentException('Cats!'); return true"
  const query = { script: { script: { source } } }
  const { status, json } = await rest.call('POST /_reindex', body({}, { query }))
  expect([status, json.created, json.batches]).toEqual([400, 0, 0])
  expect(json.failures).toEqual([
    {
      shard: expect.any(Number),
      index: 'from',
      node: expect.any(String),
      reason: expect.objectContaining({ type: 'script_exception', reason: 'runtime error' }),
      status: 400,
    },
  ])
})

describe('a reindex that cannot be', () => {
  const invalid = (reason: string): unknown[] => [
    400,
    'action_request_validation_exception',
    `Validation Failed: 1: ${reason};`,
  ]

  it.each([
    ['no destination', body({}, {}, { index: undefined }), 'index must be specified'],
    [
      'no source',
      { dest: { index: 'to' } },
      'use _all if you really want to copy from all existing indexes',
    ],
    [
      'its source as destination',
      body({}, {}, { index: 'from' }),
      'reindex cannot write into an index its reading from [from]',
    ],
    [
      'a routing of no form',
      body({}, {}, { routing: 'x' }),
      'routing must be unset, [keep], [discard] or [=<some new value>]',
    ],
    [
      'from',
      body({}, { from: 1 }),
      'using [from] is not allowed in a scroll context;2: from is not supported in this context',
    ],
    ['a from of 0', body({}, { from: 0 }), 'from is not supported in this context'],
    ['pages of none', body({}, { size: 0 }), '[size] cannot be [0] in a scroll context'],
    [
      'stored fields',
      body({}, { stored_fields: ['_id'] }),
      'stored_fields is not supported in this context',
    ],
    ['no sources', body({}, { _source: false }), '_source:false is not supported in this context'],
    [
      'a create with versions',
      body({}, {}, { op_type: 'create', version_type: 'external' }),
      'create operations only support internal versioning. use index instead',
    ],
  ])('is refused for %s', async (_, request, reason) => {
    expect(await failure('POST /_reindex', request)).toEqual(invalid(reason))
  })

  it('is refused for slices of two kinds', async () => {
    expect(
      await failure('POST /_reindex?slices=2', body({}, { slice: { id: 0, max: 2 } })),
    ).toEqual(invalid("can't specify both manual and automatic slicing at the same time"))
  })

  it('is refused when an alias leads to its source', async () => {
    await ok('POST /_aliases', { actions: [{ add: { index: 'from', alias: 'same' } }] })
    const found = await failure('POST /_reindex', body({}, {}, { index: 'same' }))
    expect(found).toEqual(invalid('reindex cannot write into an index its reading from [from]'))
  })

  const illegal = (reason: string): unknown[] => [400, 'illegal_argument_exception', reason]

  it.each([
    ['max_docs=0', '[max_docs] parameter cannot be negative, found [0]'],
    ['max_docs=-1', '[max_docs] parameter cannot be negative, found [-1]'],
    ['max_docs=2&slices=3', '[max_docs] should be >= [slices]'],
    ['max_docs=1&slices=auto', '[max_docs] should be >= [slices]'],
    ['slices=0', '[slices] must be a positive integer or the string "auto", but was [0]'],
    ['slices=-1', '[slices] must be a positive integer or the string "auto", but was [-1]'],
    ['slices=junk', '[slices] must be a positive integer or the string "auto", but was [junk]'],
    [
      'scroll=1',
      'failed to parse setting [scroll] with value [1] as a time value: unit is missing or unrecognized',
    ],
    ['requests_per_second=0', RATE],
    ['requests_per_second=', RATE],
    ['requests_per_second=-12', RATE],
    ['requests_per_second=unlimited', RATE],
    ['wait_for_active_shards=x', 'cannot parse ActiveShardCount[x]'],
    ['refresh=maybe', 'Unknown value for refresh: [maybe].'],
  ])('is refused for %s', async (query, reason) => {
    expect(await failure(`POST /_reindex?${query}`, body())).toEqual(illegal(reason))
  })

  it('is refused for two limits', async () => {
    const fault = illegal('[max_docs] set to two different values [4] and [3]')
    for (const name of ['max_docs', 'size'])
      expect(await failure('POST /_reindex?max_docs=3', body({ [name]: 4 }))).toEqual(fault)
    expect(await failure('POST /_reindex?max_docs=3', body({}, { max_docs: 4 }))).toEqual(fault)
  })

  it('is refused for a pipeline, a source or an alias that there is none of', async () => {
    expect(await failure('POST /_reindex', body({}, {}, { pipeline: 'none' }))).toEqual(
      illegal('pipeline with id [none] does not exist'),
    )
    expect((await failure('POST /_reindex', body({}, { index: 'none' }))).slice(0, 2)).toEqual([
      404,
      'index_not_found_exception',
    ])
    expect(await failure('POST /_reindex?require_alias=true', body())).toEqual([
      404,
      'index_not_found_exception',
      'no such index [to] and [require_alias] request flag is [true] and [to] is not an alias',
    ])
  })

  it('is refused for documents without a source', async () => {
    await ok('PUT /bare', { mappings: { _source: { enabled: false } } })
    await ok('PUT /bare/_doc/1?refresh=true', { n: 1 })
    expect(await failure('POST /_reindex', body({}, { index: 'bare' }))).toEqual(
      illegal("[bare][1] didn't store _source"),
    )
  })

  it.each([
    [{ junk: 1 }, '[1:2] [reindex] unknown field [junk]'],
    [body({}, {}, { junk: 1 }), '[reindex] failed to parse field [dest]'],
    [body({}, { junk: {} }), '[reindex] failed to parse field [source]'],
    [body({}, { size: 'cat' }), '[reindex] failed to parse field [source]'],
    [body({ conflicts: 'cat' }), '[reindex] failed to parse field [conflicts]'],
    [body({}, {}, { op_type: 'update' }), '[reindex] failed to parse field [dest]'],
    [{ source: 1 }, "[reindex] source doesn't support values of type: VALUE_NUMBER"],
  ])('is refused for %j', async (request, reason) => {
    const [status, type, found] = await failure('POST /_reindex', request)
    expect([status, type]).toEqual([400, 'x_content_parse_exception'])
    expect(found).toContain(reason)
  })

  it('needs a body', async () => {
    expect((await failure('POST /_reindex'))[0]).toBe(400)
  })
})
