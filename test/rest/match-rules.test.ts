import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    t: { type: 'text' },
    n: { type: 'long' },
    d: { type: 'double' },
    day: { type: 'date' },
    b: { type: 'boolean' },
    ip: { type: 'ip' },
    span: { type: 'integer_range' },
  }
  await rest.call('PUT /i', { mappings: { properties } })
  const documents = [
    {
      t: 'red sea',
      n: 5,
      d: 2.5,
      day: '2020-05-06',
      b: true,
      ip: '10.0.0.1',
      span: { gte: 1, lte: 5 },
    },
    { t: 'red', n: 6, d: 3.5, day: '2021-05-06', b: false, ip: '10.0.0.2' },
  ]
  const lines = documents.flatMap((document, i) => [{ index: { _id: String(i) } }, document])
  await rest.call('POST /i/_bulk?refresh', ndjson(...lines))
})
afterAll(() => rest.close())

const search = async (body: object): Promise<{ id: string; score: number }[]> => {
  const { status, json } = await rest.call('POST /i/_search', body)
  expect(status, JSON.stringify(json)).toBe(200)
  return json.hits.hits.map((hit: { _id: string; _score: number }) => ({
    id: hit._id,
    score: hit._score,
  }))
}
const idsOf = async (query: object): Promise<string[]> =>
  (await search({ query })).map(({ id }) => id)

describe('match_phrase', () => {
  it.each([
    ['n', 5],
    ['n', '5'],
    ['d', 2.5],
    ['day', '2020-05-06'],
    ['day', '2020-05||/M'],
    ['b', true],
    ['ip', '10.0.0.1'],
    ['ip', '10.0.0.0/31'],
    ['span', 3],
    ['_seq_no', 0],
  ])('of a whole value of [%s] finds it: %j', async (field, value) => {
    expect(await idsOf({ match_phrase: { [field]: value } })).toEqual(['0'])
    expect(await idsOf({ match_phrase: { [field]: { query: value, slop: 2 } } })).toEqual(['0'])
  })

  it('refuses what is no value of the field', async () => {
    const { json } = await rest.call('POST /i/_search', { query: { match_phrase: { n: 'red' } } })
    expect(json.error.root_cause[0].reason).toContain('For input string: "red"')
  })
})

describe('minimum_should_match', () => {
  it('asks for optional words, of which `operator: and` leaves none', async () => {
    const match = (more: object): object => ({ match: { t: { query: 'red sea', ...more } } })
    expect(await idsOf(match({ operator: 'and' }))).toEqual(['0'])
    expect(await idsOf(match({ operator: 'and', minimum_should_match: 1 }))).toEqual([])
    expect(await idsOf(match({ operator: 'and', minimum_should_match: '50%' }))).toEqual(['0'])
    expect(await idsOf(match({ operator: 'and', minimum_should_match: -1 }))).toEqual(['0'])
    expect(await idsOf(match({ minimum_should_match: 2 }))).toEqual(['0'])
  })
})

describe('dis_max', () => {
  it('with a tie breaker of 1 scores as a bool of its queries', async () => {
    const queries = [
      { term: { t: 'red' } },
      { term: { t: 'sea' } },
      { term: { n: { value: 5, boost: 0.1 } } },
    ]
    const all = await search({ query: { dis_max: { queries, tie_breaker: 1 } } })
    expect(all).toEqual(await search({ query: { bool: { should: queries } } }))
    const { json } = await rest.call('POST /i/_search', {
      query: { dis_max: { queries, tie_breaker: 1 } },
      profile: true,
    })
    expect(json.profile.shards[0].searches[0].query[0].type).toBe('BooleanQuery')
  })
})

describe('_source', () => {
  it.each([
    [
      5,
      'Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found [VALUE_NUMBER]',
    ],
    // No key takes null.
    [null, 'Unknown key for a VALUE_NULL in [_source].'],
  ])('is refused as %j', async (_source, reason) => {
    const { status, json } = await rest.call('POST /i/_search', { _source })
    expect([status, json.error.type]).toEqual([400, 'parsing_exception'])
    expect(json.error.reason).toBe(reason)
  })
})

