import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  const properties = {
    n: { type: 'long' },
    at: { type: 'date' },
    text: { type: 'text', fielddata: true },
    place: { type: 'geo_point' },
  }
  await rest.call('PUT /i', { mappings: { properties } })
  await rest.call('PUT /i/_doc/1?refresh', { n: 1, at: 0, text: 'x', place: [1, 2] })
})
afterAll(() => rest.close())

/** The error of a search that sorts by an expression. */
async function refused(source: string): Promise<Record<string, unknown>> {
  const script = { lang: 'expression', source, params: { p: 'text', q: 1 } }
  const body = { sort: { _script: { type: 'number', script } } }
  const { status, json } = await rest.call('POST /i/_search', body)
  expect([status, json.error.type]).toEqual([400, 'search_phase_execution_exception'])
  expect(json.error.root_cause[0].type).toBe('script_exception')
  return json.error.failed_shards[0].reason
}

describe('an expression', () => {
  it.each([
    ['x + q', 'parse_exception', 'Unknown variable [x]'],
    ["doc['none'].value", 'parse_exception', 'Field [none] does not exist in mappings'],
    ["doc['text'].value", 'parse_exception', 'Field [text] must be numeric, date, or geopoint'],
    ['p + 1', 'parse_exception', 'Parameter [p] must be a numeric type'],
    [
      "doc['n'].foo()",
      'illegal_argument_exception',
      'Member method [foo] does not exist for numeric field [n].',
    ],
    [
      "doc['n'].foo",
      'illegal_argument_exception',
      'Member variable [foo] does not exist for numeric field [n].',
    ],
    [
      "doc['at'].foo()",
      'illegal_argument_exception',
      'Member method [foo] does not exist for date field [at].',
    ],
    [
      "doc['place'].value",
      'illegal_argument_exception',
      'Member variable [value] does not exist for geo field [place].',
    ],
  ])('that does not bind: %s', async (source, type, reason) => {
    expect(await refused(source)).toMatchObject({
      type: 'script_exception',
      reason: 'link error',
      script: source,
      lang: 'expression',
      caused_by: { type, reason },
    })
  })

  it.each(['1 +', '_score * foo bar', 'sqrt(', 'nothing(1)'])('that is none: %s', async source => {
    expect(await refused(source)).toMatchObject({
      type: 'script_exception',
      reason: 'compile error',
      script: source,
      lang: 'expression',
    })
  })
})
