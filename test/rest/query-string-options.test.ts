/** Options of query strings of which no search of their own shows what they do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { profiled, scored } from '../support/search-shapes.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex(
    {
      t: { type: 'text' },
      u: { type: 'text' },
      syn: { type: 'text', analyzer: 'standard', search_analyzer: 'synonyms' },
      n: { type: 'long' },
    },
    null,
    {
      analysis: {
        filter: { syn: { type: 'synonym_graph', synonyms: ['ny, new york'] } },
        analyzer: { synonyms: { tokenizer: 'standard', filter: ['lowercase', 'syn'] } },
      },
    },
  )
  await index.add(
    { t: 'quick brown fox', u: 'red fox', syn: 'new york', n: 5 },
    { t: 'brown bear', u: 'quick', syn: 'york new', n: 10 },
    { t: 'lazy foxes jump', u: 'quick fox', syn: 'ny' },
    { t: 'foxa foxb foxc', u: 'brown fo' },
  )
})
afterAll(() => index.close())

const text = (options: object): object => ({ query_string: options })
const simple = (options: object): object => ({ simple_query_string: options })

describe('the type of a query string', () => {
  const TYPES = [
    'best_fields',
    'most_fields',
    'cross_fields',
    'phrase',
    'phrase_prefix',
    'bool_prefix',
  ]
  const options = { query: 'quick fox', fields: ['t', 'u^2'] }

  it.each(TYPES)('%s is that of multi_match', async type => {
    const asked = text({ ...options, type })
    const other = { multi_match: { ...options, type } }
    const hits = await scored(index, asked)
    expect(hits.length).toBeGreaterThan(0)
    expect(hits).toEqual(await scored(index, other))
    expect(await profiled(index, asked)).toEqual(await profiled(index, other))
  })

  it('makes other queries, each of them', async () => {
    const printed = await Promise.all(
      TYPES.map(async type => (await profiled(index, text({ ...options, type })))[1]),
    )
    expect(new Set(printed).size).toBe(TYPES.length)
  })
})

describe('words and patterns that stand for terms', () => {
  it.each([
    ['query_string', text],
    ['simple_query_string', simple],
  ])('stand for only so many in a %s', async (_, of) => {
    const fuzzy = { query: 'fox~1', fields: ['t'] }
    expect(await index.find(of(fuzzy))).toEqual(['0', '3'])
    expect(await index.find(of({ ...fuzzy, fuzzy_max_expansions: 1 }))).toEqual(['0'])
  })

  it('score as the rewriting of fuzzy words says', async () => {
    const fuzzy = { query: 'fox~1', fields: ['t'] }
    const blended = Object.fromEntries(await scored(index, text(fuzzy)))
    expect(blended['3']).not.toBe(blended['0'])
    const constant = await scored(index, text({ ...fuzzy, fuzzy_rewrite: 'constant_score' }))
    expect(Object.fromEntries(constant)).toEqual({ 0: 1, 3: 1 })
    // That of patterns is another.
    const patterns = await scored(index, text({ ...fuzzy, rewrite: 'constant_score' }))
    expect(Object.fromEntries(patterns)).toEqual(blended)
  })

  it('may be only so hard to determinise', async () => {
    const hard = { query: '/(a|b)*a(a|b){8}/', fields: ['t'] }
    expect(await index.find(text(hard))).toEqual([])
    const query = text({ ...hard, max_determinized_states: 10 })
    expect(await index.refusal({ query })).toEqual([
      400,
      'Determinizing automaton would require more than 10 effort.',
    ])
  })

  it.each([
    ['query_string', text],
    ['simple_query_string', simple],
  ])('are phrases where synonyms have several words, unless a %s says no', async (_, of) => {
    const options = { query: 'ny', fields: ['syn'] }
    expect(await profiled(index, of(options))).toEqual(['BooleanQuery', 'syn:"new york" syn:ny'])
    expect(await index.find(of(options))).toEqual(['0', '2'])
    const apart = { ...options, auto_generate_synonyms_phrase_query: false }
    expect(await profiled(index, of(apart))).toEqual([
      'BooleanQuery',
      '(+syn:new +syn:york) syn:ny',
    ])
    expect(await index.find(of(apart))).toEqual(['0', '1', '2'])
  })
})

describe('a flag of simple_query_string', () => {
  const OR = { default_operator: 'or' }
  const AND = { default_operator: 'and' }
  it.each<[string, string, object, string, string[]]>([
    ['-quick', 'NOT', OR, '-t:quick *:*', ['1', '2', '3']],
    ['-quick', 'OR', OR, 't:quick', ['0']],
    ['bro*', 'PREFIX', OR, 't:bro*', ['0', '1']],
    ['bro*', 'NOT', OR, 't:bro', []],
    [
      'lazy | (quick + bear)',
      'AND|OR|PRECEDENCE|WHITESPACE',
      OR,
      't:lazy (+t:quick +t:bear)',
      ['2'],
    ],
    ['lazy | (quick + bear)', 'AND|OR|WHITESPACE', OR, '+(t:lazy t:quick) +t:bear', []],
    ['br\\own*', 'ESCAPE|PREFIX', OR, 't:brown*', ['0', '1']],
    ['br\\own*', 'PREFIX', OR, 't:br\\own*', []],
    ['qiuck~1', 'FUZZY', OR, '(t:quick)^0.8', ['0']],
    ['qiuck~1', 'OR', OR, 't:qiuck t:1', []],
    ['"quick fox"~1', 'PHRASE|NEAR', OR, 't:"quick fox"~1', ['0']],
    ['"quick fox"~1', 'PHRASE|SLOP', OR, 't:"quick fox"~1', ['0']],
    ['"quick fox"~1', 'PHRASE', OR, 't:"quick fox" t:1', []],
    ['"fox brown"', 'PHRASE', OR, 't:"fox brown"', []],
    ['"fox brown"', 'NEAR', OR, 't:fox t:brown', ['0', '1']],
    ['quick | lazy', 'OR|WHITESPACE', AND, 't:quick t:lazy', ['0', '2']],
    ['quick | lazy', 'WHITESPACE', AND, '+t:quick +t:lazy', []],
    ['quick + lazy', 'AND|WHITESPACE', OR, '+t:quick +t:lazy', []],
    ['quick + lazy', 'WHITESPACE', OR, 't:quick t:lazy', ['0', '2']],
    ['-quick + (lazy*', 'NONE', OR, 't:quick t:lazy', ['0', '2']],
  ])('reads %s by %s', async (query, flags, operator, description, expected) => {
    const asked = simple({ query, flags, fields: ['t'], ...operator })
    expect(await index.find(asked)).toEqual(expected)
    expect((await profiled(index, asked))[1]).toBe(description)
  })
})

describe('settings', () => {
  it.each([
    ['query_string', text],
    ['simple_query_string', simple],
  ])('let a %s pass over values that are none, as all fields do by default', async (_, of) => {
    const refusal = [400, 'For input string: "fox"']
    expect(await index.refusal({ query: of({ query: 'fox', fields: ['n'] }) })).toEqual(refusal)
    expect(await index.find(of({ query: 'fox', fields: ['*'] }))).toEqual(['0', '2'])
    expect(await index.find(of({ query: 'fox' }))).toEqual(['0', '2'])
    const strict = of({ query: 'fox', fields: ['*'], lenient: false })
    expect(await index.refusal({ query: strict })).toEqual(refusal)
  })

  it('make query strings of an index lenient', async () => {
    const { rest } = index
    for (const [name, lenient] of Object.entries({ strict: false, lenient: true })) {
      await rest.call(`PUT /${name}`, {
        settings: { 'index.query_string.lenient': lenient },
        mappings: { properties: { n: { type: 'long' } } },
      })
      await rest.call(`PUT /${name}/_doc/1?refresh`, { n: 1 })
      const query = text({ query: 'x OR 1', fields: ['n'] })
      const { status, json } = await rest.call(`POST /${name}/_search`, { query })
      expect([status, json.hits?.total.value]).toEqual(lenient ? [200, 1] : [400, undefined])
      const own = text({ query: 'x OR 1', fields: ['n'], lenient: !lenient })
      expect((await rest.call(`POST /${name}/_search`, { query: own })).status).toBe(
        lenient ? 400 : 200,
      )
    }
  })

  it('name the fields of an index that are asked by default', async () => {
    const ofFields = async (): Promise<string[][]> =>
      Promise.all(
        [text, simple, (options: object) => ({ multi_match: options })].map(of =>
          index.find(of({ query: 'bear' })),
        ),
      )
    expect(await ofFields()).toEqual([['1'], ['1'], ['1']])
    await index.rest.call('PUT /i/_settings', { 'index.query.default_field': ['u'] })
    expect(await ofFields()).toEqual([[], [], []])
    await index.rest.call('PUT /i/_settings', { 'index.query.default_field': ['u', 't'] })
    expect(await ofFields()).toEqual([['1'], ['1'], ['1']])
    await index.rest.call('PUT /i/_settings', { 'index.query.default_field': null })
  })

  it('bound the length of query strings', async () => {
    const limit = async (max: number | null): Promise<void> => {
      const transient = { 'search.query.max_query_string_length': max }
      expect((await index.rest.call('PUT /_cluster/settings', { transient })).status).toBe(200)
    }
    await limit(3)
    const long = text({ query: 'foxa', fields: ['t'] })
    expect(await index.refusal({ query: long })).toEqual([
      400,
      'Query string length exceeds max allowed length 3 (search.query.max_query_string_length); actual length: 4',
    ])
    expect(await index.find(text({ query: 'fox', fields: ['t'] }))).toEqual(['0'])
    await limit(null)
    expect(await index.find(long)).toEqual(['3'])
  })
})
