import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())
beforeEach(() => rest.call('DELETE /*'))

const ok = okOf(() => rest)
const failure = failureOf(() => rest)
const source = async (id: string) => (await rest.call(`GET /i/_source/${id}`)).text
const VALIDATION = 'action_request_validation_exception'

describe('an update', () => {
  it('merges objects and replaces all else, with numbers as they were written', async () => {
    await ok('PUT /i/_doc/1', '{"n":12345678901234567,"o":{"a":1.50,"b":[1,2]},"k":null}')
    const answer = await ok('POST /i/_update/1', { doc: { o: { b: [3], c: {} }, t: 'x' } })
    expect(answer).toMatchObject({ _index: 'i', _id: '1', _version: 2, result: 'updated' })
    expect(answer._shards).toEqual({ total: 2, successful: 1, failed: 0 })
    expect(await source('1')).toBe(
      '{"n":12345678901234567,"o":{"a":1.50,"b":[3],"c":{}},"k":null,"t":"x"}',
    )
  })

  it('that changes nothing writes nothing, unless that is not to be detected', async () => {
    const { _seq_no } = await ok('PUT /i/_doc/1', { o: { a: 1 }, l: ['a', 'x'] })
    const noop = await ok('POST /i/_update/1', { doc: { o: { a: 1 }, l: ['a', 'x'] } })
    expect(noop).toEqual({
      _index: 'i',
      _id: '1',
      _version: 1,
      result: 'noop',
      _shards: { total: 0, successful: 0, failed: 0 },
      _seq_no,
      _primary_term: 1,
    })
    const forced = await ok('POST /i/_update/1', { doc: { o: { a: 1 } }, detect_noop: false })
    expect([forced.result, forced._version]).toEqual(['updated', 2])
    const stats = await ok('GET /i/_stats/indexing')
    expect(stats.indices.i.total.indexing.noop_update_total).toBe(1)
  })

  it('of a missing document fails, or puts another one in its place', async () => {
    const [status, type, reason] = await failure('POST /i/_update/1', { doc: { a: 1 } })
    expect([status, type, reason]).toEqual([
      404,
      'document_missing_exception',
      '[1]: document missing',
    ])
    const upserted = await rest.call('POST /i/_update/1', { doc: { a: 1 }, upsert: { b: 2 } })
    expect([upserted.status, upserted.json.result, upserted.headers['location']]).toEqual([
      201,
      'created',
      '/i/_doc/1',
    ])
    expect(await source('1')).toBe('{"b":2}')
    await ok('POST /i/_update/1', { doc: { a: 1 }, upsert: { b: 3 } })
    expect(await source('1')).toBe('{"b":2,"a":1}')
    await ok('POST /i/_update/2', { doc: { c: 1 }, doc_as_upsert: true })
    expect(await source('2')).toBe('{"c":1}')
  })

  it('answers with the source where it is asked for, filtered by body or URL', async () => {
    await ok('PUT /i/_doc/1', { a: 1, b: 2 })
    const whole = await ok('POST /i/_update/1', { doc: { a: 3 }, _source: true })
    expect(whole.get).toEqual({
      _seq_no: 1,
      _primary_term: 1,
      found: true,
      _source: { a: 3, b: 2 },
    })
    expect((await ok('POST /i/_update/1?_source=b', { doc: { a: 4 } })).get._source).toEqual({
      b: 2,
    })
    expect(
      (await ok('POST /i/_update/1?_source_excludes=b', { doc: { a: 4 } })).get._source,
    ).toEqual({ a: 4 })
    expect((await ok('POST /i/_update/1', { doc: { a: 5 } })).get).toBeUndefined()
  })

  it('demands the sequence number and term that it is given', async () => {
    await ok('PUT /i/_doc/1', { a: 1 })
    expect(
      await failure('POST /i/_update/1?if_seq_no=9&if_primary_term=1', { doc: { a: 2 } }),
    ).toEqual([
      409,
      'version_conflict_engine_exception',
      '[1]: version conflict, required seqNo [9], primary term [1]. current document has seqNo [0] and primary term [1]',
    ])
    await ok('POST /i/_update/1?if_seq_no=0&if_primary_term=1', { doc: { a: 2 } })
    await ok('POST /i/_update/1', { doc: { a: 3 }, if_seq_no: 1, if_primary_term: 1 })
  })

  it.each<[string, object | string, string, string]>([
    ['', {}, VALIDATION, 'Validation Failed: 1: script or doc is missing;'],
    [
      '',
      { doc_as_upsert: true },
      VALIDATION,
      'Validation Failed: 1: script or doc is missing;2: doc must be specified if doc_as_upsert is enabled;',
    ],
    [
      '?retry_on_conflict=2&if_seq_no=1&if_primary_term=1',
      { doc: {} },
      VALIDATION,
      'Validation Failed: 1: compare and write operations can not be retried;',
    ],
    [
      '?version=2',
      { doc: {} },
      VALIDATION,
      'Validation Failed: 1: internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead;',
    ],
    [
      '',
      { doc: {}, upsert: {}, if_seq_no: 1, if_primary_term: 1 },
      VALIDATION,
      "Validation Failed: 1: upsert requests don't support `if_seq_no` and `if_primary_term`;",
    ],
    [
      '',
      { dc: {} },
      'x_content_parse_exception',
      '[1:2] [UpdateRequest] unknown field [dc] did you mean [doc]?',
    ],
    [
      '',
      { doc: 1 },
      'x_content_parse_exception',
      "[1:8] [UpdateRequest] doc doesn't support values of type: VALUE_NUMBER",
    ],
    [
      '?routng=1',
      { doc: {} },
      'illegal_argument_exception',
      'request [/i/_update/1] contains unrecognized parameter: [routng] -> did you mean [routing]?',
    ],
  ])('%s %j is refused', async (query, body, type, reason) => {
    await ok('PUT /i/_doc/1', { a: 1 })
    expect(await failure(`POST /i/_update/1${query}`, body)).toEqual([400, type, reason])
  })

  it('begins anew where another write came between, as often as it may', async () => {
    await ok('PUT /i/_doc/1', { n: 0 })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        rest.call('POST /i/_update/1?retry_on_conflict=20', { doc: { [`f${i}`]: i } }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(Object.keys(JSON.parse(await source('1'))).sort()).toEqual(
      ['n', ...answers.map((_, i) => `f${i}`)].sort(),
    )
  })

  it('is durable when it is answered', async () => {
    const folder = tempFolder('updates')
    const first = await openRest({}, folder)
    await first.call('PUT /i/_doc/1', { a: 1 })
    await first.call('POST /i/_update/1', { doc: { b: 2 } })
    await first.close()
    const second = await openRest({}, folder)
    expect((await second.call('GET /i/_doc/1')).json).toMatchObject({
      _version: 2,
      _source: { a: 1, b: 2 },
    })
    await second.close()
  })
})

describe('updates in a bulk', () => {
  const bulk = async (lines: readonly object[], query = '') =>
    await ok(`POST /i/_bulk${query}`, lines.map(line => `${JSON.stringify(line)}\n`).join(''))

  it('see what the operations before them did, and are seen by those behind', async () => {
    const { items, errors } = await bulk([
      { index: { _id: '1' } },
      { a: 1 },
      { update: { _id: '1' } },
      { doc: { b: 2 } },
      { update: { _id: '1', _source: true } },
      { doc: { c: 3 } },
      { delete: { _id: '1' } },
      { update: { _id: '1' } },
      { doc: {}, upsert: { again: true } },
    ])
    expect(errors).toBe(false)
    expect(items.map((item: object) => Object.entries(item)[0]![1].result)).toEqual([
      'created',
      'updated',
      'updated',
      'deleted',
      'created',
    ])
    expect(items[2].update.get._source).toEqual({ a: 1, b: 2, c: 3 })
    expect(await source('1')).toBe('{"again":true}')
  })

  it('fail one by one, in the documented form', async () => {
    const { items, errors } = await bulk([
      { update: { _id: '1' } },
      { doc: {} },
      { update: { _id: '2' } },
      { doc: {}, doc_as_upsert: true },
      { index: { _id: '3', pipeline: 'p' } },
      {},
    ])
    expect(errors).toBe(true)
    expect(items[0].update).toMatchObject({
      _index: 'i',
      _id: '1',
      status: 404,
      error: { type: 'document_missing_exception', reason: '[1]: document missing' },
    })
    expect(items[1].update.status).toBe(201)
    expect(items[2].index).toMatchObject({
      status: 400,
      error: {
        type: 'illegal_argument_exception',
        reason: 'pipeline with id [p] does not exist',
      },
    })
  })

  it('take the source filter of their line, else of the URL, and only then of their body', async () => {
    await ok('PUT /i/_doc/1', { a: 1, b: 2 })
    const { items } = await bulk(
      [
        { update: { _id: '1' } },
        { doc: { a: 3 } },
        { update: { _id: '1' } },
        { doc: { a: 4 }, _source: ['b'] },
        { update: { _id: '1', _source: { excludes: 'b' } } },
        { doc: { a: 5 } },
      ],
      '?_source=a',
    )
    expect(items.map((item: { update: { get: object } }) => item.update.get)).toMatchObject([
      { _source: { a: 3 } },
      { _source: { a: 4 } },
      { _source: { a: 5 } },
    ])
  })

  it('refuse versions', async () => {
    const lines = '{"update":{"_id":"1","version":2}}\n{"doc":{}}\n'
    expect(await failure('POST /i/_bulk', lines)).toEqual([
      400,
      'illegal_argument_exception',
      'Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead',
    ])
  })
})

describe('documents by their ids', () => {
  beforeEach(async () => {
    await ok('PUT /i', {
      mappings: {
        properties: {
          s: { type: 'keyword', store: true, fields: { m: { type: 'keyword', store: true } } },
          o: { properties: { n: { type: 'long', store: true } } },
        },
      },
    })
    await ok('PUT /i/_doc/1?routing=r', { s: ['x', 'y'], o: { n: 7 }, other: 1 })
    await ok('PUT /j/_doc/2', { t: 1 })
  })

  it('are several in one answer, each with its own error', async () => {
    const { docs } = await ok('GET /_mget', {
      docs: [
        { _index: 'i', _id: '1', routing: 'r' },
        { _index: 'j', _id: 2, _source: false },
        // A text, which a search takes for a pattern.
        { _index: 'j', _id: 2, _source: 'false' },
        { _index: 'j', _id: 'none' },
        { _index: 'gone', _id: '1' },
      ],
    })
    expect(docs[0]).toMatchObject({ _index: 'i', _id: '1', found: true, _routing: 'r' })
    expect(docs[1]).toEqual({
      _index: 'j',
      _id: '2',
      _version: 1,
      _seq_no: 0,
      _primary_term: 1,
      found: true,
    })
    expect(docs[2]).toEqual(docs[1])
    expect(docs[3]).toEqual({ _index: 'j', _id: 'none', found: false })
    expect(docs[4]).toMatchObject({
      _index: 'gone',
      _id: '1',
      error: {
        root_cause: [{ type: 'index_not_found_exception' }],
        type: 'index_not_found_exception',
        reason: 'no such index [gone]',
      },
    })
    const byIds = await ok('POST /j/_mget?_source=t', { ids: ['2', 'none'] })
    expect(byIds.docs.map((doc: { found: boolean }) => doc.found)).toEqual([true, false])
  })

  it.each<[object, string, string]>([
    [{}, VALIDATION, 'Validation Failed: 1: no documents to get;'],
    [{ docs: [{ _id: '1' }] }, VALIDATION, 'Validation Failed: 1: index is missing for doc 0;'],
    [{ docs: [{ _index: 'i' }] }, VALIDATION, 'Validation Failed: 1: id is missing for doc 0;'],
    [
      { docs: [{ _index: 'i', _id: '1', odd: 1 }] },
      'parse_exception',
      'failed to parse multi get request. unknown field [odd]',
    ],
    [{ ids: [{}] }, 'illegal_argument_exception', 'ids array element should only contain ids'],
    [{ docs: ['1'] }, 'illegal_argument_exception', 'docs array element should include an object'],
    [
      { odd: [] },
      'parsing_exception',
      'unknown key [odd] for a START_ARRAY, expected [docs] or [ids]',
    ],
    [
      { ids: '1' },
      'parsing_exception',
      'unexpected token [VALUE_STRING], expected [FIELD_NAME] or [START_ARRAY]',
    ],
    [[], 'parsing_exception', 'unexpected token [START_ARRAY], expected [START_OBJECT]'],
    [
      { docs: [{ _id: '1', fields: ['t'] }] },
      'parsing_exception',
      'Unsupported field [fields] used, expected [stored_fields] instead',
    ],
    [
      { docs: [{ _id: '1', _source: { only: ['t'] } }] },
      'parse_exception',
      'source definition may not contain [only]',
    ],
    [
      { docs: [{ _id: '1', _source: 1 }] },
      'parse_exception',
      'illegal type for _source: [VALUE_NUMBER]',
    ],
  ])('%j is refused', async (body, type, reason) => {
    expect(await failure('GET /_mget', body)).toEqual([400, type, reason])
  })

  it('have their stored fields in place of the source, unless that is asked for too', async () => {
    const fields = { s: ['x', 'y'], 's.m': ['x', 'y'], 'o.n': [7] }
    const stored = await ok('GET /i/_doc/1?routing=r&stored_fields=s,s.m,o.n,other,none')
    expect([stored.fields, stored._source]).toEqual([fields, undefined])
    const both = await ok('GET /i/_doc/1?routing=r&stored_fields=s*&_source=other')
    expect([both.fields, both._source]).toEqual([
      { s: ['x', 'y'], 's.m': ['x', 'y'] },
      { other: 1 },
    ])
    expect(await failure('GET /i/_doc/1?routing=r&stored_fields=o')).toEqual([
      400,
      'illegal_argument_exception',
      "field [o] isn't a leaf field",
    ])
  })

  it('have their source alone as an answer', async () => {
    expect(await ok('GET /j/_source/2')).toEqual({ t: 1 })
    expect((await rest.call('HEAD /j/_source/2')).status).toBe(200)
    expect(await failure('GET /j/_source/none')).toEqual([
      404,
      'resource_not_found_exception',
      'Document not found [j]/[none]',
    ])
    expect((await rest.call('HEAD /j/_source/none')).status).toBe(404)
    expect(await failure('GET /j/_source/2?_source=false')).toEqual([
      400,
      VALIDATION,
      'Validation Failed: 1: fetching source can not be disabled;',
    ])
    await ok('PUT /bare', { mappings: { _source: { enabled: false } } })
    await ok('PUT /bare/_doc/1?refresh', { a: 1 })
    expect((await failure('GET /bare/_source/1'))[2]).toBe('Source not found [bare]/[1]')
  })
})
