import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

interface Hit {
  readonly _id: string
  readonly _score: number
}

async function fill(texts: readonly string[], shards = 1): Promise<void> {
  await rest.call('DELETE /*')
  await ok('PUT /i', {
    settings: { number_of_shards: shards, refresh_interval: '-1' },
    mappings: { properties: { t: { type: 'text' }, n: { type: 'integer' } } },
  })
  for (const [n, t] of texts.entries())
    await ok(`PUT /i/_doc/${n}${n % 3 === 0 ? '?refresh' : ''}`, { t, n })
  await ok('POST /i/_refresh')
}

const hits = async (body: object): Promise<readonly Hit[]> =>
  (await ok('POST /i/_search', { size: 50, ...body })).hits.hits

/** A query whose score is a number for each word. */
const scores = (of: Readonly<Record<string, number>>): object => ({
  bool: {
    should: Object.entries(of).map(([word, boost]) => ({
      constant_score: { filter: { term: { t: word } }, boost },
    })),
  },
})

beforeEach(() => fill(['a', 'a b', 'a c', 'b', 'c']))

describe('rescore', () => {
  it.each([
    ['total', 2 * 3 + 5 * 4],
    ['multiply', 2 * 3 * (5 * 4)],
    ['avg', (2 * 3 + 5 * 4) / 2],
    ['max', 20],
    ['min', 6],
  ])('combines two weighted scores by %s', async (score_mode, expected) => {
    const rescore = {
      window_size: 5,
      query: {
        rescore_query: scores({ b: 5 }),
        query_weight: 3,
        rescore_query_weight: 4,
        score_mode,
      },
    }
    const found = await hits({ query: scores({ a: 2 }), rescore })
    expect(found.map(({ _id, _score }) => [_id, _score])).toEqual(
      [
        ['1', expected],
        ['0', 6],
        ['2', 6],
      ].sort((a, b) => Number(b[1]) - Number(a[1]) || Number(a[0]) - Number(b[0])),
    )
  })

  it('scores 10 hits of each shard anew, and weighs those behind them too', async () => {
    await fill(Array.from({ length: 15 }, () => 'a b'))
    const rescore = { query: { rescore_query: scores({ b: 7 }), query_weight: 2 } }
    const found = await hits({ query: scores({ a: 1 }), rescore })
    expect(found.map(({ _score }) => _score)).toEqual([
      ...Array.from({ length: 10 }, () => 9),
      ...Array.from({ length: 5 }, () => 2),
    ])
  })

  it('runs several in turn, each over the best hits of the one before', async () => {
    const rescore = [
      { window_size: 5, query: { rescore_query: scores({ c: 10 }) } },
      { window_size: 1, query: { rescore_query: scores({ a: 100 }) } },
    ]
    const found = await hits({ query: scores({ a: 2, b: 1 }), rescore })
    expect(found.map(({ _id, _score }) => [_id, _score])).toEqual([
      ['2', 112],
      ['1', 3],
      ['0', 2],
      ['3', 1],
    ])
  })

  it('looks at its window beyond the page, and pages through what comes out', async () => {
    const rescore = { window_size: 5, query: { rescore_query: scores({ c: 10 }) } }
    const query = scores({ a: 2, b: 1 })
    const all = (await hits({ query, rescore })).map(({ _id }) => _id)
    for (let from = 0; from < 4; from++)
      expect((await hits({ query, rescore, from, size: 1 })).map(({ _id }) => _id)).toEqual([
        all[from],
      ])
  })

  it('tells the new best score', async () => {
    const rescore = { query: { rescore_query: scores({ c: 10 }) } }
    const { hits: found } = await ok('POST /i/_search', { query: scores({ a: 2 }), rescore })
    expect(found.max_score).toBe(12)
    expect(found.total.value).toBe(3)
  })

  it('explains both scores, and the first alone outside of the window', async () => {
    const rescore = {
      window_size: 1,
      query: {
        rescore_query: scores({ b: 5 }),
        query_weight: 2,
        rescore_query_weight: 3,
        score_mode: 'max',
      },
    }
    const { hits: found } = await ok('POST /i/_search', {
      query: scores({ b: 4 }),
      explain: true,
      rescore,
    })
    const [first, second] = found.hits
    expect(first._explanation).toMatchObject({
      value: 15,
      description: 'max of:',
      details: [
        {
          value: 8,
          description: 'product of:',
          details: [{ value: 4 }, { value: 2, description: 'primaryWeight', details: [] }],
        },
        {
          value: 15,
          description: 'product of:',
          details: [{ value: 5 }, { value: 3, description: 'secondaryWeight', details: [] }],
        },
      ],
    })
    expect(second._explanation).toMatchObject({ value: 8, description: 'product of:' })
  })

  it('takes names of its query', async () => {
    const named = { term: { t: { value: 'b', _name: 'second' } } }
    const { hits: found } = await ok('POST /i/_search', {
      query: { term: { t: { value: 'a', _name: 'first' } } },
      rescore: { query: { rescore_query: named } },
    })
    const names = new Map(
      found.hits.map((hit: { _id: string; matched_queries: string[] }) => [
        hit._id,
        hit.matched_queries,
      ]),
    )
    expect(names.get('1')).toEqual(['first', 'second'])
    expect(names.get('0')).toEqual(['first'])
  })

  it('answers alike with a profile of the kernels, whose hits it compares', async () => {
    const body = {
      query: scores({ a: 2, b: 1 }),
      rescore: { query: { rescore_query: scores({ c: 10 }) } },
    }
    const plain = await hits(body)
    expect(await hits({ ...body, profile: true, profile_kernels: true })).toEqual(plain)
  })

  it.each([
    [{ query: {} }, 'illegal_argument_exception', 'rescore_query cannot be null'],
    [{ window_size: 5 }, 'parsing_exception', 'missing rescore type'],
    [{ window_size: 5, x: 1 }, 'parsing_exception', "rescore doesn't support [x]"],
    [[5], 'parsing_exception', 'Expected [START_OBJECT] but found [VALUE_NUMBER]'],
    [
      { query: { rescore_query: { match_all: {} }, score_mode: 'median' } },
      'x_content_parse_exception',
      expect.stringContaining('[query] failed to parse field [score_mode]'),
    ],
    [
      { query: { rescore_query: { match_all: {} }, weight: 1 } },
      'x_content_parse_exception',
      expect.stringContaining('[query] unknown field [weight]'),
    ],
  ])('refuses %j', async (rescore, type, reason) => {
    expect(await failure('POST /i/_search', { rescore })).toEqual([400, type, reason])
  })

  it('names the mode that there is not', async () => {
    const rescore = { query: { rescore_query: { match_all: {} }, score_mode: 'median' } }
    const { json } = await rest.call('POST /i/_search', { rescore })
    expect(json.error.caused_by).toMatchObject({
      type: 'illegal_argument_exception',
      reason: 'illegal score_mode [median]',
    })
  })

  it('refuses another sort and a window past the limit in each shard', async () => {
    const rescore = { window_size: 10_001, query: { rescore_query: { match_all: {} } } }
    const reasonOf = async (body: object): Promise<string> =>
      (await rest.call('POST /i/_search', body)).json.error.root_cause[0].reason
    expect(await reasonOf({ rescore, sort: ['n'] })).toBe(
      'Cannot use [sort] option in conjunction with [rescore].',
    )
    expect(await reasonOf({ rescore })).toBe(
      'Rescore window [10001] is too large. It must be less than [10000]. This prevents allocating ' +
        'massive heaps for storing the results to be rescored. This limit can be set by changing the ' +
        '[index.max_rescore_window] index level setting.',
    )
    await ok('PUT /i/_settings', { 'index.max_rescore_window': 20_000 })
    expect(await hits({ rescore, sort: ['_score'] })).toHaveLength(5)
  })

  it('agrees with a model, in any number of segments and slices', async () => {
    const words = ['a', 'b', 'c']
    const scene = fc.record({
      texts: fc.array(
        fc.subarray(words, { minLength: 1 }).map(list => list.join(' ')),
        {
          minLength: 1,
          maxLength: 15,
        },
      ),
      window: fc.integer({ min: 1, max: 16 }),
      weights: fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })),
      mode: fc.constantFrom('total', 'multiply', 'avg', 'max', 'min'),
      slices: fc.constantFrom(1, 2, 4),
    })
    await fc.assert(
      fc.asyncProperty(scene, async ({ texts, window, weights, mode, slices }) => {
        await fill(texts)
        await ok('PUT /i/_settings', {
          'index.search.concurrent_segment_search.mode': slices === 1 ? 'none' : 'all',
        })
        const first = { a: 4, b: 2, c: 1 }
        const second = { a: 1, c: 8 }
        const sum = (text: string, of: Readonly<Record<string, number>>): number =>
          text.split(' ').reduce((total, word) => total + (of[word] ?? 0), 0)
        const combined = (text: string): number => {
          const [x, y] = [sum(text, first) * weights[0], sum(text, second) * weights[1]]
          if (sum(text, second) === 0) return x
          return {
            total: x + y,
            multiply: x * y,
            avg: (x + y) / 2,
            max: Math.max(x, y),
            min: Math.min(x, y),
          }[mode]!
        }
        const byScore = (
          a: { n: number; score: number },
          b: { n: number; score: number },
        ): number => b.score - a.score || a.n - b.n
        const expected = texts
          .map((text, n) => ({ n, text, score: sum(text, first) }))
          .sort(byScore)
          .map((hit, i) => ({
            ...hit,
            score: i < window ? combined(hit.text) : hit.score * weights[0],
          }))
          .sort(byScore)
          .map(({ n, score }) => [String(n), score])
        const rescore = {
          window_size: window,
          query: {
            rescore_query: scores(second),
            query_weight: weights[0],
            rescore_query_weight: weights[1],
            score_mode: mode,
          },
        }
        const found = await hits({ query: scores(first), rescore })
        expect(found.map(({ _id, _score }) => [_id, _score])).toEqual(expected)
      }),
      { numRuns: 40 },
    )
  })
})
