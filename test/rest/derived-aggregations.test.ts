import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { ndjson } from '../support/rest-calls.ts'

let index: FieldIndex

const WORDS = ['ant', 'bee', 'cat', 'dog', 'eel']
const COUNT = 60
const ADDRESSES = [
  '10.0.0.9',
  '10.0.0.10',
  '::1',
  '0:0:0:0:0:0:0:1',
  [],
  ['2001:db8::1', '10.0.0.9'],
]

/** The same values as fields of the index and as derived ones of the same name with a `d_`. */
const source = (i: number): Record<string, unknown> => ({
  word: WORDS[(i * 7) % 5],
  words: [WORDS[i % 5], WORDS[(i + 1) % 5]],
  long: (i * 13) % 17,
  longs: i % 9 === 0 ? [] : [i % 4, (i % 6) + 3],
  double: i / 4,
  float: i * 1.5,
  date: new Date(Date.UTC(2024, 0, 1 + i)).toISOString(),
  flag: i % 3 === 0,
  // Versions 4 and 6, one address in several forms, none, and two.
  ip: ADDRESSES[i % 6],
})

beforeAll(async () => {
  index = await fieldIndex({
    word: { type: 'keyword' },
    words: { type: 'keyword' },
    long: { type: 'long' },
    longs: { type: 'long' },
    double: { type: 'double' },
    float: { type: 'float' },
    date: { type: 'date' },
    flag: { type: 'boolean' },
    ip: { type: 'ip' },
    rel: { type: 'join', relations: { a: 'b' } },
    kids: { type: 'nested', properties: { k: { type: 'keyword' } } },
  })
  const emit = (name: string): string => `emit(params._source.${name})`
  const each = (name: string): string => `for (v in params._source.${name}) { emit(v) }`
  const { status } = await index.rest.call('PUT /i/_mapping', {
    derived: {
      d_word: { type: 'keyword', script: emit('word') },
      d_words: { type: 'keyword', script: each('words') },
      d_long: { type: 'long', script: "emit(doc['long'].value)" },
      d_longs: { type: 'long', script: each('longs') },
      d_double: { type: 'double', script: emit('double') },
      d_float: { type: 'float', script: emit('float') },
      d_date: {
        type: 'date',
        script: 'emit(ZonedDateTime.parse(params._source.date).toInstant().toEpochMilli())',
      },
      d_flag: { type: 'boolean', script: emit('flag') },
      d_ip: {
        type: 'ip',
        script:
          'def a = params._source.ip; if (a instanceof List) { for (v in a) { emit(v) } } else { emit(a) }',
      },
      d_place: { type: 'geo_point', script: 'emit(1.0, 2.0)' },
      d_object: {
        type: 'object',
        script:
          "emit('{\"long\":' + doc['long'].value + ',\"date\":\"' + params._source.date + '\"}')",
        properties: { long: 'long', date: 'date' },
      },
      d_bad: { type: 'long', script: "emit('x')" },
    },
  })
  expect(status).toBe(200)
  // Several segments, one of them with deletions.
  for (let from = 0; from < COUNT; from += 20)
    await index.add(...Array.from({ length: 20 }, (_, i) => source(from + i)))
  await index.rest.call('POST /i/_delete_by_query?refresh', { query: { term: { long: 5 } } })
})
afterAll(() => index.close())

async function aggregated(body: object): Promise<unknown> {
  const { json, status, text } = await index.rest.call('POST /i/_search?size=0', body)
  expect(status, text).toBe(200)
  return json.aggregations
}

/** A request in which each field of the index is the derived one. */
const derived = (body: object): object =>
  JSON.parse(
    JSON.stringify(body).replaceAll(
      /"(field|fields)":("|\[[^\]]*\])/g,
      (_match, key: string, rest: string) =>
        `"${key}":${rest === '"' ? '"d_' : rest.replaceAll('"', '').replace(/\w+/g, '"d_$&"')}`,
    ),
  )

/** Names of fields that print are those of the request. */
const plain = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll('"d_', '"'))