describe('an analyzer that is named, on fields of whole values', () => {
  beforeAll(async () => {
    const properties = { k: { type: 'keyword' }, n: { type: 'long' }, t: { type: 'text' } }
    await rest.call('PUT /whole', { mappings: { properties } })
    const documents = [{ k: 'a', n: 1, t: 'x' }, { k: 'b', n: 2 }, { k: 'a b' }, { k: 'bc' }]
    const lines = documents.flatMap((document, i) => [{ index: { _id: String(i) } }, document])
    await rest.call('POST /whole/_bulk?refresh', ndjson(...lines))
  })

  const ids = async (query: object): Promise<string> => {
    const { status, json, text } = await rest.call('POST /whole/_search', { query })
    expect(status, text).toBe(200)
    return json.hits.hits
      .map((hit: { _id: string }) => hit._id)
      .sort()
      .join(' ')
  }

  it.each([
    ['each word', { match: { k: { query: 'A b', analyzer: 'standard' } } }, '0 1'],
    ['all words', { match: { k: { query: 'a b', analyzer: 'standard', operator: 'and' } } }, ''],
    [
      'two of three words',
      { match: { k: { query: 'a b c', analyzer: 'standard', minimum_should_match: 2 } } },
      '',
    ],
    ['the whole text', { match: { k: { query: 'a b', analyzer: 'keyword' } } }, '2'],
    ['numbers', { match: { n: { query: '1 2', analyzer: 'whitespace' } } }, '0 1'],
    [
      'the words that are numbers',
      { match: { n: { query: '1 x', analyzer: 'whitespace', lenient: true } } },
      '0',
    ],
    ['ids', { match: { _id: { query: '1 2', analyzer: 'whitespace' } } }, '1 2'],
    ['a phrase of one word', { match_phrase: { k: { query: 'A', analyzer: 'standard' } } }, '0'],
    [
      'the last word as a prefix',
      { match_bool_prefix: { k: { query: 'a b', analyzer: 'standard' } } },
      '0 1 3',
    ],
    ['no word', { match: { k: { query: '!', analyzer: 'standard' } } }, ''],
    [
      'no word, which is all',
      { match: { k: { query: '!', analyzer: 'standard', zero_terms_query: 'all' } } },
      '0 1 2 3',
    ],
    [
      'several fields',
      { multi_match: { query: 'b x', fields: ['k', 't'], analyzer: 'standard' } },
      '0 1',
    ],
    [
      'a query string',
      { query_string: { query: 'a b', default_field: 'k', analyzer: 'standard' } },
      '0 1',
    ],
  ])('finds %s', async (_, query, expected) => {
    expect(await ids(query)).toBe(expected)
  })

  it.each([
    [{ match: { own: { query: 'A b', analyzer: 'standard' } } }, '0 1'],
    [{ match: { own: { query: 'a b', analyzer: 'standard', operator: 'and' } } }, ''],
    [{ match: { own: { query: 'a b', analyzer: 'keyword' } } }, '2'],
    [{ match: { own: 'a b' } }, '2'],
    [{ match_phrase: { own: { query: 'B', analyzer: 'standard' } } }, '1'],
  ])('finds derived values: %j', async (query, expected) => {
    const own = { type: 'keyword', script: "emit(doc['k'].value)" }
    const { status, json, text } = await rest.call('POST /whole/_search', {
      derived: { own },
      query,
    })
    expect(status, text).toBe(200)
    const found = json.hits.hits.map((hit: { _id: string }) => hit._id).sort()
    expect(found.join(' ')).toBe(expected)
  })

  it.each([
    [
      { match_phrase: { k: { query: 'a b', analyzer: 'standard' } } },
      'failed to create query: Can only use phrase queries on text fields - not on [k] which is of type [keyword]',
    ],
    [{ match: { n: { query: '1', analyzer: 'nope' } } }, '[match] analyzer [nope] not found'],
    [{ match: { n: { query: '1 x', analyzer: 'whitespace' } } }, 'For input string: "x"'],
  ])('refuses %j', async (query, reason) => {
    const { status, json } = await rest.call('POST /whole/_search', { query })
    expect(status).toBe(400)
    expect(json.error.root_cause[0].reason).toContain(reason)
  })
})
