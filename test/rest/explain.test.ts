import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /books', {
    mappings: {
      properties: {
        title: { type: 'text' },
        tag: { type: 'keyword', store: true },
        year: { type: 'integer' },
        parts: { type: 'nested', properties: { name: { type: 'keyword' } } },
      },
    },
    aliases: { sea: { filter: { term: { tag: 'sea' } } } },
  })
  await rest.call(
    'POST /books/_bulk?refresh',
    ndjson(
      { index: { _id: '1' } },
      { title: 'the white whale', tag: 'sea', year: 1851, parts: [{ name: 'a' }] },
      { index: { _id: '2', routing: 'x' } },
      { title: 'whale and white ship', tag: 'land', year: 1904 },
    ),
  )
})

afterAll(() => rest.close())

type Step = { value: number; description: string; details: Step[] }

async function explained(query: object, id = '1', more = ''): Promise<Step & { matched: boolean }> {
  const { json } = await rest.call(`GET /books/_explain/${id}${more}`, { query })
  return { matched: json.matched, ...json.explanation }
}

/** Descriptions of a step and of all below it, indented. */
function outline({ description, details }: Step, depth = 0): string[] {
  return ['  '.repeat(depth) + description, ...details.flatMap(each => outline(each, depth + 1))]
}

it('explains a document as the explanation of a hit does', async () => {
  const query = { match: { title: 'white whale' } }
  const { json } = await rest.call('GET /books/_explain/1', { query })
  const search = await rest.call('GET /books/_search?explain', { query })
  expect(json).toEqual({
    _index: 'books',
    _id: '1',
    matched: true,
    explanation: search.json.hits.hits.find((hit: { _id: string }) => hit._id === '1')._explanation,
  })
})

it('answers 404 for a document that there is none of, or that no refresh has shown', async () => {
  const missing = await rest.call('GET /books/_explain/7', { query: { match_all: {} } })
  expect([missing.status, missing.json]).toEqual([
    404,
    { _index: 'books', _id: '7', matched: false },
  ])
  await rest.call('PUT /unseen/_doc/1', { a: 1 })
  const unseen = await rest.call('GET /unseen/_explain/1', { query: { match_all: {} } })
  expect([unseen.status, unseen.json.matched]).toEqual([404, false])
})

it('looks for the document in the shard of its routing', async () => {
  await rest.call('PUT /spread', { settings: { number_of_shards: 5 } })
  await rest.call('PUT /spread/_doc/1?routing=a&refresh', { t: 'x' })
  const body = { query: { match_all: {} } }
  const routed = await rest.call('POST /spread/_explain/1?routing=a&preference=_local', body)
  expect([routed.status, routed.json.matched]).toEqual([200, true])
  await rest.call('PUT /needs', { mappings: { _routing: { required: true } } })
  const { status, json } = await rest.call('GET /needs/_explain/1', body)
  expect([status, json.error.type, json.error.reason]).toEqual([
    400,
    'routing_missing_exception',
    'routing is required for [needs]/[1]',
  ])
})

it('lets the filter of an alias keep a document from matching', async () => {
  const body = { query: { match_all: {} } }
  const shown = await rest.call('GET /sea/_explain/1', body)
  expect([shown.json._index, shown.json.matched]).toEqual(['books', true])
  const ofTitle = { query: { match: { title: 'ship' } } }
  const hidden = await rest.call('GET /sea/_explain/2?routing=x', ofTitle)
  expect(hidden.status).toBe(200)
  expect(hidden.json.matched).toBe(false)
  expect(outline(hidden.json.explanation).filter(line => !/^ {4}/.test(line))).toEqual([
    'Failure to meet condition(s) of required/prohibited clause(s)',
    '  weight(title:ship in 2) [PerFieldSimilarity], result of:',
    '  no match on required clause (tag:sea)',
  ])
})

