import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const tokensOf = async (body: object): Promise<unknown[]> => {
  const { status, json, text } = await rest.call('POST /_analyze', body)
  expect(status, text).toBe(200)
  return json.tokens.map((token: { token: string }) => token.token)
}

describe('patterns that look around or back', () => {
  it('cut, replace and capture in chains of analysis', async () => {
    expect(
      await tokensOf({
        tokenizer: { type: 'pattern', pattern: '(?<=[a-z])(?=[A-Z])|\\W+' },
        text: 'camelCaseName, x',
      }),
    ).toEqual(['camel', 'Case', 'Name', 'x'])
    expect(
      await tokensOf({
        tokenizer: { type: 'pattern', pattern: '(["\'])(.*?)\\1', group: 2 },
        text: `"it's" and 'that'`,
      }),
    ).toEqual(["it's", 'that'])
    expect(
      await tokensOf({
        tokenizer: 'keyword',
        char_filter: [{ type: 'pattern_replace', pattern: '(\\d+)-(?=\\d)', replacement: '$1_' }],
        text: '123-456-x',
      }),
    ).toEqual(['123_456-x'])
    expect(
      await tokensOf({
        tokenizer: 'whitespace',
        filter: [{ type: 'pattern_replace', pattern: '(.)\\1+', replacement: '$1' }],
        text: 'coool aab',
      }),
    ).toEqual(['col', 'ab'])
    expect(
      await tokensOf({
        tokenizer: 'whitespace',
        filter: [
          {
            type: 'pattern_capture',
            patterns: ['(\\w)\\1', '([a-z]++)(?!\\d)'],
            preserve_original: false,
          },
        ],
        text: 'aab3 cdd',
      }),
    ).toEqual(['a', 'cdd', 'd'])
    expect(
      await tokensOf({
        tokenizer: 'whitespace',
        filter: [{ type: 'keyword_marker', keywords_pattern: '(?!run).*ing' }, 'porter_stem'],
        text: 'sing running going',
      }),
    ).toEqual(['sing', 'run', 'going'])
  })

  it('name fields in dynamic templates', async () => {
    const template = {
      match_pattern: 'regex',
      match: '(?!long_).*_(n|N)',
      mapping: { type: 'integer' },
    }
    await rest.call('PUT /templated', { mappings: { dynamic_templates: [{ numbers: template }] } })
    await rest.call('PUT /templated/_doc/1', { a_n: 1, long_n: 1 })
    const { json } = await rest.call('GET /templated/_mapping')
    expect(json.templated.mappings.properties).toEqual({
      a_n: { type: 'integer' },
      long_n: { type: 'long' },
    })
  })

  it('fail the document or the request that they take too long for, and nothing else', async () => {
    const settings = {
      analysis: {
        analyzer: { slow: { tokenizer: 'keyword', filter: ['slow'] } },
        filter: { slow: { type: 'pattern_replace', pattern: '(?=a)(a+)+$' } },
      },
    }
    const mappings = { properties: { t: { type: 'text', analyzer: 'slow' } } }
    expect((await rest.call('PUT /slow', { settings, mappings })).status).toBe(200)
    const text = `${'a'.repeat(200)}b`
    const reason = 'the pattern takes more than 10010050 steps on a text of 201 characters'
    const bulk = await rest.call(
      'POST /slow/_bulk?refresh',
      ndjson(
        { index: { _id: '1' } },
        { t: 'aaa' },
        { index: { _id: '2' } },
        { t: text },
        { index: { _id: '3' } },
        { t: 'b' },
      ),
    )
    const items = bulk.json.items.map((item: { index: { status: number } }) => item.index.status)
    expect(items).toEqual([201, 400, 201])
    expect(JSON.stringify(bulk.json.items[1].index.error)).toContain(reason)
    const analyzed = await rest.call('POST /slow/_analyze', { analyzer: 'slow', text })
    expect([analyzed.status, analyzed.json.error.type, analyzed.json.error.reason]).toEqual([
      400,
      'illegal_argument_exception',
      reason,
    ])
    const searched = await rest.call('POST /slow/_search', { query: { match: { t: text } } })
    expect(searched.status).toBe(400)
    expect(searched.json.error.root_cause[0].reason).toBe(`failed to create query: ${reason}`)
    expect((await rest.call('POST /slow/_search', {})).json.hits.total.value).toBe(2)
  })

  it('are refused where Java cannot read them', async () => {
    const { status, json } = await rest.call('POST /_analyze', {
      tokenizer: { type: 'pattern', pattern: '(?<=(?:a|bc)*)x' },
      text: 'x',
    })
    expect([status, json.error.type]).toEqual([400, 'illegal_argument_exception'])
    expect(json.error.reason).toBe(
      'Look-behind group does not have an obvious maximum length near index 14 of pattern ' +
        '[(?<=(?:a|bc)*)x]',
    )
  })
})
