import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { ndjson } from '../support/rest-calls.ts'
import { scored } from '../support/search-shapes.ts'

let index: FieldIndex

const emit = (path: string): string => `emit(params._source.${path})`

const DERIVED = {
  text: { type: 'text', script: emit('t') },
  filtered: { type: 'text', script: emit('t'), prefilter_field: 't' },
  word: { type: 'keyword', script: emit('k') },
  whole: { type: 'long', script: emit('n') },
  double: { type: 'double', script: emit('f') },
  float: { type: 'float', script: emit('f') },
  date: {
    type: 'date',
    script: 'emit(ZonedDateTime.parse(params._source.d).toInstant().toEpochMilli())',
  },
  day: {
    type: 'date',
    format: 'yyyy-MM-dd',
    script: "emit(doc['d'].value.toInstant().toEpochMilli())",
  },
  place: { type: 'geo_point', script: 'emit(params._source.g[0], params._source.g[1])' },
  ip: { type: 'ip', script: emit('addr') },
  flag: { type: 'boolean', script: emit('b') },
  many: { type: 'long', script: 'for (v in params._source.nums) { emit(v) }' },
  column: { type: 'long', script: "if (doc['n'].size() > 0) { emit(doc['n'].value * 10) }" },
  object: {
    type: 'object',
    script: emit('json'),
    properties: { word: 'keyword', n: 'long', at: 'date', 'in.deep': 'text', list: 'long' },
  },
}

const json = (word: string, n: number): string =>
  `{"word":"${word}","n":${n},"at":"2021-0${n}-01T00:00:00Z","in":{"deep":"some ${word} text"},` +
  `"list":[${n},${n + 10}]}}`

beforeAll(async () => {
  index = await fieldIndex({
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'date' },
  })
  const { status, text } = await index.rest.call('PUT /i/_mapping', { derived: DERIVED })
  expect(status, text).toBe(200)
  await index.add(
    {
      t: 'peter piper',
      k: 'foo',
      n: 1,
      f: 1.5,
      d: '2017-01-01T00:00:00Z',
      g: [0.5, 20],
      addr: '192.168.0.1',
      b: true,
      nums: [1, 2],
      json: json('red', 1),
    },
    {
      t: 'piper picked a peck',
      k: 'bar',
      n: 2,
      f: 2.25,
      d: '2017-01-02T00:00:00Z',
      g: [10, 30],
      addr: '10.0.0.2',
      b: false,
      nums: [2, 3],
      json: json('blue', 2),
    },
    {
      t: 'peck of pickled peppers',
      k: 'baz',
      n: -3,
      f: -3,
      d: '2017-01-03T12:00:00Z',
      g: [20, 40],
      addr: '10.0.0.3',
      b: true,
      nums: [3, 4],
      json: json('red', 3),
    },
  )
})
afterAll(() => index.close())

async function ids(query: object): Promise<string[]> {
  return (await scored(index, query)).map(([id]) => id).sort()
}

