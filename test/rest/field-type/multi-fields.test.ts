import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusal, throughLife } from '../../support/field-life.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

const IAE = '400 illegal_argument_exception: '
const NESTED =
  'At least one multi-field, [english], was encountered that itself contains a multi-field. ' +
  'Defining multi-fields within a multi-field is deprecated and will no longer be supported in 8.0.'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

it('of places get geohashes', async () => {
  const properties = {
    place: {
      type: 'geo_point',
      fields: {
        hash: { type: 'keyword', fields: { text: { type: 'text' } } },
        words: { type: 'text' },
        typed: { type: 'search_as_you_type' },
        start: { type: 'completion', max_input_length: 6 },
        count: { type: 'token_count', analyzer: 'standard' },
      },
    },
    loose: {
      type: 'geo_point',
      ignore_malformed: true,
      fields: { hash: { type: 'keyword' } },
    },
  }
  const hash = 'u33db2m3x2je'
  const documents = {
    a: { place: { lat: 52.51627, lon: 13.37769 } },
    b: { place: '52.51627,13.37769' },
    c: { place: [13.37769, 52.51627] },
    d: { place: ['0,0', { lat: 52.51627, lon: 13.37769 }] },
    e: { place: null, loose: 'nowhere' },
    f: { loose: ['52.51627,13.37769'] },
  }
  await throughLife({ properties, documents }, async index => {
    const at = ['a', 'b', 'c', 'd']
    const found = await index.rest.call('POST /i/_search', {
      docvalue_fields: ['place.hash'],
      query: { ids: { values: ['a', 'd'] } },
      sort: '_id',
    })
    const [a, d] = found.json.hits.hits
    expect(a.fields['place.hash']).toEqual([expect.stringMatching(/^u33db.{7}$/)])
    expect(d.fields['place.hash']).toEqual(['s00000000000', a.fields['place.hash'][0]])
    const [own] = a.fields['place.hash']
    expect(own.length).toBe(hash.length)
    for (const name of ['hash', 'hash.text', 'words', 'typed'])
      expect(await index.ids({ match: { [`place.${name}`]: own } })).toEqual(at)
    expect(await index.ids({ term: { 'place.count': 1 } })).toEqual(at)
    expect(await index.ids({ prefix: { 'place.hash': 'u33' } })).toEqual(at)
    expect(await index.ids({ term: { 'loose.hash': own } })).toEqual(['f'])
    expect(await index.ids({ term: { _ignored: 'loose' } })).toEqual(['e'])
    expect(await index.ids({ exists: { field: 'loose.hash' } })).toEqual(['f'])
    const near = { geo_distance: { distance: '1km', place: '52.51627,13.37769' } }
    expect(await index.ids(near)).toEqual(at)
    const fetched = await index.rest.call('POST /i/_search', { fields: ['place.hash', 'place'] })
    expect(fetched.status).toBe(200)
  })
})

it('of completions get inputs', async () => {
  const properties = {
    c: {
      type: 'completion',
      max_input_length: 5,
      contexts: [{ name: 'kind', type: 'category' }],
      fields: {
        key: { type: 'keyword', ignore_above: 20 },
        words: { type: 'text', fields: { shout: { type: 'keyword', normalizer: 'lowercase' } } },
        number: { type: 'long', ignore_malformed: true },
        plain: { type: 'completion', contexts: [{ name: 'kind', type: 'category' }] },
      },
    },
  }
  const kind = { kind: 'x' }
  const documents = {
    a: { c: { input: ['Red fox', 'Ålesund "x"', 'Red fox'], weight: 3, contexts: kind } },
    b: {
      c: [
        { input: '12', contexts: kind },
        { input: ['Hen'], contexts: kind },
      ],
    },
    d: { c: { input: 'a\u0041 longer text of many words', contexts: kind } },
    e: { c: null },
  }
  await throughLife({ properties, documents }, async index => {
    const fields = await index.rest.call('POST /i/_search', {
      docvalue_fields: ['c.key', 'c.number'],
      query: { ids: { values: ['a', 'b'] } },
      sort: '_id',
    })
    expect(fields.json.hits.hits.map((hit: { fields: object }) => hit.fields)).toEqual([
      { 'c.key': ['Red fox', 'Ålesund "x"'] },
      { 'c.key': ['12', 'Hen'], 'c.number': [12] },
    ])
    expect(await index.ids({ match_phrase: { 'c.words': 'red fox' } })).toEqual(['a'])
    expect(await index.ids({ term: { 'c.words.shout': 'RED FOX' } })).toEqual(['a'])
    expect(await index.ids({ match: { 'c.words': 'longer' } })).toEqual(['d'])
    expect(await index.ids({ exists: { field: 'c.key' } })).toEqual(['a', 'b'])
    expect(await index.ids({ term: { 'c.number': 12 } })).toEqual(['b'])
    const suggest = { s: { prefix: 're', completion: { field: 'c.plain', contexts: kind } } }
    const { json } = await index.rest.call('POST /i/_search', { suggest })
    expect(json.suggest.s[0].options[0]).toMatchObject({ text: 'Red fox', _score: 3 })
  })
})

