import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const PROPERTIES = {
  t: {
    type: 'text',
    fields: { raw: { type: 'keyword' }, tokens: { type: 'token_count', analyzer: 'standard' } },
  },
  k: { type: 'keyword', null_value: 'NONE', ignore_above: 8 },
  lower: { type: 'keyword', normalizer: 'lowercase' },
  i: { type: 'integer', store: true },
  l: { type: 'long' },
  u: { type: 'unsigned_long' },
  d: { type: 'double' },
  f: { type: 'float' },
  h: { type: 'half_float' },
  s: { type: 'scaled_float', scaling_factor: 100 },
  b: { type: 'boolean', store: true },
  date: { type: 'date', store: true },
  nanos: { type: 'date_nanos' },
  german: { type: 'date', format: 'dd. MMMM yyyy', locale: 'de' },
  ip: { type: 'ip' },
  bin: { type: 'binary', doc_values: true },
  geo: { type: 'geo_point' },
  r: { type: 'integer_range' },
  dr: { type: 'date_range' },
  flat: { type: 'flat_object' },
  one: { type: 'constant_keyword', value: 'same' },
  other: { type: 'alias', path: 'k' },
  copied: { type: 'keyword', fields: { sub: { type: 'text' } } },
  from: { type: 'keyword', copy_to: 'copied' },
  o: { properties: { n: { type: 'integer' }, deep: { properties: { k: { type: 'keyword' } } } } },
  rank: { type: 'rank_feature' },
  bare: { type: 'keyword', doc_values: false },
}

const DOCUMENT = {
  t: 'Two Words',
  k: ['b', 'a', 'far too long', null],
  lower: 'ABC',
  i: ['7', 3.9],
  l: 9007199254740993n,
  u: 18446744073709551615n,
  d: [0.1, 1e300],
  f: 0.1,
  h: 0.1,
  s: 2.5678,
  b: ['true', false],
  date: ['2020-01-02', 1577934245678],
  nanos: '2018-10-29T12:12:12.123456789Z',
  german: '03. Oktober 1990',
  ip: ['::ffff:10.0.0.1', '2001:DB8:0::1'],
  bin: 'aGVsbG8=',
  geo: [{ lat: 12.5, lon: -45 }, '0,90'],
  r: { gte: 1, lt: 5 },
  dr: { gte: '2020-01-01', lte: '2020-06-30' },
  flat: { a: { b: 'x' }, c: 'y' },
  from: 'copy me',
  o: [{ n: 1, deep: { k: 'x' } }, { n: 2 }],
  rank: 5,
  bare: 'z',
}

/** Whole numbers past 2⁵³ stand in the text as they are. */
const BODY = JSON.stringify(DOCUMENT, (_, value) =>
  typeof value === 'bigint' ? `#${value}#` : value,
).replaceAll(/"#(\d+)#"/g, '$1')

beforeEach(async () => {
  await rest.call('DELETE /*')
  await ok('PUT /i', { mappings: { properties: PROPERTIES } })
  await ok('PUT /i/_doc/1?refresh', BODY)
})

/** The text of the only hit's `fields`. */
async function fieldsText(body: object, params = ''): Promise<string> {
  const { text, json } = await rest.call(`POST /i/_search${params}`, { _source: false, ...body })
  expect(json.error).toBeUndefined()
  return /"fields":(\{.*\})\}\]/.exec(text)?.[1] ?? ''
}

