import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'

/** Scores of the first sub-query are x, those of the second y: 4, 2, 1 and 1, 3, none. */
const DOCUMENTS: Readonly<Record<string, object>> = {
  1: { x: 4, y: 1 },
  2: { x: 2, y: 3 },
  3: { x: 1 },
}

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  for (const [index, shards] of [
    ['one', 1],
    ['three', 3],
  ] as const) {
    await rest.call(`PUT /${index}`, { settings: { number_of_shards: shards } })
    for (const [id, doc] of Object.entries(DOCUMENTS))
      await rest.call(`PUT /${index}/_doc/${id}`, doc)
    await rest.call(`POST /${index}/_refresh`)
  }
})
afterAll(() => rest.close())

function scoredBy(field: string): object {
  return {
    function_score: {
      query: { exists: { field } },
      field_value_factor: { field },
      boost_mode: 'replace',
    },
  }
}

const QUERY = { hybrid: { queries: [scoredBy('x'), scoredBy('y')] } }

/** Scores by id, in the order of the hits. */
async function scores(line: string, body: object = {}): Promise<[id: string, score: number][]> {
  const { json } = await rest.call(line, { query: QUERY, ...body })
  return json.hits.hits.map((hit: { _id: string; _score: number }) => [hit._id, hit._score])
}

function normalized(
  technique: string,
  combination: string,
  parameters = {},
  weights?: number[],
): object {
  return {
    'normalization-processor': {
      normalization: { technique, parameters },
      combination: { technique: combination, parameters: weights === undefined ? {} : { weights } },
    },
  }
}

function ranked(options: object): object {
  return { 'score-ranker-processor': { combination: { technique: 'rrf', ...options } } }
}

const MIN_MAX = 'min_max'
const ARITHMETIC = 'arithmetic_mean'

