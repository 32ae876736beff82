import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FieldIndex, indexOf, refusal } from '../support/field-life.ts'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
let index: FieldIndex
const SEARCH = 'POST /i/_search'

const DOCUMENT = {
  t: 'quick whale',
  k: 'whale',
  n: 3,
  f: 1.5,
  b: true,
  d: '2024-01-01',
  ip: '10.0.0.1',
  r: { gte: 1, lt: 3 },
  place: [1, 2],
  shape: 'POINT (1 2)',
  bytes: 'AAAA',
  v: [1, 2],
  rank: 2,
}

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    f: { type: 'float' },
    b: { type: 'boolean' },
    d: { type: 'date' },
    ip: { type: 'ip' },
    r: { type: 'integer_range' },
    place: { type: 'geo_point' },
    shape: { type: 'geo_shape' },
    bytes: { type: 'binary', doc_values: true },
    v: { type: 'knn_vector', dimension: 2 },
    rank: { type: 'rank_feature' },
  }
  await rest.call('PUT /i', { mappings: { properties } })
  await rest.call('PUT /i/_doc/1?refresh', DOCUMENT)
  index = indexOf(rest)
})
afterAll(() => rest.close())

it.each(['whale', 'wha*', 'w?ale', '/wha.*/', 'whael~', '"quick whale"', '[w TO x]', 'k:whale'])(
  'all fields are asked for %s, whatever their types',
  async query => {
    expect(await index.ids({ query_string: { query } })).toEqual(['1'])
    expect(await index.ids({ query_string: { query, fields: ['*'] } })).toEqual(['1'])
    const { json } = await rest.call(`GET /i/_search?q=${encodeURIComponent(query)}`)
    expect(json.hits.total.value).toBe(1)
  },
)

it('so are they by the other queries on several fields', async () => {
  for (const query of ['whale', 'wha*', 'whael~', '"quick whale"', 'whale | nothing'])
    expect(await index.ids({ simple_query_string: { query } })).toEqual(['1'])
  for (const type of ['best_fields', 'most_fields', 'phrase', 'phrase_prefix', 'bool_prefix']) {
    expect(await index.ids({ multi_match: { query: 'quick whale', type } })).toEqual(['1'])
    expect(await index.ids({ multi_match: { query: 'whale', type, fields: ['*'] } })).toEqual(['1'])
  }
})

it('a pattern passes over fields that take no terms, a name does not', async () => {
  for (const field of ['place', 'shape', 'bytes', 'v']) {
    const named = { query_string: { query: 'x', fields: [field] } }
    expect(await refusal(rest, SEARCH, { query: named })).toContain('query_shard_exception')
    const like = { query: 'x', fields: [`${field.slice(0, 2)}*`], lenient: false }
    expect(await index.ids({ query_string: like })).toEqual([])
  }
})

it('lenient queries find nothing in fields that take no such query', async () => {
  for (const field of ['place', 'bytes', 'v'])
    expect(await index.ids({ match: { [field]: { query: 'x', lenient: true } } })).toEqual([])
  const prefix = { query: 'x*', fields: ['n', 'b'], lenient: true }
  expect(await index.ids({ query_string: prefix })).toEqual([])
  expect(await index.ids({ simple_query_string: prefix })).toEqual([])
})

it('lenient queries refuse an analyzer that there is not', async () => {
  const options = { query: 'x', analyzer: 'none', lenient: true }
  const reason = 'analyzer [none] not found'
  for (const query of [
    { match: { t: options } },
    { match: { n: options } },
    { match_phrase: { t: { query: 'x', analyzer: 'none' } } },
    { multi_match: { ...options, fields: ['n', 't'] } },
    { multi_match: { ...options, fields: ['t'], type: 'cross_fields' } },
    { query_string: options },
    { simple_query_string: options },
  ])
    expect(await refusal(rest, SEARCH, { query })).toContain(reason)
})
