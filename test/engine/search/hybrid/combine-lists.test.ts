import { describe, expect, it } from 'vitest'
import {
  type CombinedPage,
  type CombinedResult,
  combineLists,
} from '../../../../src/engine/search/hybrid/combine-lists.ts'
import type {
  HybridScoring,
  NormalizedScoring,
  ScoreBound,
} from '../../../../src/engine/search/hybrid/hybrid-scoring.ts'
import { rankScore } from '../../../../src/engine/search/hybrid/reciprocal-rank.ts'
import { DEFAULT_SCORING } from '../../../../src/engine/search/hybrid/score-lists.ts'
import { emptyOutcome } from '../../../../src/parallel/search-options.ts'

/** Documents of a shard's lists with their scores, best first. */
type Lists = readonly (readonly (readonly [doc: number, score: number])[])[]

const PAGE: CombinedPage = {
  from: 0,
  size: 10,
  minScore: null,
  trackTotalHits: 10_000,
  searchAfter: null,
}

function combine(
  shards: readonly Lists[],
  scoring: HybridScoring = DEFAULT_SCORING,
  page: Partial<CombinedPage> = {},
  total = 4,
): CombinedResult {
  const results = shards.map(lists => ({
    ...emptyOutcome(-1).result,
    total: { value: total, relation: 'eq' as const },
    lists: lists.map(list =>
      list.map(([globalDoc, score]) => ({ globalDoc, score: Math.fround(score), sort: null })),
    ),
  }))
  return combineLists(results, { ...PAGE, ...page }, scoring)
}

/** Documents with their scores, in order. */
const scoresOf = ({ hits }: CombinedResult): readonly (readonly [number, number])[] =>
  hits.map(({ hit }) => [hit.globalDoc, hit.score])

const scoring = (changes: Partial<NormalizedScoring>): NormalizedScoring => ({
  ...DEFAULT_SCORING,
  ...changes,
})

const float = Math.fround

describe('min_max', () => {
  it('scales from the lowest score, which becomes 0.001, to the highest', () => {
    const found = combine([
      [
        [
          [1, 4],
          [2, 3],
          [3, 2],
        ],
      ],
    ])
    expect(scoresOf(found)).toEqual([
      [1, 1],
      [2, 0.5],
      [3, float(0.001)],
    ])
    expect(found.maxScore).toBe(1)
  })

  it('scales by the scores of all shards together', () => {
    const found = combine([
      [[[7, 4]]],
      [
        [
          [7, 3],
          [8, 2],
        ],
      ],
    ])
    expect(found.hits.map(({ shard, hit }) => [shard, hit.globalDoc, hit.score])).toEqual([
      [0, 7, 1],
      [1, 7, 0.5],
      [1, 8, float(0.001)],
    ])
  })

  it('makes 1 of equal scores, of zeros too', () => {
    expect(
      scoresOf(
        combine([
          [
            [
              [1, 3],
              [2, 3],
            ],
          ],
        ]),
      ).map(([, score]) => score),
    ).toEqual([1, 1])
    expect(
      scoresOf(
        combine([
          [
            [
              [1, 0],
              [2, 0],
            ],
          ],
        ]),
      ).map(([, score]) => score),
    ).toEqual([1, 1])
  })

  const bound = (mode: ScoreBound['mode'], score: number): readonly ScoreBound[] => [
    { mode, score },
  ]
  const LOW = float(0.001)
  it.each<[string, Partial<NormalizedScoring>, readonly number[]]>([
    // Scores are 4, 2 and 1. Above the bound it stands for 0: (4 - 1.5) / (4 - 1.5), (2 - 1.5) / 2.5.
    ['a lower bound that applies', { lowerBounds: bound('apply', 1.5) }, [1, float(0.2), LOW]],
    ['a lower bound above all scores', { lowerBounds: bound('apply', 5) }, [1, float(1 / 3), LOW]],
    ['a lower bound that clips', { lowerBounds: bound('clip', 1.5) }, [1, float(0.2), LOW]],
    ['a lower bound that clips at 0', { lowerBounds: bound('clip', 0) }, [1, 0.5, 0.25]],
    ['a lower bound that is ignored', { lowerBounds: bound('ignore', 0) }, [1, float(1 / 3), LOW]],
    // (4 - 1) / 3 above the bound of 3; (2 - 1) / (3 - 1) below.
    ['an upper bound that applies', { upperBounds: bound('apply', 3) }, [1, 0.5, LOW]],
    ['an upper bound that clips', { upperBounds: bound('clip', 3) }, [1, 0.5, LOW]],
    ['an upper bound beyond that clips', { upperBounds: bound('clip', 5) }, [0.75, 0.25, LOW]],
    ['an upper bound that is ignored', { upperBounds: bound('ignore', 5) }, [1, float(1 / 3), LOW]],
  ])('takes %s', (_, bounds, expected) => {
    const found = combine(
      [
        [
          [
            [1, 4],
            [2, 2],
            [3, 1],
          ],
        ],
      ],
      scoring(bounds),
    )
    expect(scoresOf(found).map(([, score]) => score)).toEqual(expected)
  })

  it.each(['lowerBounds', 'upperBounds'])('refuses %s for another number of queries', side => {
    const changes = { [side]: [{ mode: 'apply', score: 0 }] }
    expect(() => combine([[[[1, 1]], []]], scoring(changes))).toThrow(
      'expected bounds array to contain 2 elements matching the number of sub-queries, but found ' +
        'a mismatch',
    )
  })
})

