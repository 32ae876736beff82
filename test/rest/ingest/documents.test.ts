import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answered, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
beforeEach(async () => {
  await pipeline('one', { set: { field: 'one', value: true } })
  await pipeline('two', { set: { field: 'two', value: true } })
  await pipeline('final', { set: { field: 'final', value: '{{_ingest.pipeline}}' } })
  await pipeline('failing', { fail: { message: 'no' } })
  await pipeline('dropping', { drop: {} })
  await pipeline('moving', { set: { field: '_index', value: 'target' } })
})
afterEach(async () => {
  await rest.call('DELETE /*')
  await rest.call('DELETE /_index_template/*')
  await rest.call('DELETE /_template/*')
})
afterAll(() => rest.close())

const pipeline = (id: string, ...processors: object[]): Promise<Answered> =>
  rest.call(`PUT /_ingest/pipeline/${id}`, { processors })
const source = async (path: string): Promise<object> =>
  (await rest.call(`GET /${path.replace('/', '/_source/')}`)).json
const bulk = (lines: readonly object[], query = ''): Promise<Answered> =>
  rest.call(`POST /_bulk${query}`, lines.map(line => `${JSON.stringify(line)}\n`).join(''))

describe('the pipelines of a document', () => {
  it('are that of its request, or else the default one of its index, then the final one', async () => {
    await rest.call('PUT /i', {
      settings: { 'index.default_pipeline': 'one', 'index.final_pipeline': 'final' },
    })
    await rest.call('PUT /i/_doc/1', {})
    await rest.call('PUT /i/_doc/2?pipeline=two', {})
    await rest.call('PUT /i/_doc/3?pipeline=_none', {})
    await rest.call('PUT /i/_create/4?pipeline=two', {})
    expect(await source('i/4')).toEqual({ two: true, final: 'final' })
    expect(await source('i/1')).toEqual({ one: true, final: 'final' })
    expect(await source('i/2')).toEqual({ two: true, final: 'final' })
    expect(await source('i/3')).toEqual({ final: 'final' })
  })

  it('are those of the write index of an alias', async () => {
    await rest.call('PUT /a', { aliases: { w: {} }, settings: { default_pipeline: 'one' } })
    await rest.call('PUT /b', {
      aliases: { w: { is_write_index: true } },
      settings: { default_pipeline: 'two' },
    })
    await rest.call('PUT /w/_doc/1', {})
    expect(await source('b/1')).toEqual({ two: true })
  })

  it('are those of the matching template where the index is missing', async () => {
    await rest.call('PUT /_template/old', {
      index_patterns: ['t-*'],
      settings: { default_pipeline: 'one' },
    })
    await rest.call('PUT /t-1/_doc/1', {})
    expect(await source('t-1/1')).toEqual({ one: true })
    await rest.call('PUT /_index_template/new', {
      index_patterns: ['t-*'],
      template: { settings: { index: { default_pipeline: 'two', final_pipeline: 'final' } } },
    })
    await rest.call('PUT /t-2/_doc/1', {})
    expect(await source('t-2/1')).toEqual({ two: true, final: 'final' })
  })

  it('change with the settings of the index', async () => {
    await rest.call('PUT /i/_doc/1', {})
    await rest.call('PUT /i/_settings', { 'index.default_pipeline': 'one' })
    await rest.call('PUT /i/_doc/2', {})
    await rest.call('PUT /i/_settings', { 'index.default_pipeline': '_none' })
    await rest.call('PUT /i/_doc/3', {})
    expect([await source('i/1'), await source('i/2'), await source('i/3')]).toEqual([
      {},
      { one: true },
      {},
    ])
  })

  it('must be there', async () => {
    const answer = await rest.call('PUT /i/_doc/1?pipeline=none', {})
    expect(answer.status).toBe(400)
    expect(answer.json.error).toMatchObject({
      type: 'illegal_argument_exception',
      reason: 'pipeline with id [none] does not exist',
    })
    expect((await rest.call('HEAD /i')).status).toBe(404)
  })

  it('have a name', async () => {
    const answer = await rest.call('PUT /i/_doc/1?pipeline=', {})
    expect([answer.status, answer.json.error.reason]).toEqual([
      400,
      'Validation Failed: 1: pipeline cannot be an empty string;',
    ])
  })

  it('are replaced for the documents that come afterwards', async () => {
    await rest.call('PUT /i/_doc/1?pipeline=one', {})
    await pipeline('one', { set: { field: 'changed', value: 1 } })
    await rest.call('PUT /i/_doc/2?pipeline=one', {})
    expect(await source('i/2')).toEqual({ changed: 1 })
  })
})