/** A processor with the hits that it makes, worked out by hand. */
const CASES: readonly (readonly [
  name: string,
  processor: object,
  hits: readonly (readonly [string, number])[],
])[] = [
  // Of x: 1, 1/3 and 0.001; of y: 0.001 and 1.
  [
    'min_max, arithmetic',
    normalized(MIN_MAX, ARITHMETIC),
    [
      ['2', 2 / 3],
      ['1', 0.5005],
      ['3', 0.0005],
    ],
  ],
  [
    'min_max, arithmetic, weights',
    normalized(MIN_MAX, ARITHMETIC, {}, [0.75, 0.25]),
    [
      ['1', 0.75025],
      ['2', 0.5],
      ['3', 0.00075],
    ],
  ],
  [
    'min_max, geometric',
    normalized(MIN_MAX, 'geometric_mean'),
    [
      ['2', Math.sqrt(1 / 3)],
      ['1', Math.sqrt(0.001)],
      ['3', 0.001],
    ],
  ],
  [
    'min_max, geometric, weights',
    normalized(MIN_MAX, 'geometric_mean', {}, [0.75, 0.25]),
    [
      ['2', (1 / 3) ** 0.75],
      ['1', 0.001 ** 0.25],
      ['3', 0.001],
    ],
  ],
  [
    'min_max, harmonic',
    normalized(MIN_MAX, 'harmonic_mean'),
    [
      ['2', 2 / (3 + 1)],
      ['1', 2 / 1001],
      ['3', 0.001],
    ],
  ],
  [
    'min_max, harmonic, weights',
    normalized(MIN_MAX, 'harmonic_mean', {}, [0.75, 0.25]),
    [
      ['2', 1 / (0.75 * 3 + 0.25)],
      ['1', 1 / (0.75 + 250)],
      ['3', 0.001],
    ],
  ],
  // The root of 21 and that of 10.
  [
    'l2, arithmetic',
    normalized('l2', ARITHMETIC),
    [
      ['2', (2 / Math.sqrt(21) + 3 / Math.sqrt(10)) / 2],
      ['1', (4 / Math.sqrt(21) + 1 / Math.sqrt(10)) / 2],
      ['3', 0.5 / Math.sqrt(21)],
    ],
  ],
  [
    'l2, geometric',
    normalized('l2', 'geometric_mean'),
    [
      ['2', Math.sqrt(6 / Math.sqrt(210))],
      ['1', Math.sqrt(4 / Math.sqrt(210))],
      ['3', 1 / Math.sqrt(21)],
    ],
  ],
  [
    'l2, harmonic',
    normalized('l2', 'harmonic_mean'),
    [
      ['2', 2 / (Math.sqrt(21) / 2 + Math.sqrt(10) / 3)],
      ['1', 2 / (Math.sqrt(21) / 4 + Math.sqrt(10))],
      ['3', 1 / Math.sqrt(21)],
    ],
  ],
  // Of x the mean is 7/3, the variance 14/9; of y they are 2 and 1.
  [
    'z_score',
    normalized('z_score', ARITHMETIC),
    [
      ['1', (5 / 3 / Math.sqrt(14 / 9) + 0.001) / 2],
      ['2', 0.5005],
      ['3', 0.0005],
    ],
  ],
  [
    'z_score, weights',
    normalized('z_score', ARITHMETIC, {}, [0.1, 0.9]),
    [
      ['2', 0.9001],
      ['1', 0.1 * (5 / 3 / Math.sqrt(14 / 9)) + 0.0009],
      ['3', 0.0001],
    ],
  ],
  // Above the bound, scores are scaled from it; others from their minimum.
  [
    'lower bound, apply',
    normalized(MIN_MAX, ARITHMETIC, {
      lower_bounds: [{ mode: 'apply', min_score: 1.5 }, { mode: 'ignore' }],
    }),
    [
      ['2', (0.5 / 2.5 + 1) / 2],
      ['1', 0.5005],
      ['3', 0.0005],
    ],
  ],
  [
    'lower bound, clip',
    normalized(MIN_MAX, ARITHMETIC, {
      lower_bounds: [
        { mode: 'clip', min_score: 2.5 },
        { mode: 'ignore', min_score: 9 },
      ],
    }),
    [
      ['1', 0.5005],
      ['2', 0.5005],
      ['3', 0.0005],
    ],
  ],
  [
    'upper bound, apply',
    normalized(MIN_MAX, ARITHMETIC, {
      upper_bounds: [{ mode: 'ignore' }, { mode: 'apply', max_score: 5 }],
    }),
    [
      ['1', 0.5005],
      ['2', (1 / 3 + 2 / 4) / 2],
      ['3', 0.0005],
    ],
  ],
  [
    'upper bound, clip',
    normalized(MIN_MAX, ARITHMETIC, {
      upper_bounds: [{ mode: 'clip', max_score: 3 }, { mode: 'ignore' }],
    }),
    [
      ['2', 0.75],
      ['1', 0.5005],
      ['3', 0.0005],
    ],
  ],
  // Ranks of x: 1, 2, 3; of y: 2, 1. Of equal scores the first document comes first.
  [
    'rrf',
    ranked({}),
    [
      ['1', 1 / 61 + 1 / 62],
      ['2', 1 / 61 + 1 / 62],
      ['3', 1 / 63],
    ],
  ],
  [
    'rrf, rank constant',
    ranked({ rank_constant: 1 }),
    [
      ['1', 1 / 2 + 1 / 3],
      ['2', 1 / 2 + 1 / 3],
      ['3', 1 / 4],
    ],
  ],
  [
    'rrf, weights',
    ranked({ rank_constant: 1, parameters: { weights: [0.8, 0.2] } }),
    [
      ['1', 0.8 / 2 + 0.2 / 3],
      ['2', 0.8 / 3 + 0.2 / 2],
      ['3', 0.8 / 4],
    ],
  ],
]

describe.each(CASES)('%s', (_, processor, expected) => {
  it('scores a hybrid query through a pipeline', async () => {
    const pipeline = { phase_results_processors: [processor] }
    await rest.call('PUT /_search/pipeline/scoring', pipeline)
    const named = await scores('GET /one/_search?search_pipeline=scoring')
    expect(named.map(([id]) => id)).toEqual(expected.map(([id]) => id))
    for (const [i, [, score]] of named.entries()) expect(score).toBeCloseTo(expected[i]![1], 6)
    expect(await scores('GET /one/_search', { search_pipeline: pipeline })).toEqual(named)
    // Over shards, statistics and ranks are those of all of them; ties stand in order of shard.
    const spread = await scores('GET /three/_search?search_pipeline=scoring')
    expect([...spread].sort()).toEqual([...named].sort())
  })
})

