import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, indexOf, refusal } from '../support/field-life.ts'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
let index: FieldIndex
const IAE = '400 illegal_argument_exception: '
const QSE = '400 query_shard_exception: '
const SEARCH = 'POST /i/_search'

const properties = {
  t: { type: 'text' },
  k: { type: 'keyword' },
  low: { type: 'keyword', normalizer: 'lowercase' },
  column: { type: 'keyword', index: false },
  w: { type: 'wildcard' },
  c: { type: 'constant_keyword', value: 'Constant' },
  flat: { type: 'flat_object' },
  pre: { type: 'text', index_prefixes: {} },
  n: { type: 'long' },
  none: { type: 'keyword', index: false, doc_values: false },
}
const WORDS: Readonly<Record<string, string>> = {
  1: 'alpha',
  2: 'Alpine',
  3: 'alpah',
  4: 'beta',
  5: 'be*ta',
}

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /i', { mappings: { properties } })
  const lines = Object.entries(WORDS).flatMap(([_id, word]) => [
    { index: { _id, ...(_id === '1' ? { routing: 'north' } : {}) } },
    {
      t: word,
      k: word,
      low: word,
      column: word,
      w: word,
      flat: { a: word, b: 'x' },
      pre: word,
      n: 1,
    },
  ])
  await rest.call('POST /i/_bulk?refresh', ndjson(...lines.slice(0, 4)))
  await rest.call('POST /i/_bulk?refresh', ndjson(...lines.slice(4)))
  index = indexOf(rest)
})
afterAll(() => rest.close())

const asked = (kind: string, field: string, value: unknown): object => ({
  [kind]: { [field]: value },
})

describe('wildcard', () => {
  it.each([
    ['k', 'al*', ['1', '3']],
    ['k', '?l*', ['1', '2', '3']],
    ['k', 'be\\*ta', ['5']],
    ['k', 'beta\\', []],
    ['k', { value: 'AL*', case_insensitive: true }, ['1', '2', '3']],
    ['k', { wildcard: '*', boost: 2 }, ['1', '2', '3', '4', '5']],
    ['low', 'ALP*', ['1', '2', '3']],
    ['column', 'al*a', ['1']],
    ['column', { value: 'b*', rewrite: 'scoring_boolean' }, ['4', '5']],
    ['w', '*in*', ['2']],
    ['t', 'alpin?', ['2']],
    ['t', 'Alpin?', []],
    ['c', 'Con*t', ['1', '2', '3', '4', '5']],
    ['c', 'con*', []],
    ['c', { value: 'con*', case_insensitive: true }, ['1', '2', '3', '4', '5']],
    ['flat.a', 'al*', ['1', '3']],
    ['flat', 'x', ['1', '2', '3', '4', '5']],
    ['absent', '*', []],
    ['_index', 'i*', ['1', '2', '3', '4', '5']],
    ['_index', 'j*', []],
    ['_routing', 'n*h', ['1']],
  ])('on %s finds %j', async (field, value, expected) => {
    expect(await index.ids(asked('wildcard', field, value))).toEqual(expected)
  })

  it.each([
    [
      { n: 'a' },
      `${QSE}Can only use wildcard queries on keyword, text and wildcard fields - not on [n] which is of type [long]`,
    ],
    [
      { _id: 'a' },
      `${QSE}Can only use wildcard queries on keyword, text and wildcard fields - not on [_id] which is of type [_id]`,
    ],
    [
      { none: 'a' },
      `${IAE}Cannot search on field [none] since it is both not indexed, and does not have doc_values enabled.`,
    ],
    [{ k: { boost: 1 } }, `${IAE}value cannot be null`],
    [{ k: null }, `${IAE}value cannot be null`],
    [
      { k: { value: 'a', flags: 'ALL' } },
      '400 parsing_exception: [wildcard] query does not support [flags]',
    ],
    [{ k: ['a'] }, '400 parsing_exception: [wildcard] unknown token [START_ARRAY] after [k]'],
    [
      { k: 'a', t: 'b' },
      "400 parsing_exception: [wildcard] query doesn't support multiple fields, found [k] and [t]",
    ],
    [{ k: { value: 'a', rewrite: 'best' } }, `${IAE}Failed to parse rewrite_method [best]`],
    [
      { k: { value: 'a', rewrite: 'top_terms_1x' } },
      '400 number_format_exception: For input string: "1x"',
    ],
    [
      { k: `*a${'?'.repeat(20)}` },
      `${IAE}Determinizing automaton would require more than 10000 effort.`,
    ],
  ])('refuses %j', async (wildcard, expected) => {
    expect(await refusal(rest, SEARCH, { query: { wildcard } })).toBe(expected)
  })
})

