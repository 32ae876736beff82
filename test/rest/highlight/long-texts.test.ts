import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { highlightCalls } from '../../support/highlight-calls.ts'
import { PATIENCE_IN_MILLIS } from '../../support/patience.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

/** Each of these takes minutes where work grows with the square of the text. */
const WORDS = 100_000

let rest: Rest
const { fill, first } = highlightCalls(() => rest)
beforeAll(async () => {
  rest = await openRest()
  const vectors = { type: 'text', term_vector: 'with_positions_offsets' }
  await fill({ properties: { t: { type: 'text', fields: { v: vectors } }, many: vectors } }, [
    {
      t: 'a b é '.repeat(WORDS / 2),
      many: Array.from({ length: WORDS / 4 }, () => 'a b'),
    },
  ])
}, PATIENCE_IN_MILLIS)
afterAll(() => rest.close())

const options = { number_of_fragments: 100_000, fragment_size: 18, phrase_limit: 2147483647 }

describe('long texts', () => {
  it.each([
    ['unified', 't', { match_phrase: { t: { query: 'a b', slop: 3 } } }],
    ['unified', 't.v', { match: { 't.v': 'a b' } }],
    ['unified', 'many', { match_phrase: { many: 'b a' } }],
    ['unified', 't', { intervals: { t: { match: { query: 'a b', max_gaps: 2 } } } }],
    ['plain', 't', { match_phrase: { t: 'a b' } }],
    ['plain', 't', { match_phrase: { t: { query: 'b a', slop: 100 } } }],
    ['fvh', 't.v', { match: { 't.v': 'a b' } }],
    ['fvh', 't.v', { match_phrase: { 't.v': 'a b' } }],
    ['fvh', 'many', { match: { many: 'a b' } }],
  ])(
    'are highlighted by %s in time: %s %j',
    async (type, field, query) => {
      const found = await first(query, { type, fields: { [field]: options } })
      const isNone = field === 'many' && type === 'unified'
      expect(found?.[field]?.length ?? 0).toBeGreaterThan(isNone ? -1 : 1000)
    },
    PATIENCE_IN_MILLIS,
  )

  it.each([
    ['unified', 't', 2],
    ['unified', 't.v', 2],
    ['fvh', 't.v', 1],
    // Its tokens are looked at one by one.
    ['plain', 't', 5],
  ])(
    'let others have a turn while they are highlighted by %s: %s',
    async (type, field, least) => {
      let turns = 0
      let isRunning = true
      const count = (): void => {
        turns++
        if (isRunning) setImmediate(count)
      }
      setImmediate(count)
      const ids = { query: { ids: { values: ['0'] } }, _source: false }
      const search = (more: object): Promise<unknown> =>
        rest.call('POST /i/_search', { ...ids, ...more })
      await search({})
      const before = turns
      await search({})
      const without = turns - before
      const query = { match: { [field]: 'b' } }
      const fields = { [field]: { type, highlight_query: query } }
      await search({ highlight: { fields } })
      isRunning = false
      expect(turns - before - 2 * without).toBeGreaterThanOrEqual(least)
    },
    PATIENCE_IN_MILLIS,
  )

  it(
    'are cut by the rules of a language in time',
    async () => {
      const query = { match: { 't.v': 'é' } }
      for (const boundary_scanner of ['sentence', 'word']) {
        const fields = { 't.v': { ...options, boundary_scanner, number_of_fragments: 200 } }
        expect((await first(query, { type: 'fvh', fields }))!['t.v']).toHaveLength(200)
      }
    },
    PATIENCE_IN_MILLIS,
  )
})
