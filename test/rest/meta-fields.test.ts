import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const idsOf = async (index: string, query: object): Promise<string[]> => {
  const { status, json, text } = await rest.call(`POST /${index}/_search`, { query })
  expect(status, text).toBe(200)
  return json.hits.hits.map((hit: { _id: string }) => hit._id).sort()
}

describe('_source', () => {
  const read = async (on: Rest, index: string): Promise<unknown[]> => {
    const realtime = await on.call(`GET /${index}/_doc/1`)
    await on.call(`POST /${index}/_refresh`)
    const stored = await on.call(`GET /${index}/_doc/1`)
    const found = await on.call(`POST /${index}/_search`, { query: { match: { a: 'x' } } })
    const [hit] = found.json.hits.hits
    return [realtime.json, stored.json, hit].map(each => each._source)
  }

  it('is not kept where the mapping says so, before and after a refresh and a restart', async () => {
    const folder = tempFolder('source')
    let own = await openRest({}, folder)
    try {
      await own.call('PUT /none', { mappings: { _source: { enabled: false } } })
      await own.call('PUT /none/_doc/1', { a: 'x' })
      expect(await read(own, 'none')).toEqual([undefined, undefined, undefined])
      await own.close()
      own = await openRest({}, folder)
      expect(await read(own, 'none')).toEqual([undefined, undefined, undefined])
      const { json } = await own.call('GET /none/_mapping')
      expect(json.none.mappings._source).toEqual({ enabled: false })
    } finally {
      await own.close()
    }
  })

  it('is kept in part by includes and excludes, while all of it is indexed', async () => {
    await rest.call('PUT /part', {
      mappings: { _source: { includes: ['a', 'o.*'], excludes: 'o.no' } },
    })
    await rest.call('PUT /part/_doc/1', { a: 'x', b: 'y', o: { yes: 1.0, no: 2 } })
    const kept = { a: 'x', o: { yes: 1 } }
    expect(await read(rest, 'part')).toEqual([kept, kept, kept])
    expect(await idsOf('part', { match: { b: 'y' } })).toEqual(['1'])
    await rest.call('PUT /part/_doc/2?refresh', { a: 'z' })
    await rest.call('POST /part/_forcemerge?max_num_segments=1')
    expect(await read(rest, 'part')).toEqual([kept, kept, kept])
    expect((await rest.call('GET /part/_mapping')).json.part.mappings._source).toEqual({
      includes: ['a', 'o.*'],
      excludes: ['o.no'],
    })
  })

  it('stays as it was made', async () => {
    await rest.call('PUT /fixed', {})
    const { json } = await rest.call('PUT /fixed/_mapping', {
      _source: { enabled: false, excludes: ['a'] },
    })
    expect(json.error.reason).toBe(
      'Mapper for [_source] conflicts with existing mapper:\n' +
        '\tCannot update parameter [enabled] from [true] to [false]\n' +
        '\tCannot update parameter [excludes] from [[]] to [[a]]',
    )
    expect((await rest.call('PUT /fixed/_mapping', { _source: { enabled: true } })).status).toBe(
      200,
    )
    const wrong = await rest.call('PUT /fixed/_mapping', { _source: { wat: true } })
    expect(wrong.json.error.reason).toBe(
      'Mapping definition for [_source] has unsupported parameters:  [wat : true]',
    )
  })
})

describe('_ignored', () => {
  it('names the fields with malformed values, in hits, gets and searches', async () => {
    await rest.call('PUT /bad', {
      settings: { 'index.mapping.ignore_malformed': true },
      mappings: {
        properties: {
          n: { type: 'long' },
          d: { type: 'date' },
          o: { type: 'nested', properties: { m: { type: 'byte' } } },
        },
      },
    })
    await rest.call(
      'POST /bad/_bulk?refresh',
      ndjson(
        { index: { _id: '1' } },
        { n: 'x', d: 'y' },
        { index: { _id: '2' } },
        { n: 1, o: [{ m: 'z' }, { m: 'w' }] },
        { index: { _id: '3' } },
        { n: 3 },
      ),
    )
    const all = await rest.call('POST /bad/_search', {})
    expect(
      all.json.hits.hits.map((hit: { _id: string; _ignored: string[] }) => [hit._id, hit._ignored]),
    ).toEqual([
      ['1', ['d', 'n']],
      ['2', ['o.m']],
      ['3', undefined],
    ])
    expect((await rest.call('GET /bad/_doc/1')).text).toContain(
      '"_primary_term":1,"_ignored":["d","n"],"found":true',
    )
    expect(await idsOf('bad', { term: { _ignored: 'n' } })).toEqual(['1'])
    expect(await idsOf('bad', { term: { _ignored: 'o.m' } })).toEqual(['2'])
    expect(await idsOf('bad', { terms: { _ignored: ['d', 'o.m', 'x'] } })).toEqual(['1', '2'])
    expect(await idsOf('bad', { exists: { field: '_ignored' } })).toEqual(['1', '2'])
    expect(await idsOf('bad', { exists: { field: 'n' } })).toEqual(['2', '3'])
  })
})

