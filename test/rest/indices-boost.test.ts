import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  for (const [n, index] of ['one', 'two', 'other'].entries()) {
    await ok(`PUT /${index}`, {
      settings: { number_of_shards: 2 },
      aliases: { [`a_${index}`]: {} },
    })
    await ok(`PUT /${index}/_doc/1?refresh`, { t: 'word', d: `20${n}0-01-01` })
  }
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

/** Scores by index of hits that score 1 by themselves. */
async function scores(indices_boost: unknown): Promise<Record<string, number>> {
  const query = { constant_score: { filter: { match: { t: 'word' } } } }
  const { hits } = await ok('POST /_search', { query, indices_boost })
  return Object.fromEntries(
    hits.hits.map((hit: { _index: string; _score: number }) => [hit._index, hit._score]),
  )
}

describe('indices_boost', () => {
  it('multiplies the scores of indices, aliases and patterns, the first that means one', async () => {
    expect(await scores([{ one: 3 }])).toEqual({ one: 3, two: 1, other: 1 })
    expect(await scores([{ a_two: 2.5 }, { two: 9 }])).toEqual({ one: 1, two: 2.5, other: 1 })
    expect(await scores([{ 'o*': 0.5 }, { one: 9 }, { two: 4 }])).toEqual({
      one: 0.5,
      two: 4,
      other: 0.5,
    })
  })

  it('orders hits by what comes out, and explains it', async () => {
    const { hits } = await ok('POST /_search', {
      query: { match: { t: 'word' } },
      indices_boost: [{ two: 2 }],
      explain: true,
    })
    const [first] = hits.hits
    expect(first._index).toBe('two')
    expect(first._explanation).toMatchObject({
      value: first._score,
      description: 'function score, product of:',
    })
  })

  it('takes the old form with a warning', async () => {
    const { headers, json } = await rest.call('POST /_search', { indices_boost: { one: 3 } })
    expect(json.hits.hits[0]._index).toBe('one')
    expect(headers.warning).toContain(
      'Object format in indices_boost is deprecated, please use array format instead',
    )
  })

  it('refuses an index that is missing, unless unavailable ones are ignored', async () => {
    const body = { indices_boost: [{ no: 2 }] }
    expect(await failure('POST /_search', body)).toEqual([
      404,
      'index_not_found_exception',
      'no such index [no]',
    ])
    expect((await ok('POST /_search?ignore_unavailable=true', body)).hits.hits).toHaveLength(3)
  })

  it.each([
    [['one'], 'Expected [START_OBJECT] in [indices_boost] but found [VALUE_STRING]'],
    [[{ one: 1, two: 2 }], 'Expected [END_OBJECT] in [indices_boost] but found [FIELD_NAME]'],
    [[{ one: [] }], 'Expected a number but found [START_ARRAY]'],
  ])('refuses %j', async (indices_boost, reason) => {
    expect(await failure('POST /_search', { indices_boost })).toEqual([
      400,
      'parsing_exception',
      reason,
    ])
  })
})

describe('pre_filter_shard_size', () => {
  const skipped = async (line: string, body: object): Promise<number> =>
    (await ok(line, body))._shards.skipped

  it('tells the shards that cannot have a hit, of which one is searched all the same', async () => {
    const from = (gte: string): object => ({ query: { range: { d: { gte } } } })
    const line = 'POST /_search?pre_filter_shard_size=1'
    expect(await skipped(line, from('2015'))).toBe(5)
    expect(await skipped(line, from('2050'))).toBe(5)
    expect(await skipped(line, {})).toBe(0)
    expect(await skipped('POST /_search', from('2015'))).toBe(0)
    expect(await skipped('POST /_search?pre_filter_shard_size=6', from('2015'))).toBe(0)
  })
})
