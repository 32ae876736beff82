import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../../support/field-index.ts'

// Formulas and refusals: KNNScoringSpace, KNNScoringSpaceFactory and KNNScoreScriptLeafFactory of the k-NN plugin, 3.6.
let index: FieldIndex
const f32 = Math.fround

beforeAll(async () => {
  index = await fieldIndex({
    f: { type: 'knn_vector', dimension: 2 },
    b: { type: 'knn_vector', dimension: 2, data_type: 'byte' },
    bits: { type: 'knn_vector', dimension: 8, data_type: 'binary' },
    tag: { type: 'keyword' },
    n: { type: 'long' },
    blob: { type: 'binary', doc_values: true },
  })
  const one = (x: number, y: number, tag: string, n: number): object => ({
    n,
    f: [x, y],
    b: [x, y],
    bits: [x],
    tag,
  })
  await index.add(one(3, 4, 'a', 5), one(0, 2, 'b', 4), { tag: 'a' })
  await index.add(one(-3, -4, 'a', -1))
})
afterAll(() => index.close())

const script = (field: string, space: string, value: unknown): object => ({
  lang: 'knn',
  source: 'knn_score',
  params: { field, query_value: value, space_type: space },
})

async function scores(asked: object, query: object = { match_all: {} }, more = {}) {
  const body = { query: { script_score: { query, script: asked, ...more } } }
  const { json } = await index.rest.call('POST /i/_search', body)
  expect(json.error).toBeUndefined()
  const profiled = await index.rest.call('POST /i/_search', { ...body, profile: true })
  expect(profiled.json.hits).toEqual(json.hits)
  return Object.fromEntries(
    json.hits.hits.map((hit: { _id: string; _score: number }) => [hit._id, f32(hit._score)]),
  )
}

