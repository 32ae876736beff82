import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

interface Hit {
  readonly _id: string
  readonly matched_queries?: unknown
}
const search = async (body: object, params = ''): Promise<readonly Hit[]> =>
  (await ok(`POST /i/_search${params}`, { sort: ['n'], size: 50, ...body })).hits.hits
const named = async (body: object, params = ''): Promise<unknown[]> =>
  (await search(body, params)).map(hit => hit.matched_queries)

const term = (value: string, _name?: string, boost = 1): object => ({
  term: { t: { value, boost, ...(_name === undefined ? {} : { _name }) } },
})

beforeEach(async () => {
  await rest.call('DELETE /*')
})

async function fill(documents: readonly object[], shards = 1): Promise<void> {
  await ok('PUT /i', {
    settings: { number_of_shards: shards, refresh_interval: '-1' },
    mappings: {
      properties: {
        t: { type: 'text' },
        n: { type: 'integer' },
        c: { type: 'nested', properties: { t: { type: 'text' } } },
      },
    },
    aliases: { filtered: { filter: term('a', 'ofAlias') } },
  })
  for (const [n, document] of documents.entries())
    await ok(`PUT /i/_doc/${n}${n % 2 === 0 ? '?refresh' : ''}`, { n, ...document })
  await ok('POST /i/_refresh')
}

describe('matched_queries', () => {
  it('lists the names that match a hit, in the order of the request', async () => {
    await fill([{ t: 'a' }, { t: 'b' }, { t: 'a b' }, { t: 'c' }])
    const query = {
      bool: {
        should: [term('b', 'second'), term('a', 'third')],
        filter: { range: { n: { gte: 0, _name: 'fourth' } } },
        _name: 'whole',
      },
    }
    expect(await named({ query })).toEqual([
      ['third', 'fourth', 'whole'],
      ['second', 'fourth', 'whole'],
      ['second', 'third', 'fourth', 'whole'],
      ['fourth', 'whole'],
    ])
  })

  it('is left out of a hit that no name matches, and out of all without names', async () => {
    await fill([{ t: 'a' }, { t: 'b' }])
    expect(await named({ query: { bool: { should: [term('a', 'x'), term('b')] } } })).toEqual([
      ['x'],
      undefined,
    ])
    expect(Object.keys((await search({ query: term('a') }))[0]!)).not.toContain('matched_queries')
  })

  it('has names of prohibited clauses, of post filters and of queries that are rewritten', async () => {
    await fill([{ t: 'a' }, { t: 'b' }])
    const query = {
      bool: {
        must_not: term('z', 'never'),
        should: [{ bool: { must: term('a', 'inner'), _name: 'outer' } }, term('b')],
      },
    }
    const body = { query, post_filter: { prefix: { t: { value: 'a', _name: 'post' } } } }
    expect(await named(body)).toEqual([['inner', 'outer', 'post']])
  })

  it('gives scores by name where they are asked for, boosts included', async () => {
    await fill([{ t: 'a' }, { t: 'a b' }])
    const query = { bool: { should: [term('a', 'plain'), term('b', 'boosted', 2)] } }
    const scores = { plain: expect.any(Number), boosted: expect.any(Number) }
    for (const [body, params] of [
      [{ query, include_named_queries_score: true }, ''],
      [{ query }, '?include_named_queries_score=true'],
    ] as const) {
      const [first, second] = await search({ ...body, sort: ['_score'] }, params)
      expect([first!.matched_queries, second!.matched_queries]).toEqual([
        scores,
        { plain: expect.any(Number) },
      ])
      const whole = first as unknown as { _score: number; matched_queries: typeof scores }
      const { plain, boosted } = whole.matched_queries
      expect(Math.fround(Math.fround(plain) + Math.fround(boosted))).toBeCloseTo(whole._score, 6)
    }
    expect(
      await named(
        { query, include_named_queries_score: true },
        '?include_named_queries_score=false',
      ),
    ).toEqual([['plain'], ['plain', 'boosted']])
  })

  it('scores a constant query by its boost', async () => {
    await fill([{ t: 'a' }])
    const query = { constant_score: { filter: term('a'), boost: 3, _name: 'three' } }
    expect(await named({ query, include_named_queries_score: true })).toEqual([{ three: 3 }])
  })

  it('has no name of nested documents, nor of an alias filter', async () => {
    await fill([{ t: 'a', c: [{ t: 'x' }] }])
    const nested = {
      nested: { path: 'c', query: { match: { 'c.t': { query: 'x', _name: 'in' } } } },
    }
    expect(await named({ query: { bool: { must: [nested], _name: 'out' } } })).toEqual([['out']])
    const { hits } = await ok('POST /filtered/_search', { query: term('a', 'mine') })
    expect(hits.hits[0].matched_queries).toEqual(['mine'])
  })

  it('takes the last of two queries of one name', async () => {
    await fill([{ t: 'a' }, { t: 'b' }])
    const query = { bool: { should: [term('a', 'x'), term('b', 'x')] } }
    expect(await named({ query })).toEqual([undefined, ['x']])
  })

  it('refuses a name that is no text', async () => {
    await fill([])
    expect(await failure('POST /i/_search', { query: { match_all: { _name: {} } } })).toEqual([
      400,
      'parsing_exception',
      'Expected a string but found [START_OBJECT]',
    ])
  })

  it('agrees with a search for each name, in any number of shards and slices', async () => {
    const words = ['a', 'b', 'c', 'd']
    const text = fc.subarray(words, { minLength: 0 }).map(list => ({ t: list.join(' ') }))
    const leaf = fc.oneof(
      fc.constantFrom(...words).map(word => ({ match: { t: word } })),
      fc.constantFrom(...words).map(value => ({ prefix: { t: { value } } })),
      fc.nat(20).map(gte => ({ range: { n: { gte } } })),
    )
    const scene = fc.record({
      documents: fc.array(text, { minLength: 1, maxLength: 20 }),
      queries: fc.array(leaf, { minLength: 1, maxLength: 4 }),
      shards: fc.constantFrom(1, 3),
    })
    await fc.assert(
      fc.asyncProperty(scene, async ({ documents, queries, shards }) => {
        await rest.call('DELETE /*')
        await fill(documents, shards)
        const should = queries.map((each, i) => ({ bool: { must: each, _name: `q${i}` } }))
        const body = { query: { bool: { should, filter: { match_all: {} } } } }
        const alone = await Promise.all(
          queries.map(async query => new Set((await search({ query })).map(hit => hit._id))),
        )
        for (const hit of await search(body)) {
          const expected = queries.flatMap((_, i) => (alone[i]!.has(hit._id) ? [`q${i}`] : []))
          expect(hit.matched_queries ?? []).toEqual(expected)
        }
      }),
      { numRuns: 40 },
    )
  })
})