describe('queries on derived fields of the mapping', () => {
  it.each<[object, string[]]>([
    [{ term: { word: 'foo' } }, ['0']],
    [{ term: { word: { value: 'FOO', case_insensitive: true } } }, ['0']],
    [{ terms: { word: ['foo', 'baz', 'none'] } }, ['0', '2']],
    [{ prefix: { word: 'ba' } }, ['1', '2']],
    [{ wildcard: { word: 'b?z' } }, ['2']],
    [{ regexp: { word: 'ba[rz]' } }, ['1', '2']],
    [{ fuzzy: { word: 'fop' } }, ['0']],
    [{ match: { word: 'bar' } }, ['1']],
    [{ match: { text: 'piper' } }, ['0', '1']],
    [{ match: { text: 'PECK peter' } }, ['0', '1', '2']],
    [{ match: { text: { query: 'piper peck', operator: 'and' } } }, ['1']],
    [{ match_phrase: { text: 'peter piper' } }, ['0']],
    [{ match_phrase: { text: 'piper peter' } }, []],
    [{ match_phrase_prefix: { text: 'piper pick' } }, ['1']],
    [{ match_bool_prefix: { text: 'peck pi' } }, ['0', '1', '2']],
    [{ multi_match: { query: 'peppers', fields: ['text', 'word'] } }, ['2']],
    [
      { multi_match: { query: 'peter foo', fields: ['text', 'word'], type: 'cross_fields' } },
      ['0'],
    ],
    [{ query_string: { query: 'text:(peter OR pickled) AND word:f*' } }, ['0']],
    [{ simple_query_string: { query: 'peter', fields: ['text'] } }, ['0']],
    [{ term: { whole: 2 } }, ['1']],
    [{ terms: { whole: [1, -3] } }, ['0', '2']],
    [{ range: { whole: { gte: 1 } } }, ['0', '1']],
    [{ range: { whole: { lt: 2 } } }, ['0', '2']],
    [{ range: { double: { gt: 1.5 } } }, ['1']],
    [{ range: { float: { gte: 1.5, lte: 2.25 } } }, ['0', '1']],
    [{ range: { date: { gte: '2017-01-02' } } }, ['1', '2']],
    [{ range: { date: { gt: '2017-01-02||/d' } } }, ['2']],
    [{ term: { date: '2017-01-02' } }, ['1']],
    [{ range: { day: { lte: '2017-01-01' } } }, ['0']],
    [{ term: { ip: '10.0.0.0/8' } }, ['1', '2']],
    [{ range: { ip: { gte: '10.0.0.3' } } }, ['0', '2']],
    [{ term: { flag: true } }, ['0', '2']],
    [{ range: { many: { gte: 3 } } }, ['1', '2']],
    [{ term: { many: 2 } }, ['0', '1']],
    [{ terms: { column: [10, 20] } }, ['0', '1']],
    [{ term: { 'object.word': 'red' } }, ['0', '2']],
    [{ range: { 'object.n': { gte: 2 } } }, ['1', '2']],
    [{ range: { 'object.at': { gte: '2021-02-01' } } }, ['1', '2']],
    [{ match_phrase: { 'object.in.deep': 'blue text' } }, ['1']],
    [{ term: { 'object.list': 12 } }, ['1']],
    [{ geo_distance: { distance: '20km', place: { lat: 0.5, lon: 20 } } }, ['0']],
    [{ bool: { must: { match: { text: 'piper' } }, must_not: { term: { word: 'bar' } } } }, ['0']],
    [{ bool: { filter: [{ term: { k: 'baz' } }, { match: { text: 'peppers' } }] } }, ['2']],
  ])('%j', async (query, expected) => {
    expect(await ids(query)).toEqual(expected)
  })

  it('gives each query the same score, and each word of a text one', async () => {
    expect(await scored(index, { match: { text: 'piper peck' } })).toEqual([
      ['1', 2],
      ['0', 1],
      ['2', 1],
    ])
    expect(await scored(index, { term: { word: { value: 'foo', boost: 3 } } })).toEqual([['0', 3]])
    expect(await scored(index, { match_phrase: { text: 'peter piper' } })).toEqual([['0', 1]])
  })
})

describe('prefilter_field', () => {
  it('narrows the candidates, and leaves no score', async () => {
    expect(await scored(index, { match: { filtered: 'peter' } })).toEqual([['0', 0]])
    expect(await scored(index, { match_phrase: { filtered: 'picked a peck' } })).toEqual([['1', 0]])
    expect(await ids({ term: { filtered: 'piper' } })).toEqual(['0', '1'])
    expect(await ids({ prefix: { filtered: 'pick' } })).toEqual(['1', '2'])
  })

  it('runs the script on no other document', async () => {
    const derived = {
      strict: {
        type: 'text',
        script:
          "if (doc['n'].value < 0) { throw new IllegalArgumentException('ran') } emit('peter')",
        prefilter_field: 't',
      },
    }
    const { json } = await search({ derived, query: { term: { strict: 'peter' } } })
    expect(json.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['0'])
    const all = { strict: { ...derived.strict, prefilter_field: '' } }
    expect(await reasonOf({ derived: all, query: { term: { strict: 'peter' } } })).toContain('ran')
  })

  it.each([
    ['nowhere', 'prefilter_field[nowhere] is not defined in the index mappings'],
    ['k', 'prefilter_field[k] should be of type text. Type found [keyword].'],
  ])('refuses %s', async (prefilter_field, reason) => {
    const derived = { x: { type: 'keyword', script: "emit('a')", prefilter_field } }
    expect(await reasonOf({ derived, query: { term: { x: 'a' } } })).toBe(reason)
  })
})