describe('a document that pipelines send elsewhere', () => {
  it('does not make the index that it was sent to', async () => {
    const answer = await rest.call('PUT /i/_doc/1?pipeline=moving', { a: 1 })
    expect([answer.status, answer.json._index]).toEqual([201, 'target'])
    expect((await rest.call('HEAD /i')).status).toBe(404)
    expect(await source('target/1')).toEqual({ a: 1 })
  })

  it('passes the final pipeline of its new index, and neither its default nor the old final one', async () => {
    await rest.call('PUT /i', { settings: { final_pipeline: 'failing' } })
    await rest.call('PUT /target', {
      settings: { default_pipeline: 'one', final_pipeline: 'final' },
    })
    await rest.call('PUT /i/_doc/1?pipeline=moving', {})
    expect(await source('target/1')).toEqual({ final: 'final' })
  })

  it('is refused where a final pipeline does it', async () => {
    await rest.call('PUT /i', { settings: { final_pipeline: 'moving' } })
    const answer = await rest.call('PUT /i/_doc/1', {})
    expect([answer.status, answer.json.error.type, answer.json.error.reason]).toEqual([
      400,
      'illegal_state_exception',
      "final pipeline [moving] can't change the target index",
    ])
  })

  it('goes to the index of its date', async () => {
    await pipeline('dated', {
      date_index_name: { field: 'd', date_rounding: 'M', index_name_prefix: 'e-' },
    })
    const answer = await rest.call('PUT /i/_doc/1?pipeline=dated', {
      d: '2016-04-22T16:32:14.968Z',
    })
    expect(answer.json._index).toBe('e-2016-04-01')
  })

  it('may have another id and routing', async () => {
    await pipeline(
      'renaming',
      { set: { field: '_id', value: '{{k}}' } },
      { set: { field: '_routing', value: 'r' } },
    )
    const answer = await rest.call('POST /i/_doc?pipeline=renaming', { k: 'x' })
    expect([answer.status, answer.json._id]).toEqual([201, 'x'])
    expect((await rest.call('GET /i/_doc/x?routing=r')).json).toMatchObject({
      _routing: 'r',
      _source: { k: 'x' },
    })
  })

  it('may have a version, which must then fit', async () => {
    const version = (type: string): object[] => [
      { set: { field: '_version', value: 7 } },
      { set: { field: '_version_type', value: type } },
    ]
    await pipeline('external', ...version('external'))
    await pipeline('internal', ...version('internal'))
    const missing = await rest.call('PUT /i/_doc/1?pipeline=internal', {})
    expect([missing.status, missing.json.error.reason]).toEqual([
      409,
      '[1]: version conflict, document does not exist (expected version [7])',
    ])
    expect((await rest.call('PUT /i/_doc/1?pipeline=external', {})).json._version).toBe(7)
    expect((await rest.call('PUT /i/_doc/1?pipeline=internal', {})).json._version).toBe(8)
    const other = await rest.call('PUT /i/_doc/1?pipeline=internal', {})
    expect(other.json.error.reason).toBe(
      '[1]: version conflict, current version [8] is different than the one provided [7]',
    )
    await pipeline('bad', { set: { field: '_version_type', value: 'x' } })
    const bad = await rest.call('PUT /i/_doc/1?pipeline=bad', {})
    expect([bad.status, bad.json.error.reason]).toEqual([400, 'No version type match [x]'])
    await pipeline('worse', { set: { field: '_version', value: 'x' } })
    expect((await rest.call('PUT /i/_doc/1?pipeline=worse', {})).status).toBe(400)
  })
})

describe('a document that is dropped', () => {
  it('answers that nothing was done', async () => {
    const answer = await rest.call('PUT /i/_doc/1?pipeline=dropping', {})
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        _index: 'i',
        _id: '1',
        _version: -3,
        result: 'noop',
        _shards: { total: 0, successful: 0, failed: 0 },
        _seq_no: -2,
        _primary_term: 0,
      },
    ])
    expect((await rest.call('HEAD /i')).status).toBe(404)
    expect((await rest.call('POST /i/_doc?pipeline=dropping', {})).json._id).toBe('auto-generated')
  })
})