it('within multi-fields get the value too, with a warning', async () => {
  const properties = {
    title: {
      type: 'text',
      copy_to: ['all'],
      fields: {
        english: {
          type: 'text',
          analyzer: 'english',
          fields: { raw: { type: 'keyword', fields: { low: { type: 'text' } } } },
        },
      },
    },
    all: { type: 'text', fields: { one: { type: 'text', fields: { two: { type: 'keyword' } } } } },
  }
  const documents = { a: { title: 'Running Foxes' }, b: { title: ['Hens', 'a "q\u0022 b'] } }
  await throughLife({ properties, documents }, async index => {
    expect(await index.ids({ match: { 'title.english': 'fox' } })).toEqual(['a'])
    expect(await index.ids({ term: { 'title.english.raw': 'Running Foxes' } })).toEqual(['a'])
    expect(await index.ids({ term: { 'title.english.raw': 'a "q" b' } })).toEqual(['b'])
    expect(await index.ids({ match: { 'title.english.raw.low': 'hens' } })).toEqual(['b'])
    expect(await index.ids({ term: { 'all.one.two': 'Hens' } })).toEqual(['b'])
    expect(await index.sorted({ 'title.english.raw': 'asc' })).toEqual(['b', 'a'])
    const { json } = await index.rest.call('GET /i/_mapping')
    expect(json.i.mappings.properties).toEqual(properties)
    const found = await index.rest.call('POST /i/_search', {
      query: { match: { 'title.english.raw.low': 'foxes' } },
      fields: ['title.english.raw'],
      highlight: { fields: { 'title.english.raw.low': {} } },
    })
    const [hit] = found.json.hits.hits
    expect(hit.fields).toEqual({ 'title.english.raw': ['Running Foxes'] })
    expect(hit.highlight).toEqual({ 'title.english.raw.low': ['Running <em>Foxes</em>'] })
    const one = await index.rest.call('GET /i/_mapping/field/title.english.raw')
    expect(one.json.i.mappings['title.english.raw'].mapping.raw.type).toBe('keyword')
  })
  const { title } = properties
  const created = await rest.call('PUT /deep', { mappings: { properties: { title } } })
  expect(created.headers['warning']).toContain(NESTED)
  const added = { ...title.fields.english.fields, more: { type: 'keyword' } }
  const english = { ...title.fields.english, fields: added }
  const put = await rest.call('PUT /deep/_mapping', {
    properties: { title: { ...title, fields: { english } } },
  })
  expect([put.status, put.headers['warning']]).toEqual([200, expect.stringContaining(NESTED)])
  await rest.call('PUT /deep/_doc/1?refresh', { title: 'x' })
  const { json } = await rest.call('POST /deep/_count', {
    query: { term: { 'title.english.more': 'x' } },
  })
  expect(json.count).toBe(1)
  const flat = await rest.call('PUT /flat', {
    mappings: { properties: { t: { type: 'text', fields: { k: { type: 'keyword' } } } } },
  })
  expect(flat.headers['warning']).toBeUndefined()
})

it('within multi-fields count and are checked like others', async () => {
  const deep = (fields: object): object => ({
    t: { type: 'text', fields: { m: { type: 'text', fields } } },
  })
  const put = (fields: object, settings = {}): Promise<string> =>
    refusal(rest, 'PUT /no', { settings, mappings: { properties: deep(fields) } })
  expect(await put({ 'a.b': { type: 'text' } })).toBe(
    "400 mapper_parsing_exception: Field name [a.b] which is a multi field of [m] cannot contain '.'",
  )
  expect(await put({ o: { type: 'object' } })).toBe(
    '400 mapper_parsing_exception: Type [object] cannot be used in multi field',
  )
  expect(await put({ k: { type: 'keyword' } }, { 'index.mapping.total_fields.limit': 2 })).toBe(
    `${IAE}Limit of total fields [2] has been exceeded`,
  )
  const copied = { ...deep({ k: { type: 'keyword' } }), from: { type: 'text', copy_to: 't.m.k' } }
  expect(await refusal(rest, 'PUT /no', { mappings: { properties: copied } })).toBe(
    `${IAE}[copy_to] may not be used to copy to a multi-field: [t.m.k]`,
  )
})

it('of other types that take objects get none', async () => {
  const fields = { k: { type: 'keyword' } }
  const properties = {
    r: { type: 'integer_range', fields },
    features: { type: 'rank_features', fields },
    c: { type: 'completion', fields: { n: { type: 'long' } } },
  }
  await rest.call('PUT /objects', { mappings: { properties } })
  expect(await refusal(rest, 'PUT /objects/_doc/1', { r: { gte: 1 } })).toBe(
    `${IAE}[fields] cannot get the values of field [r] of type [integer_range], which are objects`,
  )
  const { status } = await rest.call('PUT /objects/_doc/2?refresh', { features: { a: 1 } })
  expect(status).toBe(201)
  expect(await refusal(rest, 'PUT /objects/_doc/3', { c: { input: 'word' } })).toBe(
    `${IAE}For input string: "word"`,
  )
  const { json } = await rest.call('POST /objects/_count')
  expect(json.count).toBe(1)
})
