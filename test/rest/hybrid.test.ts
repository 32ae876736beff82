import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
  ] as const) {
    await ok(`PUT /${index}`, {
      settings: { number_of_shards: shards, max_result_window: 100 },
      mappings: {
        properties: { t: { type: 'text' }, n: { type: 'integer' }, k: { type: 'keyword' } },
      },
      aliases: { [`${index}-low`]: { filter: { range: { n: { lt: 4 } } } } },
    })
    const lines = TEXTS.flatMap((t, n) => [
      { index: { _id: String(n) } },
      { t, n, k: n % 2 === 0 ? 'even' : 'odd' },
    ])
    await ok(`POST /${index}/_bulk?refresh`, ndjson(...lines))
  }
})
afterAll(() => rest.close())

const TEXTS = ['a', 'a b', 'b c', 'c', 'a c', 'd', 'd e', 'e']
const ok = okOf(() => rest)
const failure = failureOf(() => rest)

/** Documents of a word, with a score. */
const worth = (t: string, boost: number): object => ({
  constant_score: { filter: { term: { t } }, boost },
})
/** Documents by the words that they have: a list with a score for each. */
const list = (...words: readonly (readonly [word: string, score: number])[]): object => ({
  dis_max: { queries: words.map(([word, score]) => worth(word, score)) },
})
const hybrid = (queries: readonly object[], more: object = {}): object => ({
  hybrid: { queries, ...more },
})
/** Document 0 and 4 have 4 in the first list, 1 has 3; 2 has 5 in the second, 3 has 1. */
const TWO = [list(['a', 4], ['b', 3], ['e', 2]), list(['b', 5], ['c', 1], ['e', 3])]

const hits = async (body: object, index = 'one'): Promise<readonly (readonly [string, number])[]> =>
  (await ok(`POST /${index}/_search`, body)).hits.hits.map(
    ({ _id, _score }: { _id: string; _score: number }) => [_id, _score],
  )

const onShards = async (body: object, line = 'POST /one/_search'): Promise<unknown[]> => {
  const { status, json } = await rest.call(line, body)
  const { type, reason } = json.error.root_cause[0]
  return [status, json.error.type, json.error.reason, type, reason]
}
const ALL_FAILED = [400, 'search_phase_execution_exception', 'all shards failed'] as const

describe('hybrid, refused where it is read', () => {
  it.each<[string, object, string]>([
    ['no queries', {}, "[hybrid] requires 'queries' field with at least one clause"],
    [
      'an empty list',
      { queries: [] },
      "[hybrid] requires 'queries' field with at least one clause",
    ],
    [
      'six queries',
      { queries: Array.from({ length: 6 }, () => ({ match_all: {} })) },
      'Number of sub-queries exceeds maximum supported by [hybrid] query',
    ],
    ['a boost', { queries: TWO, boost: 2 }, '[hybrid] query does not support [boost]'],
    ['a boost of 0', { queries: TWO, boost: 0 }, '[hybrid] query does not support [boost]'],
    [
      'an unknown field',
      { queries: TWO, tie_breaker: 1 },
      'Field is not supported by [hybrid] query',
    ],
    ['an unknown list', { must: TWO }, 'Field is not supported by [hybrid] query'],
    ['queries that are a text', { queries: 'a' }, 'Field is not supported by [hybrid] query'],
    [
      'a list of filters',
      { queries: TWO, filter: [{ match_all: {} }] },
      "[hybrid] query's [filter] field must be a query object",
    ],
    [
      'a filter that is a text',
      { queries: TWO, filter: 'a' },
      "[hybrid] query's [filter] field must be a query object",
    ],
  ])('%s', async (_, body, reason) => {
    expect(await failure('POST /one/_search', { query: { hybrid: body } })).toEqual([
      400,
      'parsing_exception',
      reason,
    ])
  })

  it('takes five queries, one that stands in no list, and a boost of 1', async () => {
    const five = Array.from({ length: 5 }, () => worth('d', 1))
    expect(await hits({ query: hybrid(five, { boost: 1 }) })).toEqual([
      ['5', 1],
      ['6', 1],
    ])
    expect(await hits({ query: { hybrid: { queries: worth('d', 1) } } })).toHaveLength(2)
  })
})