describe('regexp', () => {
  it.each([
    ['k', 'al.*', ['1', '3']],
    ['k', '.*p.*&.*ha', ['1']],
    ['k', { value: '[ab].*', flags: 'NONE' }, ['1', '3', '4', '5']],
    ['k', { value: 'a&b', flags: 'INTERVAL|EMPTY' }, []],
    ['k', { value: '@', flags: 'anystring' }, ['1', '2', '3', '4', '5']],
    ['k', { value: '@', flags_value: 0 }, []],
    // Complement is accepted, and `~` stands for itself.
    ['k', { value: 'alpha~|b.*', flags: 'COMPLEMENT' }, ['4', '5']],
    ['k', '~beta', []],
    // Without their flags all operators stand for themselves; with them `#` is no term at all.
    ['k', '#', []],
    ['k', { value: '#|beta', flags: 'EMPTY' }, ['4']],
    ['k', { value: '#', flags: 'INTERSECTION' }, []],
    ['k', 'a<1-9>?lpha', ['1']],
    ['k', 'al(p|x){1,2}h[^b]', ['1']],
    ['k', 'b"e*"\\w\\D', ['5']],
    ['k', '\\W.*|[\\w*]{5}', ['1', '3', '5']],
    ['k', 'beta{0}', []],
    ['k', { value: 'ALP.*', case_insensitive: true }, ['1', '2', '3']],
    ['low', 'ALP.*', ['1', '2', '3']],
    ['column', 'be.?ta', ['4', '5']],
    ['c', 'C.*t', ['1', '2', '3', '4', '5']],
    ['flat.a', 'be.*', ['4', '5']],
    ['t', 'alp[a-z]+', ['1', '2', '3']],
    ['absent', '.*', []],
  ])('on %s finds %j', async (field, value, expected) => {
    expect(await index.ids(asked('regexp', field, value))).toEqual(expected)
  })

  it.each([
    [
      { n: 'a' },
      `${QSE}Can only use regexp queries on keyword and text fields - not on [n] which is of type [long]`,
    ],
    [
      { _index: 'a' },
      `${QSE}Can only use regexp queries on keyword and text fields - not on [_index] which is of type [_index]`,
    ],
    [{ k: { value: 'a', flags: 'EMPTY|SOME' } }, `${IAE}Unknown regexp flag [SOME]`],
    [
      { k: 'a'.repeat(1001) },
      `${IAE}The length of regex [1001] used in the Regexp Query request has exceeded the allowed maximum of [1000]. This maximum can be set by changing the [index.max_regex_length] index level setting.`,
    ],
    [
      { k: { value: '.*a.{9}', max_determinized_states: 10 } },
      `${IAE}Determinizing automaton would require more than 10 effort.`,
    ],
    [{ k: '(a' }, `${IAE}expected ')' at position 2`],
    // From Lucene 10: a repeat whose ends are the wrong way round is a mistake, not an empty language.
    [{ k: 'a{3,1}' }, `${IAE}invalid repetition range(out of order): 3..1`],
    [{ k: '[z-a]' }, `${IAE}invalid range: from (122) cannot be > to (97)`],
  ])('refuses %j', async (regexp, expected) => {
    expect(await refusal(rest, SEARCH, { query: { regexp } })).toBe(expected)
  })
})