describe('documents of a bulk', () => {
  it('fail, go and stay each by itself', async () => {
    const answer = await bulk(
      [
        { index: { _index: 'i', _id: '1' } },
        { a: 1 },
        { index: { _index: 'i', _id: '2', pipeline: 'failing' } },
        {},
        { create: { _index: 'i', _id: '3', pipeline: 'dropping' } },
        {},
        { index: { _index: 'i', _id: '4', pipeline: '_none' } },
        { a: 4 },
        { index: { _index: 'i', _id: '5', pipeline: 'missing' } },
        {},
        { delete: { _index: 'i', _id: '1' } },
      ],
      '?pipeline=one',
    )
    const { ingest_took, errors, items, took } = answer.json
    expect(Object.keys(answer.json)).toEqual(['took', 'ingest_took', 'errors', 'items'])
    expect([took >= 0, ingest_took >= 0, errors]).toEqual([true, true, true])
    expect(items).toMatchObject([
      { index: { _id: '1', result: 'created', status: 201 } },
      {
        index: { _id: '2', status: 500, error: { type: 'fail_processor_exception', reason: 'no' } },
      },
      {
        create: {
          _id: '3',
          _version: -3,
          result: 'noop',
          _seq_no: -2,
          _primary_term: 0,
          status: 200,
        },
      },
      { index: { _id: '4', result: 'created' } },
      {
        index: {
          _id: '5',
          status: 400,
          error: {
            type: 'illegal_argument_exception',
            reason: 'pipeline with id [missing] does not exist',
          },
        },
      },
      { delete: { _id: '1', result: 'deleted' } },
    ])
    expect(await source('i/4')).toEqual({ a: 4 })
    expect((await rest.call('HEAD /i/_doc/3')).status).toBe(404)
  })

  it('tell no time of ingest where none has a pipeline', async () => {
    const answer = await bulk([{ index: { _index: 'i', _id: '1' } }, { a: 1 }])
    expect(answer.json.ingest_took).toBeUndefined()
  })

  it('keep their order where several are one document', async () => {
    const lines = Array.from({ length: 50 }, (_, n) => [
      { index: { _index: 'i', _id: 'x', ...(n % 2 === 0 ? { pipeline: 'one' } : {}) } },
      { n },
    ])
    const answer = await bulk(lines.flat())
    expect(answer.json.items.at(-1).index._version).toBe(50)
    expect(await source('i/x')).toEqual({ n: 49 })
  })

  it('are many', async () => {
    await pipeline('counting', { set: { field: 'copy', value: '{{n}}' } })
    const lines = Array.from({ length: 5000 }, (_, n) => [
      { index: { _index: 'i', _id: String(n) } },
      { n },
    ])
    const answer = await bulk(lines.flat(), '?pipeline=counting&refresh')
    expect(answer.json.errors).toBe(false)
    const { items } = answer.json as { items: { index: { _id: string } }[] }
    expect(items.map(({ index }) => index._id)).toEqual(lines.map((_, n) => String(n)))
    for (const n of [0, 999, 1000, 4999])
      expect(await source(`i/${n}`)).toEqual({ n, copy: String(n) })
  })
})