describe('values of derived fields', () => {
  it('stand in the fields of hits, as they are emitted', async () => {
    const fields = [
      'text',
      'word',
      'whole',
      'double',
      'float',
      'date',
      'day',
      'place',
      'ip',
      'flag',
    ]
    const { json } = await search({
      query: { ids: { values: ['0'] } },
      fields: [
        ...fields,
        'many',
        'column',
        'object',
        'object.*',
        'object.n',
        'object.at',
        'object.list',
      ],
    })
    expect(json.hits.hits[0].fields).toEqual({
      text: ['peter piper'],
      word: ['foo'],
      whole: [1],
      double: [1.5],
      float: [1.5],
      date: ['2017-01-01T00:00:00.000Z'],
      day: ['2017-01-01'],
      place: [{ lat: 0.5, lon: 20 }],
      ip: ['192.168.0.1'],
      flag: [true],
      many: [1, 2],
      column: [10],
      object: [jsonText('red', 1)],
      'object.n': [1],
      'object.at': ['2021-01-01T00:00:00.000Z'],
      'object.list': [1, 11],
    })
  })

  it('are found by patterns', async () => {
    const { json } = await search({ query: { ids: { values: ['1'] } }, fields: ['w*'] })
    expect(json.hits.hits[0].fields).toEqual({ word: ['bar'], whole: [2] })
  })

  it('take no format', async () => {
    expect(await reasonOf({ fields: [{ field: 'date', format: 'yyyy' }] })).toBe(
      "Field [date] of type [derived] doesn't support formats.",
    )
  })

  it('are highlighted where they are texts', async () => {
    const { json } = await search({
      query: { match: { text: 'piper peter' } },
      highlight: { fields: { text: {} } },
    })
    expect(json.hits.hits.map((hit: { highlight: object }) => hit.highlight)).toEqual([
      { text: ['<em>peter</em> <em>piper</em>'] },
      { text: ['<em>piper</em> picked a peck'] },
    ])
    const member = await search({
      query: { match_phrase: { 'object.in.deep': 'blue text' } },
      highlight: { type: 'unified', fields: { 'object.in.deep': {} } },
    })
    expect(member.json.hits.hits[0].highlight).toEqual({
      'object.in.deep': ['some <em>blue</em> <em>text</em>'],
    })
  })
})

describe('a search with derived fields of its own', () => {
  it('names them in queries, filters, fields and counts of filters', async () => {
    const derived = {
      size: {
        type: 'long',
        script: { source: "emit(doc['n'].value * params.by)", params: { by: 5 } },
      },
    }
    const { json } = await search({
      derived,
      query: { bool: { filter: { range: { size: { gte: 5 } } } } },
      post_filter: { term: { size: 10 } },
      fields: ['size'],
      aggs: { small: { filter: { term: { size: 5 } } } },
    })
    expect(json.hits.hits.map((hit: object) => 'fields' in hit && hit.fields)).toEqual([
      { size: [10] },
    ])
    expect(json.aggregations.small.doc_count).toBe(1)
  })

  it('puts them in place of fields of the mapping', async () => {
    const derived = { k: { type: 'keyword', script: "emit('own')" }, word: DERIVED.word }
    const { json } = await search({ derived, query: { term: { k: 'own' } }, fields: ['k'] })
    expect(json.hits.total.value).toBe(3)
    expect(json.hits.hits[0].fields).toEqual({ k: ['own'] })
  })

  it('answers alike however many slices there are, and with a profile', async () => {
    for (const slices of [1, 4]) {
      await index.rest.call('PUT /_cluster/settings', {
        persistent: { 'search.concurrent.max_slice_count': slices },
      })
      expect(await ids({ range: { whole: { gte: 1 } } })).toEqual(['0', '1'])
    }
    const { json } = await search({ query: { term: { word: 'foo' } }, profile: true })
    const [query] = json.profile.shards[0].searches[0].query
    expect(query.type).toBe('DerivedFieldQuery')
    expect(query.description).toBe('DerivedFieldQuery (Query: [ ConstantScore(word:foo)])')
    const { json: why } = await index.rest.call('GET /i/_explain/0', {
      query: { term: { word: 'foo' } },
    })
    expect(why.explanation.value).toBe(1)
    const counted = await index.rest.call('GET /i/_count', { query: { term: { word: 'foo' } } })
    expect(counted.json.count).toBe(1)
  })

  it('runs over more documents than one batch has', async () => {
    const { rest } = index
    await rest.call('PUT /big', { mappings: { properties: { n: { type: 'long' } } } })
    const lines = Array.from({ length: 700 }, (_, i) => [
      { index: { _id: `${i}` } },
      { n: i, s: `word${i}` },
    ])
    await rest.call('POST /big/_bulk?refresh', ndjson(...lines.flat()))
    await rest.call('POST /big/_delete_by_query?refresh', { query: { term: { n: 7 } } })
    const derived = {
      rest: { type: 'long', script: "emit(doc['n'].value % 7)" },
      word: { type: 'text', script: emit('s') },
    }
    const count = async (query: object): Promise<number> =>
      (await rest.call('POST /big/_search', { derived, query, track_total_hits: true })).json.hits
        .total.value
    expect(await count({ term: { rest: 0 } })).toBe(99)
    // More terms than a fuzzy query or a prefix of a phrase takes of one leaf.
    expect(await count({ fuzzy: { word: { value: 'word999', fuzziness: 2 } } })).toBe(
      Array.from({ length: 700 }, (_, i) => String(i)).filter(isNear).length,
    )
    expect(await count({ match_phrase_prefix: { word: 'wor' } })).toBe(699)
  })
})

