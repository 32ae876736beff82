import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', {
    mappings: {
      properties: {
        n: { type: 'long' },
        d: { type: 'double' },
        f: { type: 'float' },
        u: { type: 'unsigned_long' },
        s: { type: 'scaled_float', scaling_factor: 10 },
        b: { type: 'boolean' },
        k: { type: 'keyword' },
        t: { type: 'text' },
        ip: { type: 'ip' },
        at: { type: 'date' },
        ns: { type: 'date_nanos' },
        p: { type: 'geo_point' },
        raw: { type: 'binary', doc_values: true },
        r: { type: 'integer_range' },
        a: { type: 'alias', path: 'n' },
        kept: { type: 'long', store: true },
        word: { type: 'keyword', store: true },
        day: { type: 'date', store: true },
      },
    },
  })
  await ok('PUT /i/_doc/1?refresh', DOCUMENT)
  await ok('PUT /i/_doc/2?refresh', {})
})
afterAll(() => rest.close())

const DOCUMENT = {
  n: [3, 1, 2],
  d: 1.5,
  f: 2.7,
  u: '18446744073709551615',
  s: 1.26,
  b: [true, false],
  k: ['b', 'a', 'b'],
  t: 'some words',
  ip: '192.168.0.1',
  at: '2017-01-01T12:22:21.234Z',
  ns: '2017-01-01T12:22:21.123456789Z',
  p: { lat: 1, lon: 2 },
  raw: 'bW8=',
  r: { gte: 1, lt: 3 },
  o: { x: [{ y: 'v' }, { y: 'z' }] },
  kept: [7, 5],
  word: 'kept',
  day: '2017-01-01',
}

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const body = (script: unknown, id = '1', more: object = {}): object => ({
  query: { ids: { values: [id] } },
  script_fields: { x: { script, ...more } },
})

/** The values of a field that a script makes. */
async function made(script: unknown, id = '1'): Promise<unknown> {
  const { hits } = await ok('GET /i/_search', body(script, id))
  return hits.hits[0].fields?.x
}

describe('a script field', () => {
  it.each([
    ["doc['n'].value", [1]],
    ["doc['n']", [1, 2, 3]],
    ['doc.n[2]', [3]],
    ["doc['n'].size() + doc['n'].length", [6]],
    ["doc['n'].contains(2L)", [true]],
    ["doc['a'].value * 2", [2]],
    ["doc['d'].value / 2", [0.75]],
    ["doc['f'].value", [2.700000047683716]],
    ["doc['u'].value.toString()", ['18446744073709551615']],
    ["doc['s'].value", [1.3]],
    ["doc['b'].value", [false]],
    ["doc['b'][1] ? 1 : 2", [1]],
    ["doc['k'].value + doc['k'].size()", ['a2']],
    ["doc['ip'].value", ['192.168.0.1']],
    ["doc['at'].value", ['2017-01-01T12:22:21.234Z']],
    ["doc['at'].value.getYear() + doc['at'].value.dayOfWeek", [2024]],
    ["doc['at'].value.toInstant().toEpochMilli()", [1483273341234]],
    ["doc['ns'].value", ['2017-01-01T12:22:21.123456789Z']],
    ["Math.round(doc['p'].lat * 10) + Math.round(doc['p'].lon)", [12]],
    ["Math.round(doc['p'].arcDistance(1, 3) / 1000)", [111]],
    ["doc['raw'].value.utf8ToString()", ['mo']],
    ["doc.containsKey('n') && !doc.containsKey('none')", [true]],
    ['params._source.o.x[1].y', ['z']],
    ["params['_source'].o.x.size()", [2]],
    ["params._fields['kept'].value + params._fields.kept.values.size()", [9]],
    ['params._fields.kept.values', [7, 5]],
    ['params._fields.word.value.length() + params._source.n.size()', [7]],
    ["params['_fields']['day'].value", ['2017-01-01T00:00:00.000Z']],
    ['params._fields.n.empty && params._fields.n.value == null', [true]],
    ["params._fields.containsKey('k') && !params._fields.containsKey('none')", [true]],
    ['[params.a, null, 1.0, [2]]', [5, null, 1, [2]]],
    ["['k': 1]", [{ k: 1 }]],
    ['null', [null]],
  ])('%s gives %j', async (source, expected) => {
    expect(await made({ source, params: { a: 5 } })).toEqual(expected)
  })

  it('refuses stored fields that the mapping has not', async () => {
    const { status, json } = await rest.call('GET /i/_search', body('params._fields.none.value'))
    expect([status, json.error.root_cause[0].type]).toEqual([400, 'script_exception'])
    expect(json.error.caused_by).toEqual({
      type: 'illegal_argument_exception',
      reason: 'No field found for [none] in mapping',
    })
  })

  it('tells documents without values by their size', async () => {
    expect(await made("doc['n'].size() == 0 ? -1 : doc['n'].value", '2')).toEqual([-1])
    expect(await made("doc['p'].empty && doc['k'].empty && doc['raw'].isEmpty()", '2')).toEqual([
      true,
    ])
  })

  it('may be stored, and stands beside other fields', async () => {
    await ok('PUT /_scripts/half', {
      script: { lang: 'painless', source: 'doc[params.field].value / 2.0' },
    })
    const { hits } = await ok('GET /i/_search', {
      ...body({ id: 'half', params: { field: 'n' } }),
      docvalue_fields: ['d'],
      _source: false,
    })
    expect(hits.hits[0].fields).toEqual({ x: [0.5], d: [1.5] })
  })

  it('is left out where it fails and may', async () => {
    const { hits } = await ok(
      'GET /i/_search',
      body("doc['n'].value", '2', { ignore_failure: true }),
    )
    expect(hits.hits[0]).not.toHaveProperty('fields')
  })

  it('of top hits and inner hits', async () => {
    const { aggregations } = await ok('GET /i/_search', {
      size: 0,
      query: { ids: { values: ['1'] } },
      aggs: { h: { top_hits: { script_fields: { x: { script: "doc['d'].value" } } } } },
    })
    expect(aggregations.h.hits.hits[0].fields).toEqual({ x: [1.5] })
  })
})