describe('hybrid, refused by shards', () => {
  const score = { _score: 'desc' }
  it.each<[string, object, string]>([
    [
      'a depth below 0',
      { query: hybrid(TWO, { pagination_depth: -1 }) },
      'pagination_depth should be greater than 0',
    ],
    [
      'a depth of 0',
      { query: hybrid(TWO, { pagination_depth: 0 }) },
      'pagination_depth should be greater than 0',
    ],
    [
      'a depth beyond the result window',
      { query: hybrid(TWO, { pagination_depth: 101 }) },
      'pagination_depth should be less than or equal to index.max_result_window setting',
    ],
    [
      'a page without a depth',
      { from: 1, query: hybrid(TWO) },
      'pagination_depth param is missing in the search request',
    ],
    [
      'a score among other sorts',
      { query: hybrid(TWO), sort: [score, { n: 'asc' }] },
      '_score sort criteria cannot be applied with any other criteria. Please select one sort criteria out of them.',
    ],
    [
      'scores beside a sort by a field',
      { query: hybrid(TWO), sort: [{ n: 'asc' }], track_scores: true },
      'Hybrid search results when sorted by any field, docId or _id, track_scores must be set to false.',
    ],
    [
      'a min score beside a sort by a field',
      { query: hybrid(TWO), sort: ['_doc'], min_score: 1 },
      'Hybrid search results when sorted by any field, docId or _id, min_score cannot be set.',
    ],
    [
      'scores beside a sort by them',
      { query: hybrid(TWO), sort: [{ _score: 'asc' }], track_scores: true },
      'Hybrid search results are by default sorted by _score, track_scores must be set to false.',
    ],
  ])('%s', async (_, body, reason) => {
    expect(await onShards(body)).toEqual([...ALL_FAILED, 'illegal_argument_exception', reason])
  })

  it('a scroll', async () => {
    expect(await onShards({ query: hybrid(TWO) }, 'POST /one/_search?scroll=1m')).toEqual([
      ...ALL_FAILED,
      'illegal_argument_exception',
      'Scroll operation is not supported in hybrid query',
    ])
  })

  it.each<[string, object]>([
    ['bool', { query: { bool: { should: [hybrid(TWO)] } } }],
    ['dis_max', { query: { dis_max: { queries: [hybrid(TWO)] } } }],
    ['constant_score', { query: { constant_score: { filter: hybrid(TWO) } } }],
    ['function_score', { query: { function_score: { query: hybrid(TWO) } } }],
    ['hybrid', { query: hybrid([hybrid(TWO)]) }],
    ['its own filter', { query: hybrid(TWO, { filter: hybrid(TWO) }) }],
    ['post_filter', { query: { match_all: {} }, post_filter: hybrid(TWO) }],
    ['a filter aggregation', { aggs: { a: { filter: hybrid(TWO) } } }],
  ])('within %s', async (_, body) => {
    const [status, , , type, reason] = await onShards(body)
    expect([status, type, reason]).toEqual([
      400,
      'illegal_argument_exception',
      expect.stringContaining(
        'hybrid query must be a top level query and cannot be wrapped into other queries.',
      ),
    ])
  })

  it('a page behind the last hit, but not right behind it', async () => {
    const query = hybrid(TWO, { pagination_depth: 10 })
    expect(await hits({ from: 7, query })).toEqual([])
    expect(await failure('POST /one/_search', { from: 8, query })).toEqual([
      400,
      'illegal_argument_exception',
      'Reached end of search result, increase pagination_depth value to see more results',
    ])
  })
})