/** Whether a number of up to three digits is at most two edits from `999`. */
function isNear(digits: string): boolean {
  return digits.includes('9')
}

describe('within nested queries', () => {
  let nested: FieldIndex
  beforeAll(async () => {
    nested = await fieldIndex({
      s: {
        type: 'nested',
        properties: { n: { type: 'long' }, t: { type: 'text' }, in: { type: 'nested' } },
      },
    })
    const put = await nested.rest.call('PUT /i/_mapping', {
      properties: {
        s: {
          type: 'nested',
          properties: { in: { type: 'nested', properties: { n: { type: 'long' } } } },
        },
      },
      derived: {
        tenfold: {
          type: 'long',
          script: "if (doc['s.n'].size() > 0) { emit(doc['s.n'].value * 10) }",
        },
        inner: {
          type: 'long',
          script: "if (doc['s.in.n'].size() > 0) { emit(-doc['s.in.n'].value) }",
        },
        told: {
          type: 'keyword',
          script: "emit(params._source.kept == null ? 'no source' : 'a source')",
        },
        filtered: { type: 'text', script: "emit('red')", prefilter_field: 's.t' },
      },
    })
    expect(put.status, put.text).toBe(200)
    await nested.add(
      {
        kept: 1,
        s: [
          { n: 1, t: 'red' },
          { n: 2, t: 'blue', in: [{ n: 7 }, { n: 8 }] },
        ],
      },
      { kept: 1, s: [{ n: 3, t: 'red' }] },
      {
        kept: 1,
        s: [
          { n: 2, t: 'red', in: { n: 7 } },
          { n: 4, t: 'blue' },
        ],
      },
      { kept: 1 },
    )
  })
  afterAll(() => nested.close())

  const within = (query: object, path = 's'): object => ({ nested: { path, query } })

  it.each<[object, string[]]>([
    [within({ term: { tenfold: 20 } }), ['0', '2']],
    [within({ range: { tenfold: { gte: 30 } } }), ['1', '2']],
    [
      within({ bool: { must: { term: { tenfold: 20 } }, must_not: { match: { 's.t': 'blue' } } } }),
      ['2'],
    ],
    [within({ term: { inner: -7 } }, 's.in'), ['0', '2']],
    [within(within({ term: { inner: -8 } }, 's.in')), ['0']],
    [within({ term: { inner: -7 } }), []],
    [within({ term: { told: 'no source' } }), ['0', '1', '2']],
    [within({ term: { filtered: 'red' } }), ['0', '1', '2']],
    // Outside of them scripts run on whole documents.
    [{ term: { told: 'a source' } }, ['0', '1', '2', '3']],
    [{ term: { tenfold: 20 } }, []],
  ])('%j', async (query, expected) => {
    expect(await nested.find(query)).toEqual(expected)
  })

  it('find the objects themselves', async () => {
    const query = { nested: { path: 's', query: { term: { tenfold: 20 } }, inner_hits: {} } }
    const { json } = await nested.rest.call('POST /i/_search', { query })
    const offsets = json.hits.hits.map(
      (hit: { inner_hits: { s: { hits: { hits: unknown[] } } } }) =>
        hit.inner_hits.s.hits.hits.map(
          each => (each as { _nested: { offset: number } })._nested.offset,
        ),
    )
    expect(offsets).toEqual([[1], [0]])
  })
})