describe('a refused script field', () => {
  const cause = async (script: unknown, id = '1'): Promise<unknown> => {
    const { status, json } = await rest.call('GET /i/_search', body(script, id))
    const { type, caused_by: by } = json.error.failed_shards?.[0].reason ?? json.error
    return [status, type, by.type, by.reason]
  }

  it.each([
    [
      "doc['none'].value",
      '1',
      'illegal_argument_exception',
      'No field found for [none] in mapping',
    ],
    [
      "doc['n'].value",
      '2',
      'illegal_state_exception',
      "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document " +
        'is missing a field!',
    ],
    ["doc['n'].add(1)", '1', 'unsupported_operation_exception', 'doc values are unmodifiable'],
    ["doc['n'][7]", '1', 'index_out_of_bounds_exception', 'Index 7 out of bounds for length 3'],
    ['params.x = 1', '1', 'unsupported_operation_exception', 'the map is unmodifiable'],
    ['1 / 0', '1', 'arithmetic_exception', '/ by zero'],
  ])('%s of %s', async (source, id, type, reason) => {
    expect(await cause(source, id)).toEqual([400, 'script_exception', type, reason])
  })

  it.each([
    [
      { x: { script: '', junk: 1 } },
      'parsing_exception',
      'Unknown key for a [script_fields] in [junk].',
    ],
    [{ x: {} }, 'parsing_exception', '[script] is missing in the script field [x]'],
    [
      { x: 1 },
      'parsing_exception',
      'Expected [START_OBJECT] in [script_fields] but found [VALUE_NUMBER]',
    ],
  ])('%j', async (script_fields, type, reason) => {
    expect(await failure('GET /i/_search', { script_fields })).toEqual([400, type, reason])
  })

  it('is one of too many', async () => {
    const script_fields = Object.fromEntries(
      Array.from({ length: 33 }, (_, i) => [`f${i}`, { script: '1' }]),
    )
    const { status, json } = await rest.call('GET /i/_search', { script_fields })
    expect([status, json.error.root_cause[0].reason]).toEqual([
      400,
      'Trying to retrieve too many script_fields. Must be less than or equal to: [32] but was [33]. This ' +
        'limit can be set by changing the [index.max_script_fields] index level setting.',
    ])
  })

  it('that never ends is stopped soon', async () => {
    const { status, json } = await rest.call(
      'GET /i/_search',
      body(
        'def s = new HashMap(); for (int i = 0; i < 900000; i++) { for (x in [1,2,3,4,5,6,7,8,9]) { s.put(x, i) } } s.size()',
      ),
    )
    expect([status, JSON.stringify(json).includes('limit of')]).toEqual([429, true])
  })
})