describe('updates', () => {
  beforeEach(async () => {
    await rest.call('PUT /i', { settings: { default_pipeline: 'one', final_pipeline: 'final' } })
  })

  it('take the document of a missing one through pipelines', async () => {
    await rest.call('POST /i/_update/1', { doc: { a: 1 }, upsert: { b: 1 } })
    expect(await source('i/1')).toEqual({ b: 1, one: true, final: 'final' })
    await rest.call('POST /i/_update/2', { doc: { a: 1 }, doc_as_upsert: true })
    expect(await source('i/2')).toEqual({ a: 1, one: true, final: 'final' })
  })

  it('take the changed document through pipelines', async () => {
    await rest.call('PUT /i/_doc/1?pipeline=_none', { a: 1 })
    await rest.call('POST /i/_update/1', { doc: { a: 2 } })
    expect(await source('i/1')).toEqual({ a: 2, final: 'final', one: true })
  })

  it('that are dropped change nothing', async () => {
    await rest.call('PUT /i/_settings', { default_pipeline: 'dropping' })
    const answer = await rest.call('POST /i/_update/1', { doc: {}, upsert: { b: 1 } })
    expect([answer.status, answer.json.result]).toEqual([200, 'noop'])
    expect((await rest.call('HEAD /i/_doc/1')).status).toBe(404)
  })

  it('may be sent to another index, as a write of its own', async () => {
    await rest.call('PUT /i/_settings', { default_pipeline: 'moving' })
    const upsert = { doc: { c: 1 }, upsert: { b: 1 } }
    const made = await rest.call('POST /i/_update/1?_source&refresh', upsert)
    const { _index, _id, result, get, forced_refresh: forced } = made.json
    expect([made.status, _index, _id, result, get._source, forced]).toEqual([
      201,
      'target',
      '1',
      'created',
      { b: 1 },
      true,
    ])
    expect(await source('target/1')).toEqual({ b: 1 })
    expect((await rest.call('HEAD /i/_doc/1')).status).toBe(404)
    // An upsert creates, which fails where there is such a document.
    const again = await rest.call('POST /i/_update/1?retry_on_conflict=2', upsert)
    expect([again.status, again.json.error.type]).toEqual([
      409,
      'version_conflict_engine_exception',
    ])
    // A changed document is written on the condition that it is the one that was read.
    await rest.call('PUT /i/_doc/2?pipeline=_none', { a: 1 })
    const changed = await rest.call('POST /i/_update/2', { doc: { a: 2 } })
    expect([changed.status, changed.json.error.type]).toEqual([
      409,
      'version_conflict_engine_exception',
    ])
    expect(await source('i/2')).toEqual({ a: 1, final: 'final' })
  })

  it('may be given another id or routing', async () => {
    await pipeline('naming', {
      set: { field: '_id', value: 'other' },
    })
    await rest.call('PUT /i/_settings', { default_pipeline: 'naming' })
    const made = await rest.call('POST /i/_update/1', { doc: {}, upsert: { b: 1 } })
    expect([made.status, made.json._index, made.json._id]).toEqual([201, 'i', 'other'])
    expect(await source('i/other')).toEqual({ b: 1, final: 'final' })
    await pipeline('naming', { set: { field: '_routing', value: 'r' } })
    await rest.call('POST /i/_update/2', { doc: {}, upsert: { b: 2 } })
    expect((await rest.call('GET /i/_doc/2?routing=r')).json._routing).toBe('r')
  })

  it('of a bulk take only what stands for a missing document through pipelines', async () => {
    await rest.call('PUT /i/_doc/1?pipeline=_none', { a: 1 })
    await bulk([
      { update: { _index: 'i', _id: '1' } },
      { doc: { a: 2 }, upsert: { b: 1 } },
      { update: { _index: 'i', _id: '2' } },
      { doc: { a: 2 }, upsert: { b: 1 } },
      { update: { _index: 'i', _id: '3' } },
      { doc: { c: 1 }, doc_as_upsert: true },
      { update: { _index: 'i', _id: '4' } },
      { doc: { c: 1 }, doc_as_upsert: true, upsert: { d: 1 } },
    ])
    expect(await source('i/1')).toMatchObject({ a: 2 })
    expect(await source('i/2')).toEqual({ b: 1, one: true, final: 'final' })
    expect(await source('i/3')).toEqual({ c: 1, one: true, final: 'final' })
    expect(await source('i/4')).toEqual({ c: 1, one: true, final: 'final' })
    await rest.call('PUT /i/_doc/5?pipeline=_none', { a: 1, e: { x: 1 } })
    await bulk([
      { update: { _index: 'i', _id: '5' } },
      { doc: { e: { y: 2 } }, doc_as_upsert: true },
    ])
    const merged = { a: 1, e: { x: 1, y: 2 }, one: true, final: 'final' }
    expect(await source('i/5')).toEqual(merged)
  })
})

describe('statistics', () => {
  it('count documents, pipelines and processors', async () => {
    await pipeline(
      'counted',
      { set: { field: 'a', value: 1, tag: 't' } },
      { pipeline: { name: 'failing', ignore_failure: true } },
    )
    for (const id of ['1', '2']) await rest.call(`PUT /i/_doc/${id}?pipeline=counted`, {})
    await rest.call('PUT /i/_doc/3?pipeline=failing', {})
    const nodes = Object.values((await rest.call('GET /_nodes/stats/ingest')).json.nodes)
    const { total, pipelines } = (nodes[0] as { ingest: Answered['json'] }).ingest
    expect(total).toMatchObject({ current: 0 })
    expect(total.count).toBeGreaterThanOrEqual(3)
    expect(total.failed).toBeGreaterThanOrEqual(1)
    const stats = { count: 2, time_in_millis: expect.any(Number), current: 0, failed: 0 }
    expect(pipelines.counted).toEqual({
      ...stats,
      processors: [
        { 'set:t': { type: 'set', stats } },
        { 'pipeline:failing': { type: 'pipeline', stats } },
      ],
    })
    expect(pipelines.failing.failed).toBeGreaterThanOrEqual(3)
  })
})
