import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

/** The outcome of a processor that is put. */
async function put(type: string, options: object): Promise<unknown[]> {
  const { status, json } = await rest.call('PUT /_search/pipeline/p', {
    phase_results_processors: [{ [type]: options }],
  })
  return status === 200 ? [200] : [status, json.error.type, json.error.reason]
}

const NORMALIZATION = 'normalization-processor'
const RANKER = 'score-ranker-processor'

function combination(technique: string, parameters?: unknown): object {
  return { combination: { technique, parameters } }
}

function normalization(technique: string, parameters?: unknown): object {
  return { normalization: { technique, parameters } }
}

function illegal(reason: string): unknown[] {
  return [400, 'illegal_argument_exception', reason]
}

describe('normalization-processor', () => {
  it.each([
    {},
    { normalization: {}, combination: {} },
    { tag: 't', description: 'd', ignore_failure: true },
    normalization('min_max'),
    normalization('l2'),
    normalization('l2', {}),
    normalization('z_score'),
    { ...normalization('z_score'), ...combination('arithmetic_mean') },
    combination('geometric_mean'),
    { ...normalization('l2'), ...combination('harmonic_mean', { weights: [0.5, 0.5] }) },
    combination('arithmetic_mean', {}),
    combination('arithmetic_mean', { weights: [1, 0] }),
    combination('arithmetic_mean', { weights: [0.3, 0.69] }),
    combination('arithmetic_mean', { weights: [0.3, 0.71] }),
    normalization('min_max', { lower_bounds: [{ mode: 'clip', min_score: 0.1 }, {}] }),
    normalization('min_max', { upper_bounds: [{ mode: 'IGNORE' }, { max_score: '9.5' }] }),
    normalization('min_max', {
      lower_bounds: [{ min_score: -10000 }],
      upper_bounds: [{ max_score: 10000 }],
    }),
    normalization('min_max', { lower_bounds: [] }),
  ])('takes %j', async options => {
    expect(await put(NORMALIZATION, options)).toEqual([200])
  })

  it.each([
    [normalization('max'), 'provided normalization technique is not supported'],
    [normalization('rrf'), 'provided normalization technique is not supported'],
    [combination('mean'), 'provided combination technique is not supported'],
    [
      { ...normalization('z_score'), ...combination('geometric_mean') },
      'provided combination technique geometric_mean is not supported for normalization technique z_score. Supported techniques are: arithmetic_mean',
    ],
    [
      { ...normalization('z_score'), ...combination('harmonic_mean') },
      'provided combination technique harmonic_mean is not supported for normalization technique z_score. Supported techniques are: arithmetic_mean',
    ],
    [
      combination('rrf'),
      'provided combination technique rrf is not supported for normalization technique min_max. Supported techniques are: arithmetic_mean, geometric_mean, harmonic_mean',
    ],
    [normalization('l2', { a: 1 }), 'unrecognized parameters in normalization technique'],
    [
      normalization('z_score', { lower_bounds: [] }),
      'unrecognized parameters in normalization technique',
    ],
    [normalization('min_max', { a: 1 }), 'unrecognized parameters in normalization technique'],
    [
      normalization('min_max', { lower_bounds: 1 }),
      'unrecognized parameters in normalization technique',
    ],
    [
      normalization('min_max', { lower_bounds: [1] }),
      'unrecognized parameters in normalization technique',
    ],
    [
      normalization('min_max', { lower_bounds: [{ max_score: 1 }] }),
      'unrecognized parameters in normalization technique',
    ],
    [
      normalization('min_max', { upper_bounds: [{ min_score: 1 }] }),
      'unrecognized parameters in normalization technique',
    ],
    [normalization('min_max', { lower_bounds: { mode: 'clip' } }), 'lower_bounds must be a List'],
    [
      normalization('min_max', { upper_bounds: [{}, {}, {}, {}, {}, {}] }),
      'upper_bounds size 6 should be less than or equal to 5',
    ],
    [
      normalization('min_max', { lower_bounds: [{ mode: 'cut' }] }),
      'invalid mode: cut, valid values are: apply, clip, ignore',
    ],
    [
      normalization('min_max', { lower_bounds: [{ min_score: 'a' }] }),
      'invalid format for min_score: must be a valid float value',
    ],
    [
      normalization('min_max', { lower_bounds: [{ min_score: -10001 }] }),
      'min_score must be a valid finite number between -10000.000000 and 10000.000000',
    ],
    [
      normalization('min_max', { upper_bounds: [{ max_score: 10001 }] }),
      'max_score must be a valid finite number between -10000.000000 and 10000.000000',
    ],
    [
      normalization('min_max', { upper_bounds: [{ max_score: 'NaN' }] }),
      'max_score must be a valid finite number between -10000.000000 and 10000.000000',
    ],
    [
      combination('arithmetic_mean', { weight: [1] }),
      'provided parameter for combination technique is not supported. supported parameters are [weights]',
    ],
    [
      combination('arithmetic_mean', { weights: 1 }),
      'parameter [weights] must be a collection of numbers',
    ],
    [
      combination('arithmetic_mean', { weights: ['1'] }),
      'parameter [weights] must be a collection of numbers',
    ],
    [
      combination('arithmetic_mean', { weights: [1, null] }),
      'parameter [weights] must be a collection of numbers',
    ],
    [
      combination('geometric_mean', { weights: [1.5, -0.5] }),
      'all weights must be in range [0.0 ... 1.0], submitted weights: [1.5, -0.5]',
    ],
    [
      combination('harmonic_mean', { weights: [0.3, 0.8] }),
      'sum of weights for combination must be equal to 1.0, submitted weights: [0.3, 0.8]',
    ],
    [
      combination('arithmetic_mean', { weights: [0.5, 0.48] }),
      'sum of weights for combination must be equal to 1.0, submitted weights: [0.5, 0.48]',
    ],
    [
      combination('arithmetic_mean', { weights: [] }),
      'sum of weights for combination must be equal to 1.0, submitted weights: []',
    ],
  ])('refuses %j', async (options, reason) => {
    expect(await put(NORMALIZATION, options)).toEqual(illegal(reason))
  })

  it.each([
    [{ normalization: 1 }, "[normalization] property isn't a map, but of type [java.lang.Integer]"],
    [
      normalization('min_max', []),
      "[parameters] property isn't a map, but of type [java.util.ArrayList]",
    ],
    [
      { combination: { technique: 1 } },
      "[technique] property isn't a string, but of type [java.lang.Integer]",
    ],
    [
      { weights: [1] },
      "processor [normalization-processor] doesn't support one or more provided configuration parameters [weights]",
    ],
  ])('refuses the form of %j', async (options, reason) => {
    expect(await put(NORMALIZATION, options)).toEqual([400, 'parse_exception', reason])
  })
})

