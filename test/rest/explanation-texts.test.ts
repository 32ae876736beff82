/** The texts of the specification's table of explanations, letter by letter, with values worked out by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { explained, type PrintedStep } from '../support/search-shapes.ts'

let index: FieldIndex
beforeAll(async () => {
  const words = { tokenizer: 'standard', filter: ['same'] }
  const filter = { same: { type: 'synonym', synonyms: ['u, v'] } }
  const properties = {
    f: { type: 'text' },
    n: { type: 'integer' },
    long: { type: 'long' },
    unsigned: { type: 'unsigned_long' },
    x: { type: 'double' },
    y: { type: 'float' },
    z: { type: 'scaled_float', scaling_factor: 100 },
    bare: { type: 'double', doc_values: false },
    column: { type: 'double', index: false },
    syn: { type: 'text', analyzer: 'standard', search_analyzer: 'words' },
    rank: { type: 'rank_feature' },
    ranks: { type: 'rank_features' },
    p: { type: 'geo_point' },
    s: { type: 'nested', properties: { t: { type: 'text' } } },
  }
  index = await fieldIndex(properties, null, { analysis: { filter, analyzer: { words } } })
  // Four nested objects are documents 0 to 3, so that the documents are 4 and 5.
  const s = [{ t: 'x' }, { t: 'y' }, { t: 'x y' }, { t: 'z' }]
  const numbers = { long: 0, unsigned: 5, x: 1, y: 1, z: 1, bare: 1, column: 1.5 }
  await index.add(
    { f: 't u', syn: 't u', n: 9, p: [0, 1], s, ...numbers },
    { f: 't t v', syn: 't t v', n: [1, 2], ranks: { a: 4 } },
  )
  // Each of these has a segment of its own.
  await index.add({ ranks: { b: 1 } })
  await index.add({ rank: 1 })
})
afterAll(() => index.close())

/** A step's description, its value to five digits and the steps below it. */
type Line = readonly [string, number, ...Line[]]
const rounded = (value: number): number => Number(value.toPrecision(5))
const lineOf = ({ description, value, details }: PrintedStep): Line => [
  description,
  rounded(value),
  ...details.map(lineOf),
]
const explain = async (query: object, id = '0'): Promise<Line> =>
  lineOf(await explained(index, query, id))

const MAX_BOOST: Line = ['maxBoost', 3.4028e38]
/** Two documents with the field, both with the term: ln(1 + 0.5 / 2.5). */
const IDF: Line = [
  'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
  0.18232,
  ['n, number of documents containing term', 2],
  ['N, total number of documents with field', 2],
]
/** One document with the term: ln(1 + 1.5 / 1.5). */
const RARE: Line = [
  IDF[0],
  rounded(Math.LN2),
  ['n, number of documents containing term', 1],
  ['N, total number of documents with field', 2],
]
const TF = 'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:'
const LENGTH: Line[] = [
  ['k1, term saturation parameter', 1.2],
  ['b, length normalization parameter', 0.75],
  ['dl, length of field', 2],
  ['avgdl, average length of field', 2.5],
]
/** 1 / (1 + 1.2 · (0.25 + 0.75 · 2 / 2.5)) = 1 / 2.02, and 0.18232 / 2.02. */
const TERM: Line = [
  'weight(f:t in 4) [PerFieldSimilarity], result of:',
  0.090258,
  [
    'score(freq=1.0), computed as boost * idf * tf from:',
    0.090258,
    IDF,
    [TF, 0.49505, ['freq, occurrences of term within document', 1], ...LENGTH],
  ],
]