it('derived fields have no doc values, so that hits show none', async () => {
  const { json } = await search({ docvalue_fields: ['word', 'whole', 'ip', 'object', 'n'] })
  expect(json.hits.hits.map((hit: { fields: object }) => hit.fields)).toEqual([
    { n: [1] },
    { n: [2] },
    { n: [-3] },
  ])
})

describe('what derived fields refuse', () => {
  const own = (type: string, source: string, more: object = {}): object => ({
    x: { type, script: { source }, ...more },
  })

  it.each<[string, object, string]>([
    [
      'exists',
      { exists: { field: 'word' } },
      'Field [word] of type [derived] does not support exist queries',
    ],
    [
      'an object',
      { term: { object: 'a' } },
      'Cannot create IndexableField to execute queries on object derived field',
    ],
    [
      'a member without a type',
      { term: { 'object.other': 1 } },
      'inferring the type of the derived field [object.other] is not supported yet: [properties] of [object] must name it',
    ],
    [
      'a prefix of a number',
      { prefix: { whole: '1' } },
      'Can only use prefix queries on keyword, text and wildcard fields - not on [whole] which is of type [long]',
    ],
    ['a text as a number', { term: { whole: 'a' } }, 'For input string: "a"'],
    [
      'a place as a word',
      { geo_distance: { distance: '1km', word: [1, 1] } },
      'field [word] is not a geo_point field',
    ],
  ])('%s', async (_name, query, reason) => {
    const [status, found] = await index.refusal({ query })
    expect([status, found]).toEqual([400, reason])
  })

  it.each<[string, object, string]>([
    ['sorts', { sort: ['whole'] }, 'sorting by the derived field [whole] is not supported yet'],
    [
      'doc values of texts',
      { docvalue_fields: ['text'] },
      'Text fields are not optimised for operations that require per-document field data like ' +
        'aggregations and sorting, so these operations are disabled by default. Please use a ' +
        'keyword field instead. Alternatively, set fielddata=true on [text] in order to load ' +
        'field data by uninverting the inverted index. Note that this can use significant memory.',
    ],
    [
      'a format of doc values',
      { docvalue_fields: [{ field: 'word', format: 'yyyy' }] },
      'Field [word] of type [keyword] does not support custom formats',
    ],
    [
      'collapse',
      { collapse: { field: 'word' } },
      'unknown type for collapse field `word`, only keywords and numbers are accepted',
    ],
  ])('%s', async (_name, body, reason) => {
    expect(await index.refusal(body)).toEqual([400, reason])
  })

  it.each<[string, string, string]>([
    ['keyword', 'emit(1)', 'class java.lang.Integer cannot be cast to class java.lang.String'],
    ['date', 'emit(1)', 'class java.lang.Integer cannot be cast to class java.lang.Long'],
    ['long', "emit('a')", 'For input string: "a"'],
    ['double', "emit('a')", 'For input string: "a"'],
    [
      'boolean',
      "emit('yes')",
      'Failed to parse value [yes] as only [true] or [false] are allowed.',
    ],
    [
      'geo_point',
      "emit('1,2')",
      'geo_point should be in format emit(double lat, double lon) for derived fields',
    ],
    ['ip', "emit('a')", "'a' is not an IP string literal."],
    ['long', 'emit([1])', 'Unsupported object type passed in emit() - [1]'],
    [
      'keyword',
      "StringBuilder b = new StringBuilder(); for (int i = 0; i < 9000; ++i) { b.append('0123456789') } for (int i = 0; i < 12; ++i) { emit(b.toString()) }",
      'Exceeded maximum allowed byte size for emitted values',
    ],
  ])('%s from %s', async (type, source, reason) => {
    const query =
      type === 'geo_point'
        ? { geo_distance: { distance: '1km', x: [1, 1] } }
        : {
            term: {
              x: { keyword: 'a', date: '2017', long: 1, double: 1, boolean: true, ip: '::1' }[type],
            },
          }
    expect(await reasonOf({ derived: own(type, source), query })).toBe(reason)
    const ignoring = own(type, source, { ignore_malformed: true })
    const { status, json } = await search({ derived: ignoring, query })
    expect([status, json.hits?.total.value]).toEqual([200, 0])
  })

  it.each<[object | number, string, string]>([
    [1, 'parsing_exception', 'Unknown key for a VALUE_NUMBER in [derived].'],
    [
      { x: 1 },
      'mapper_parsing_exception',
      'Expected map for property [fields] on field [x] but got [1]',
    ],
    [
      { x: { script: 's' } },
      'illegal_argument_exception',
      "Type [] isn't supported in Derived field context.",
    ],
    [
      { x: { type: 'nested', script: 's' } },
      'illegal_argument_exception',
      "Type [nested] isn't supported in Derived field context.",
    ],
    [
      { x: { type: 'long' } },
      'mapper_parsing_exception',
      '[script] must be specified for the derived field [x]',
    ],
    [
      { x: { type: 'long', script: null } },
      'mapper_parsing_exception',
      '[script] on mapper [x] of type [derived] must not have a [null] value',
    ],
    [
      { x: { type: 'long', script: 's', boost: 2 } },
      'mapper_parsing_exception',
      'unknown parameter [boost] on mapper [x] of type [derived]',
    ],
    [
      { x: { type: 'object', script: 's', properties: [] } },
      'mapper_parsing_exception',
      '[properties] must be an object, got ArrayList[[]] for field [x]',
    ],
    [
      { x: { type: 'object', script: 's', properties: { a: null } } },
      'mapper_parsing_exception',
      "[properties] values can't be null (field [x])",
    ],
    [
      { x: { type: 'object', script: 's', properties: { a: 1 } } },
      'mapper_parsing_exception',
      '[properties] values can only be strings, but got Integer[1] for field [x]',
    ],
  ])('the definition %j', async (derived, type, reason) => {
    const { status, json } = await search({ derived })
    expect([status, json.error.type, json.error.reason]).toEqual([400, type, reason])
  })

  it('a script that does not compile, with its place', async () => {
    const { status, json } = await search({
      derived: own('long', 'emit(nowhere)'),
      query: { term: { x: 1 } },
    })
    expect(status).toBe(400)
    const failed = json.error.failed_shards[0].reason
    expect(failed.caused_by.type).toBe('script_exception')
    expect(failed.caused_by.caused_by.reason).toBe('cannot resolve symbol [nowhere]')
  })

  it('a derived field in the script of another one', async () => {
    const derived = own('long', "emit(doc['whole'].value)")
    expect(await reasonOf({ derived, query: { term: { x: 1 } } })).toBe(
      'No field found for [whole] in mapping',
    )
  })

  it.each<readonly [name: string, query: object]>([
    ['span_term', { span_term: { x: 'a' } }],
    ['distance_feature', { distance_feature: { field: 'x', origin: 'now', pivot: '1d' } }],
    [
      'geo_shape',
      {
        geo_shape: { x: { shape: { type: 'point', coordinates: [0, 0] } }, ignore_unmapped: true },
      },
    ],
    ['rank_feature', { rank_feature: { field: 'x' } }],
    ['combined_fields', { combined_fields: { query: 'a', fields: ['x'] } }],
    ['more_like_this', { more_like_this: { fields: ['x'], like: 'a' } }],
    ['intervals', { intervals: { x: { match: { query: 'a' } } } }],
    ['field_value_factor', { function_score: { field_value_factor: { field: 'x', missing: 1 } } }],
  ])('%s on one, which finds nothing elsewhere', async (name, query) => {
    const { status } = await search({ query })
    expect(status).toBe(200)
    expect(await reasonOf({ derived: own('keyword', "emit('a')"), query })).toBe(
      `[${name}] on the derived field [x] is not supported yet`,
    )
  })

  it.each([
    [
      'search.derived_field.enabled',
      "'index.query.derived_field.enabled' or 'search.derived_field.enabled'",
    ],
    ['search.allow_expensive_queries', "'search.allow_expensive_queries'"],
  ])('everything where %s is false', async (key, named) => {
    const { rest } = index
    const query = { term: { word: 'foo' } }
    await rest.call('PUT /_cluster/settings', { persistent: { [key]: false } })
    const { json } = await search({ query })
    await rest.call('PUT /_cluster/settings', { persistent: { [key]: null } })
    expect(innermost(json.error.failed_shards[0].reason)).toBe(
      `[derived field] queries cannot be executed when ${named} is set to false.`,
    )
    expect(await ids(query)).toEqual(['0'])
  })

  it('everything where the index forbids it, or keeps no sources', async () => {
    const { rest } = index
    const mappings = {
      _source: { enabled: false },
      derived: { x: { type: 'long', script: 'emit(1)' } },
    }
    expect((await rest.call('PUT /bare', { mappings })).status).toBe(200)
    const ask = async (): Promise<string> => {
      const { json } = await rest.call('POST /bare/_search', { query: { term: { x: 1 } } })
      return innermost(json.error.failed_shards[0].reason)
    }
    expect(await ask()).toBe(
      'DerivedFieldQuery error: unable to fetch fields from _source field: _source is disabled in ' +
        'the mappings for index [bare]',
    )
    await rest.call('PUT /bare/_settings', { 'index.query.derived_field.enabled': false })
    expect(await ask()).toBe(
      "[derived field] queries cannot be executed when 'index.query.derived_field.enabled' or " +
        "'search.derived_field.enabled' is set to false.",
    )
  })
})

