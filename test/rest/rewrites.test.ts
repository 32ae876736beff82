/**
 * Each rewrite that the specification names, over the API: what the profile of a query shows, and
 * that the query finds what a form of it finds to which the rewrite does not apply.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'

let index: FieldIndex
beforeAll(async () => {
  const properties = {
    f: { type: 'text' },
    g: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    x: { type: 'double' },
    d: { type: 'date' },
    p: { type: 'geo_point' },
    s: { type: 'nested', properties: { t: { type: 'keyword' }, n: { type: 'long' } } },
  }
  index = await fieldIndex(properties)
  const words = ['a', 'a b', 'a b c', 'b c', 'c', 'b b c', 'a a c', '']
  const documents = words.map((word, i) => ({
    f: word,
    g: words[(i * 3) % words.length],
    k: `k${i % 3}`,
    n: i,
    x: i / 2,
    d: `2024-01-0${i + 1}`,
    p: [i, i],
    s: [{ t: `t${i % 2}`, n: i }],
  }))
  await index.add(...documents.slice(0, 4))
  await index.add(...documents.slice(4))
})
afterAll(() => index.close())

interface Node {
  readonly type: string
  readonly description: string
}

async function shownAs(query: object): Promise<[type: string, description: string]> {
  const body = { query, profile: true, track_total_hits: true }
  const { json, text } = await index.rest.call('POST /i/_search', body)
  expect(json.error, text).toBeUndefined()
  const [node] = json.profile.shards[0].searches[0].query as Node[]
  return [node!.type, node!.description]
}

/** Ids and scores of all hits, best first, which profiles do not change. */
async function found(query: object, min = 0): Promise<[id: string, score: number][]> {
  const body = {
    query,
    size: 100,
    track_total_hits: true,
    ...(min === 0 ? {} : { min_score: min }),
  }
  const read = async (more: object): Promise<[string, number][]> => {
    const { json, text } = await index.rest.call('POST /i/_search', { ...body, ...more })
    expect(json.error, text).toBeUndefined()
    const { hits, total } = json.hits
    expect(total.value).toBe(hits.length)
    return hits.map((hit: { _id: string; _score: number }) => [hit._id, hit._score])
  }
  const hits = await read({})
  expect(await read({ profile: true })).toEqual(hits)
  return hits
}

const a = { term: { f: 'a' } }
const b = { term: { f: 'b' } }
const c = { term: { f: 'c' } }
const all = { match_all: {} }
const none = { match_none: {} }
const gone = { term: { nowhere: 1 } }
const constant = (filter: object, boost = 1): object => ({ constant_score: { filter, boost } })
const NONE = 'MatchNoDocsQuery("User requested "match_none" query.")'
const GONE = 'MatchNoDocsQuery("unmapped field [nowhere]")'

/** A query, what its profile shows, and a query that finds the same with the same scores. */
type Row = readonly [title: string, query: object, description: string, same: object]

function holds(rows: readonly Row[]): void {
  it.each(rows)('%s', async (_title, query, description, same) => {
    expect((await shownAs(query))[1]).toBe(description)
    expect(await found(query)).toEqual(await found(same))
  })
}

describe('of the query as it is built', () => {
  holds([
    ['an empty bool is match_all', { bool: {} }, '*:*', all],
    ['a must of nothing', { bool: { must: [a, none], should: b } }, NONE, none],
    ['a filter of nothing', { bool: { must: a, filter: none } }, NONE, none],
    ['shoulds of nothing alone', { bool: { should: [none, none] } }, NONE, none],
    ['a should of nothing beside another', { bool: { should: [none, a] } }, 'f:a', a],
    ['a prohibition of nothing', { bool: { must: a, must_not: none } }, 'f:a', a],
    ['term of an unmapped field', gone, GONE, none],
    ['terms of an unmapped field', { terms: { nowhere: [1, 2] } }, GONE, none],
    ['range of an unmapped field', { range: { nowhere: { gt: 1 } } }, GONE, none],
    ['match of an unmapped field', { match: { nowhere: 'a' } }, GONE, none],
    ['a must of an unmapped field', { bool: { must: [a, gone] } }, GONE, none],
  ])

  it('exists of an unmapped field, and terms without a term, find nothing', async () => {
    const exists = await shownAs({ exists: { field: 'nowhere' } })
    expect(exists[0]).toBe('MatchNoDocsQuery')
    const terms = await shownAs({ terms: { k: [] } })
    expect(terms[0]).toBe('MatchNoDocsQuery')
    for (const query of [{ exists: { field: 'nowhere' } }, { terms: { k: [] } }])
      expect(await found(query)).toEqual([])
  })

  const day = (bounds: object): object => ({ range: { d: bounds } })
  holds([
    ['dates after all values', day({ gt: '2025-01-01' }), NONE, none],
    ['dates before all values', day({ lt: '2023-01-01' }), NONE, none],
    [
      'dates that cover all values',
      day({ gte: '2023-01-01', lte: '2025-01-01' }),
      'FieldExistsQuery [field=d]',
      constant({ exists: { field: 'd' } }),
    ],
  ])

  it('a range of some dates stays one', async () => {
    const [type] = await shownAs(day({ gte: '2024-01-02', lt: '2024-01-04' }))
    expect(type).toBe('IndexOrDocValuesQuery')
    const hits = await found(day({ gte: '2024-01-02', lt: '2024-01-04' }))
    expect(hits).toEqual([
      ['1', 1],
      ['2', 1],
    ])
  })
})

