import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusal, throughLife } from '../../support/field-life.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

const MPE = '400 mapper_parsing_exception: '
const deprecated = (name: string): string =>
  `Parameter [boost] on field [${name}] is deprecated and will be removed in 3.0`
const idle = (type: string): string =>
  `Parameter [boost] has no effect on type [${type}] and will be removed in future`

/** Two indices of the same documents: one whose fields have a boost of 2, and one without. */
const FIELDS = {
  text: { type: 'text' },
  same: { type: 'text', similarity: 'boolean' },
  prefixed: { type: 'text', index_prefixes: {} },
  key: { type: 'keyword' },
  scored: { type: 'keyword', use_similarity: true },
  scoredSame: { type: 'keyword', use_similarity: true, similarity: 'boolean' },
  column: { type: 'keyword', index: false },
  flag: { type: 'boolean' },
  flagColumn: { type: 'boolean', index: false },
  day: { type: 'date' },
  nanos: { type: 'date_nanos' },
  span: { type: 'integer_range' },
}
const DOCUMENTS = [
  { text: 'red fox', same: 'red fox', prefixed: 'red', key: 'red', scored: 'red', column: 'red' },
  { text: 'red red hen', key: 'hen', scored: 'hen', flag: false, day: '2020-01-02' },
  {
    text: 'blue whale',
    key: 'RED',
    scored: 'red',
    scoredSame: 'red',
    flag: true,
    flagColumn: true,
    day: '2020-01-01',
    nanos: '2020-01-01',
    span: { gte: 1, lte: 5 },
  },
]

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  for (const [index, boost] of [
    ['plain', 1],
    ['boosted', 2],
  ] as const) {
    const properties = Object.fromEntries(
      Object.entries(FIELDS).map(([name, field]) => [name, { ...field, boost }]),
    )
    await rest.call(`PUT /${index}`, { mappings: { properties } })
    for (const [i, document] of DOCUMENTS.entries())
      await rest.call(`PUT /${index}/_doc/${i}?refresh`, document)
  }
})
afterAll(() => rest.close())

async function scores(index: string, query: object, profile = false): Promise<[string, number][]> {
  const { json, text } = await rest.call(`POST /${index}/_search`, { query, profile })
  if (json.hits === undefined || json._shards.failed > 0) throw new Error(text)
  return json.hits.hits.map((hit: { _id: string; _score: number }) => [
    hit._id,
    Math.fround(hit._score),
  ])
}

it.each<[string, object, number]>([
  ['a term of a text', { term: { text: 'red' } }, 2],
  ['a term regardless of case', { term: { text: { value: 'RED', case_insensitive: true } } }, 2],
  ['a term that scores constantly', { term: { same: 'red' } }, 2],
  ['a word of a match', { match: { text: 'red' } }, 2],
  ['words of a match', { match: { text: 'red whale' } }, 2],
  ['words of a query string', { query_string: { query: 'text:red' } }, 2],
  [
    'words of a simple query string',
    { simple_query_string: { query: 'hen', fields: ['text'] } },
    2,
  ],
  ['a phrase of one word', { match_phrase: { text: 'red' } }, 2],
  ['a phrase', { match_phrase: { text: 'red fox' } }, 1],
  ['a fuzzy word', { match: { text: { query: 'rad', fuzziness: 1 } } }, 1],
  ['a prefix', { prefix: { text: 're' } }, 1],
  ['a prefix that is a term', { prefix: { prefixed: 're' } }, 1],
  ['a pattern', { wildcard: { key: 'r*' } }, 1],
  ['terms', { terms: { key: ['red', 'hen'] } }, 1],
  ['a range of terms', { range: { key: { gte: 'a' } } }, 1],
  ['a field that exists', { exists: { field: 'key' } }, 1],
  ['a keyword', { term: { key: 'red' } }, 2],
  ['a match of a keyword', { match: { key: 'red' } }, 2],
  ['a keyword of any case', { term: { key: { value: 'red', case_insensitive: true } } }, 2],
  ['a keyword by similarity', { term: { scored: 'red' } }, 4],
  ['a keyword by the constant similarity', { term: { scoredSame: 'red' } }, 4],
  ['a keyword by doc values', { term: { column: 'red' } }, 2],
  ['a boolean', { term: { flag: true } }, 2],
  ['a boolean by doc values', { term: { flagColumn: true } }, 1],
  ['a date', { term: { day: '2020-01-01' } }, 2],
  ['a match of a date', { match: { day: '2020-01-01' } }, 2],
  ['dates', { terms: { day: ['2020-01-01'] } }, 1],
  ['a range of dates', { range: { day: { gte: '2020-01-01' } } }, 1],
  ['a date of nanoseconds', { term: { nanos: '2020-01-01' } }, 2],
  ['a value within an interval', { term: { span: 3 } }, 2],
  ['an interval', { range: { span: { gte: 3 } } }, 1],
  ['a boost of the query too', { term: { text: { value: 'red', boost: 3 } } }, 2],
  ['several fields', { multi_match: { query: 'red', fields: ['text', 'key^3'] } }, 2],
  [
    'several fields as one',
    { multi_match: { query: 'fox', fields: ['text', 'same'], type: 'cross_fields' } },
    2,
  ],
])('multiplies scores: %s', async (_of, query, factor) => {
  const plain = await scores('plain', query)
  expect(plain.length).toBeGreaterThan(0)
  const expected = plain.map(([id, score]) => [id, Math.fround(score * factor)])
  expect(await scores('boosted', query)).toEqual(expected)
  expect(await scores('boosted', query, true)).toEqual(expected)
})

