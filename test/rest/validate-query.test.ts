import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /books', {
    settings: { number_of_shards: 2 },
    mappings: { properties: { title: { type: 'text' }, year: { type: 'integer' } } },
    aliases: { old: { filter: { term: { title: 'sea' } } } },
  })
  await rest.call('PUT /other', { mappings: { properties: { year: { type: 'keyword' } } } })
})

afterAll(() => rest.close())

const APPROXIMATE = 'ApproximateScoreQuery(originalQuery=*:*, approximationQuery=Approximate(*:*))'

it('finds a query valid in one shard of each index', async () => {
  const { status, json } = await rest.call('GET /_validate/query', {
    query: { match: { title: 'sea' } },
  })
  expect(status).toBe(200)
  expect(json).toEqual({ valid: true, _shards: { total: 2, successful: 2, failed: 0 } })
})

it('explains the query as it was made, match_all as what stands for it', async () => {
  const { json } = await rest.call('POST /books/_validate/query?explain')
  expect(json.explanations).toEqual([{ index: 'books', valid: true, explanation: APPROXIMATE }])
  const bool = { query: { bool: { should: [{ match_all: {} }, { term: { title: 'sea' } }] } } }
  const nested = await rest.call('GET /books/_validate/query?explain', bool)
  expect(nested.json.explanations[0].explanation).toBe(`${APPROXIMATE} title:sea`)
  const alias = await rest.call('GET /old/_validate/query?explain')
  expect(alias.json.explanations[0].explanation).toBe(`+${APPROXIMATE} #title:sea`)
})

it('explains the query as it runs with rewrite, in every shard with all_shards', async () => {
  const query = { bool: { must: [{ match: { title: 'sea' } }] } }
  const plain = await rest.call('GET /books/_validate/query?explain', { query })
  expect(plain.json.explanations[0].explanation).toBe('+title:sea')
  const { json } = await rest.call('GET /books/_validate/query?rewrite&all_shards', { query })
  expect(json._shards.total).toBe(2)
  expect(json.explanations).toEqual([
    { index: 'books', shard: 0, valid: true, explanation: 'title:sea' },
    { index: 'books', shard: 1, valid: true, explanation: 'title:sea' },
  ])
  const none = { query: { bool: { must: { match_none: {} }, should: { match_all: {} } } } }
  const empty = await rest.call('GET /books/_validate/query?rewrite', none)
  expect(empty.json.explanations[0].explanation).toBe(
    '+MatchNoDocsQuery("User requested "match_none" query.") *:*',
  )
})

it('tells for each index whether the query fits it', async () => {
  const { json } = await rest.call('GET /_validate/query?explain', {
    query: { term: { year: 'soon' } },
  })
  expect(json.valid).toBe(false)
  const [books, other] = json.explanations
  expect(other).toEqual({ index: 'other', valid: true, explanation: 'ConstantScore(year:soon)' })
  expect(books.valid).toBe(false)
  expect(books.error).toMatch(
    /^\[books\/[\w-]+\] QueryShardException\[failed to create query: For input string: "soon"\]; nested: NumberFormatException\[For input string: "soon"\];; java\.lang\.NumberFormatException: For input string: "soon"$/,
  )
})

it.each<[object | string, string]>([
  [
    { query: { boool: {} } },
    'ParsingException[unknown query [boool] did you mean [bool]?]; nested: ' +
      'NamedObjectNotFoundException[[1:11] unknown field [boool]];; ' +
      'org.opensearch.core.xcontent.NamedObjectNotFoundException: [1:11] unknown field [boool]',
  ],
  [{ match_all: {} }, 'ParsingException[request does not support [match_all]]'],
  [{ query: {} }, 'query malformed, empty clause found at [1:10]'],
])('says that %j is no query, with its error where that is explained', async (body, error) => {
  const { status, json } = await rest.call('GET /books/_validate/query', body)
  expect([status, json]).toEqual([200, { valid: false }])
  const explained = await rest.call('GET /books/_validate/query?explain=true', body)
  expect(explained.json).toEqual({ valid: false, error })
})

it('says the same of a body that is no JSON', async () => {
  const { status, json } = await rest.call('GET /books/_validate/query?explain', '{"query"')
  expect([status, json.valid]).toEqual([200, false])
  expect(json.error).toContain('Unexpected end-of-input')
})

it('takes the query of the URL where there is no body', async () => {
  const { json } = await rest.call('GET /books/_validate/query?explain&q=sea&df=title')
  expect(json.explanations[0].explanation).toBe('title:sea')
  const lenient = await rest.call('GET /books/_validate/query?q=year:soon&lenient=true')
  expect(lenient.json.valid).toBe(true)
})

it('answers 404 for an index that is missing', async () => {
  const { status, json } = await rest.call('GET /gone/_validate/query')
  expect([status, json.error.reason]).toEqual([404, 'no such index [gone]'])
})