describe('a must that becomes a filter adds nothing to scores', () => {
  const box = { geo_bounding_box: { p: { top_left: [1.5, 6.5], bottom_right: [6.5, 1.5] } } }
  it.each<[string, object]>([
    ['a range of numbers', { range: { n: { gte: 2 } } }],
    ['a range of keywords', { range: { k: { gte: 'k1' } } }],
    ['a range of dates', { range: { d: { gte: '2024-01-03' } } }],
    ['geo_bounding_box', box],
    ['match on a number', { match: { n: 2 } }],
    ['term on a number', { term: { n: { value: 2 } } }],
    ['term on a double', { term: { x: 1 } }],
    ['terms on a number', { terms: { n: [1, 2, 6] } }],
  ])('%s', async (_title, query) => {
    const moved = { bool: { must: [a, query] } }
    const same = { bool: { must: a, filter: query } }
    expect((await shownAs(moved))[1]).toBe((await shownAs(same))[1])
    expect((await shownAs(moved))[1]).toMatch(/^\+f:a #/)
    const hits = await found(moved)
    expect(hits.length).toBeGreaterThan(0)
    expect(hits).toEqual(await found(same))
    // Alone it is a bool of filters, and its boost is of no use.
    const alone = await found({ bool: { must: query } })
    expect(alone).toEqual(await found({ bool: { filter: query } }))
    expect(alone.every(([, score]) => score === 0)).toBe(true)
  })

  it.each<[string, object]>([
    ['term on a keyword', { term: { k: 'k1' } }],
    ['match on a keyword', { match: { k: 'k1' } }],
    ['terms on keywords', { terms: { k: ['k1', 'k2'] } }],
    ['term on a date', { term: { d: '2024-01-02' } }],
    ['exists', { exists: { field: 'n' } }],
  ])('%s stays a must', async (_title, query) => {
    expect((await shownAs({ bool: { must: [a, query] } }))[1]).toMatch(/^\+f:a \+/)
    const alone = await found({ bool: { must: query } })
    expect(alone.length).toBeGreaterThan(0)
    expect(alone.every(([, score]) => score === 1)).toBe(true)
  })

  it('a range that must not match stays as it is', async () => {
    const query = { bool: { must: a, must_not: { range: { n: { gte: 2, lt: 5 } } } } }
    const [, description] = await shownAs(query)
    expect(description).toBe(
      '+f:a -IndexOrDocValuesQuery(indexQuery=n:[2 TO 4], dvQuery=n:[2 TO 4])',
    )
    const scores = new Map(await found(a))
    const hits = await found(query)
    expect(hits.map(([id]) => id).sort()).toEqual(['0', '1', '6'])
    for (const [id, score] of hits) expect(score).toBe(scores.get(id))
  })
})

describe('of Lucene', () => {
  const filters = (...filter: object[]): object => ({ bool: { filter } })
  holds([
    ['one clause alone', { bool: { must: a } }, 'f:a', a],
    ['one should alone', { bool: { should: a } }, 'f:a', a],
    ['a filter alone scores 0', filters(a), '(ConstantScore(f:a))^0.0', constant(a, 0)],
    ['a filter twice', { bool: { must: b, filter: [a, a] } }, '+f:b #f:a', filtered(b, a)],
    [
      'a prohibition twice',
      { bool: { must: b, must_not: [a, a] } },
      '+f:b -f:a',
      { bool: { must: b, must_not: a } },
    ],
    ['a should twice', { bool: { should: [a, b, a] } }, '(f:a)^2.0 f:b', weighted('should')],
    ['a must twice', { bool: { must: [a, b, a] } }, '+(f:a)^2.0 +f:b', weighted('must')],
    ['a filter that is a must', { bool: { must: [a, b], filter: a } }, '+f:a +f:b', both()],
    [
      'a filter that is a should',
      { bool: { filter: a, should: [a, b] } },
      '+f:a f:b',
      { bool: { must: a, should: b } },
    ],
    [
      'what is required and prohibited',
      { bool: { must: [a, b], must_not: a } },
      'MatchNoDocsQuery("FILTER or MUST clause also in MUST_NOT")',
      none,
    ],
    [
      'a filter that is prohibited',
      { bool: { must: b, filter: a, must_not: a } },
      'MatchNoDocsQuery("FILTER or MUST clause also in MUST_NOT")',
      none,
    ],
    [
      'everything prohibited',
      { bool: { must: a, must_not: all } },
      'MatchNoDocsQuery("MUST_NOT clause is MatchAllDocsQuery")',
      none,
    ],
    [
      'match_all as the only must beside filters',
      { bool: { must: { match_all: { boost: 3 } }, filter: [a, b] } },
      '(ConstantScore(#f:a #f:b))^3.0',
      constant({ bool: { filter: [a, b] } }, 3),
    ],
    [
      'a disjunction within one',
      { bool: { should: [a, { bool: { should: [b, c] } }] } },
      'f:a f:b f:c',
      { bool: { should: [a, b, c] } },
    ],
    [
      'a conjunction within one',
      { bool: { must: [a, { bool: { must: [b], must_not: [c] } }] } },
      '+f:a +f:b -f:c',
      { bool: { must: [a, b], must_not: c } },
    ],
    [
      'as many optional clauses as must match',
      { bool: { should: [a, b], minimum_should_match: 2 } },
      '+f:a +f:b',
      both(),
    ],
    [
      'more than there are',
      { bool: { should: [a, b], minimum_should_match: 3 } },
      'MatchNoDocsQuery("SHOULD clause count less than minimumNumberShouldMatch")',
      none,
    ],
  ])

  function filtered(must: object, filter: object): object {
    return { bool: { must, filter } }
  }
  function both(): object {
    return { bool: { must: [a, b] } }
  }
  function weighted(occur: string): object {
    return { bool: { [occur]: [{ term: { f: { value: 'a', boost: 2 } } }, b] } }
  }
})

describe('within', () => {
  const inner = { bool: { should: [a, { bool: { should: [b, none] } }] } }
  const flat = { bool: { should: [a, b] } }
  const nested = (query: object): object => ({ nested: { path: 's', query } })
  const one = { bool: { must: { term: { 's.t': 't1' } } } }
  const weigh = (query: object): object => ({ function_score: { query, weight: 2 } })
  const script = (query: object): object => ({
    script_score: { query, script: '_score * 2' },
  })
  holds([
    ['constant_score', constant(inner), 'ConstantScore(f:a f:b)', constant(flat)],
    [
      'dis_max',
      { dis_max: { queries: [inner, c] } },
      '((f:a f:b) | f:c)',
      { dis_max: { queries: [flat, c] } },
    ],
    ['dis_max of one that can match', { dis_max: { queries: [none, a] } }, 'f:a', a],
    ['dis_max of nothing', { dis_max: { queries: [none] } }, NONE, none],
    [
      'boosting',
      { boosting: { positive: inner, negative: { bool: { must: c } }, negative_boost: 0.5 } },
      'FunctionScoreQuery(f:a f:b, scored by boost(queryboost(score(f:c))^0.5))',
      { boosting: { positive: flat, negative: c, negative_boost: 0.5 } },
    ],
    [
      'nested',
      nested(one),
      'ToParentBlockJoinQuery (ConstantScore(s.t:t1))',
      nested({ term: { 's.t': 't1' } }),
    ],
    [
      'function_score',
      weigh(inner),
      'function score (f:a f:b, functions: [{weight(2.0) of one}])',
      weigh(flat),
    ],
    ['function_score over nothing', weigh({ bool: { must: none } }), NONE, none],
    ['script_score over nothing', script({ bool: { must: none } }), NONE, none],
    ['constant_score over nothing', constant({ bool: { must: gone } }), GONE, none],
  ])

  it('script_score', async () => {
    const [type, description] = await shownAs(script(inner))
    expect(type).toBe('ScriptScoreQuery')
    expect(description).toMatch(/^script_score \(f:a f:b, script: /)
    expect(await found(script(inner))).toEqual(await found(script(flat)))
  })
})

describe('nothing is approximated', () => {
  it('match_all and ranges are shown as they run', async () => {
    expect(await shownAs(all)).toEqual(['MatchAllDocsQuery', '*:*'])
    const [type] = await shownAs({ range: { n: { gte: 1 } } })
    expect(type).toBe('IndexOrDocValuesQuery')
    const path = 'GET /i/_validate/query?explain&rewrite'
    const { json } = await index.rest.call(path, { query: all })
    expect(json.explanations[0].explanation).toContain('*:*')
  })
})

describe('why nothing can match', () => {
  it.each<[string, object, string]>([
    ['match_none', none, 'User requested "match_none" query.'],
    ['an unmapped field', gone, 'unmapped field [nowhere]'],
    ['no token', { match: { f: '' } }, 'Matching no documents because no terms present'],
    ['no term', { terms: { f: [] } }, 'Matching no documents because no terms present'],
    [
      'a text that is no number, leniently',
      { match: { n: { query: 'foo', lenient: true } } },
      'failed [n] query, caused by number_format_exception:[For input string: "foo"]',
    ],
    ['a fraction on whole numbers', { term: { n: 1.5 } }, 'Value [1.5] has a decimal part'],
    [
      'several unmapped fields',
      { multi_match: { query: 'a', fields: ['nowhere', 'neither'] } },
      'unmapped fields [neither, nowhere]',
    ],
  ])('%s', async (_title, query, reason) => {
    expect((await shownAs(query))[1]).toBe(`MatchNoDocsQuery("${reason}")`)
  })
})
