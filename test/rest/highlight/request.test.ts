import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)
const failure = failureOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', {
    mappings: {
      properties: {
        t: { type: 'text' },
        k: { type: 'keyword' },
        c: { type: 'nested', properties: { t: { type: 'text' } } },
      },
    },
  })
  await ok('PUT /i/_doc/0?refresh', {
    t: 'a fox',
    k: 'x',
    c: [{ t: 'red fox' }, { t: 'dog' }, { t: ['old', 'fox, too'] }],
  })
  await ok('PUT /i/_doc/1?refresh', { t: 'one more fox', k: 'x' })
})
afterAll(() => rest.close())

/** Type, reason and causes of what a request is refused for. */
async function refused(highlight: unknown): Promise<readonly string[]> {
  const { status, json } = await rest.call('POST /i/_search', { highlight } as object)
  expect(status).toBe(400)
  const told: string[] = []
  for (let at = json.error; at !== undefined; at = at.caused_by)
    told.push(`${at.type}: ${at.reason}`)
  return told
}

describe('a request for highlighting', () => {
  it.each([
    ['pre_tags', { x: 1 }, 'START_OBJECT'],
    ['post_tags', 1, 'VALUE_NUMBER'],
    ['order', [], 'START_ARRAY'],
    ['fragment_size', true, 'VALUE_BOOLEAN'],
    ['number_of_fragments', {}, 'START_OBJECT'],
    ['require_field_match', 1, 'VALUE_NUMBER'],
    ['highlight_query', 'x', 'VALUE_STRING'],
    ['options', 'x', 'VALUE_STRING'],
    ['boundary_chars', 1, 'VALUE_NUMBER'],
    ['tags_schema', 1, 'VALUE_NUMBER'],
    ['encoder', 1, 'VALUE_NUMBER'],
    ['fields', 'x', 'VALUE_STRING'],
  ])('is refused where %s is %j', async (key, value, token) => {
    expect(await refused({ [key]: value })).toEqual([
      expect.stringMatching(
        new RegExp(
          `^x_content_parse_exception: \\[1:\\d+\\] \\[highlight\\] ${key} doesn't support values of ` +
            `type: ${token}$`,
        ),
      ),
    ])
  })

  it('is refused with keys that it does not have', async () => {
    expect(await refused({ field: {} })).toEqual([
      'x_content_parse_exception: [1:15] [highlight] unknown field [field] did you mean [fields]?',
    ])
    expect(await refused({ fields: { t: { fragment: 1 } } })).toEqual([
      expect.stringMatching(/\[highlight\] failed to parse field \[fields\]$/),
      expect.stringMatching(/\[fields\] failed to parse field \[t\]$/),
      expect.stringMatching(/\[highlight_field\] unknown field \[fragment\]/),
    ])
    expect(await refused({ fields: [{ t: {}, k: {} }] })).toEqual([
      expect.stringMatching(/\[highlight\] failed to parse field \[fields\]$/),
      expect.stringMatching(
        /\[fields\] can be a single object with any number of fields or an array where each entry is an object with a single field$/,
      ),
    ])
    expect(await refused('x')).toEqual([
      'parsing_exception: Unknown key for a VALUE_STRING in [highlight].',
    ])
  })

  it('is refused with tags at one end alone', async () => {
    expect(await refused({ pre_tags: ['<a>'] })).toEqual([
      'parsing_exception: pre_tags are set but post_tags are not set',
    ])
    expect((await refused({ fields: { t: { pre_tags: '<a>' } } })).at(-1)).toBe(
      'parsing_exception: pre_tags are set but post_tags are not set',
    )
  })

  it.each([
    [{ tags_schema: 'bold' }, 'Unknown tag schema [bold]'],
    [
      { boundary_scanner: 'page' },
      'No enum constant org.opensearch.search.fetch.subphase.highlight.HighlightBuilder.' +
        'BoundaryScannerType.PAGE',
    ],
    [{ number_of_fragments: -1 }, '[number_of_fragments] must not be negative'],
    [{ phrase_limit: 0 }, 'phraseLimit must be greater than zero'],
    [{ max_analyzer_offset: 0 }, '[max_analyzer_offset] must be positive'],
    [{ pre_tags: [], post_tags: ['x'] }, '[pre_tags] must not be empty'],
    [
      { require_field_match: 'maybe' },
      'Failed to parse value [maybe] as only [true] or [false] are allowed.',
    ],
  ])('is refused with %j', async (highlight, reason) => {
    expect((await refused(highlight)).at(-1)).toBe(`illegal_argument_exception: ${reason}`)
  })

  it('is refused with a highlighter that there is not', async () => {
    const highlight = { fields: { 't*': { type: 'postings' } } }
    const { status, json } = await rest.call('POST /i/_search', { highlight })
    expect([status, json.error.root_cause[0].reason]).toEqual([
      400,
      'unknown highlighter type [postings] for the field [t*]',
    ])
  })

  it('is refused where it forces a source that the mapping does not keep', async () => {
    await ok('PUT /none', {
      mappings: { _source: { enabled: false }, properties: { t: { type: 'text' } } },
    })
    await ok('PUT /none/_doc/0?refresh', { t: 'a fox' })
    const body = { query: { match: { t: 'fox' } }, highlight: { fields: { t: {} } } }
    expect((await ok('POST /none/_search', body)).hits.hits[0].highlight).toBeUndefined()
    const forced = { ...body, highlight: { force_source: true, fields: { t: {} } } }
    const { json } = await rest.call('POST /none/_search', forced)
    expect(json.error.root_cause[0].reason).toBe(
      'source is forced for fields [t] but _source is disabled',
    )
  })

  it('gives fields in the order of a list, each with options of its own', async () => {
    const fields = [{ k: { type: 'plain' } }, { t: { pre_tags: '[', post_tags: ']' } }]
    const query = { bool: { must: [{ match: { t: 'fox' } }, { term: { k: 'x' } }] } }
    const { hits } = await ok('POST /i/_search', { query, highlight: { fields } })
    expect(Object.entries(hits.hits[0].highlight)).toEqual([
      ['k', ['<em>x</em>']],
      ['t', ['a [fox]']],
    ])
  })

  it('takes numbers and flags as text, and options that mean nothing here', async () => {
    const highlight = {
      fragment_size: '20',
      require_field_match: 'false',
      highlight_filter: true,
      options: { any: 1 },
      fields: { t: {} },
    }
    const { hits } = await ok('POST /i/_search', { query: { match: { t: 'fox' } }, highlight })
    expect(hits.hits[0].highlight).toEqual({ t: ['a <em>fox</em>'] })
  })
})