describe('the pipeline of a hybrid query', () => {
  const bare = async (): Promise<unknown> => scores('GET /one/_search')

  it('may be the default of the index', async () => {
    await rest.call('PUT /_search/pipeline/ranks', { phase_results_processors: [ranked({})] })
    const byDefault = await bare()
    await rest.call('PUT /one/_settings', { 'index.search.default_pipeline': 'ranks' })
    const ranks = await scores('GET /one/_search?search_pipeline=ranks')
    expect(await bare()).toEqual(ranks)
    expect(ranks).not.toEqual(byDefault)
    expect(await scores('GET /one/_search?search_pipeline=_none')).toEqual(byDefault)
    await rest.call('PUT /one/_settings', { 'index.search.default_pipeline': null })
  })

  it('without such a processor scores by min_max and the arithmetic mean', async () => {
    const pipeline = (processors: object): object => ({ search_pipeline: processors })
    const expected = await scores(
      'GET /one/_search',
      pipeline({ phase_results_processors: [normalized(MIN_MAX, ARITHMETIC)] }),
    )
    expect(await bare()).toEqual(expected)
    expect(await scores('GET /one/_search', pipeline({}))).toEqual(expected)
  })

  it('scores by the first of several such processors, behind which there are no lists', async () => {
    const [first, second] = [ranked({ rank_constant: 1 }), normalized(MIN_MAX, ARITHMETIC)]
    const through = (phase_results_processors: object[]): Promise<unknown> =>
      scores('GET /one/_search', { search_pipeline: { phase_results_processors } })
    expect(await through([first, second])).toEqual(await through([first]))
    expect(await through([second, first])).toEqual(await through([second]))
  })

  it('works on the combined hits with its other processors', async () => {
    const pipeline = {
      request_processors: [{ oversample: { sample_factor: 3 } }],
      phase_results_processors: [normalized(MIN_MAX, ARITHMETIC)],
      response_processors: [{ truncate_hits: {} }],
    }
    const found = await scores('GET /one/_search?size=1', { search_pipeline: pipeline })
    expect(found.map(([id]) => id)).toEqual(['2'])
    expect(found[0]![1]).toBeCloseTo(2 / 3, 6)
  })

  it('has its combination told by explanations', async () => {
    const explained = async (response_processors: object[]): Promise<unknown[]> => {
      const { json } = await rest.call('GET /one/_search', {
        query: QUERY,
        explain: true,
        search_pipeline: { phase_results_processors: [ranked({})], response_processors },
      })
      return json.hits.hits.map((hit: { _explanation: unknown }) => hit._explanation)
    }
    const [best] = await explained([{ hybrid_score_explanation: {} }])
    expect(best).toMatchObject({ value: expect.closeTo(1 / 61 + 1 / 62, 6) })
    expect(JSON.stringify(best)).toContain('rrf')
    expect(await explained([])).toEqual(await explained([{ hybrid_score_explanation: {} }]))
  })

  it('does not wrap it in another query', async () => {
    const { status, json } = await rest.call('GET /one/_search', {
      query: QUERY,
      search_pipeline: {
        request_processors: [{ filter_query: { query: { match_all: {} } } }],
        phase_results_processors: [ranked({})],
      },
    })
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain('hybrid query must be a top level query')
  })

  it('runs for each search of a multi-search', async () => {
    const lines = [
      { index: 'one' },
      {
        query: QUERY,
        search_pipeline: { phase_results_processors: [ranked({ rank_constant: 1 })] },
      },
      { index: 'one' },
      { query: QUERY },
    ]
    const body = `${lines.map(line => JSON.stringify(line)).join('\n')}\n`
    const { json } = await rest.call('POST /_msearch', body)
    const best = json.responses.map((each: { hits: { max_score: number } }) => each.hits.max_score)
    expect(best[0]).toBeCloseTo(1 / 2 + 1 / 3, 6)
    expect(best[1]).toBeCloseTo(2 / 3, 6)
  })

  it.each([
    [
      normalized(MIN_MAX, ARITHMETIC, {}, [0.5, 0.3, 0.2]),
      'number of weights [3] must match number of sub-queries [2] in hybrid query',
    ],
    [
      normalized('l2', 'geometric_mean', {}, [1]),
      'number of weights [1] must match number of sub-queries [2] in hybrid query',
    ],
    [
      ranked({ parameters: { weights: [0.5, 0.3, 0.2] } }),
      'number of weights [3] must match number of sub-queries [2] in hybrid query',
    ],
    [
      normalized(MIN_MAX, ARITHMETIC, { lower_bounds: [{}] }),
      'expected bounds array to contain 2 elements matching the number of sub-queries, but found a mismatch',
    ],
    [
      normalized(MIN_MAX, ARITHMETIC, { upper_bounds: [{}, {}, {}] }),
      'expected bounds array to contain 2 elements matching the number of sub-queries, but found a mismatch',
    ],
  ])('has to fit the number of its sub-queries: %j', async (processor, reason) => {
    const { status, json } = await rest.call('GET /one/_search', {
      query: QUERY,
      search_pipeline: { phase_results_processors: [processor] },
    })
    const cause = json.error?.caused_by ?? json.error
    expect([status, cause?.type, cause?.reason]).toEqual([
      400,
      'illegal_argument_exception',
      reason,
    ])
  })
})