describe('docvalue_fields', () => {
  it.each([
    ['t.raw', '["Two Words"]'],
    ['t.tokens', '[2]'],
    ['k', '["NONE","a","b"]'],
    ['lower', '["abc"]'],
    ['i', '[3,7]'],
    ['l', '[9007199254740993]'],
    ['u', '[18446744073709551615]'],
    ['d', '[0.1,1.0E300]'],
    ['f', '[0.10000000149011612]'],
    ['h', '[0.0999755859375]'],
    ['s', '[2.57]'],
    ['b', '[false,true]'],
    ['date', '["2020-01-02T00:00:00.000Z","2020-01-02T03:04:05.678Z"]'],
    ['nanos', '["2018-10-29T12:12:12.123Z"]'],
    ['german', '["03. Oktober 1990"]'],
    ['ip', '["10.0.0.1","2001:db8::1"]'],
    ['bin', '["aGVsbG8="]'],
    ['geo', '["12.49999996740371, -45.0","0.0, 90.0"]'],
    ['one', '["same"]'],
    ['other', '["NONE","a","b"]'],
    ['flat', '["x","y"]'],
    ['flat.c', '["y"]'],
    ['o.n', '[1,2]'],
    ['_seq_no', '[0]'],
    ['_version', '[1]'],
    ['_id', '["1"]'],
    ['_index', '["i"]'],
  ])('prints %s', async (field, values) => {
    const shown = await fieldsText({ docvalue_fields: [field] })
    if (field === 'geo') expect(new Set(JSON.parse(shown).geo)).toEqual(new Set(JSON.parse(values)))
    else expect(shown).toBe(`{"${field}":${values}}`)
  })

  it('prints by formats of dates and numbers, each time that a field is named', async () => {
    const docvalue_fields = [
      { field: 'date', format: 'yyyy/MM/dd' },
      { field: 'nanos', format: 'strict_date_optional_time_nanos' },
      { field: 'nanos', format: 'epoch_millis' },
      { field: 'i', format: '0.0' },
      { field: 'i' },
      { field: 'd', format: '0.###E0' },
      { field: 'l', format: '#,##0' },
      { field: 'k', format: 'use_field_mapping' },
    ]
    expect(JSON.parse(await fieldsText({ docvalue_fields }))).toEqual({
      date: ['2020/01/02', '2020/01/02'],
      nanos: ['2018-10-29T12:12:12.123456789Z', '1540815132123.456789'],
      i: ['3.0', '7.0', 3, 7],
      d: ['1E-1', '1E300'],
      l: ['9,007,199,254,740,993'],
      k: ['NONE', 'a', 'b'],
    })
  })

  it('takes patterns, names of the URL, and names that nothing has', async () => {
    expect(await fieldsText({ docvalue_fields: ['o.*', 'missing'] })).toBe(
      '{"o.n":[1,2],"o.deep.k":["x"]}',
    )
    expect(await fieldsText({}, '?docvalue_fields=i,b')).toBe('{"i":[3,7],"b":[false,true]}')
    const { hits } = await ok('POST /i/_search', { docvalue_fields: ['missing'] })
    expect(hits.hits[0]).not.toHaveProperty('fields')
  })

  it.each([
    [
      ['rank'],
      "Can't load fielddata on [rank] because fielddata is unsupported on fields of type [rank_feature]. Use doc values instead.",
    ],
    [
      ['bare'],
      "Can't load fielddata on [bare] because fielddata is unsupported on fields of type [keyword]. Use doc values instead.",
    ],
    [[{ field: 'k', format: 'x' }], 'Field [k] of type [keyword] does not support custom formats'],
    [[{ field: 'b', format: 'x' }], 'Field [b] of type [boolean] does not support custom formats'],
    [[{ field: 'i', format: '0#' }], 'Malformed pattern "0#"'],
    [[{ field: 'date', format: 'nope' }], 'Invalid format: [nope]: Unknown pattern letter: o'],
  ])('refuses %j', async (docvalue_fields, reason) => {
    const { status, json } = await rest.call('POST /i/_search', { docvalue_fields })
    expect([status, json.error.type, json.error.root_cause[0].reason]).toEqual([
      400,
      'search_phase_execution_exception',
      reason,
    ])
  })

  it('refuses text without fielddata as a sort does', async () => {
    const { json } = await rest.call('POST /i/_search', { docvalue_fields: ['t'] })
    expect(json.error.root_cause[0].reason).toMatch(/^Text fields are not optimised for operations/)
  })

  it('refuses more of them than the index allows, patterns counted by what they mean', async () => {
    await ok('PUT /i/_settings', { 'index.max_docvalue_fields_search': 1 })
    const { json } = await rest.call('POST /i/_search', { docvalue_fields: ['o.*'] })
    expect(json.error.root_cause[0]).toMatchObject({
      type: 'illegal_argument_exception',
      reason:
        'Trying to retrieve too many docvalue_fields. Must be less than or equal to: [1] but was ' +
        '[2]. This limit can be set by changing the [index.max_docvalue_fields_search] index level setting.',
    })
  })

  it.each([
    [[{ fild: 'a' }], 'x_content_parse_exception', expect.stringContaining('unknown field [fild]')],
    [[{ format: 'a' }], 'illegal_argument_exception', 'Required [field]'],
  ])('refuses a list like %j', async (docvalue_fields, type, reason) => {
    expect(await failure('POST /i/_search', { docvalue_fields })).toEqual([400, type, reason])
  })
})