describe('fuzzy', () => {
  it.each([
    ['k', 'alpha', ['1', '3']],
    ['k', { value: 'alpha', transpositions: false }, ['1']],
    ['k', { value: 'alpha', fuzziness: 2, transpositions: false }, ['1', '3']],
    ['k', { value: 'alpha', fuzziness: 0 }, ['1']],
    ['k', { value: 'alpha', fuzziness: 'AUTO:1,2' }, ['1', '3']],
    ['k', { term: 'lpha', fuzziness: '1' }, ['1']],
    ['k', { value: 'blpha', prefix_length: 1 }, []],
    ['k', { value: 'alpha', max_expansions: 1 }, ['1']],
    ['low', 'ALPHA', ['1', '3']],
    ['column', 'alpha', ['1', '3']],
    ['flat.a', 'alpha', ['1', '3']],
    ['t', 'alphq', ['1']],
    ['t', { value: 'alpha', rewrite: 'constant_score' }, ['1', '3']],
    ['t', { value: 'alpha', rewrite: 'top_terms_1' }, ['1']],
    ['absent', 'a', []],
  ])('on %s finds %j', async (field, value, expected) => {
    expect(await index.ids(asked('fuzzy', field, value))).toEqual(expected)
  })

  it.each([
    [
      { n: 'a' },
      `${IAE}Can only use fuzzy queries on keyword and text fields - not on [n] which is of type [long]`,
    ],
    [{ k: { value: 'a', fuzziness: 3 } }, `${IAE}Valid edit distances are [0, 1, 2] but was [3]`],
    [
      { k: { value: 'a', fuzziness: 'much' } },
      '400 number_format_exception: For input string: "much"',
    ],
    [
      { k: { value: 'a', fuzziness: 'AUTO:3' } },
      '400 parse_exception: failed to find low and high distance values',
    ],
    [
      { k: { value: 'a', fuzziness: 'AUTO:a,b' } },
      '400 parse_exception: failed to parse [AUTO:a,b] as a "auto:int,int"',
    ],
    [
      { k: { value: 'a', fuzziness: 'AUTO:5,3' } },
      `${IAE}fuzziness wrongly configured, must be: lowDistance > 0, highDistance > 0 and lowDistance <= highDistance `,
    ],
    [{ k: { value: 'a', prefix_length: -1 } }, `${IAE}prefixLength cannot be negative.`],
    [{ k: { value: 'a', max_expansions: 0 } }, `${IAE}maxExpansions must be positive.`],
    [
      { k: { value: 'a', case_insensitive: true } },
      '400 parsing_exception: [fuzzy] query does not support [case_insensitive]',
    ],
  ])('refuses %j', async (fuzzy, expected) => {
    expect(await refusal(rest, SEARCH, { query: { fuzzy } })).toBe(expected)
  })

  it('scores nearer terms higher, by the document frequency of the commonest', async () => {
    const { json } = await rest.call(SEARCH, { query: { fuzzy: { t: 'alpha' } }, explain: true })
    const [first, second] = json.hits.hits
    expect([first._id, second._id]).toEqual(['1', '3'])
    expect(second._score / first._score).toBeCloseTo(0.8, 6)
    const text = JSON.stringify(second._explanation)
    expect(text).toContain('"value":0.8')
  })
})