it.each<[string, object, string[]]>([
  ['a term', { match: { title: 'ship' } }, ['no matching term']],
  [
    'a phrase, whose terms are apart',
    { match_phrase: { title: 'the whale' } },
    ['no matching phrase'],
  ],
  [
    'a phrase, of which a term is missing',
    { match_phrase: { title: 'white ship' } },
    ['no matching terms'],
  ],
  ['a range', { range: { year: { gte: 1900 } } }, ["year:[1900 TO 2147483647] doesn't match id 1"]],
  ['match_none', { match_none: {} }, ['User requested "match_none" query.']],
  [
    'constant_score',
    { constant_score: { filter: { term: { tag: 'land' } } } },
    ["ConstantScore(tag:land) doesn't match id 1"],
  ],
  [
    'dis_max',
    { dis_max: { queries: [{ match: { title: 'ship' } }, { match: { title: 'boat' } }] } },
    ['No matching clause', '  no matching term', '  no matching term'],
  ],
  [
    'optional clauses alone',
    { bool: { should: [{ match: { title: 'ship' } }, { match: { title: 'boat' } }] } },
    ['No matching clauses'],
  ],
  [
    'too few optional clauses',
    { match: { title: { query: 'white ship and', minimum_should_match: 2 } } },
    [
      'Failure to match minimum number of optional clauses: 2',
      '  weight(title:white in 1) [PerFieldSimilarity], result of:',
    ],
  ],
  [
    'a prohibited clause',
    { bool: { must: { match: { title: 'white' } }, must_not: { match: { title: 'whale' } } } },
    [
      'Failure to meet condition(s) of required/prohibited clause(s)',
      '  weight(title:white in 1) [PerFieldSimilarity], result of:',
      '  match on prohibited clause (title:whale)',
    ],
  ],
  [
    'boosting',
    {
      boosting: {
        positive: { match: { title: 'ship' } },
        negative: { match: { title: 'white' } },
        negative_boost: 0.5,
      },
    },
    ['no matching term'],
  ],
  [
    'nested',
    { nested: { path: 'parts', query: { term: { 'parts.name': 'b' } } } },
    ['Not a match'],
  ],
])('says why %s does not match', async (_name, query, expected) => {
  const { matched, ...step } = await explained(query)
  expect([matched, step.value]).toEqual([false, 0])
  const depth = Math.max(...expected.map(line => line.search(/\S/) / 2))
  expect(outline(step).filter(line => line.search(/\S/) / 2 <= depth)).toEqual(expected)
})

it('carries the document where its source or stored fields are asked for', async () => {
  const body = { query: { match_all: {} } }
  const { json } = await rest.call('GET /books/_explain/1?_source_includes=year', body)
  expect(json.get).toEqual({ _seq_no: 0, _primary_term: 1, found: true, _source: { year: 1851 } })
  const stored = await rest.call('GET /books/_explain/2?routing=x&stored_fields=tag', body)
  expect(stored.json.get).toEqual({
    _seq_no: 1,
    _primary_term: 1,
    _routing: 'x',
    found: true,
    fields: { tag: ['land'] },
  })
  const without = await rest.call('GET /books/_explain/1?_source=false', body)
  expect(without.json).not.toHaveProperty('get')
})

it('takes the query of the URL where there is no body', async () => {
  const { json } = await rest.call('GET /books/_explain/1?q=whale&df=title')
  expect(json.matched).toBe(true)
  const body = { query: { match: { title: 'ship' } } }
  expect((await rest.call('GET /books/_explain/1?q=whale&df=title', body)).json.matched).toBe(false)
})

it('refuses a request without a query, or with other keys', async () => {
  for (const body of [undefined, {}]) {
    const { status, json } = await rest.call('GET /books/_explain/1', body)
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: query is missing;',
    ])
  }
  const { json } = await rest.call('GET /books/_explain/1', { match_all: {} })
  expect([json.error.type, json.error.reason]).toEqual([
    'parsing_exception',
    'request does not support [match_all]',
  ])
  const unfit = await rest.call('GET /books/_explain/1', { query: { term: { year: 'x' } } })
  expect([unfit.status, unfit.json.error.type]).toEqual([400, 'query_shard_exception'])
  const gone = await rest.call('GET /gone/_explain/1', { query: { match_all: {} } })
  expect([gone.status, gone.json.error.type]).toEqual([404, 'index_not_found_exception'])
})