describe('fields', () => {
  it.each([
    ['t', '["Two Words"]'],
    ['t.raw', '["Two Words"]'],
    ['t.tokens', '[2]'],
    ['k', '["b","a","NONE"]'],
    ['other', '["b","a","NONE"]'],
    ['lower', '["abc"]'],
    ['i', '[7,3]'],
    ['l', '[9007199254740993]'],
    ['u', '[18446744073709551615]'],
    ['d', '[0.1,1.0E300]'],
    ['f', '[0.1]'],
    ['h', '[0.1]'],
    ['s', '[2.57]'],
    ['b', '[true,false]'],
    ['date', '["2020-01-02T00:00:00.000Z","2020-01-02T03:04:05.678Z"]'],
    ['ip', '["10.0.0.1","2001:db8::1"]'],
    ['bin', '["aGVsbG8="]'],
    ['r', '[{"gte":1,"lt":5}]'],
    ['dr', '[{"gte":"2020-01-01T00:00:00.000Z","lte":"2020-06-30T00:00:00.000Z"}]'],
    ['flat', '[{"a":{"b":"x"},"c":"y"}]'],
    ['copied', '["copy me"]'],
    ['copied.sub', '["copy me"]'],
    ['o.n', '[1,2]'],
    ['o.deep.k', '["x"]'],
    ['rank', '[5]'],
  ])('prints %s as the mapping reads it', async (field, values) => {
    expect(await fieldsText({ fields: [field] })).toBe(`{"${field}":${values}}`)
  })

  it('prints places as GeoJSON, or as WKT', async () => {
    expect(JSON.parse(await fieldsText({ fields: ['geo'] })).geo).toEqual([
      { type: 'Point', coordinates: [-45, 12.5] },
      { type: 'Point', coordinates: [90, 0] },
    ])
    expect(await fieldsText({ fields: [{ field: 'geo', format: 'wkt' }] })).toBe(
      '{"geo":["POINT (-45.0 12.5)","POINT (90.0 0.0)"]}',
    )
  })

  it('takes patterns and formats of dates, and stands beside sources', async () => {
    const { hits } = await ok('POST /i/_search', {
      _source: ['i'],
      fields: ['o.*', { field: 'd*', format: null }, { field: 'german', format: 'yyyy-MM-dd' }],
    })
    expect(hits.hits[0]._source).toEqual({ i: ['7', 3.9] })
    expect(hits.hits[0].fields).toMatchObject({
      'o.n': [1, 2],
      german: ['1990-10-03'],
      d: [0.1, 1e300],
    })
    expect(await fieldsText({ fields: ['i'] })).toBe('{"i":[7,3]}')
  })

  it('passes over values that were ignored when the document was indexed', async () => {
    await ok('PUT /m', {
      mappings: { properties: { n: { type: 'integer', ignore_malformed: true } } },
    })
    await ok('PUT /m/_doc/1?refresh', { n: ['x', 1] })
    const { hits } = await ok('POST /m/_search', { fields: ['n'] })
    expect(hits.hits[0]).not.toHaveProperty('fields')
  })

  it.each([
    [[{ field: 'k', format: 'x' }], "Field [k] of type [keyword] doesn't support formats."],
    [[{ field: 't', format: 'x' }], "Field [t] of type [text] doesn't support formats."],
    [[{ field: 'i', format: '0' }], "Field [i] of type [integer] doesn't support formats."],
    [[{ field: 'geo', format: 'x' }], 'Unrecognized geometry format [x].'],
  ])('refuses %j', async (fields, reason) => {
    const { status, json } = await rest.call('POST /i/_search', { fields })
    expect([status, json.error.root_cause[0].type, json.error.root_cause[0].reason]).toEqual([
      400,
      'illegal_argument_exception',
      reason,
    ])
  })

  it('is refused where the index keeps no sources', async () => {
    await ok('PUT /none', {
      mappings: { _source: { enabled: false }, properties: { k: { type: 'keyword' } } },
    })
    await ok('PUT /none/_doc/1?refresh', { k: 'a' })
    const { json } = await rest.call('POST /none/_search', { fields: ['k'] })
    expect(json.error.root_cause[0].reason).toBe(
      'Unable to retrieve the requested [fields] since _source is disabled in the mappings for index [none]',
    )
  })
})