describe('hybrid', () => {
  const LOW = 0.001
  // First list: 0, 1, 4 have 4, 2 has 3, 6 and 7 have 2. Second: 1, 2 have 5, 6, 7 have 3, 3, 4 have 1.
  const EXPECTED = [
    ['1', 1],
    ['2', 0.75],
    ['4', (1 + LOW) / 2],
    ['0', 0.5],
    ['6', (LOW + 0.5) / 2],
    ['7', (LOW + 0.5) / 2],
    ['3', LOW / 2],
  ] as const
  const near = (found: readonly (readonly [string, number])[]): void => {
    for (const [i, [id, score]] of EXPECTED.entries()) {
      expect(found[i]![1]).toBeCloseTo(score, 6)
      if (score !== EXPECTED[i + 1]?.[1] && score !== EXPECTED[i - 1]?.[1])
        expect(found[i]![0]).toBe(id)
    }
    expect(found).toHaveLength(EXPECTED.length)
  }

  it.each(['one', 'three'])(
    'combines scaled scores by their mean, in the index %s',
    async index => {
      near(await hits({ query: hybrid(TWO) }, index))
      const { hits: answer } = await ok(`POST /${index}/_search`, { query: hybrid(TWO) })
      expect([answer.total, answer.max_score]).toEqual([{ value: 7, relation: 'eq' }, 1])
    },
  )

  it('has no hit where nothing matches: its best score is 0', async () => {
    const { hits: answer } = await ok('POST /one/_search', { query: hybrid([worth('z', 1)]) })
    expect(answer).toEqual({ total: { value: 0, relation: 'eq' }, max_score: 0, hits: [] })
  })

  it('lists as many hits of each query and shard as are returned', async () => {
    // Of the first list 0, of the second 1 is the best: both are scaled to 1.
    expect(await hits({ size: 1, query: hybrid(TWO) })).toEqual([['0', 0.5]])
  })

  it('pages through the lists of a depth, with one total and best score', async () => {
    const query = hybrid(TWO, { pagination_depth: 10 })
    const pages = []
    for (let from = 0; from < 7; from += 2) {
      const answer = (await ok('POST /three/_search', { from, size: 2, query })).hits
      expect([answer.total.value, answer.max_score]).toEqual([7, 1])
      pages.push(
        ...answer.hits.map((hit: { _id: string; _score: number }) => [hit._id, hit._score]),
      )
    }
    expect(pages).toEqual(await hits({ size: 10, query }, 'three'))
  })

  it('narrows every query by a filter, and by that of an alias', async () => {
    const filter = { range: { n: { lt: 4 } } }
    const filtered = await hits({ query: hybrid(TWO, { filter }) })
    expect(filtered.map(([id]) => id)).toEqual(['1', '2', '0', '3'])
    expect(await hits({ query: hybrid(TWO) }, 'one-low')).toEqual(filtered)
  })

  it('counts documents of any query once, as far as is asked for', async () => {
    const total = async (more: object): Promise<unknown> =>
      (await ok('POST /three/_search', { query: hybrid(TWO), ...more })).hits.total
    expect(await total({ size: 0 })).toEqual({ value: 7, relation: 'eq' })
    expect(await total({ size: 1 })).toEqual({ value: 7, relation: 'eq' })
    expect(await total({ track_total_hits: 3 })).toEqual({ value: 3, relation: 'gte' })
    expect(await total({ track_total_hits: false })).toBe(undefined)
    expect(await ok('POST /three/_count', { query: hybrid(TWO) })).toMatchObject({ count: 7 })
  })

  it('drops hits below a min score after it has combined them', async () => {
    const { hits: answer } = await ok('POST /one/_search', { query: hybrid(TWO), min_score: 0.5 })
    expect(answer.hits.map(({ _id }: { _id: string }) => _id)).toEqual(['1', '2', '4', '0'])
    expect(answer.total).toEqual({ value: 4, relation: 'eq' })
  })

  it('aggregates the documents of all queries, and filters hits behind that', async () => {
    const { hits: answer, aggregations } = await ok('POST /three/_search', {
      query: hybrid(TWO),
      post_filter: { term: { k: 'even' } },
      aggs: { by: { terms: { field: 'k' } } },
    })
    expect(
      aggregations.by.buckets.map((b: { key: string; doc_count: number }) => [b.key, b.doc_count]),
    ).toEqual([
      ['even', 4],
      ['odd', 3],
    ])
    expect(answer.total.value).toBe(4)
    expect(answer.hits.map(({ _id }: { _id: string }) => _id).sort()).toEqual(['0', '2', '4', '6'])
  })

  it('sorts by fields, without scores, and goes on behind their values', async () => {
    const body = { size: 3, query: hybrid(TWO), sort: [{ n: 'desc' }] }
    const first = (await ok('POST /three/_search', body)).hits
    expect(first.max_score).toBe(null)
    expect(
      first.hits.map((hit: { sort: unknown; _score: unknown }) => [hit.sort, hit._score]),
    ).toEqual([
      [[7], null],
      [[6], null],
      [[4], null],
    ])
    const next = (await ok('POST /three/_search', { ...body, search_after: [4] })).hits
    expect(next.hits.map((hit: { sort: unknown }) => hit.sort)).toEqual([[3], [2], [1]])
    expect(next.total.value).toBe(7)
  })

  it('sorts by combined scores, the lowest first', async () => {
    const found = await hits({ query: hybrid(TWO), sort: [{ _score: 'asc' }] }, 'three')
    expect(found.map(([, score]) => score)).toEqual(
      (await hits({ query: hybrid(TWO) }, 'three')).map(([, score]) => score).reverse(),
    )
  })

  it('keeps the best hit of each group', async () => {
    // Of the even ones 0 is the first of one list and 2 of the other, with the same score.
    const { hits: answer } = await ok('POST /one/_search', {
      query: hybrid(TWO),
      collapse: { field: 'k', inner_hits: { name: 'all', size: 5 } },
    })
    expect(answer.hits.map(({ _id }: { _id: string }) => _id)).toEqual(['1', '0'])
    expect(answer.hits[0].inner_hits.all.hits.total.value).toBe(3)
    expect(answer.total.value).toBe(7)
  })

  it('scores the best of each list anew before they are scaled', async () => {
    const rescore = { window_size: 1, query: { rescore_query: worth('a', 6) } }
    const queries = [list(['a', 4], ['b', 3], ['c', 2])]
    // Document 0 becomes 10, 1 and 4 stay 4, 2 3 and 3 2.
    const found = await hits({ query: hybrid(queries), rescore })
    expect(found[0]).toEqual(['0', 1])
    expect(found[1]![1]).toBeCloseTo(2 / 8, 6)
    expect(found.at(-1)).toEqual(['3', 0.001])
  })

  it('names the queries that a hit matches, itself included', async () => {
    const named = (name: string, t: string): object => ({ term: { t: { value: t, _name: name } } })
    const query = { hybrid: { _name: 'any', queries: [named('first', 'a'), named('second', 'b')] } }
    const { hits: answer } = await ok('POST /one/_search', { query })
    expect(answer.hits[0]).toMatchObject({ _id: '1', matched_queries: ['any', 'first', 'second'] })
    expect(answer.hits[1].matched_queries).toHaveLength(2)
  })

  it('marks the words of all queries', async () => {
    const queries = [{ match: { t: 'b' } }, { match: { t: 'c' } }]
    const { hits: answer } = await ok('POST /one/_search', {
      query: hybrid(queries, { filter: { term: { n: 2 } } }),
      highlight: { fields: { t: {} } },
    })
    expect(answer.hits[0].highlight.t).toEqual(['<em>b</em> <em>c</em>'])
  })

  it('explains how the scores of queries became one', async () => {
    const { hits: answer } = await ok('POST /three/_search', { query: hybrid(TWO), explain: true })
    for (const hit of answer.hits) {
      expect(hit._explanation.value).toBe(hit._score)
      expect(hit._explanation.description).toBe('arithmetic_mean combination of:')
    }
    const { details } = answer.hits[1]._explanation
    expect(
      details.map(({ value, description }: { value: number; description: string }) => [
        value,
        description,
      ]),
    ).toEqual([
      [0.5, 'min_max normalization of:'],
      [1, 'min_max normalization of:'],
    ])
    expect(details.map((each: { details: { value: number }[] }) => each.details[0]!.value)).toEqual(
      [3, 5],
    )
  })

  it('explains one document by the best of its scores, those that miss included', async () => {
    const line = 'POST /one/_explain/0'
    const { matched, explanation } = await ok(line, { query: hybrid(TWO) })
    expect([matched, explanation.value, explanation.description]).toEqual([
      true,
      4,
      'combined score of:',
    ])
    expect(explanation.details.map(({ value }: { value: number }) => value)).toEqual([4, 0])
    const missed = await rest.call('POST /one/_explain/5', { query: hybrid(TWO) })
    expect(missed.json.explanation.description).toBe('no matching clause')
  })

  it('is valid, and prints as the list of its queries', async () => {
    const query = hybrid([{ term: { t: 'a' } }, { match: { t: 'b c' } }])
    const { valid, explanations } = await ok('POST /one/_validate/query?explain', { query })
    expect([valid, explanations[0].explanation]).toEqual([true, '(t:a | (t:b t:c))'])
  })

  it('runs among several searches, over several indices and at a point in time', async () => {
    const body = { query: hybrid(TWO), size: 20 }
    const { responses } = await ok(
      'POST /_msearch',
      ndjson({ index: 'one' }, body, { index: 'three' }, body),
    )
    for (const { hits: answer } of responses) expect(answer.total.value).toBe(7)
    expect(await hits(body, 'one,three')).toHaveLength(14)
    const { pit_id: id } = await ok('POST /one/_search/point_in_time?keep_alive=1m')
    expect((await ok('POST /_search', { ...body, pit: { id } })).hits.hits).toHaveLength(7)
  })

  it('tells hits from the request cache apart by the depth of their lists', async () => {
    for (const depth of [1, 2, 1, 2]) {
      const query = hybrid(TWO, { pagination_depth: depth })
      const { hits: answer } = await ok('POST /one/_search?request_cache=true', { query })
      expect(answer.hits).toHaveLength(depth + 1)
    }
  })

  it('finds the same with a profile, whose root is the hybrid query', async () => {
    for (const index of ['one', 'three'])
      for (const more of [
        {},
        { sort: [{ n: 'asc' }] },
        { collapse: { field: 'k' } },
        { size: 2 },
      ]) {
        const body = { query: hybrid(TWO), ...more }
        const plain = await ok(`POST /${index}/_search`, body)
        const profiled = await ok(`POST /${index}/_search`, {
          ...body,
          profile: true,
          profile_kernels: true,
        })
        expect(profiled.hits).toEqual(plain.hits)
        const [search] = profiled.profile.shards[0].searches
        expect(search.query[0].type).toBe('HybridQuery')
        expect(search.query[0].children).toHaveLength(2)
        expect(search.collector[0].name).toBe('HybridCollectorManager')
      }
  })

  it('weighs words by the statistics of all shards where they are asked for', async () => {
    const query = hybrid([{ match: { t: 'a' } }, { match: { t: 'b c' } }, { match: { t: 'd e' } }])
    const scores = async (index: string, type: string): Promise<Map<string, number>> => {
      const line = `POST /${index}/_search?search_type=${type}`
      const { hits: answer } = await ok(line, { query, size: 20 })
      return new Map(
        answer.hits.map(({ _id, _score }: { _id: string; _score: number }) => [_id, _score]),
      )
    }
    const whole = await scores('one', 'query_then_fetch')
    expect(whole.size).toBe(8)
    expect(await scores('three', 'dfs_query_then_fetch')).toEqual(whole)
    // Shards of two or three documents weigh their words otherwise.
    expect(await scores('three', 'query_then_fetch')).not.toEqual(whole)
  })

  it('boosts an index before its scores are scaled', async () => {
    const queries = [list(['a', 4], ['b', 3]), list(['d', 2], ['e', 1])]
    const { hits: answer } = await ok('POST /one,three/_search', {
      query: hybrid(queries),
      indices_boost: [{ one: 3 }],
      size: 20,
    })
    const found = new Map<string, number>(
      answer.hits.map((hit: { _index: string; _id: string; _score: number }) => [
        `${hit._index} ${hit._id}`,
        hit._score,
      ]),
    )
    // The first list has 12 and 9 of one index, 4 and 3 of the other; the second 6 and 3, 2 and 1.
    expect(found.get('one 0')).toBe(0.5)
    expect(found.get('one 2')).toBeCloseTo((9 - 3) / (12 - 3) / 2, 6)
    expect(found.get('three 0')).toBeCloseTo((4 - 3) / (12 - 3) / 2, 6)
    expect(found.get('one 5')).toBe(0.5)
    expect(found.get('three 5')).toBeCloseTo((2 - 1) / (6 - 1) / 2, 6)
  })

  it('finds each document in one slice of a point in time', async () => {
    const { pit_id: id } = await ok('POST /three/_search/point_in_time?keep_alive=1m')
    const body = { query: hybrid(TWO), size: 20, pit: { id } }
    const all = (await ok('POST /_search', body)).hits
    const found: string[] = []
    for (let slice = 0; slice < 3; slice++) {
      const { hits: part } = await ok('POST /_search', { ...body, slice: { id: slice, max: 3 } })
      expect(part.total.value).toBe(part.hits.length)
      found.push(...part.hits.map(({ _id }: { _id: string }) => _id))
    }
    expect(found.sort()).toEqual(all.hits.map(({ _id }: { _id: string }) => _id).sort())
    expect(found).toHaveLength(7)
  })

  it('shows the nested objects that a sub-query has found', async () => {
    await ok('PUT /objects', {
      mappings: {
        properties: {
          t: { type: 'text' },
          o: { type: 'nested', properties: { w: { type: 'keyword' } } },
        },
      },
    })
    await ok(
      'POST /objects/_bulk?refresh',
      ndjson(
        { index: { _id: '0' } },
        { t: 'a', o: [{ w: 'x' }, { w: 'y' }, { w: 'x' }] },
        { index: { _id: '1' } },
        { t: 'a', o: [{ w: 'z' }] },
      ),
    )
    const nested = { nested: { path: 'o', query: { term: { 'o.w': 'x' } }, inner_hits: {} } }
    const { hits: answer } = await ok('POST /objects/_search', {
      query: hybrid([{ match: { t: 'a' } }, nested]),
    })
    const [first, second] = answer.hits
    expect([first._id, second._id]).toEqual(['0', '1'])
    const inner = first.inner_hits.o.hits
    expect(inner.total).toEqual({ value: 2, relation: 'eq' })
    expect(
      inner.hits.map((hit: { _nested: { offset: number }; _source: object }) => [
        hit._nested.offset,
        hit._source,
      ]),
    ).toEqual([
      [0, { w: 'x' }],
      [2, { w: 'x' }],
    ])
    expect(second.inner_hits.o.hits.total.value).toBe(0)
  })

  it('stops in each shard after so many documents of any query', async () => {
    const { hits: answer, terminated_early: early } = await ok('POST /one/_search', {
      query: hybrid(TWO),
      terminate_after: 2,
    })
    expect([early, answer.total.value]).toEqual([true, 2])
    expect(answer.hits.map(({ _id }: { _id: string }) => _id).sort()).toEqual(['0', '1'])
  })
})
