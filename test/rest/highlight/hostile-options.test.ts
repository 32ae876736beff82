import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest

const TYPES = ['unified', 'plain', 'fvh'] as const
/** Texts that have little to cut, or only in odd places. */
const TEXTS = [
  'fox',
  ' fox ',
  '',
  'fox\0fox',
  '\ud83e\udd8a fox \ud83e\udd8a',
  `${'x'.repeat(300)} fox`,
  'fox. '.repeat(50),
  ['fox', '', 'a fox'],
  ['', ''],
]
const NUMBERS = [
  'fragment_size',
  'number_of_fragments',
  'no_match_size',
  'boundary_max_scan',
  'phrase_limit',
  'max_analyzer_offset',
  'fragment_offset',
]
const VALUES = [-2147483648, -1, 0, 1, 17, 2147483647, 2147483648, 1.5, '7', '', 'x', null]

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /i', {
    mappings: {
      properties: { t: { type: 'text', term_vector: 'with_positions_offsets' } },
    },
  })
  for (const [id, t] of TEXTS.entries()) await rest.call(`PUT /i/_doc/${id}`, { t })
  await rest.call('POST /i/_refresh')
})
afterAll(() => rest.close())

const QUERIES = [
  { match: { t: 'fox' } },
  { match_phrase: { t: { query: 'a fox', slop: 2147483647 } } },
  { match_all: {} },
]

/** A search is answered with fragments of its texts, or refused as the request's own fault. */
async function check(type: string, highlight: object): Promise<boolean> {
  let isShown = false
  for (const query of QUERIES) {
    const body = {
      size: 20,
      query: { match_all: {} },
      highlight: { type, ...highlight, highlight_query: query },
    }
    const { status, json } = await rest.call('POST /i/_search', body)
    const told = { type, highlight, query, status, error: json.error }
    if (status === 200) {
      expect(json._shards.failures, JSON.stringify(told)).toBeUndefined()
      for (const { _source: source, highlight: found } of json.hits.hits) {
        // The ends of fragments of `fvh` are moved over the blanks between values too.
        const values = [source.t].flat()
        const whole = type === 'fvh' ? [values.join(' ')] : values
        for (const fragment of found?.t ?? []) {
          isShown ||= fragment.includes('<em>fox</em>')
          const bare = fragment.replaceAll(/<\/?em>/g, '')
          expect(
            whole.some(text => `${text} `.includes(bare)),
            JSON.stringify(told),
          ).toBe(true)
        }
      }
    } else {
      expect(status, JSON.stringify(told)).toBe(400)
      const [cause] = json.error.root_cause
      expect(cause.type).toMatch(
        /^(illegal_argument|x_content_parse|parsing|input_coercion)_exception$/,
      )
    }
  }
  return isShown
}

describe.each(TYPES)('numbers out of place: %s', type => {
  it.each(NUMBERS)('%s', async name => {
    let shown = 0
    for (const value of VALUES) if (await check(type, { fields: { t: { [name]: value } } })) shown++
    // The greatest of all is in place nearly everywhere.
    expect(shown).toBeGreaterThan(0)
  })

  it('all of them together', async () => {
    let shown = 0
    for (const size of [0, 1, 18, 2147483647])
      for (const number of [0, 1, 2147483647])
        for (const scanner of ['word', 'sentence', 'chars'])
          if (
            await check(type, {
              fragment_size: size,
              number_of_fragments: number,
              no_match_size: size,
              boundary_scanner: scanner,
              boundary_max_scan: number,
              boundary_chars: '',
              phrase_limit: 2147483647,
              fields: { t: {} },
            })
          )
            shown++
    expect(shown).toBeGreaterThan(10)
  })
})