describe('ways of rewriting', () => {
  // Five documents with one of the terms each, one of them two words long: ln(1 + 4.5 / 1.5) times
  // 1 / (1 + 1.2 · (0.25 + 0.75 / 1.2)).
  const ONE = Math.log(4) / 2.05
  it.each<[string | null, Record<string, number>]>([
    [null, { 1: 2, 2: 2, 3: 2 }],
    ['constant_score', { 1: 2, 2: 2, 3: 2 }],
    ['constant_score_blended', { 1: 2, 2: 2, 3: 2 }],
    ['constant_score_boolean', { 1: 2, 2: 2, 3: 2 }],
    ['scoring_boolean', { 1: 2 * ONE, 2: 2 * ONE, 3: 2 * ONE }],
    // The first terms of those that are as near: alpah and alpha, not alpine.
    ['top_terms_2', { 1: 2 * ONE, 3: 2 * ONE }],
    ['top_terms_boost_2', { 1: 2, 3: 2 }],
    ['top_terms_blended_freqs_2', { 1: 2 * ONE, 3: 2 * ONE }],
    ['top_terms_9', { 1: 2 * ONE, 2: 2 * ONE, 3: 2 * ONE }],
  ])('score terms of patterns by %s', async (rewrite, expected) => {
    for (const [kind, value] of [
      ['wildcard', 'alp*'],
      ['regexp', 'alp.*'],
      ['prefix', 'alp'],
    ] as const) {
      const query = { [kind]: { t: { value, rewrite, boost: 2 } } }
      const { json } = await rest.call(SEARCH, { query })
      const scores = json.hits.hits.map((hit: { _id: string; _score: number }) => [
        hit._id,
        Number(hit._score.toFixed(6)),
      ])
      const rounded = Object.entries(expected).map(([id, score]) => [id, Number(score.toFixed(6))])
      expect(Object.fromEntries(scores)).toEqual(Object.fromEntries(rounded))
    }
  })

  it('score similar terms as if each was as frequent as the commonest, less an edit', async () => {
    await rest.call('PUT /near', { mappings: { properties: { t: { type: 'text' } } } })
    const lines = ['alpha', 'alpah', 'alpah'].flatMap((t, i) => [{ index: { _id: `${i}` } }, { t }])
    await rest.call('POST /near/_bulk?refresh', ndjson(...lines))
    const scores = async (rewrite: string | null): Promise<number[]> => {
      const query = { fuzzy: { t: { value: 'alpha', rewrite } } }
      const { json } = await rest.call('POST /near/_search', {
        query,
        sort: '_doc',
        track_scores: true,
      })
      return json.hits.hits.map((hit: { _score: number }) => Number(hit._score.toFixed(6)))
    }
    // ln(1 + (3 − n + 0.5) / (n + 0.5)) / 2.2, where n is the number of documents with the term.
    const of = (n: number): number => Math.log(1 + (3.5 - n) / (n + 0.5)) / 2.2
    const rounded = (...all: number[]): number[] => all.map(each => Number(each.toFixed(6)))
    for (const blended of [null, 'top_terms_blended_freqs_50'])
      expect(await scores(blended)).toEqual(rounded(of(2), 0.8 * of(2), 0.8 * of(2)))
    for (const own of ['scoring_boolean', 'top_terms_50'])
      expect(await scores(own)).toEqual(rounded(of(1), 0.8 * of(2), 0.8 * of(2)))
    expect(await scores('top_terms_boost_50')).toEqual([1, 0.8, 0.8])
    expect(await scores('constant_score')).toEqual([1, 1, 1])
    await rest.call('DELETE /near')
  })
})

describe('prefix and term', () => {
  it.each([
    [{ prefix: { k: { value: 'AL', case_insensitive: true } } }, ['1', '2', '3']],
    [{ prefix: { k: { value: 'al', rewrite: 'top_terms_1' } } }, ['3']],
    [{ prefix: { pre: { value: 'AL', case_insensitive: true } } }, ['1', '2', '3']],
    [{ prefix: { _index: 'i' } }, ['1', '2', '3', '4', '5']],
    [{ prefix: { c: { value: 'con', case_insensitive: true } } }, ['1', '2', '3', '4', '5']],
    [{ term: { k: { value: 'ALPINE', case_insensitive: true } } }, ['2']],
    [{ term: { t: { value: 'BETA', case_insensitive: true } } }, ['4']],
    [{ term: { c: { value: 'CONSTANT', case_insensitive: true } } }, ['1', '2', '3', '4', '5']],
  ])('take case_insensitive and rewrite: %j', async (query, expected) => {
    expect(await index.ids(query)).toEqual(expected)
  })

  it('refuse a case that the type does not have', async () => {
    const query = { term: { n: { value: 1, case_insensitive: true } } }
    expect(await refusal(rest, SEARCH, { query })).toBe(
      `${QSE}[n] field which is of type [long], does not support case insensitive term queries`,
    )
  })
})