describe('_source', () => {
  const shown = async (body: object, params = ''): Promise<unknown> =>
    (await ok(`POST /s/_search${params}`, body)).hits.hits[0]._source
  const SOURCE = { a: { b: 1, c: { d: 2, e: 3 } }, list: [{ x: 1, y: 2 }, { y: 3 }], bc: 4 }
  beforeEach(async () => {
    await ok('PUT /s/_doc/1?refresh', SOURCE)
  })

  it.each<[unknown, unknown]>([
    [true, SOURCE],
    [false, undefined],
    ['a', { a: SOURCE.a }],
    ['a.c', { a: { c: { d: 2, e: 3 } } }],
    // As in the reference server, what a list held of objects stays where the pattern might match in them.
    ['*c', { a: { c: { d: 2, e: 3 } }, list: [{}, {}], bc: 4 }],
    ['a.*.d', { a: { c: { d: 2 } } }],
    ['gone', {}],
    // A text is a path, not a flag.
    ['true', {}],
    [['bc', 'a.b'], { a: { b: 1 }, bc: 4 }],
    ['list.x', { list: [{ x: 1 }, {}] }],
    [{}, SOURCE],
    [{ includes: 'a', excludes: 'a.c' }, { a: { b: 1 } }],
    [{ include: ['a'], exclude: ['a.c.d'] }, { a: { b: 1, c: { e: 3 } } }],
    // What is left out wins, also of what is asked for by a longer path.
    [{ includes: ['a.c.d'], excludes: ['a.c'] }, {}],
    [{ excludes: ['a', 'list.y'] }, { list: [{ x: 1 }, {}], bc: 4 }],
  ])('of %j is what it says', async (_source, expected) => {
    expect(await shown({ _source })).toEqual(expected)
  })

  it.each([
    ['_source=false', undefined],
    ['_source=bc,a.b', { a: { b: 1 }, bc: 4 }],
    ['_source_includes=a&_source_excludes=a.c', { a: { b: 1 } }],
    ['_source_excludes=a,list', { bc: 4 }],
    ['_source=a&_source_excludes=a.c', { a: { b: 1 } }],
    ['_source=false&_source_includes=a', undefined],
  ])('of the URL, %s, is what it says', async (params, expected) => {
    expect(await shown({}, `?${params}`)).toEqual(expected)
  })
})

describe('stored_fields', () => {
  it('stops sources, and prints stored values as their type has them', async () => {
    const { hits } = await ok('POST /i/_search', { stored_fields: ['i', 'b', 'date', 'k'] })
    expect(hits.hits[0]).toEqual({
      _index: 'i',
      _id: '1',
      _score: 1,
      _ignored: hits.hits[0]._ignored,
      fields: {
        i: [7, 3],
        b: [true, false],
        date: ['2020-01-02T00:00:00.000Z', '2020-01-02T03:04:05.678Z'],
      },
    })
  })

  it('takes patterns, names of the URL and an empty list', async () => {
    expect(await fieldsText({ stored_fields: '*' })).toContain('"i":[7,3]')
    expect(await fieldsText({}, '?stored_fields=i')).toBe('{"i":[7,3]}')
    const { hits } = await ok('POST /i/_search', { stored_fields: [] })
    expect(hits.hits[0]).not.toHaveProperty('_source')
    expect(hits.hits[0]._id).toBe('1')
  })

  it('leaves sources that are asked for', async () => {
    for (const body of [
      { stored_fields: ['i', '_source'] },
      { stored_fields: ['i'], _source: true },
    ])
      expect((await ok('POST /i/_search', body)).hits.hits[0]._source.k).toEqual(DOCUMENT.k)
  })

  it('stops ids too by _none_', async () => {
    const { hits } = await ok('POST /i/_search', { stored_fields: '_none_' })
    expect(hits.hits[0]).toEqual({ _index: 'i', _score: 1 })
  })

  it('refuses an object', async () => {
    const { json } = await rest.call('POST /i/_search', { stored_fields: ['o'] })
    expect(json.error.root_cause[0].reason).toBe("field [o] isn't a leaf field")
  })
})