describe('a match', () => {
  it('of a term, boosted or not', async () => {
    expect(await explain({ term: { f: 't' } })).toEqual(TERM)
    const boosted = await explain({ term: { f: { value: 't', boost: 3 } } })
    expect(boosted[1]).toBe(0.27077)
    expect((boosted[2] as Line)[2]).toEqual(['boost', 3])
  })

  it('of a phrase, by the sum of its terms', async () => {
    expect(await explain({ match_phrase: { f: 't u' } })).toEqual([
      'weight(f:"t u" in 4) [PerFieldSimilarity], result of:',
      0.4334,
      [
        'score(freq=1.0), computed as boost * idf * tf from:',
        0.4334,
        ['idf, sum of:', 0.87547, IDF, RARE],
        [TF, 0.49505, ['phraseFreq=1.0', 1], ...LENGTH],
      ],
    ])
  })

  it('of synonyms, as one term', async () => {
    // Of `u` and `v`, the more frequent one is in one document.
    const [, value, score] = await explain({ match: { syn: 'u' } })
    expect(value).toBe(0.34314)
    const [text, , idf, tf] = score as Line
    expect([text, idf]).toEqual(['score(freq=1.0), computed as boost * idf * tf from:', RARE])
    expect(tf).toEqual([TF, 0.49505, ['termFreq=1.0', 1], ...LENGTH])
  })

  it('of nested objects, by the best of those that match', async () => {
    // Both lengths are the mean but for `x y`: of four objects two match.
    const [text, value, best] = await explain({
      nested: { path: 's', score_mode: 'avg', query: { match: { 's.t': 'x' } } },
    })
    expect(text).toBe('Score based on 2 child docs in range from 0 to 3, using score mode Avg')
    const [bestText, bestValue] = best as Line
    expect(bestText).toBe('weight(s.t:x in 0) [PerFieldSimilarity], result of:')
    // ln 2 / (1 + 1.2 · (0.25 + 0.75 · dl / 1.25)) for lengths of 1 and 2.
    const scores = [1, 2].map(dl => Math.log(2) / (1 + 1.2 * (0.25 + (0.75 * dl) / 1.25)))
    expect(bestValue).toBeCloseTo(scores[0]!, 5)
    expect(value).toBeCloseTo((scores[0]! + scores[1]!) / 2, 5)
  })
})

// From Lucene's query that multiplies by what another one matches.
it('demotes what the negative query of boosting matches, and nothing else', async () => {
  const of = (negative: string, boost: number): object => ({
    boosting: {
      positive: { term: { f: 't' } },
      negative: { term: { f: negative } },
      negative_boost: 0.5,
      boost,
    },
  })
  const text = (negative: string): string =>
    `weight(FunctionScoreQuery(f:t, scored by boost(queryboost(score(f:${negative}))^0.5)))`
  const demoted: Line = ['product of:', 0.045129, TERM, ['Matched boosting query score(f:u)', 0.5]]
  expect(await explain(of('u', 1))).toEqual([`${text('u')}, result of:`, 0.045129, demoted])
  expect(await explain(of('v', 1))).toEqual([`${text('v')}, result of:`, 0.090258, TERM])
  expect(await explain(of('u', 2))).toEqual([
    `${text('u')}, product of:`,
    0.090258,
    ['boost', 2],
    demoted,
  ])
})

// From Lucene's query of clauses of which a number must match.
it('tells each clause of terms_set, and how many of them must match', async () => {
  const of = (minimum_should_match_field: string, ...terms: string[]): object => ({
    terms_set: { f: { terms, minimum_should_match_field } },
  })
  const missing: Line = ['no matching term', 0]
  // The number of the first document is 0, which means 1.
  expect(await explain(of('long', 't', 'zz'))).toEqual([
    '1 matches for 1 required matches, sum of:',
    0.090258,
    TERM,
    missing,
  ])
  const missed = async (query: object, id: string): Promise<Line> =>
    lineOf((await index.rest.call(`GET /i/_explain/${id}`, { query })).json.explanation)
  expect(await missed(of('n', 't', 'zz'), '0')).toEqual([
    '1 matches for 9 required matches',
    0,
    TERM,
    missing,
  ])
  expect(await missed(of('long', 't'), '1')).toEqual([
    'minimumNumberMatch has no value on the current document',
    0,
  ])
})

describe('a hit that is scored again', () => {
  const constant = (boost: number): object => ({
    constant_score: { filter: { term: { f: 'u' } }, boost },
  })
  it.each([
    ['total', 'sum of:', 23],
    ['multiply', 'product of:', 120],
    ['avg', 'avg of:', 11.5],
    ['max', 'max of:', 15],
    ['min', 'min of:', 8],
  ])('by %s', async (score_mode, text, value) => {
    const weights = { query_weight: 2, rescore_query_weight: 3, score_mode }
    const rescore = { query: { rescore_query: constant(5), ...weights } }
    const { json } = await index.rest.call('POST /i/_search', {
      query: constant(4),
      rescore,
      explain: true,
    })
    const [hit] = json.hits.hits
    expect(hit._score).toBe(value)
    expect(lineOf(hit._explanation)).toEqual([
      text,
      value,
      ['product of:', 8, ['ConstantScore(f:u)^4.0', 4], ['primaryWeight', 2]],
      ['product of:', 15, ['ConstantScore(f:u)^5.0', 5], ['secondaryWeight', 3]],
    ])
  })
})

