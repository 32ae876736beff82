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
