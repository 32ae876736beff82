/** Values of `search_after` beyond what a level holds, and the best score of a search that is sorted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    t: { type: 'text' },
    n: { type: 'long' },
    u: { type: 'unsigned_long' },
    i: { type: 'integer' },
    day: { type: 'date' },
  })
  const [n, u, i, day] = [1, 1, 1, 1]
  await index.add({ t: 'a', n, u, i, day }, { t: 'a a', n, u, i, day })
})
afterAll(() => index.close())

/** A request whose text is sent as it stands: no number of it is rounded on the way. */
const search = (body: string) => index.rest.call('POST /i/_search', body)

describe('search_after', () => {
  it.each([
    ['n', '9223372036854775808'],
    ['n', '-9223372036854775809'],
    ['n', '18446744073709551617'],
    ['i', '9223372036854775808'],
    ['day', '18446744073709551617'],
    ['u', '18446744073709551616'],
    ['_seq_no', '18446744073709551617'],
  ])('of [%s] refuses %s, which would wrap and begin anew', async (field, value) => {
    for (const written of [value, `"${value}"`]) {
      const { status, json, text } = await search(
        `{"sort":["${field}"],"search_after":[${written}]}`,
      )
      expect(status, text).toBe(400)
      expect(json.error.root_cause[0]).toMatchObject({
        type: 'illegal_argument_exception',
        reason: `Failed to parse search_after value for field [${field}].`,
      })
    }
  })

  it.each([
    ['n', '9223372036854775807'],
    ['u', '18446744073709551615'],
    ['_seq_no', '9223372036854775807'],
  ])('of [%s] takes %s, the last that there is', async (field, value) => {
    const { status, json, text } = await search(`{"sort":["${field}"],"search_after":[${value}]}`)
    expect(status, text).toBe(200)
    expect([json.hits.total.value, json.hits.hits]).toEqual([2, []])
  })
})

describe('max_score', () => {
  const best = async (more: object): Promise<number | null> => {
    const { json } = await search(JSON.stringify({ query: { match: { t: 'a' } }, ...more }))
    expect(json.hits.hits).toHaveLength(2)
    return json.hits.max_score
  }

  it('is null where the worst come first, or fields sort', async () => {
    expect(await best({})).toBeGreaterThan(0)
    expect(await best({ sort: [{ _score: 'asc' }] })).toBeNull()
    expect(await best({ sort: ['n'] })).toBeNull()
  })

  it('is that of all hits where scores are kept beside a sort', async () => {
    expect(await best({ sort: ['n'], track_scores: true })).toBe(await best({}))
    expect(await best({ sort: [{ _score: 'asc' }], track_scores: true })).toBe(await best({}))
  })
})