it('is told by profiles and explanations', async () => {
  const profiled = async (query: object): Promise<string> => {
    const { json } = await rest.call('POST /boosted/_search', { query, profile: true })
    return json.profile.shards[0].searches[0].query[0].description
  }
  expect(await profiled({ match: { text: 'red whale' } })).toBe('(text:red)^2.0 (text:whale)^2.0')
  const { json } = await rest.call('POST /boosted/_explain/0', { query: { term: { text: 'red' } } })
  const factors = json.explanation.details[0].details
  expect(factors[0]).toEqual({ value: 2, description: 'boost', details: [] })
  const explained = async (query: object): Promise<string> => {
    const valid = await rest.call('POST /boosted/_validate/query?explain=true', { query })
    return valid.json.explanations[0].explanation
  }
  expect(await explained({ term: { text: 'red' } })).toBe('(text:red)^2.0')
  expect(await explained({ term: { key: 'red' } })).toBe('(ConstantScore(key:red))^2.0')
  expect(await explained({ term: { scored: 'red' } })).toBe('(scored:red)^4.0')
})

it('prints with its warning, is kept and may be updated', async () => {
  const properties = {
    t: { type: 'text', boost: '1.1', fields: { raw: { type: 'keyword', boost: 3 } } },
    one: { type: 'keyword', boost: 1 },
  }
  const documents = { a: { t: 'red', one: 'red' }, b: { t: 'blue' } }
  await throughLife({ properties, documents }, async index => {
    const { json } = await index.rest.call('GET /i/_mapping')
    expect(json.i.mappings.properties).toEqual({
      one: { type: 'keyword' },
      t: { type: 'text', boost: 1.1, fields: { raw: { type: 'keyword', boost: 3 } } },
    })
    const found = await index.rest.call('POST /i/_search', { query: { term: { 't.raw': 'red' } } })
    expect(found.json.hits.hits[0]._score).toBe(3)
  })
  const created = await rest.call('PUT /updated', {
    mappings: { properties: { ...properties, o: { properties: { k: properties.one } } } },
  })
  const warnings = created.headers['warning'] ?? ''
  for (const name of ['t', 'raw', 'one', 'k']) expect(warnings).toContain(`"${deprecated(name)}"`)
  expect(warnings.split('299 OpenSearch').length).toBe(5)
  await rest.call('PUT /updated/_doc/1?refresh', { one: 'red' })
  const query = { term: { one: 'red' } }
  expect(await scores('updated', query)).toEqual([['1', 1]])
  const put = await rest.call('PUT /updated/_mapping', {
    properties: { one: { type: 'keyword', boost: 2.5 } },
  })
  expect([put.status, put.headers['warning']]).toEqual([
    200,
    expect.stringContaining(deprecated('one')),
  ])
  expect(await scores('updated', query)).toEqual([['1', 2.5]])
  const without = await rest.call('PUT /updated/_mapping', {
    properties: { one: { type: 'keyword' } },
  })
  expect(without.headers['warning']).toBeUndefined()
  expect(await scores('updated', query)).toEqual([['1', 1]])
})

it('is passed over by types that have none', async () => {
  const types = ['long', 'double', 'ip', 'wildcard', 'binary', 'token_count']
  const properties = Object.fromEntries(
    types.map(type => [type, { type, boost: 'any', ...(type === 'token_count' ? ANALYZED : {}) }]),
  )
  const { status, headers } = await rest.call('PUT /idle', { mappings: { properties } })
  expect(status).toBe(200)
  for (const type of types) expect(headers['warning']).toContain(idle(type))
  const { text } = await rest.call('GET /idle/_mapping')
  expect(text).not.toContain('boost')
  await rest.call('PUT /idle/_doc/1?refresh', { long: 1, wildcard: 'a' })
  expect(await scores('idle', { term: { long: 1 } })).toEqual([['1', 1]])
  expect(await scores('idle', { term: { wildcard: 'a' } })).toEqual([['1', 1]])
})

const ANALYZED = { analyzer: 'standard' }

it.each([
  ['x', `400 number_format_exception: For input string: "x"`],
  ['', '400 number_format_exception: empty String'],
  [null, `${MPE}[boost] on mapper [f] of type [text] must not have a [null] value`],
  [{ a: 1 }, `400 number_format_exception: For input string: "{a=1}"`],
])('refuses %j', async (boost, error) => {
  const properties = { f: { type: 'text', boost } }
  expect(await refusal(rest, 'PUT /bad', { mappings: { properties } })).toBe(error)
})

it.each([
  [-1, '-1.0'],
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
])('refuses queries of a field whose boost is %j', async (boost, shown) => {
  const properties = { f: { type: 'text', boost }, k: { type: 'keyword', boost } }
  await rest.call('PUT /odd', { mappings: { properties } })
  for (const field of ['f', 'k'])
    expect(await refusal(rest, 'POST /odd/_search', { query: { term: { [field]: 'x' } } })).toBe(
      `400 illegal_argument_exception: boost must be a positive float, got ${shown}`,
    )
  await rest.call('DELETE /odd')
})

it('scores nothing at a boost of 0', async () => {
  const properties = { f: { type: 'text', boost: 0 } }
  await rest.call('PUT /zero', { mappings: { properties } })
  await rest.call('PUT /zero/_doc/1?refresh', { f: 'x y' })
  expect(await scores('zero', { match: { f: 'x y' } })).toEqual([['1', 0]])
})