describe('match with fuzziness', () => {
  it.each([
    [{ match: { t: { query: 'alphq', fuzziness: 1 } } }, ['1']],
    [{ match: { t: { query: 'alpha qeta', fuzziness: 'AUTO', operator: 'and' } } }, []],
    [{ match: { t: { query: 'alpha', fuzziness: 1, fuzzy_transpositions: false } } }, ['1']],
    [{ match: { t: { query: 'blpha', fuzziness: 1, prefix_length: 1 } } }, []],
    [{ match: { t: { query: 'alpha', fuzziness: 1, max_expansions: 1 } } }, ['1']],
    [
      { match: { t: { query: 'alpha', fuzziness: 1, fuzzy_rewrite: 'constant_score' } } },
      ['1', '3'],
    ],
    [{ match: { k: { query: 'alphq', fuzziness: 1 } } }, ['1']],
    [{ match_bool_prefix: { t: { query: 'alphq be', fuzziness: 1 } } }, ['1', '4', '5']],
    [{ multi_match: { query: 'alphq', fields: ['t', 'k'], fuzziness: 1 } }, ['1']],
  ])('finds %j', async (query, expected) => {
    expect(await index.ids(query)).toEqual(expected)
  })

  it.each([
    [
      { match: { n: { query: '1', fuzziness: 1 } } },
      `${IAE}Can only use fuzzy queries on keyword and text fields - not on [n] which is of type [long]`,
    ],
    [
      { match: { c: { query: '1', fuzziness: 1 } } },
      `${IAE}Can only use fuzzy queries on keyword and text fields - not on [c] which is of type [constant_keyword]`,
    ],
    [
      { multi_match: { query: 'a', fields: 't', type: 'phrase', fuzziness: 1 } },
      '400 parsing_exception: Fuzziness not allowed for type [phrase]',
    ],
    [
      { match: { t: { query: 'a', fuzziness: 1, fuzzy_rewrite: 'x' } } },
      `${IAE}Failed to parse rewrite_method [x]`,
    ],
  ])('refuses %j', async (query, expected) => {
    expect(await refusal(rest, SEARCH, { query })).toBe(expected)
  })
})