describe('aggregations on derived fields answer as those on fields with the same values', () => {
  it.each<object>([
    { terms: { field: 'word' } },
    { terms: { field: 'words', size: 2, order: { _key: 'desc' } } },
    { terms: { field: 'word', missing: 'none' }, aggs: { sum: { sum: { field: 'long' } } } },
    { terms: { field: 'long', size: 3 } },
    { terms: { field: 'flag' }, aggs: { words: { terms: { field: 'words' } } } },
    { terms: { field: 'date', size: 2 } },
    { rare_terms: { field: 'long', max_doc_count: 2 } },
    { multi_terms: { terms: [{ field: 'word' }, { field: 'flag' }] } },
    {
      composite: {
        sources: [
          { w: { terms: { field: 'word' } } },
          { n: { histogram: { field: 'long', interval: 5 } } },
        ],
      },
    },
    { histogram: { field: 'long', interval: 4 } },
    { histogram: { field: 'float', interval: 10.5 } },
    { range: { field: 'double', ranges: [{ to: 3 }, { from: 3, to: 9 }, { from: 9 }] } },
    { date_histogram: { field: 'date', calendar_interval: 'week' } },
    {
      date_histogram: {
        field: 'date',
        calendar_interval: 'month',
        format: 'yyyy-MM',
        time_zone: '+02:00',
      },
    },
    { date_range: { field: 'date', ranges: [{ to: '2024-02-01' }, { from: '2024-02-01' }] } },
    { auto_date_histogram: { field: 'date', buckets: 5 } },
    { missing: { field: 'longs' } },
    { stats: { field: 'longs' } },
    { extended_stats: { field: 'long' } },
    { value_count: { field: 'words' } },
    { cardinality: { field: 'word' } },
    { cardinality: { field: 'longs' } },
    { avg: { field: 'longs', missing: 100 } },
    { percentiles: { field: 'double' } },
    { percentile_ranks: { field: 'long', values: [3, 8] } },
    { median_absolute_deviation: { field: 'long' } },
    { weighted_avg: { value: { field: 'long' }, weight: { field: 'double' } } },
    { matrix_stats: { fields: ['long', 'double'] } },
    { terms: { field: 'ip' }, aggs: { sum: { sum: { field: 'long' } } } },
    { terms: { field: 'ip', order: { _key: 'desc' }, missing: '::ffff:10.0.0.9' } },
    { terms: { field: 'ip', include: ['10.0.0.10', '::1'] } },
    { rare_terms: { field: 'ip', max_doc_count: 8 } },
    { multi_terms: { terms: [{ field: 'ip' }, { field: 'word' }] } },
    { composite: { size: 3, sources: [{ a: { terms: { field: 'ip', order: 'desc' } } }] } },
    { cardinality: { field: 'ip' } },
    { value_count: { field: 'ip' } },
    { missing: { field: 'ip' } },
    {
      ip_range: {
        field: 'ip',
        ranges: [{ to: '10.0.0.10' }, { mask: '10.0.0.0/8' }, { from: '2001::', key: 'six' }],
      },
      aggs: { sum: { sum: { field: 'long' } } },
    },
    { ip_range: { field: 'ip', missing: '10.1.1.1', ranges: [{ from: '10.1.0.0' }] } },
    { variable_width_histogram: { field: 'long', buckets: 3 } },
    { variable_width_histogram: { field: 'longs', buckets: 4 } },
    { global: {}, aggs: { words: { terms: { field: 'word' } } } },
    { filter: { range: { long: { gte: 4 } } }, aggs: { sum: { sum: { field: 'double' } } } },
    { terms: { field: 'word' }, aggs: { top: { top_hits: { size: 1, _source: false } } } },
  ])('%j', async a => {
    const query = { range: { long: { gte: 2 } } }
    const expected = await aggregated({ query, aggs: { a } })
    expect(plain(await aggregated(derived({ query, aggs: { a } })))).toEqual(expected)
    // However many slices there are, and with a profile.
    const profiled = await aggregated({ ...derived({ query, aggs: { a } }), profile: true })
    expect(plain(profiled)).toEqual(expected)
  })

  it('members of objects among them', async () => {
    const of = (long: string, date: string): object => ({
      aggs: {
        n: { stats: { field: long } },
        d: { date_histogram: { field: date, calendar_interval: 'month' } },
      },
    })
    expect(await aggregated(of('d_object.long', 'd_object.date'))).toEqual(
      await aggregated(of('long', 'date')),
    )
  })

  it('objects as the texts that were emitted', async () => {
    const query = { terms: { long: [0, 2] } }
    const answer = (await aggregated({
      query,
      derived: { o: { type: 'object', script: "emit('{\"n\":' + doc['long'].value + '}')" } },
      aggs: {
        a: { terms: { field: 'o', order: { _key: 'asc' } } },
        n: { cardinality: { field: 'o' } },
      },
    })) as { a: { buckets: { key: string }[] }; n: { value: number } }
    expect(answer.a.buckets.map(({ key }) => key)).toEqual(['{"n":0}', '{"n":2}'])
    expect(answer.n.value).toBe(2)
  })

  it('and run scripts on matches alone', async () => {
    const fails = {
      type: 'long',
      script: "if (doc['long'].value > 3) { throw new IllegalStateException('ran') } emit(1)",
    }
    const body = { derived: { fails }, aggs: { a: { sum: { field: 'fails' } } } }
    const { json } = await index.rest.call('POST /i/_search', {
      ...body,
      query: { range: { long: { lte: 3 } } },
    })
    expect(json.aggregations.a.value).toBe(json.hits.total.value)
    const { text } = await index.rest.call('POST /i/_search', body)
    expect(text).toContain('ran')
  })

  it('and see children of joins', async () => {
    const { rest } = index
    const mappings = {
      properties: { rel: { type: 'join', relations: { a: 'b' } }, n: { type: 'long' } },
      derived: { d_n: { type: 'long', script: "emit(doc['n'].value)" } },
    }
    await rest.call('PUT /tied', { mappings })
    await rest.call(
      'POST /tied/_bulk?refresh',
      ndjson(
        { index: { _id: '1' } },
        { rel: 'a', n: 1 },
        { index: { _id: '2', routing: '1' } },
        { rel: { name: 'b', parent: '1' }, n: 20 },
      ),
    )
    const { json } = await rest.call('POST /tied/_search', {
      query: { term: { n: 1 } },
      aggs: { c: { children: { type: 'b' }, aggs: { s: { sum: { field: 'd_n' } } } } },
    })
    expect(json.aggregations.c).toEqual({ doc_count: 1, s: { value: 20 } })
  })
})

