import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../../support/field-index.ts'

// Facts: KNNScoringUtil and KNNVectorScriptDocValues of the k-NN plugin, 3.6.
let index: FieldIndex
const f32 = Math.fround

beforeAll(async () => {
  index = await fieldIndex({
    f: { type: 'knn_vector', dimension: 2 },
    b: { type: 'knn_vector', dimension: 2, data_type: 'byte' },
    bits: { type: 'knn_vector', dimension: 8, data_type: 'binary' },
  })
  await index.add({ f: [3, 4], b: [3, 4], bits: [3] }, { f: [0, 2], b: [0, 2], bits: [0] }, {})
})
afterAll(() => index.close())

const body = (
  source: string,
  params: object,
  query: object = { exists: { field: 'f' } },
): object => ({
  query: { script_score: { query, script: { source, params } } },
})

describe('painless functions of vectors', () => {
  it.each<[source: string, vector: unknown[], expected: readonly number[]]>([
    ["l2Squared(params.q, doc['f'])", [0, 0], [25, 4]],
    ["l2Squared(params.q, doc['b'])", [1, 1], [13, 2]],
    ['1 / (1 + l2Squared(params.q, doc[params.field]))', [0, 0], [f32(1 / 26), f32(1 / 5)]],
    ["l1Norm(params.q, doc['f'])", [0.5, 0], [6.5, 2.5]],
    ["lInfNorm(params.q, doc['b'])", [0, 0], [4, 2]],
    ["innerProduct(params.q, doc['f'])", [1, 2], [11, 4]],
    ["1 + cosineSimilarity(params.q, doc['f'])", [3, 4], [2, f32(1.8)]],
    ["cosineSimilarity(params.q, doc['f'], 100.0)", [3, 4], [0.5, f32(0.4)]],
    ["hamming(params.q, doc['bits'])", [1], [1, 1]],
    ["doc['f'].value[0] + doc['b'].value[1]", [], [7, 2]],
    ["doc['f'].size() + doc['bits'].length", [], [2, 2]],
  ])('%s of %j', async (source, q, expected) => {
    const { json } = await index.rest.call('POST /i/_search', {
      ...body(source, { q, field: 'f' }),
      sort: ['_doc'],
      track_scores: true,
    })
    expect(json.error).toBeUndefined()
    const found = json.hits.hits.map((hit: { _score: number }) => f32(hit._score))
    expect(found).toEqual(expected)
  })

  it('have a way for documents without a vector', async () => {
    const source = "doc['f'].size() == 0 ? 0.5 : l2Squared(params.q, doc['f'])"
    const { json } = await index.rest.call(
      'POST /i/_search',
      body(source, { q: [3, 4] }, { match_all: {} }),
    )
    expect(json.hits.hits.map((hit: { _score: number }) => hit._score)).toEqual([13, 0.5, 0])
  })

  it.each<[source: string, vector: unknown, reason: string]>([
    [
      "l2Squared(params.q, doc['f'])",
      [1, 2, 3],
      'query vector dimension mismatch. Expected: 2, Given: 3',
    ],
    [
      "l2Squared(params.q, doc['bits'])",
      [1],
      'Incompatible field_type for l2Squared space. The data type should be either float or byte ' +
        'but got binary',
    ],
    [
      "hamming(params.q, doc['f'])",
      [1, 2],
      'Incompatible field_type for hamming space. The data type should be binary but got float',
    ],
    ["l2Squared(params.q, doc['b'])", [1, 1.5], '[l2Squared] takes a list of bytes'],
    ["l2Squared(params.q, doc['f'])", [1, 'x'], '[l2Squared] takes a list of numbers'],
    [
      "l2Squared(params.q, doc['b'])",
      [1, 200],
      '[data_type] field was set as [byte] in index mapping. But, KNN vector values are not within ' +
        'in the byte range [-128, 127]',
    ],
  ])('refuse %s of %j', async (source, q, reason) => {
    const [status, found] = await index.refusal(body(source, { q }))
    expect([status, found]).toEqual([400, reason])
  })

  it('say which field a document has no vector in', async () => {
    const [status, reason] = await index.refusal(
      body("l2Squared(params.q, doc['f'])", { q: [1, 2] }, { match_all: {} }),
    )
    expect([status, reason]).toEqual([
      400,
      "One of the document doesn't have a value for field 'f'. This can be avoided by checking if a " +
        "document has a value for the field or not by doc['f'].size() == 0 ? 0 : {your script}",
    ])
  })
})