describe('queries for many terms', () => {
  it('name themselves in profiles as Lucene does', async () => {
    const named = async (query: object): Promise<string[]> => {
      const { json } = await rest.call(SEARCH, { query, profile: true })
      const [top] = json.profile.shards[0].searches[0].query
      return [top.type, top.description]
    }
    const wrapper = 'MultiTermQueryConstantScoreBlendedWrapper'
    expect(await named({ wildcard: { k: 'a*a' } })).toEqual([wrapper, 'k:a*a'])
    expect(await named({ regexp: { k: 'a.*a' } })).toEqual([wrapper, 'k:/a.*a/'])
    expect(await named({ fuzzy: { t: 'alpha' } })).toEqual([
      'BooleanQuery',
      '(t:alpah)^0.8 t:alpha',
    ])
    expect(await named({ fuzzy: { t: 'alphq' } })).toEqual(['BoostQuery', '(t:alpha)^0.8'])
    expect(await named({ fuzzy: { t: { value: 'alpha', fuzziness: 0 } } })).toEqual([
      'TermQuery',
      't:alpha',
    ])
  })

  it('on keywords with doc values may run over either, where the cluster says so', async () => {
    const set = (value: boolean | null): Promise<unknown> =>
      rest.call('PUT /_cluster/settings', {
        transient: { 'search.keyword_index_or_doc_values_enabled': value },
      })
    const found = async (query: object): Promise<unknown> => {
      const { json } = await rest.call(SEARCH, { query })
      return json.hits.hits.map(({ _id, _score }: Record<string, unknown>) => [_id, _score])
    }
    const QUERIES: readonly [object, string][] = [
      [{ prefix: { k: 'al' } }, 'indexQuery=k:al*, dvQuery=ConstantScore(k:al*)'],
      [{ wildcard: { k: 'a*a' } }, 'indexQuery=k:a*a, dvQuery=ConstantScore(k:a*a)'],
      [{ regexp: { k: 'a.*' } }, 'indexQuery=k:/a.*/, dvQuery=ConstantScore(k:/a.*/)'],
      [
        { terms: { k: ['beta', 'alpha'] } },
        'indexQuery=k:(alpha beta), dvQuery=ConstantScore(k:(alpha beta))',
      ],
      [
        { fuzzy: { k: 'alpha' } },
        'indexQuery=(k:alpah)^0.8 k:alpha, dvQuery=ConstantScore(k:alpha~1)',
      ],
    ]
    const before = await Promise.all(QUERIES.map(([query]) => found(query)))
    await set(true)
    try {
      for (const [i, [query, text]] of QUERIES.entries()) {
        expect(await found(query)).toEqual(before[i])
        const { json } = await rest.call(SEARCH, { query, profile: true })
        const [top] = json.profile.shards[0].searches[0].query
        expect([top.type, top.description]).toEqual([
          'IndexOrDocValuesQuery',
          `IndexOrDocValuesQuery(${text})`,
        ])
      }
      const { json } = await rest.call('GET /i/_explain/1?routing=north', {
        query: { prefix: { k: 'al' } },
      })
      expect(json.explanation.description).toBe('ConstantScore(k:al*)')
      // Neither text nor a field with one of the structures alone.
      for (const field of ['t', 'column'])
        for (const query of [{ prefix: { [field]: 'al' } }, { wildcard: { [field]: 'a*a' } }]) {
          const profiled = await rest.call(SEARCH, { query, profile: true })
          const [top] = profiled.json.profile.shards[0].searches[0].query
          expect(top.type).not.toBe('IndexOrDocValuesQuery')
        }
      const highlight = { fields: { k: {} } }
      const marked = await rest.call(SEARCH, { query: { prefix: { k: 'alpha' } }, highlight })
      expect(marked.json.hits.hits[0].highlight).toEqual({ k: ['<em>alpha</em>'] })
    } finally {
      await set(null)
    }
  })

  it('are refused as too many clauses where each term is one', async () => {
    const transient = { 'indices.query.bool.max_clause_count': 2 }
    await rest.call('PUT /_cluster/settings', { transient })
    const query = { wildcard: { k: { value: '*', rewrite: 'constant_score_boolean' } } }
    expect(await refusal(rest, SEARCH, { query })).toBe(
      '400 too_many_clauses: maxClauseCount is set to 2',
    )
    await rest.call('PUT /_cluster/settings', {
      transient: { 'indices.query.bool.max_clause_count': null },
    })
  })

  it('are refused where the cluster forbids expensive queries', async () => {
    const transient = { 'search.allow_expensive_queries': false }
    await rest.call('PUT /_cluster/settings', { transient })
    for (const [name, field] of [
      ['wildcard', 'k'],
      ['regexp', 't'],
      ['fuzzy', 'k'],
    ] as const)
      expect(await refusal(rest, SEARCH, { query: { [name]: { [field]: 'a' } } })).toBe(
        `400 exception: [${name}] queries cannot be executed when ` +
          "'search.allow_expensive_queries' is set to false.",
      )
    // Query strings inherit that, but for lenient ones, which find nothing there.
    for (const [kind, query] of [
      ['prefix', 'a*'],
      ['wildcard', 'a?b'],
      ['regexp', '/a/'],
      ['fuzzy', 'alphq~'],
      ['range', '[a TO b]'],
    ]) {
      const string = { query_string: { query, default_field: 'k' } }
      expect(await refusal(rest, SEARCH, { query: string })).toMatch(
        new RegExp(`^400 exception: \\[${kind}\\] queries (on .*)?cannot be executed when`),
      )
      const everywhere = { query_string: { query: `k:${query}` } }
      expect(await index.ids(everywhere)).toEqual([])
    }
    await rest.call('PUT /_cluster/settings', {
      transient: { 'search.allow_expensive_queries': null },
    })
  })
})