/** Functions over all documents, whose own score is 1. */
const functions = (of: object): object => ({ function_score: of })
const product = (value: number, own: Line): Line => [
  'function score, product of:',
  value,
  ['*:*', 1],
  ['min of:', value, own, MAX_BOOST],
]

describe('functions', () => {
  let other: FieldIndex
  beforeAll(async () => {
    other = await fieldIndex({ f: { type: 'integer' } })
    await other.add({ f: 99 })
  })
  afterAll(() => other.close())

  it('with a filter that matches all, of a value', async () => {
    const all = { bool: { must: { match_all: {} } } }
    const field_value_factor = { field: 'f', modifier: 'log1p', missing: 1 }
    const query = functions({ functions: [{ filter: all, field_value_factor }] })
    expect(lineOf(await explained(other, query, '0'))).toEqual(
      product(2, [
        'function score, score mode [multiply]',
        2,
        [
          'function score, product of:',
          2,
          ['match filter: *:*', 1],
          ["field value function: log1p(doc['f'].value?:1.0 * factor=1.0)", 2],
        ],
      ]),
    )
  })

  it('of random numbers', async () => {
    const query = functions({ random_score: { seed: 1, field: 'f' } })
    const line = lineOf(await explained(other, query, '0'))
    expect(line).toEqual(product(line[1], ['random score function (seed: 1, field: f)', line[1]]))
  })

  it('none of which holds', async () => {
    const filter = { match_none: {} }
    expect(await explain(functions({ functions: [{ filter, weight: 3 }] }))).toEqual(
      product(1, ['No function matched', 1]),
    )
  })

  // From the reference server's source: places print after `of: `, numbers do not.
  it.each<[string, object, number, Line]>([
    [
      'gauss',
      { n: { origin: 10, scale: 2, offset: 0.5 } },
      // exp(0.25 · ln 0.5 / 4), and 0.5 · 4 / −ln 0.5 below.
      0.9576,
      [
        'exp(-0.5*pow(MIN[Math.max(Math.abs(9.0(=doc value) - 10.0(=origin))) - 0.5(=offset), 0)],2.0)/2.8853900817779268)',
        0.9576,
      ],
    ],
    [
      'exp',
      { n: { origin: 10, scale: 2 } },
      rounded(Math.SQRT1_2),
      [
        'exp(- MIN[Math.max(Math.abs(9.0(=doc value) - 10.0(=origin))) - 0.0(=offset), 0)] * 0.34657359027997264)',
        rounded(Math.SQRT1_2),
      ],
    ],
    [
      'linear',
      { n: { origin: 10, scale: 2 } },
      0.75,
      [
        'max(0.0, ((4.0 - MIN[Math.max(Math.abs(9.0(=doc value) - 10.0(=origin))) - 0.0(=offset), 0)])/4.0)',
        0.75,
      ],
    ],
    [
      'linear',
      { p: { origin: '1,0', scale: '1km' } },
      1,
      [
        'max(0.0, ((2000.0 - MIN of: [Math.max(arcDistance(PLACE(=doc value),1.0, 0.0(=origin)) - 0.0(=offset), 0)])/2000.0)',
        1,
      ],
    ],
  ])('%s by %j', async (kind, of, value, own) => {
    const line = await explain(functions({ [kind]: of }))
    // Places lie on a grid of some millimeters.
    const text = JSON.stringify(line).replace(/0\.99999\d*, 0\.0/, 'PLACE')
    const [field] = Object.keys(of)
    const expected = product(value, [`Function for field ${field}:`, value, own])
    expect(text).toBe(JSON.stringify(expected))
  })

  it('on a value that is missing, at no distance', async () => {
    expect(
      JSON.stringify(
        await explain(functions({ exp: { p: { origin: '0,0', scale: '1km' } } }), '1'),
      ),
    ).toContain('exp(- MIN of: [0.0] * 6.931471805599453E-4)')
  })

  it.each([
    // The score of the query is 1, that of the functions 3.
    ['multiply', 3, 'function score, product of:'],
    ['sum', 4, 'sum of'],
    ['avg', 2, 'avg of'],
    ['max', 3, 'max of:'],
    ['min', 1, 'min of'],
  ])('put together with the query by %s', async (boost_mode, value, text) => {
    const weight: Line = [
      'product of:',
      3,
      ['constant score 1.0 - no function provided', 1],
      ['weight', 3],
    ]
    expect(await explain(functions({ weight: 3, boost_mode }))).toEqual([
      text,
      value,
      ['*:*', 1],
      ['min of:', 3, weight, MAX_BOOST],
    ])
  })

  it('in place of the query, and no more than max_boost', async () => {
    const [text, value, , most] = await explain(
      functions({ weight: 3, boost_mode: 'replace', max_boost: 2 }),
    )
    expect([text, value, most]).toEqual(['min of:', 2, ['maxBoost', 2]])
  })

  it('that are one without a filter have no score mode', async () => {
    for (const score_mode of ['avg', 'sum', 'first', 'max', 'min', 'multiply'])
      expect((await explain(functions({ functions: [{ weight: 5 }], score_mode })))[1]).toBe(5)
    const none = functions({ functions: [{ weight: 0 }], score_mode: 'sum' })
    expect((await explain(none))[1]).toBe(0)
  })

  // From the reference server: names of queries, filters and functions stand in the texts.
  it('carry names', async () => {
    const filter = { exists: { field: 'n', _name: 'own' } }
    const query = functions({
      query: { term: { f: { value: 't', _name: 'q' } } },
      functions: [
        { filter, weight: 2, _name: 'two' },
        { field_value_factor: { field: 'n' }, _name: 'value' },
        { random_score: { seed: 1, field: 'n' }, _name: 'any' },
        { script_score: { script: '1' }, _name: 'code' },
        { gauss: { n: { origin: 9, scale: 1 } }, _name: 'near' },
        { exp: { n: { origin: 9, scale: 1 } }, _name: 'near' },
        { linear: { n: { origin: 9, scale: 1 } }, _name: 'near' },
        { weight: 1, _name: '' },
      ],
    })
    const text = JSON.stringify(await explain(query))
    for (const part of [
      'weight(f:t in 4) [PerFieldSimilarity], result of: (_name: q)"',
      '"match filter(_name: own): ConstantScore(FieldExistsQuery [field=n])"',
      '"constant score 1.0(_name: two) - no function provided"',
      `"field value function(_name: value): none(doc['n'].value * factor=1.0)"`,
      '"random score function (seed: 1, field: n, _name: any)"',
      '"script score function(_name: code), computed with script:',
      '/0.7213475204444817, _name: near)"',
      ' * 0.6931471805599453, _name: near)"',
      ')/2.0, _name: near)"',
      '"constant score 1.0 - no function provided"',
    ])
      expect(text).toContain(part)
    const scripted = { query: { match_all: { _name: 'all' } }, script: '_score + 1' }
    expect(JSON.stringify(await explain({ script_score: scripted }))).toContain(
      '"*:* (_name: all)"',
    )
  })
})