describe('_doc_count', () => {
  it('is a positive integer, kept beside the document', async () => {
    await rest.call('PUT /counts', {})
    expect((await rest.call('PUT /counts/_doc/1?refresh', { a: 1, _doc_count: 7 })).status).toBe(
      201,
    )
    await rest.call('PUT /counts/_doc/2?refresh', { a: 1 })
    expect(await idsOf('counts', { exists: { field: '_doc_count' } })).toEqual(['1'])
    expect((await rest.call('GET /counts/_doc/1')).json._source).toEqual({ a: 1, _doc_count: 7 })
    expect((await rest.call('GET /counts/_mapping')).json.counts.mappings).toEqual({
      properties: { a: { type: 'long' } },
    })
    for (const [value, shown] of [
      [0, '0'],
      [-1, '-1'],
      [1.5, '1.5'],
      ['x', 'x'],
      [{ a: 1 }, '{a=1}'],
      [[1], '[1]'],
      [null, 'null'],
      [1e30, '1e+30'],
    ]) {
      const { status, json } = await rest.call('PUT /counts/_doc/3', { _doc_count: value })
      expect([status, json.error.type, json.error.caused_by]).toEqual([
        400,
        'mapper_parsing_exception',
        {
          type: 'illegal_argument_exception',
          reason: `Field [_doc_count] must be a positive integer. Value [${shown}]`,
        },
      ])
      expect(json.error.reason).toBe(
        'failed to parse field [_doc_count] of type [_doc_count] in document with id ' +
          `'3'. Preview of field's value: '${shown}'`,
      )
    }
  })
})

describe('_routing', () => {
  it('must be named by every call where the mapping requires it', async () => {
    await rest.call('PUT /routed', { mappings: { _routing: { required: true } } })
    const reason = 'routing is required for [routed]/[1]'
    for (const [line, body] of [
      ['PUT /routed/_doc/1', {}],
      ['PUT /routed/_create/1', {}],
      ['GET /routed/_doc/1', undefined],
      ['DELETE /routed/_doc/1', undefined],
    ] as const) {
      const { status, json } = await rest.call(line, body)
      expect([line, status, json.error.type, json.error.reason]).toEqual([
        line,
        400,
        'routing_missing_exception',
        reason,
      ])
    }
    const bulk = await rest.call(
      'POST /routed/_bulk',
      ndjson(
        { index: { _id: '1' } },
        {},
        { delete: { _id: '1' } },
        { index: { routing: 'r' } },
        {},
      ),
    )
    expect(
      bulk.json.items.map(
        (item: Record<string, { status: number; error?: { reason: string } }>) => {
          const { status, error } = Object.values(item)[0]!
          return [status, error?.reason]
        },
      ),
    ).toEqual([
      [400, reason],
      [400, reason],
      [201, undefined],
    ])
    expect((await rest.call('GET /routed/_mapping')).json.routed.mappings).toEqual({
      _routing: { required: true },
    })
  })
})

describe('other metadata', () => {
  it('has no place in mappings or documents', async () => {
    await rest.call('PUT /meta', {})
    const id = await rest.call('PUT /meta/_mapping', { _id: { store: true } })
    expect(id.json.error.reason).toBe('_id is not configurable')
    const { json } = await rest.call('PUT /meta/_doc/1', { _id: '2' })
    expect([json.error.type, json.error.reason]).toEqual([
      'mapper_parsing_exception',
      'Field [_id] is a metadata field and cannot be added inside a document. Use the index API ' +
        'request parameters.',
    ])
    const names = await rest.call('POST /meta/_search', { query: { term: { _field_names: 'a' } } })
    expect(names.json.error.root_cause[0].reason).toBe(
      'failed to create query: [_field_names] is not supported yet',
    )
  })
})