describe('aggregations on derived fields refuse', () => {
  it.each<[object, string]>([
    [
      { sum: { field: 'd_word' } },
      'Field [d_word] of type [derived] is not supported for aggregation [sum]',
    ],
    [
      { avg: { field: 'd_ip' } },
      'Field [d_ip] of type [derived] is not supported for aggregation [avg]',
    ],
    [
      { terms: { field: 'd_ip', format: '0' } },
      'Field [d_ip] of type [ip] does not support custom formats',
    ],
    [{ terms: { field: 'd_ip', missing: 'x' } }, "'x' is not an IP string literal."],
    [
      { ip_range: { field: 'd_word', ranges: [{ to: '::1' }] } },
      'value source of type [bytes] is not supported by scripts of [ip_range]',
    ],
    [
      { ip_range: { field: 'd_long', ranges: [{ to: '::1' }] } },
      'Field [d_long] of type [derived] is not supported for aggregation [ip_range]',
    ],
    ...[
      { terms: { field: 'd_place' } },
      { value_count: { field: 'd_place' } },
      { geo_bounds: { field: 'd_place' } },
      { geo_centroid: { field: 'd_place' } },
      { geohash_grid: { field: 'd_place' } },
      { geotile_grid: { field: 'd_place' } },
    ].map((each): [object, string] => [
      each,
      'value source of type [geopoint] is not supported by scripts',
    ]),
    [
      { geo_bounds: { field: 'd_word' } },
      'Field [d_word] of type [derived] is not supported for aggregation [geo_bounds]',
    ],
    [
      { significant_text: { field: 'd_word' } },
      'gathering values of the derived field [d_word] is not supported yet',
    ],
    [
      { variable_width_histogram: { field: 'd_date', buckets: 2 } },
      'Field [d_date] of type [derived] is not supported for aggregation [variable_width_histogram]',
    ],
    [{ sum: { field: 'd_bad' } }, 'For input string: "x"'],
    [
      { nested: { path: 'kids' }, aggs: { x: { terms: { field: 'd_word' } } } },
      'the derived field [d_word] below a nested aggregation is not supported yet',
    ],
  ])('%j', async (a, reason) => {
    expect(await index.refusal({ aggs: { a } })).toEqual([400, reason])
  })
})
