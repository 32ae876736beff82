import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)
const failure = failureOf(() => rest)
beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /books', {
    settings: { number_of_shards: 3 },
    mappings: { properties: { t: { type: 'text' }, n: { type: 'integer' } } },
    aliases: { few: { filter: { range: { n: { lt: 5 } } } }, routed: { routing: 'r3' } },
  })
  await ok('PUT /others')
  const lines = Array.from({ length: 60 }, (_, n) => [
    { index: { _index: 'books', _id: `${n}`, routing: `r${n % 7}` } },
    { t: n % 2 === 0 ? 'whale sea' : 'ship sea', n },
  ])
  await ok('POST /_bulk?refresh', ndjson(...lines.flat()))
  await ok('POST /others/_doc?refresh', { t: 'whale', n: 'none' })
})
afterAll(() => rest.close())

/** How many documents a request counts, which a search for them finds as well. */
async function counted(target: string, params = '', body?: object): Promise<number> {
  const { count } = await ok(`POST ${target}/_count?${params}`, body)
  const all = `track_total_hits=true&size=0&${params}`
  expect((await ok(`POST ${target}/_search?${all}`, body)).hits.total.value).toBe(count)
  return count
}

describe('a count', () => {
  it('is of every document where no query is given', async () => {
    expect(await counted('', '')).toBe(61)
    expect(await counted('/books', '')).toBe(60)
    expect(await counted('/few', '')).toBe(5)
    expect(await counted('/books,others', '', { query: { match: { t: 'whale' } } })).toBe(31)
    expect(await ok('GET /books/_count', {})).toEqual({
      count: 60,
      _shards: { total: 3, successful: 3, skipped: 0, failed: 0 },
    })
  })

  it.each<[string, number]>([
    ['q=whale&df=t', 30],
    ['q=whale%20sea&df=t&default_operator=AND', 30],
    ['q=whale%20ship&df=t', 60],
    ['q=t:whale%20AND%20n:%3C5', 3],
    ['q=Whale&df=t&analyzer=keyword', 0],
    ['q=n:x&lenient=true', 0],
    ['q=t:wh-a*', 0],
  ])('takes the query of the URL: %s', async (params, expected) => {
    expect(await counted('/books', params)).toBe(expected)
  })

  it('goes to the shards of routing and preference', async () => {
    const shards = await Promise.all(
      [0, 1, 2].map(n => counted('/books', `preference=_shards:${n}`)),
    )
    expect(shards.reduce((sum, count) => sum + count)).toBe(60)
    expect(shards.filter(count => count > 0).length).toBeGreaterThan(1)
    const routed = await counted('/books', 'routing=r3')
    expect(shards).toContain(routed)
    expect(await counted('/routed')).toBe(routed)
    expect((await ok('GET /books/_count?routing=r3'))._shards.total).toBe(1)
  })

  it('leaves out documents of lower scores', async () => {
    const boosted = (value: string, boost: number): object => ({
      constant_score: { filter: { match: { t: value } }, boost },
    })
    const query = { bool: { should: [boosted('sea', 1), boosted('whale', 2)] } }
    expect(await counted('/books', 'min_score=1', { query })).toBe(60)
    expect(await counted('/books', 'min_score=1.5', { query })).toBe(30)
    expect(await counted('/books', 'min_score=3.5', { query })).toBe(0)
  })

  it('ends in each shard after so many, and says so', async () => {
    const cut = await ok('GET /books/_count?terminate_after=2')
    expect([cut.count, cut.terminated_early]).toEqual([6, true])
    const whole = await ok('GET /books/_count?terminate_after=1000')
    expect([whole.count, whole.terminated_early]).toEqual([60, false])
    // Zero is no bound.
    expect(await ok('GET /books/_count?terminate_after=0')).not.toHaveProperty('terminated_early')
  })

  it('tells of shards that fail beside those that counted', async () => {
    const { count, _shards } = await ok('POST /books,others/_count', {
      query: { query_string: { query: 'n:3', fields: ['n'], lenient: false } },
    })
    expect([count, _shards]).toEqual([1, { total: 4, successful: 4, skipped: 0, failed: 0 }])
    const wrong = { query: { term: { n: 'none' } } }
    const part = await ok('POST /books,others/_count', wrong)
    expect([part.count, part._shards.successful, part._shards.failed]).toEqual([1, 1, 3])
  })

  it('is of no index where a pattern means none', async () => {
    expect((await ok('GET /gone*/_count')).count).toBe(0)
    expect(await failure('GET /gone*/_count?allow_no_indices=false')).toEqual([
      404,
      'index_not_found_exception',
      'no such index [gone*]',
    ])
    expect((await ok('GET /gone,books/_count?ignore_unavailable=true')).count).toBe(60)
  })

  it.each<[string, object | undefined, number, string, string]>([
    [
      'POST /books/_count',
      { size: 1 },
      400,
      'parsing_exception',
      'request does not support [size]',
    ],
    [
      'POST /books/_count',
      { query: { match_all: {} }, sort: [] },
      400,
      'parsing_exception',
      'request does not support [sort]',
    ],
    [
      'GET /books/_count?terminate_after=-1',
      undefined,
      400,
      'illegal_argument_exception',
      'terminateAfter must be > 0',
    ],
    [
      'GET /books/_count?size=1',
      undefined,
      400,
      'illegal_argument_exception',
      'request [/books/_count] contains unrecognized parameter: [size]',
    ],
    ['GET /gone/_count', undefined, 404, 'index_not_found_exception', 'no such index [gone]'],
    [
      'POST /books/_count',
      { query: { nope: {} } },
      400,
      'parsing_exception',
      'unknown query [nope]',
    ],
    [
      'POST /books/_count',
      { query: { term: { n: 'x' } } },
      400,
      'search_phase_execution_exception',
      'all shards failed',
    ],
  ])('refuses %s %j', async (line, body, status, type, reason) => {
    expect(await failure(line, body)).toEqual([status, type, reason])
  })
})