describe('score-ranker-processor', () => {
  it.each([
    {},
    { combination: {} },
    combination('rrf'),
    { combination: { technique: 'rrf', rank_constant: 1 } },
    { combination: { rank_constant: '10000', parameters: { weights: [0.25, 0.75] } } },
  ])('takes %j', async options => {
    expect(await put(RANKER, options)).toEqual([200])
  })

  it.each([
    [
      { rank_constant: 0 },
      'rank constant must be in the interval between 1 and 10000, submitted rank constant: 0',
    ],
    [
      { rank_constant: 10001 },
      'rank constant must be in the interval between 1 and 10000, submitted rank constant: 10001',
    ],
    [
      { rank_constant: -3 },
      'rank constant must be in the interval between 1 and 10000, submitted rank constant: -3',
    ],
    [{ rank_constant: 1.5 }, 'parameter [rank_constant] must be an integer'],
    [{ rank_constant: 'a' }, 'parameter [rank_constant] must be an integer'],
    [{ rank_constant: null }, 'parameter [rank_constant] must be an integer'],
    [{ rank_constant: 3000000000 }, 'parameter [rank_constant] must be an integer'],
    [{ technique: 'arithmetic_mean' }, 'provided combination technique is not supported'],
    [
      { parameters: { weights: [0.5] } },
      'sum of weights for combination must be equal to 1.0, submitted weights: [0.5]',
    ],
    [
      { parameters: { rank_constant: 1 } },
      'provided parameter for combination technique is not supported. supported parameters are [weights]',
    ],
  ])('refuses a combination %j', async (clause, reason) => {
    expect(await put(RANKER, { combination: clause })).toEqual(illegal(reason))
  })

  it('refuses other options', async () => {
    expect(await put(RANKER, { normalization: {} })).toEqual([
      400,
      'parse_exception',
      "processor [score-ranker-processor] doesn't support one or more provided configuration parameters [normalization]",
    ])
  })
})

describe('processors of phase results', () => {
  it('leave searches without a hybrid query as they are', async () => {
    await rest.call('PUT /b/_doc/1?refresh=true', { a: 'x' })
    const query = { query: { match: { a: 'x' } } }
    const plain = await rest.call('GET /b/_search', query)
    const through = await rest.call('GET /b/_search', {
      ...query,
      search_pipeline: { phase_results_processors: [{ [NORMALIZATION]: {} }] },
    })
    expect(through.json.hits).toEqual(plain.json.hits)
  })
})