describe('l2', () => {
  it('divides by the norm over all shards', () => {
    const found = combine([[[[1, 4]]], [[[2, 3]]]], scoring({ technique: 'l2' }))
    expect(scoresOf(found)).toEqual([
      [1, float(0.8)],
      [2, float(0.6)],
    ])
  })

  it('makes 0 of scores of 0', () => {
    const found = combine(
      [
        [
          [
            [1, 0],
            [2, 0],
          ],
        ],
      ],
      scoring({ technique: 'l2' }),
    )
    expect(scoresOf(found).map(([, score]) => score)).toEqual([0, 0])
  })
})

describe('z_score', () => {
  const byDeviation = scoring({ technique: 'z_score' })

  it('counts population deviations from the mean; at it stands the best score, below it 0.001', () => {
    // The mean of 6, 3 and 0 is 3, their deviation the root of 6.
    const found = combine(
      [
        [
          [
            [1, 6],
            [2, 3],
            [3, 0],
          ],
        ],
      ],
      byDeviation,
    )
    expect(scoresOf(found)).toEqual([
      [2, 6],
      [1, float(3 / float(Math.sqrt(6)))],
      [3, float(0.001)],
    ])
  })

  it('keeps equal scores', () => {
    expect(
      scoresOf(
        combine(
          [
            [
              [
                [1, 3],
                [2, 3],
              ],
            ],
          ],
          byDeviation,
        ),
      ).map(([, s]) => s),
    ).toEqual([3, 3])
  })
})

describe('combinations', () => {
  // Document 1 has 1 and 1, document 2 has 0.5 and nothing.
  const lists: Lists = [
    [
      [1, 4],
      [2, 3],
      [3, 2],
    ],
    [[1, 5]],
  ]
  const third = float(0.001)

  it.each<[NormalizedScoring['combination'], readonly number[] | null, readonly number[]]>([
    ['arithmetic_mean', null, [1, 0.25, float(third / 2)]],
    ['arithmetic_mean', [0.8, 0.2], [1, float(0.4), float(third * float(0.8))]],
    ['geometric_mean', null, [1, 0.5, third]],
    ['harmonic_mean', null, [1, 0.5, third]],
    ['harmonic_mean', [0, 1], [1, 0, 0]],
    ['geometric_mean', [0, 1], [1, 0, 0]],
    ['arithmetic_mean', [0, 1], [1, 0, 0]],
  ])('%s with weights %j', (combination, weights, expected) => {
    const found = combine([lists], scoring({ combination, weights }))
    for (const [i, [, score]] of scoresOf(found).entries())
      expect(score).toBeCloseTo(expected[i]!, 7)
  })

  it('means of two scores of one document', () => {
    // Document 2 has 0.5 in the first list and 0.25 in the second.
    const both: Lists = [
      [
        [1, 4],
        [2, 3],
        [3, 2],
      ],
      [
        [4, 5],
        [2, 2],
        [5, 1],
      ],
    ]
    const of = (combination: NormalizedScoring['combination']): number =>
      scoresOf(combine([both], scoring({ combination }))).find(([doc]) => doc === 2)![1]
    expect(of('arithmetic_mean')).toBe(0.375)
    expect(of('geometric_mean')).toBeCloseTo(Math.sqrt(0.125), 7)
    expect(of('harmonic_mean')).toBe(float(2 / 6))
  })

  it('refuses weights for another number of queries', () => {
    expect(() => combine([lists], scoring({ weights: [1] }))).toThrow(
      'number of weights [1] must match number of sub-queries [2] in hybrid query',
    )
  })
})