describe('scripts of vectors', () => {
  it.each<[space: string, field: string, value: number[], expected: Record<string, number>]>([
    ['l2', 'f', [0, 0], { 0: f32(1 / 26), 1: f32(1 / 5), 3: f32(1 / 26) }],
    ['L2', 'b', [0, 0], { 0: f32(1 / 26), 1: f32(1 / 5), 3: f32(1 / 26) }],
    ['cosinesimil', 'f', [3, 4], { 0: 1, 1: f32(0.9), 3: 0 }],
    ['cosinesimil', 'b', [3, 4], { 0: 2, 1: f32(1.8), 3: 0 }],
    ['innerproduct', 'f', [1, 0], { 0: 4, 1: 1, 3: 0.25 }],
    ['l1', 'f', [0, 0], { 0: f32(1 / 8), 1: f32(1 / 3), 3: f32(1 / 8) }],
    ['linf', 'b', [0, 0], { 0: f32(1 / 5), 1: f32(1 / 3), 3: f32(1 / 5) }],
    ['hamming', 'bits', [0], { 0: f32(1 / 3), 1: 1, 3: f32(1 / 8) }],
  ])('score by %s of %s', async (space, field, value, expected) => {
    // A document without a vector scores 0.
    expect(await scores(script(field, space, value))).toEqual({ ...expected, 2: 0 })
  })

  it('score the documents of a query, above a least score, times a boost', async () => {
    const tagged = { term: { tag: 'a' } }
    const near = script('f', 'l2', [0, 0])
    expect(await scores(near, tagged)).toEqual({ 0: f32(1 / 26), 2: 0, 3: f32(1 / 26) })
    expect(await scores(near, tagged, { min_score: 0.01 })).toEqual({
      0: f32(1 / 26),
      3: f32(1 / 26),
    })
    expect(await scores(near, { match_all: {} }, { boost: 10, min_score: 0.1 })).toEqual({ 1: 2 })
  })

  it('compare the bits of numbers', async () => {
    const asked = (value: number): object => script('n', 'hammingBit', value)
    // −1 has all 64 bits; a document without a number scores 0.
    expect(await scores(asked(5))).toEqual({ 0: 1, 1: 0.5, 2: 0, 3: f32(1 / 63) })
    expect(await scores(asked(-1))).toEqual({ 0: f32(1 / 63), 1: f32(1 / 64), 2: 0, 3: 1 })
    expect(await scores(asked(5), { term: { tag: 'a' } }, { min_score: 0.5 })).toEqual({ 0: 1 })
    const functions = [{ script_score: { script: asked(5) } }]
    const query = { function_score: { functions, boost_mode: 'replace' } }
    const { json } = await index.rest.call('POST /i/_search', { query })
    expect(json.hits.hits.map(({ _id }: { _id: string }) => _id)).toEqual(['0', '1', '3', '2'])
    const { json: explained } = await index.rest.call('POST /i/_explain/1', { query })
    expect(JSON.stringify(explained.explanation)).toContain("idOrCode='knn_score'")
  })

  it('compare the bits of bytes, which end together', async () => {
    const own = await fieldIndex({ blob: { type: 'binary', doc_values: true } })
    try {
      await own.add({ blob: 'AQ==' }, { blob: '/wE=' }, {}, { blob: '' })
      const found = async (value: string): Promise<Record<string, number>> => {
        const query = {
          script_score: { query: { match_all: {} }, script: script('blob', 'HammingBit', value) },
        }
        const { json } = await own.rest.call('POST /i/_search', { query })
        expect(json.error).toBeUndefined()
        const profiled = await own.rest.call('POST /i/_search', { query, profile: true })
        expect(profiled.json.hits).toEqual(json.hits)
        return Object.fromEntries(
          json.hits.hits.map((hit: { _id: string; _score: number }) => [hit._id, f32(hit._score)]),
        )
      }
      // 01, ff01, none, no byte; padding may be left out.
      expect(await found('AQ==')).toEqual({ 0: 1, 1: f32(1 / 9), 2: 0, 3: 0.5 })
      expect(await found('AQ')).toEqual(await found('AQ=='))
      // 8003 against 01: bit 15 and bit 1; against ff01: seven bits and bit 1.
      expect(await found('gAM=')).toEqual({ 0: f32(1 / 3), 1: f32(1 / 9), 2: 0, 3: 0.25 })
    } finally {
      await own.close()
    }
  })

  it.each<[space: string, field: string, value: number[]]>([
    ['l2', 'f', [0, 0]],
    ['cosinesimil', 'f', [3, 4]],
    ['cosinesimil', 'b', [3, 4]],
    ['innerproduct', 'f', [1, 0]],
    ['hamming', 'bits', [0]],
  ])('are functions too, by %s of %s', async (space, field, value) => {
    const asked = script(field, space, value)
    const own = await scores(asked)
    const query = (more: object): object => ({
      function_score: {
        functions: [{ script_score: { script: asked }, ...more }],
        boost_mode: 'replace',
      },
    })
    const found = async (body: object): Promise<[string, number][]> => {
      const { json } = await index.rest.call('POST /i/_search', body)
      expect(json.error).toBeUndefined()
      const profiled = await index.rest.call('POST /i/_search', { ...body, profile: true })
      expect(profiled.json.hits).toEqual(json.hits)
      return json.hits.hits.map((hit: { _id: string; _score: number }) => [
        hit._id,
        f32(hit._score),
      ])
    }
    expect(Object.fromEntries(await found({ query: query({}) }))).toEqual(own)
    const weighted = await found({ query: query({ weight: 3, filter: { term: { tag: 'b' } } }) })
    expect(weighted.find(([id]) => id === '1')![1]).toBe(f32(3 * own[1]!))
    const { json } = await index.rest.call('POST /i/_explain/1', { query: query({}) })
    expect(f32(json.explanation.value)).toBe(own[1])
    expect(JSON.stringify(json.explanation)).toContain("lang='knn'")
  })

  it('are functions beside others, and are refused alike', async () => {
    const functions = [{ script_score: { script: script('f', 'l2', [3, 4]) } }, { weight: 2 }]
    const query = {
      function_score: { query: { term: { tag: 'a' } }, functions, boost_mode: 'sum' },
    }
    const { json } = await index.rest.call('POST /i/_search', { query, explain: true })
    const [first] = json.hits.hits
    expect(first._id).toBe('0')
    expect(first._score).toBeGreaterThan(2)
    const wrong = { function_score: { script_score: { script: script('f', 'l2', [1]) } } }
    const refused = await index.rest.call('POST /i/_search', { query: wrong })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.json.error)).toContain('does not match the expected length=2.')
  })

  it('explain themselves', async () => {
    const query = { script_score: { query: { match_all: {} }, script: script('f', 'l2', [0, 0]) } }
    const { json } = await index.rest.call('POST /i/_explain/1', { query })
    expect(json.explanation).toEqual({
      value: 0.2,
      description:
        `script score function, computed with script:"Script{type=inline, lang='knn', ` +
        `idOrCode='knn_score', options={}, params={field=f, query_value=[0, 0], space_type=l2}}"`,
      details: [],
    })
  })

  it.each<[object, reason: string]>([
    [{ lang: 'knn', source: 'knn' }, 'Unknown script name knn'],
    [{ lang: 'knn', source: 'knn_score' }, 'Missing parameter [field]'],
    [
      { lang: 'knn', source: 'knn_score', params: { field: 'f', space_type: 'l2' } },
      'Missing parameter [query_value]',
    ],
    [script('f', 'far', [1, 2]), 'Invalid space type. Please refer to the available space types.'],
    [
      script('f', 'hammingbit', 5),
      'Incompatible field_type for hammingbit space. The field type must of type long or binary.',
    ],
    [script('n', 'hammingbit', '5'), 'Object cannot be parsed as a Long.'],
    [script('n', 'hammingbit', 5.5), 'Object cannot be parsed as a Long.'],
    [script('blob', 'hammingbit', 'A*=='), 'Illegal base64 character 2a'],
    [script('blob', 'hammingbit', 'AAAAA'), 'Last unit does not have enough valid bits'],
    [
      script('blob', 'hammingbit', 1),
      'class java.lang.Integer cannot be cast to class java.lang.String',
    ],
    [
      script('bits', 'hammingbit', 'AQ=='),
      'Incompatible field_type for hammingbit space. The field type must of type long or binary.',
    ],
    [
      script('tag', 'cosinesimil', [1, 2]),
      'Incompatible field_type for cosine space. The field type must be knn_vector.',
    ],
    [
      script('none', 'l2', [1, 2]),
      'Incompatible field_type for l2 space. The field type must be knn_vector.',
    ],
    [
      script('bits', 'l2', [1]),
      'Incompatible field_type for l2 space. The data type should be [FLOAT, BYTE] but got BINARY',
    ],
    [
      script('f', 'hamming', [1, 2]),
      'Incompatible field_type for hamming space. The data type should be [BINARY] but got FLOAT',
    ],
    [script('f', 'l2', [1, 2, 3]), "Object's length=3 does not match the expected length=2."],
    [
      script('f', 'cosinesimil', [0, 0]),
      'zero vector is not supported when space type is [cosinesimil]',
    ],
    [script('b', 'l2', [1, 300]), expect.stringContaining('byte range') as never],
    [script('f', 'l2', 'near'), '[query_value] must be a list of numbers'],
  ])('refuse %j', async (asked, reason) => {
    const body = { query: { script_score: { query: { match_all: {} }, script: asked } } }
    const { status, json } = await index.rest.call('POST /i/_search', body)
    const [{ reason: shown }] = json.error.root_cause
    expect([status, shown.replace('failed to create query: ', '')]).toEqual([400, reason])
  })
})