describe('inner hits', () => {
  it.each(['unified', 'plain'])('are highlighted by %s', async type => {
    const query = { match: { 'c.t': 'fox' } }
    const highlight = { type, fields: { 'c.t': {} } }
    const body = {
      query: { nested: { path: 'c', query, inner_hits: { highlight } } },
      highlight,
    }
    const { hits } = await ok('POST /i/_search', body)
    const [hit] = hits.hits
    expect(
      hit.inner_hits.c.hits.hits.map((each: { highlight: unknown }) => each.highlight),
    ).toEqual([{ 'c.t': ['red <em>fox</em>'] }, { 'c.t': ['<em>fox</em>, too'] }])
    expect(hit.highlight).toEqual({ 'c.t': ['red <em>fox</em>', '<em>fox</em>, too'] })
  })

  it('of groups are highlighted', async () => {
    const body = {
      query: { match: { t: 'fox' } },
      collapse: { field: 'k', inner_hits: { name: 'g', highlight: { fields: { t: {} } } } },
      highlight: { fields: { t: {} } },
    }
    const { hits } = await ok('POST /i/_search', body)
    expect(hits.hits[0].highlight).toEqual({ t: ['a <em>fox</em>'] })
    expect(
      hits.hits[0].inner_hits.g.hits.hits.map((each: { highlight: unknown }) => each.highlight),
    ).toEqual([{ t: ['a <em>fox</em>'] }, { t: ['one more <em>fox</em>'] }])
  })

  it('refuse highlighting that they cannot read', async () => {
    const inner_hits = { highlight: { fields: 1 } }
    const body = { query: { nested: { path: 'c', query: { match_all: {} }, inner_hits } } }
    const [status, type] = await failure('POST /i/_search', body)
    expect([status, type]).toEqual([400, 'x_content_parse_exception'])
  })
})
