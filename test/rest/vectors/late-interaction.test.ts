import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../../support/field-index.ts'

// Facts: KNNPainlessScriptUtils, KNNAllowlistExtension and SpaceType of the k-NN plugin, 3.6.
let index: FieldIndex
const f32 = Math.fround

beforeAll(async () => {
  index = await fieldIndex({
    tokens: { type: 'object', enabled: false },
    n: { type: 'long' },
    v: { type: 'knn_vector', dimension: 2 },
  })
  await index.add(
    {
      n: 0,
      v: [3, 4],
      tokens: [
        [1, 0],
        [0, 2],
      ],
    },
    { n: 1, v: [0, 1], tokens: [[], null, [3, 4]] },
    { n: 2, tokens: [[], null] },
  )
})
afterAll(() => index.close())

/** The field that a script makes of the document with a number. */
async function field(n: number, source: string, params: object): Promise<unknown> {
  const { json } = await index.rest.call('POST /i/_search', {
    query: { term: { n } },
    script_fields: { x: { script: { source, params } } },
  })
  expect(json.error).toBeUndefined()
  return json.hits.hits[0].fields.x[0]
}

const SCORE = "lateInteractionScore(params.q, 'tokens', params._source)"
const scoreIn = (space: string): string =>
  `lateInteractionScore(params.q, 'tokens', params._source, '${space}')`

describe('lateInteractionScore', () => {
  it.each<[source: string, n: number, q: unknown, expected: number]>([
    // Squared distances 0 and 5, of the second vector 1 and 2: 1 + 1/2.
    [
      SCORE,
      0,
      [
        [1, 0],
        [1, 1],
      ],
      1.5,
    ],
    [
      scoreIn('L2'),
      0,
      [
        [1, 0],
        [1, 1],
      ],
      1.5,
    ],
    // What is empty or null in the document is passed over: (3 − 0)² + 4² = 25.
    [SCORE, 1, [[0, 0]], f32(1 / 26)],
    // Nothing to compare with.
    [SCORE, 2, [[0, 0]], 0],
    // Cosines 1 and 0, and (0, 2) with (1, 1): (1 + 1) / 2 + (1 + √½) / 2.
    [
      scoreIn('cosinesimil'),
      0,
      [
        [5, 0],
        [1, 1],
      ],
      f32(1 + f32(f32(1 + f32(Math.SQRT1_2)) / 2)),
    ],
    // Products 2 and 0 are 3 and 1; −1 and −2 are 1/2 and 1/3; sums of the greatest.
    [
      scoreIn('innerproduct'),
      0,
      [
        [2, 0],
        [-1, -1],
      ],
      3.5,
    ],
  ])('%s of document %i', async (source, n, q, expected) => {
    expect(f32((await field(n, source, { q })) as number)).toBe(expected)
  })

  it.each<[source: string, n: number, params: object, reason: string]>([
    [SCORE, 0, {}, 'Query vectors cannot be null'],
    [SCORE, 0, { q: [] }, 'Query vectors cannot be empty'],
    [SCORE, 0, { q: [[]] }, 'Every single vector within query vectors cannot be empty or null'],
    [SCORE, 0, { q: [null] }, 'Every single vector within query vectors cannot be empty or null'],
    [
      "lateInteractionScore(params.q, '', params._source)",
      0,
      { q: [[1]] },
      'Document field name cannot be null or empty',
    ],
    ["lateInteractionScore(params.q, 'tokens', null)", 0, { q: [[1]] }, 'Document cannot be null'],
    [scoreIn(''), 0, { q: [[1]] }, 'Space type cannot be null or empty'],
    [
      scoreIn('near'),
      0,
      { q: [[1]] },
      'Unable to find space: near . Valid values are: [l2, cosinesimil, l1, linf, innerproduct, hamming]',
    ],
    [scoreIn('l1'), 0, { q: [[1]] }, 'Space type l1 does not support vector similarity function'],
    [
      scoreIn('linf'),
      0,
      { q: [[1]] },
      'Space type linf does not support vector similarity function',
    ],
    [scoreIn('hamming'), 0, { q: [[1, 2]] }, 'Hamming space is not supported with float vectors'],
    [
      "lateInteractionScore(params.q, 'none', params._source)",
      0,
      { q: [[1]] },
      'Document vectors cannot be null or empty',
    ],
    [
      "lateInteractionScore(params.q, 'n', params._source)",
      0,
      { q: [[1]] },
      'Field n must contain a list of vector lists',
    ],
    [SCORE, 0, { q: [[1, 2, 3]] }, 'vector dimensions differ: 3!=2'],
    [
      "lateInteractionScore(params.q, 'v', params._source)",
      0,
      { q: [[1, 2]] },
      'class java.lang.Integer cannot be cast to class java.util.List',
    ],
    [
      SCORE,
      0,
      { q: [['1', 2]] },
      'class java.lang.String cannot be cast to class java.lang.Number',
    ],
    [SCORE, 0, { q: [[null, 2]] }, 'a component of a vector is null'],
  ])('refuses %s of document %i with %j', async (source, n, params, reason) => {
    const { status, json } = await index.rest.call('POST /i/_search', {
      query: { term: { n } },
      script_fields: { x: { script: { source, params } } },
    })
    expect(status).toBe(400)
    expect(json.error.caused_by.reason).toBe(reason)
  })

  it('scores by vectors that parameters have', async () => {
    const source = "lateInteractionScore(params.q, 'tokens', params)"
    const params = { q: [[1, 0]], tokens: [[1, 1]] }
    const query = { script_score: { query: { match_all: {} }, script: { source, params } } }
    const { json } = await index.rest.call('POST /i/_search', { query })
    expect(json.hits.hits.map((hit: { _score: number }) => hit._score)).toEqual([0.5, 0.5, 0.5])
  })

  it('has no sources on the threads of searches', async () => {
    const query = {
      script_score: {
        query: { match_all: {} },
        script: { source: SCORE, params: { q: [[1, 0]] } },
      },
    }
    expect(await index.refusal({ query })).toEqual([
      400,
      '[params._source in scripts of the context score] is not supported yet',
    ])
  })
})