// From Lucene: what runs over doc values is explained, where a query may run over either structure.
it.each<[object, Line]>([
  [{ match_all: {} }, ['*:*', 1]],
  [{ match_all: { boost: 2.5 } }, ['*:*^2.5', 2.5]],
  [{ range: { n: { gte: 9, boost: 3 } } }, ['n:[9 TO 2147483647]^3.0', 3]],
  [{ term: { n: 9 } }, ['n:[9 TO 9]', 1]],
  [{ range: { long: { lt: 1 } } }, ['long:[-9223372036854775808 TO 0]', 1]],
  [{ range: { unsigned: { gt: 4 } } }, ['unsigned:[5 TO 18446744073709551615]', 1]],
  // Sortable integers: 1.0 is 0x3ff0000000000000, infinity 0x7ff0000000000000, as a float 0x7f800000.
  [{ range: { x: { gte: 1 } } }, ['x:[4607182418800017408 TO 9218868437227405312]', 1]],
  [{ range: { y: { gte: 1 } } }, ['y:[1065353216 TO 2139095040]', 1]],
  [{ range: { z: { gte: 1 } } }, ['z:[100 TO 9223372036854775807]', 1]],
  [{ range: { bare: { gte: 1 } } }, ['bare:[1.0 TO Infinity]', 1]],
  [
    { constant_score: { filter: { term: { n: 9 } }, boost: 2 } },
    ['ConstantScore(IndexOrDocValuesQuery(indexQuery=n:[9 TO 9], dvQuery=n:[9 TO 9]))^2.0', 2],
  ],
])('the constant of %j', async (query, line) => {
  expect(await explain(query)).toEqual(line)
})

