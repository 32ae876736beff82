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
    [5, 'VALUE_NUMBER'],
    [null, 'VALUE_NULL'],
  ])('is refused as %j', async (_source, token) => {
    const { status, json } = await rest.call('POST /i/_search', { _source })
    expect([status, json.error.type]).toEqual([400, 'parsing_exception'])
    expect(json.error.reason).toBe(
      'Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found ' +
        `[${token}]`,
    )
  })
})