describe('functions of vectors', () => {
  it('make fields', async () => {
    expect(await field(0, "l2Squared(params.q, doc['v'])", { q: [0, 0] })).toBe(25)
    expect(await field(1, "cosineSimilarity(params.q, doc['v'])", { q: [0, 2] })).toBe(1)
  })

  it('stand in the scripts of metrics, all four', async () => {
    const late = (q: string): string => `lateInteractionScore(${q}, 'd', ['d': [[0.0, 1.0]]])`
    const { json } = await index.rest.call('POST /i/_search?size=0', {
      query: { exists: { field: 'v' } },
      aggs: {
        x: {
          scripted_metric: {
            params: { q: [0, 0] },
            init_script: `state.sum = ${late('[[0.0, 0.0]]')}`,
            map_script: "state.sum += l2Squared(params.q, doc['v'])",
            combine_script: `return state.sum + ${late('[[0.0, 1.0]]')}`,
            reduce_script: `double sum = ${late('[[0.0, 2.0]]')}; for (s in states) { sum += s } return sum`,
          },
        },
      },
    })
    expect(json.error).toBeUndefined()
    // 1/2 at first, 25 + 1 of documents, 1 by each slice's state, 1/2 at last.
    expect(json.aggregations.x.value).toBe(28)
  })

  it('are unknown to scripts of other contexts', async () => {
    const query = { script: { script: { source: "l2Squared([1, 2], doc['v']) > 1" } } }
    const [status, reason] = await index.refusal({ query })
    expect([status, reason]).toEqual([400, 'Unknown call [l2Squared] with [2] arguments.'])
  })
})
