/** Scores of a pipeline where a formula has a case of its own, worked out by hand; `hybrid.test.ts` has the usual ones. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

/** A field is the scores of one sub-query. */
const DOCUMENTS: Readonly<Record<string, object>> = {
  1: { falling: 4, rising: 1, equal: 2, zero: 0, parts: 0.25 },
  2: { falling: 2, rising: 2, equal: 2, zero: 0, parts: 0.5 },
  3: { falling: 1, rising: 3, parts: 0.75 },
}

let rest: Rest
const ok = okOf(() => rest)
beforeAll(async () => {
  rest = await openRest()
  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
  ] as const) {
    await ok(`PUT /${index}`, {
      settings: { number_of_shards: shards },
      mappings: { properties: { none: { type: 'float' } } },
    })
    const lines = Object.entries(DOCUMENTS).flatMap(([_id, document]) => [
      { index: { _id } },
      document,
    ])
    await ok(`POST /${index}/_bulk?refresh`, ndjson(...lines))
  }
})
afterAll(() => rest.close())

const scoredBy = (field: string): object => ({
  function_score: {
    query: { exists: { field } },
    field_value_factor: { field },
    boost_mode: 'replace',
  },
})
const normalized = (
  technique: string,
  combination = 'arithmetic_mean',
  parameters = {},
): object => ({
  'normalization-processor': {
    normalization: { technique, parameters },
    combination: { technique: combination },
  },
})
const bounded = (side: string, bound: object): object =>
  normalized('min_max', 'arithmetic_mean', { [side]: [bound] })

const LOW = 0.001

it.each<readonly [string, readonly string[], object, readonly (readonly [string, number])[]]>([
  [
    'min_max: equal scores are 1',
    ['equal'],
    normalized('min_max'),
    [
      ['1', 1],
      ['2', 1],
    ],
  ],
  [
    'min_max: equal scores of 0 are 1 too',
    ['zero'],
    normalized('min_max'),
    [
      ['1', 1],
      ['2', 1],
    ],
  ],
  [
    'min_max: a sub-query that finds nothing dilutes the mean',
    ['falling', 'none'],
    normalized('min_max'),
    [
      ['1', 0.5],
      ['2', 1 / 6],
      ['3', LOW / 2],
    ],
  ],
  // A lower bound of 0 is that of no parameters: 4 / 4, 2 / 4, 1 / 4.
  [
    'lower bound: it applies by default, from 0',
    ['falling'],
    bounded('lower_bounds', {}),
    [
      ['1', 1],
      ['2', 0.5],
      ['3', 0.25],
    ],
  ],
  // None is above it, so that all are scaled from their minimum.
  [
    'lower bound, apply: one that no score exceeds',
    ['falling'],
    bounded('lower_bounds', { mode: 'apply', min_score: 5 }),
    [
      ['1', 1],
      ['2', 1 / 3],
      ['3', LOW],
    ],
  ],
  // (4 − 1.5) / (4 − 1.5), (2 − 1.5) / 2.5, and one below the bound.
  [
    'lower bound, clip: scores below it',
    ['falling'],
    bounded('lower_bounds', { mode: 'clip', min_score: 1.5 }),
    [
      ['1', 1],
      ['2', 0.2],
      ['3', LOW],
    ],
  ],
  // An upper bound of 1 is that of no parameters: (0.75 − 0.25) / (1 − 0.25), (0.5 − 0.25) / 0.75, the minimum.
  [
    'upper bound: it applies by default, to 1',
    ['parts'],
    bounded('upper_bounds', {}),
    [
      ['3', 2 / 3],
      ['2', 1 / 3],
      ['1', LOW],
    ],
  ],
  // None is below it, so that all are scaled to their maximum.
  [
    'upper bound, apply: one that all scores exceed',
    ['falling'],
    bounded('upper_bounds', { mode: 'apply', max_score: 0.5 }),
    [
      ['1', 1],
      ['2', 1 / 3],
      ['3', LOW],
    ],
  ],
  // (2 − 1) / (5 − 1) of 2, (4 − 1) / (5 − 1) of 4.
  [
    'upper bound, clip: scores below it',
    ['falling'],
    bounded('upper_bounds', { mode: 'clip', max_score: 5 }),
    [
      ['1', 0.75],
      ['2', 0.25],
      ['3', LOW],
    ],
  ],
  [
    'l2: scores of 0 stay so, as their norm is 0',
    ['zero'],
    normalized('l2'),
    [
      ['1', 0],
      ['2', 0],
    ],
  ],
  [
    'l2, geometric: no score above 0 makes 0',
    ['zero'],
    normalized('l2', 'geometric_mean'),
    [
      ['1', 0],
      ['2', 0],
    ],
  ],
  [
    'l2, harmonic: no score above 0 makes 0',
    ['zero'],
    normalized('l2', 'harmonic_mean'),
    [
      ['1', 0],
      ['2', 0],
    ],
  ],
  // 4 / √21 of one sub-query alone; the score of 0 has no part in the mean.
  [
    'l2, geometric: scores of 0 have no part',
    ['falling', 'zero'],
    normalized('l2', 'geometric_mean'),
    [
      ['1', 4 / Math.sqrt(21)],
      ['2', 2 / Math.sqrt(21)],
      ['3', 1 / Math.sqrt(21)],
    ],
  ],
  // The mean is 2, the variance 2 / 3: the score at the mean is the highest of all, one below it 0.001.
  [
    'z_score: a score at the mean is the best of its sub-query',
    ['rising'],
    normalized('z_score'),
    [
      ['2', 3],
      ['3', 1 / Math.sqrt(2 / 3)],
      ['1', LOW],
    ],
  ],
  [
    'z_score: equal scores stay',
    ['equal'],
    normalized('z_score'),
    [
      ['1', 2],
      ['2', 2],
    ],
  ],
])('%s', async (_, fields, processor, expected) => {
  const body = {
    query: { hybrid: { queries: fields.map(scoredBy) } },
    search_pipeline: { phase_results_processors: [processor] },
  }
  const scores = async (index: string): Promise<(readonly [string, number])[]> =>
    (await ok(`POST /${index}/_search`, body)).hits.hits.map(
      ({ _id, _score }: { _id: string; _score: number }) => [_id, _score] as const,
    )
  const found = await scores('one')
  expect(found.map(([id]) => id)).toEqual(expected.map(([id]) => id))
  for (const [i, [, score]] of found.entries()) expect(score).toBeCloseTo(expected[i]![1], 6)
  // Statistics are taken over all shards together; equal scores stand in order of shard.
  expect((await scores('three')).toSorted()).toEqual(found.toSorted())
})