describe('derived fields in mappings', () => {
  it('print as they were given, with the language of scripts', async () => {
    const { json } = await index.rest.call('GET /i/_mapping')
    const { derived } = json.i.mappings
    expect(Object.keys(derived)).toEqual(Object.keys(DERIVED).sort())
    expect(derived.filtered).toEqual({
      type: 'text',
      script: { source: emit('t'), lang: 'painless' },
      prefilter_field: 't',
    })
    expect(derived.object).toEqual({
      type: 'object',
      script: { source: emit('json'), lang: 'painless' },
      properties: DERIVED.object.properties,
    })
  })

  it('are replaced whole by a later mapping, others stay', async () => {
    const { rest } = index
    const first = {
      a: { type: 'text', script: "emit('x')", prefilter_field: 't' },
      b: { type: 'long', script: 'emit(1)' },
    }
    await rest.call('PUT /changes', {
      mappings: { properties: { t: { type: 'text' } }, derived: first },
    })
    const put = await rest.call('PUT /changes/_mapping', {
      derived: { a: { type: 'keyword', script: "emit('y')", ignore_malformed: true } },
    })
    expect(put.status).toBe(200)
    const { json } = await rest.call('GET /changes/_mapping')
    expect(json.changes.mappings.derived).toEqual({
      a: {
        type: 'keyword',
        script: { source: "emit('y')", lang: 'painless' },
        ignore_malformed: true,
      },
      b: { type: 'long', script: { source: 'emit(1)', lang: 'painless' } },
    })
  })

  it.each<[object, string]>([
    [
      { k: { type: 'long', script: 'emit(1)' } },
      'mapper [k] cannot be changed from type [keyword] to [derived]',
    ],
    [
      { x: { type: 'long', script: 'emit(1)', format: 'QQQQQQ' } },
      'Invalid format: [QQQQQQ]: Unknown pattern letter: Q',
    ],
  ])('refuse %j', async (derived, reason) => {
    const { status, json } = await index.rest.call('PUT /i/_mapping', { derived })
    expect(status).toBe(400)
    expect(innermost(json.error)).toBe(reason)
  })

  it('refuse a document with a field of that name', async () => {
    const { status, json } = await index.rest.call('PUT /i/_doc/9', { word: 'a' })
    expect([status, json.error.reason]).toEqual([
      400,
      'mapper [word] cannot be changed from type [text] to [derived]',
    ])
  })
})

const jsonText = json

function search(body: object): ReturnType<FieldIndex['rest']['call']> {
  return index.rest.call('POST /i/_search', body)
}

interface Failure {
  readonly reason: string
  readonly caused_by?: Failure
}

const innermost = ({ reason, caused_by }: Failure): string =>
  caused_by === undefined ? reason : innermost(caused_by)

/** The innermost reason of a search that its shard fails. */
async function reasonOf(body: object): Promise<string> {
  const { json, status, text } = await search(body)
  if (json.error?.failed_shards === undefined) throw new Error(text)
  expect(status).toBe(400)
  return innermost(json.error.failed_shards[0].reason)
}
