import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    t: { type: 'text', fields: { exact: { type: 'keyword' } } },
    u: { type: 'text' },
    n: { type: 'long' },
  })
  await index.add(
    { t: 'quick brown fox', u: 'red', n: 5 },
    { t: 'brown bear', u: 'quick', n: 10 },
    { t: 'lazy fox jumps', n: 15 },
    { t: 'fox quick' },
  )
})
afterAll(() => index.close())

/** The query as its profile prints it. */
async function printed(options: object): Promise<string> {
  const query = { simple_query_string: { fields: ['t'], ...options } }
  const { json, text } = await index.rest.call('POST /i/_search', { query, profile: true })
  if (json.profile === undefined) throw new Error(text)
  return json.profile.shards[0].searches[0].query[0].description
}

describe('simple_query_string', () => {
  it.each([
    ['quick fox', ['0', '2', '3']],
    ['quick + fox', ['0', '3']],
    ['quick | lazy', ['0', '2', '3']],
    ['fox + -quick', ['2']],
    ['-quick', ['1', '2']],
    ['--quick', ['0', '3']],
    ['(quick | lazy) + fox', ['0', '2', '3']],
    ['"fox quick"', ['3']],
    ['"quick fox"~1', ['0']],
    ['"quick fox"~', []],
    ['"quick fox"~ | bear', ['0', '1', '3']],
    ['qiuck~', ['0', '3']],
    ['qiuck~1', ['0', '3']],
    ['qiuck~9', ['0', '3']],
    ['qiuck~x', []],
    ['BRO*', ['0', '1']],
    ['bro\\*', []],
    ['*', ['0', '1', '2', '3']],
    ['  ', []],
    ['()""| + -', []],
    ['((quick', ['0', '3']],
    ['quick)', ['0', '3']],
    ['"quick', ['0', '3']],
    ['fox + + quick', ['0', '3']],
  ])('%s', async (query, expected) => {
    expect(await index.find({ simple_query_string: { query, fields: ['t'] } })).toEqual(expected)
  })

  it.each([
    [{ query: 'quick' }, ['0', '1', '3']],
    [{ query: 'quick fox', fields: ['t'], default_operator: 'AND' }, ['0', '3']],
    [{ query: 'quick lazy bear', fields: ['t'], minimum_should_match: 2 }, []],
    [{ query: 'brown | quick | fox', fields: ['t'], minimum_should_match: '2' }, ['0', '3']],
    [{ query: 'quick + fox', fields: ['t'], flags: 'OR' }, ['0', '2', '3']],
    [{ query: 'quick + fox', fields: ['t'], flags: 'AND|WHITESPACE' }, ['0', '3']],
    [{ query: 'quick + fox', fields: ['t'], flags: 1 }, ['0', '3']],
    [{ query: 'bro*', fields: ['t'], flags: 'NONE' }, []],
    [{ query: 'bro*', fields: ['t'], flags: 'all' }, ['0', '1']],
    [{ query: '"quick fox"~2', fields: ['t'], flags: 'PHRASE|SLOP' }, ['0', '3']],
    [{ query: '"brown bear"', fields: ['t'], quote_field_suffix: '.exact' }, ['1']],
    [{ query: '"brown"', fields: ['t'], quote_field_suffix: '.exact' }, []],
    [{ query: 'Brown', fields: ['t'], analyzer: 'keyword' }, []],
    [{ query: 'brown-be*', fields: ['t'], analyze_wildcard: true, default_operator: 'and' }, ['1']],
    [{ query: 'gox~1', fields: ['t'], fuzzy_prefix_length: 1 }, []],
    [{ query: 'qiuck~1', fields: ['t'], fuzzy_transpositions: false }, []],
    [{ query: 'fxx~1', fields: ['t'], fuzzy_max_expansions: 1 }, ['0', '2', '3']],
    [{ query: 'x', fields: ['n'], lenient: true }, []],
    [{ query: '5', fields: ['n', 't'] }, ['0']],
    [{ query: 'quick', fields: ['absent'] }, []],
    [{ query: 'quick', fields: ['t'], auto_generate_synonyms_phrase_query: false }, ['0', '3']],
  ])('%j', async (options, expected) => {
    expect(await index.find({ simple_query_string: options })).toEqual(expected)
  })

  it.each([
    ['a b', 't:a t:b'],
    ['a + b | c', '(+t:a +t:b) t:c'],
    ['a | b + c', '+(t:a t:b) +t:c'],
    ['a -b', 't:a (-t:b *:*)'],
    ['(a b) c', 't:a t:b t:c'],
    ['a - b', 't:a t:b'],
    ['"a b"', 't:"a b"'],
  ])('reads %s as %s', async (query, expected) => {
    expect(await printed({ query })).toBe(expected)
  })

  it('adds the scores of fields up', async () => {
    const fields = ['t', 'u^2']
    expect(await printed({ query: 'quick', fields })).toBe('t:quick (u:quick)^2.0')
    expect(await printed({ query: 'qui*', fields })).toBe('t:qui* (u:qui*)^2.0')
    expect(await printed({ query: '"a b"', fields })).toBe('(t:"a b" | (u:"a b")^2.0)')
  })

  it.each([
    [{}, '[simple_query_string] query text missing'],
    [{ query: 'a', x: 1 }, '[simple_query_string] unsupported field [x]'],
    [{ query: ['a'] }, '[simple_query_string] query does not support [query]'],
    [{ query: 'a', flags: 'XOR' }, 'Unknown simple_query_string flag [XOR]'],
    [{ query: 'a', analyzer: 'x' }, '[simple_query_string] analyzer [x] not found'],
    [{ query: 'x', fields: ['n'] }, 'For input string: "x"'],
    [{ query: `${'('.repeat(300)}a${')'.repeat(300)}` }, 'brackets are nested more than 200 deep'],
    [{ query: 'a|b+'.repeat(600), fields: ['t'] }, 'maxClauseCount is set to 1024'],
  ])('refuses option %#', async (options, reason) => {
    const query = { simple_query_string: options }
    expect(await index.refusal({ query })).toEqual([400, reason])
  })
})

describe('wrapper', () => {
  const wrapped = (query: object): object => ({
    wrapper: { query: Buffer.from(JSON.stringify(query)).toString('base64') },
  })

  it('is the query that it holds', async () => {
    expect(await index.find(wrapped({ term: { t: 'bear' } }))).toEqual(['1'])
    expect(await index.find(wrapped(wrapped({ term: { t: 'bear' } })))).toEqual(['1'])
  })

  it.each([
    [{}, '[wrapper] query malformed'],
    [{ x: 1 }, '[wrapper] query malformed, expected `query` but was x'],
    [{ query: null }, 'wrapper query has no [query] specified'],
    [{ query: '' }, 'query source text cannot be null or empty'],
    [{ query: '*' }, '[wrapper] query is not Base64'],
    [{ query: Buffer.from('{"x":{}}').toString('base64') }, 'unknown query [x]'],
  ])('refuses %j', async (wrapper, reason) => {
    const [status, text] = await index.refusal({ query: { wrapper } })
    expect(status).toBe(400)
    expect(text).toContain(reason)
  })

  it('is nested only so deep', async () => {
    let query: object = { match_all: {} }
    for (let i = 0; i < 9; i++) query = wrapped(query)
    expect(await index.refusal({ query })).toEqual([
      400,
      '[wrapper] queries are nested more than 8 deep',
    ])
  })
})