it('prints ranges of floats by structure', async () => {
  const described = async (query: object): Promise<string> =>
    (await index.rest.call('POST /i/_validate/query?explain', { query })).json.explanations[0]
      .explanation
  expect(await described({ range: { y: { gt: 1, lte: 2.5 } } })).toBe(
    'IndexOrDocValuesQuery(indexQuery=y:[1.0000001 TO 2.5], dvQuery=y:[1065353217 TO 1075838976])',
  )
  expect(await described({ range: { z: { gt: 1, lte: 2.5 } } })).toBe(
    'IndexOrDocValuesQuery(indexQuery=z:[101 TO 250], dvQuery=z:[101 TO 250])',
  )
  expect(await described({ term: { column: 1.5 } })).toBe(
    'column:[4609434218613702656 TO 4609434218613702656]',
  )
})

describe('a document that does not match', () => {
  const missed = async (query: object): Promise<Line> => {
    const { json } = await index.rest.call('GET /i/_explain/0', { query })
    expect(json.matched).toBe(false)
    return lineOf(json.explanation)
  }

  it('tells which clause keeps it out', async () => {
    const must = { term: { f: 't' } }
    const conditions = 'Failure to meet condition(s) of required/prohibited clause(s)'
    const missing = { bool: { must, filter: { term: { f: 'q' } } } }
    expect(await missed(missing)).toEqual([
      conditions,
      0,
      TERM,
      ['no match on required clause (f:q)', 0, ['no matching term', 0]],
    ])
    const prohibited = { bool: { must, must_not: { term: { f: 'u' } } } }
    const [text, , first, second] = await missed(prohibited)
    expect([text, first]).toEqual([conditions, TERM])
    expect((second as Line).slice(0, 2)).toEqual(['match on prohibited clause (f:u)', 0])
  })

  // From Lucene's query of features, which looks at the segment of the document.
  it.each([
    ['0', 'a', "Feature a isn't set."],
    ['2', 'a', "Feature a doesn't exist."],
    ['3', 'a', "Field ranks doesn't exist."],
  ])('%s tells what it lacks of the feature %s', async (id, feature, lacks) => {
    const missed = async (rank_feature: object): Promise<string> => {
      const { json } = await index.rest.call(`GET /i/_explain/${id}`, { query: { rank_feature } })
      return json.explanation.description
    }
    const text = await missed({ field: `ranks.${feature}`, saturation: { pivot: 8 } })
    const fn = 'SaturationFunction(pivot=8.0)'
    expect(text.replace(/\d+\) \[/, 'DOC) [')).toBe(
      `weight(FeatureQuery(field=ranks, feature=${feature}, function=${fn}) in DOC) [${fn}]. ${lacks}`,
    )
    // No document has this one.
    expect(await missed({ field: 'ranks.zz', linear: {} })).toMatch(/doesn't match id \d+$/)
  })

  it('tells the number that it has', async () => {
    expect(await missed({ ids: { values: ['9'] } })).toEqual([
      "ConstantScore(_id:([fe 9f])) doesn't match id 4",
      0,
    ])
    expect(await missed({ range: { n: { gt: 10 } } })).toEqual([
      "n:[11 TO 2147483647] doesn't match id 4",
      0,
    ])
  })

  it('tells the score that is too low', async () => {
    const low = { query: { term: { f: 't' } }, weight: 2, min_score: 0.5 }
    const [text, value, own] = await missed(functions(low))
    expect([text, value]).toEqual([
      'Score value is too low, expected at least 0.5 but got 0.18051638',
      0,
    ])
    expect((own as Line).slice(0, 3)).toEqual(['function score, product of:', 0.18052, TERM])
    const bare = { query: { match_all: {} }, min_score: 2 }
    expect(await missed(functions(bare))).toEqual([
      'Score value is too low, expected at least 2.0 but got 1.0',
      0,
      ['*:*', 1],
    ])
    const scripted = { query: { match_all: {} }, script: '3', min_score: 4 }
    expect((await missed({ script_score: scripted }))[0]).toBe(
      'Score value is too low, expected at least 4.0 but got 3.0',
    )
    // A miss of the query itself carries its name.
    const named = { query: { term: { f: { value: 'q', _name: 'x' } } }, weight: 2 }
    expect(await missed(functions(named))).toEqual(['no matching term (_name: x)', 0])
  })
})