describe('ranks', () => {
  const ranked: HybridScoring = { kind: 'rank', rankConstant: 60, weights: null }

  it('adds up the scores of ranks over all shards', () => {
    // Of the first query 2 of the second shard is before 1 of the first.
    const found = combine(
      [
        [[[1, 3]], [[1, 9]]],
        [[[2, 4]], []],
      ],
      ranked,
    )
    expect(scoresOf(found)).toEqual([
      [1, float(float(0.0161290323) + float(0.0163934426))],
      [2, float(0.0163934426)],
    ])
  })

  it('ranks equal scores by document, then shard', () => {
    const found = combine(
      [
        [[[5, 3]]],
        [
          [
            [4, 3],
            [5, 3],
          ],
        ],
      ],
      ranked,
    )
    expect(found.hits.map(({ shard, hit }) => [shard, hit.globalDoc])).toEqual([
      [1, 4],
      [0, 5],
      [1, 5],
    ])
  })

  it('weighs without dividing', () => {
    const found = combine([[[[1, 3]], [[1, 9]]]], { ...ranked, weights: [0.25, 0.75] })
    const first = float(0.0163934426)
    expect(scoresOf(found)).toEqual([[1, float(float(first * 0.25) + float(first * 0.75))]])
  })

  it('rounds every score as decimal arithmetic does', () => {
    for (let divisor = 2; divisor <= 20_001; divisor++) {
      const digits = (20_000_000_000n + BigInt(divisor)) / (2n * BigInt(divisor))
      expect(rankScore(divisor - 2, 1)).toBe(float(Number(digits) / 1e10))
    }
  })
})

describe('pages', () => {
  const lists: Lists = [
    [
      [3, 4],
      [1, 4],
      [2, 3],
      [4, 2],
    ],
  ]

  it('orders by score, then shard, then document', () => {
    const found = combine([lists, [[[0, 4]]]])
    expect(found.hits.map(({ shard, hit }) => [shard, hit.globalDoc]).slice(0, 3)).toEqual([
      [0, 1],
      [0, 3],
      [1, 0],
    ])
  })

  it('cuts a page, with the best score of all and the number of all', () => {
    const found = combine([lists], DEFAULT_SCORING, { from: 2, size: 1 })
    expect(scoresOf(found)).toEqual([[2, 0.5]])
    expect(found.maxScore).toBe(1)
    expect(found.total).toEqual({ value: 4, relation: 'eq' })
  })

  it('is empty right behind the last hit, and refused beyond', () => {
    expect(combine([lists], DEFAULT_SCORING, { from: 4 }).hits).toEqual([])
    expect(() => combine([lists], DEFAULT_SCORING, { from: 5 })).toThrow(
      'Reached end of search result, increase pagination_depth value to see more results',
    )
  })

  it('drops combined scores below a min score, and counts those that pass', () => {
    const found = combine([lists], DEFAULT_SCORING, { minScore: 0.5 }, 9)
    expect(scoresOf(found).map(([doc]) => doc)).toEqual([1, 3, 2])
    expect(found.total).toEqual({ value: 3, relation: 'eq' })
    const all = combine([lists], DEFAULT_SCORING, { minScore: 0 }, 9)
    expect(all.total).toEqual({ value: 4, relation: 'gte' })
    const none = combine([lists], DEFAULT_SCORING, { minScore: 2 })
    expect([none.hits, none.maxScore, none.total]).toEqual([[], 0, { value: 0, relation: 'eq' }])
  })

  it('goes on after a score', () => {
    const found = combine([lists], DEFAULT_SCORING, { searchAfter: [1] })
    expect(scoresOf(found).map(([doc]) => doc)).toEqual([2, 4])
  })

  it('finds the first of many as a sort of all does', () => {
    const many = Array.from({ length: 3000 }, (_, i) => [i, (i * 7919) % 1009] as const)
    const sorted = many.toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    const found = combine([[sorted]], DEFAULT_SCORING, { from: 20, size: 30 })
    expect(scoresOf(found).map(([doc]) => doc)).toEqual(sorted.slice(20, 50).map(([doc]) => doc))
  })
})
