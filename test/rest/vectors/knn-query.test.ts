import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../../support/field-index.ts'
import type { Rest } from '../../support/rest-calls.ts'

// Formulas of scores and refusals: SpaceType, KNNQueryBuilder and KNNQueryBuilderParser of the k-NN plugin, 3.6.
let index: FieldIndex
let rest: Rest

const FIELDS = {
  f: { type: 'knn_vector', dimension: 2 },
  cos: { type: 'knn_vector', dimension: 2, space_type: 'cosinesimil' },
  dot: { type: 'knn_vector', dimension: 2, space_type: 'innerproduct' },
  b: { type: 'knn_vector', dimension: 2, data_type: 'byte' },
  bits: { type: 'knn_vector', dimension: 16, data_type: 'binary' },
  flat: { type: 'knn_vector', dimension: 2, method: { name: 'flat' } },
  lucene: { type: 'knn_vector', dimension: 2, method: { name: 'hnsw', engine: 'lucene' } },
  tag: { type: 'keyword' },
  text: { type: 'text' },
  n: {
    type: 'nested',
    properties: { v: { type: 'knn_vector', dimension: 2 }, tag: { type: 'keyword' } },
  },
}

beforeAll(async () => {
  index = await fieldIndex(FIELDS, null, { 'index.knn': true })
  rest = index.rest
  const one = (x: number, y: number, tag: string): object => ({
    f: [x, y],
    flat: [x, y],
    lucene: [x, y],
    cos: [x, y],
    dot: [x, y],
    b: [x, y],
    bits: [x, y],
    tag,
    text: `word${x} word`,
  })
  await index.add(one(1, 0, 'a'), one(3, 4, 'b'), one(0, 2, 'a'))
  await index.add(one(-3, -4, 'b'), one(6, 8, 'a'), { tag: 'a', text: 'word' })
  await index.add(
    { tag: 'x', n: [{ v: [100, 0], tag: 'p' }, { v: [101, 0], tag: 'q' }, { tag: 'q' }] },
    {
      tag: 'y',
      n: [
        { v: [103, 0], tag: 'p' },
        { v: [90, 0], tag: 'p' },
      ],
    },
    { tag: 'x', n: { v: [200, 0], tag: 'p' } },
  )
})
afterAll(() => index.close())

const f32 = Math.fround

type Found = readonly (readonly [id: string, score: number])[]

async function find(query: object, body: object = {}): Promise<Found> {
  const { json } = await rest.call('POST /i/_search', { query, ...body })
  expect(json.error).toBeUndefined()
  const hits = (answer: typeof json): Found =>
    answer.hits.hits.map((hit: { _id: string; _score: number }) => [hit._id, f32(hit._score)])
  const profiled = await rest.call('POST /i/_search', { query, ...body, profile: true })
  expect(hits(profiled.json)).toEqual(hits(json))
  expect(profiled.json.hits.total).toEqual(json.hits.total)
  return hits(json)
}

const knn = (field: string, vector: readonly number[], more: object = { k: 10 }): object => ({
  knn: { [field]: { vector, ...more } },
})

describe('the query knn', () => {
  it.each<[string, field: string, vector: number[], Found]>([
    [
      'l2: 1 / (1 + d²)',
      'f',
      [0, 0],
      [
        ['0', 0.5],
        ['2', f32(1 / 5)],
        ['1', f32(1 / 26)],
        ['3', f32(1 / 26)],
        ['4', f32(1 / 101)],
      ],
    ],
    [
      'cosinesimil: (1 + cos) / 2',
      'cos',
      [3, 4],
      [
        ['1', 1],
        ['4', 1],
        ['2', f32(0.9)],
        ['0', f32(0.8)],
        ['3', 0],
      ],
    ],
    [
      'innerproduct: p + 1 above 0, else 1 / (1 − p)',
      'dot',
      [1, 0],
      [
        ['4', 7],
        ['1', 4],
        ['0', 2],
        ['2', 1],
        ['3', 0.25],
      ],
    ],
    [
      'l2 of bytes',
      'b',
      [1, 1],
      [
        ['0', 0.5],
        ['2', f32(1 / 3)],
        ['1', f32(1 / 14)],
        ['3', f32(1 / 42)],
        ['4', f32(1 / 75)],
      ],
    ],
    [
      'hamming: 1 / (1 + bits)',
      'bits',
      [1, 0],
      [
        ['0', 1],
        // 3 ^ 1 has one bit, 4 one; 0 ^ 1 one and 2 one; 6 ^ 1 three and 8 one.
        ['1', f32(1 / 3)],
        ['2', f32(1 / 3)],
        ['4', f32(1 / 5)],
        // −3 ^ 1 is 11111100, −4 is 11111100.
        ['3', f32(1 / 13)],
      ],
    ],
    [
      'flat and of another engine alike',
      'flat',
      [0, 3],
      [
        ['2', 0.5],
        ['1', f32(1 / 11)],
        ['0', f32(1 / 11)],
      ].sort((a, b) => Number(b[1]) - Number(a[1]) || Number(a[0]) - Number(b[0])) as never,
    ],
  ])('scores by %s', async (_words, field, vector, expected) => {
    const found = await find(knn(field, vector))
    expect(found.slice(0, expected.length)).toEqual(expected)
    expect(found.length).toBe(5)
  })

  it('finds k of a shard over all of its segments', async () => {
    expect(await find(knn('f', [0, 0], { k: 2 }))).toEqual([
      ['0', 0.5],
      ['2', f32(0.2)],
    ])
    const { json } = await rest.call('POST /i/_search', {
      size: 1,
      query: knn('f', [0, 0], { k: 3 }),
    })
    expect(json.hits.total).toEqual({ value: 3, relation: 'eq' })
    expect(
      (await rest.call('POST /i/_count', { query: knn('f', [0, 0], { k: 3 }) })).json.count,
    ).toBe(3)
  })

  it('filters before it counts to k', async () => {
    const filter = { term: { tag: 'b' } }
    expect(await find(knn('f', [0, 0], { k: 1, filter }))).toEqual([['1', f32(1 / 26)]])
    expect(await find(knn('f', [0, 0], { k: 2, filter: { term: { tag: 'none' } } }))).toEqual([])
    // A clause beside it filters what was found.
    const bool = { must: knn('f', [0, 0], { k: 1 }), filter }
    expect(await find({ bool })).toEqual([])
  })

  it('finds all within a radius', async () => {
    const ids = async (more: object, field = 'f'): Promise<string[]> =>
      (await find(knn(field, field === 'dot' ? [1, 0] : [0, 0], more))).map(([id]) => id)
    expect(await ids({ max_distance: 4 })).toEqual(['0', '2'])
    expect(await ids({ max_distance: 25 })).toEqual(['0', '2', '1', '3'])
    expect(await ids({ max_distance: 25, filter: { term: { tag: 'b' } } })).toEqual(['1', '3'])
    expect(await ids({ min_score: 0.2 })).toEqual(['0', '2'])
    expect(await ids({ min_score: 0.2001 })).toEqual(['0'])
    // The distance of products is the product itself.
    expect(await ids({ max_distance: 3 }, 'dot')).toEqual(['4', '1'])
    expect(await ids({ max_distance: -3 }, 'dot')).toEqual(['4', '1', '0', '2', '3'])
    expect(await ids({ min_score: 4 }, 'dot')).toEqual(['4', '1'])
    const cosine = await find(knn('cos', [3, 4], { max_distance: 0.2 }))
    expect(cosine.map(([id]) => id)).toEqual(['1', '4', '2'])
  })

  it('takes boost, _name, method parameters, rescoring and a bare list', async () => {
    const { json } = await rest.call('POST /i/_search', {
      query: knn('f', [0, 0], {
        k: 1,
        boost: 3,
        _name: 'near',
        method_parameters: { ef_search: '20' },
        rescore: { oversample_factor: 2 },
      }),
    })
    expect(json.hits.hits).toMatchObject([{ _id: '0', _score: 1.5, matched_queries: ['near'] }])
    for (const rescore of [true, false, {}])
      expect(await find(knn('f', [0, 0], { k: 1, rescore }))).toEqual([['0', 0.5]])
    expect(await find(knn('f', ['0', '0'] as never, { k: '1' }))).toEqual([['0', 0.5]])
  })

  it('adds its scores in bool, takes part in dis_max, and is listed in hybrid', async () => {
    const should = [
      knn('f', [0, 0], { k: 1 }),
      { constant_score: { filter: { term: { tag: 'a' } } } },
    ]
    expect((await find({ bool: { should } }, { size: 2 })).slice(0, 1)).toEqual([['0', 1.5]])
    expect(await find({ dis_max: { queries: [knn('f', [0, 0], { k: 1 })] } })).toEqual([['0', 0.5]])
    expect(
      await find({
        bool: { must_not: knn('f', [0, 0], { k: 4 }), filter: { exists: { field: 'f' } } },
      }),
    ).toEqual([['4', 0]])
    const hybrid = { queries: [{ match: { text: 'word3' } }, knn('f', [0, 0], { k: 2 })] }
    const listed = await find({ hybrid })
    expect(listed.map(([id]) => id).sort()).toEqual(['0', '1', '2'])
  })

  it('stands in post filters, rescorings, aggregations and updates by query', async () => {
    const two = knn('f', [0, 0], { k: 2 })
    const search = async (body: object) => (await rest.call('POST /i/_search', body)).json
    const post = await search({ query: { exists: { field: 'f' } }, post_filter: two })
    expect(post.hits.hits.map((hit: { _id: string }) => hit._id).sort()).toEqual(['0', '2'])
    const rescored = await search({
      query: { exists: { field: 'f' } },
      rescore: { window_size: 10, query: { rescore_query: two, score_mode: 'total' } },
    })
    expect(rescored.hits.hits[0]).toMatchObject({ _id: '0', _score: 1.5 })
    const aggs = { near: { filter: two, aggs: { tags: { terms: { field: 'tag' } } } } }
    const { aggregations } = await search({ size: 0, aggs })
    expect([aggregations.near.doc_count, aggregations.near.tags.buckets]).toEqual([
      2,
      [{ key: 'a', doc_count: 2 }],
    ])
    const updated = await rest.call('POST /i/_update_by_query?refresh', { query: two })
    expect(updated.json.updated).toBe(2)
    const msearch = await rest.call(
      'POST /i/_msearch',
      `{}\n${JSON.stringify({ query: two })}\n{}\n${JSON.stringify({ query: two, size: 0 })}\n`,
    )
    expect(
      msearch.json.responses.map((answer: { hits: { total: object } }) => answer.hits.total),
    ).toEqual([
      { value: 2, relation: 'eq' },
      { value: 2, relation: 'eq' },
    ])
  })

  it('finds no deleted document, and the next one in its place', async () => {
    await rest.call('PUT /i/_doc/gone?refresh', { f: [0, 0] })
    expect((await find(knn('f', [0, 0], { k: 1 })))[0]).toEqual(['gone', 1])
    await rest.call('DELETE /i/_doc/gone?refresh')
    expect((await find(knn('f', [0, 0], { k: 1 })))[0]).toEqual(['0', 0.5])
  })

  it('explains its hits, and says what it is in a profile', async () => {
    const query = knn('f', [0, 0], { k: 2 })
    const hit = await rest.call('POST /i/_explain/0', { query })
    expect(hit.json.explanation).toEqual({
      value: 0.5,
      description: 'the type of knn search executed was Approximate-NN',
      details: [
        {
          value: 0.5,
          description:
            'the type of knn search executed at leaf was Exact since no native engine files are ' +
            'available with vectorDataType = FLOAT, spaceType = l2',
          details: [],
        },
      ],
    })
    const miss = await rest.call('POST /i/_explain/4', { query })
    expect([miss.json.matched, miss.json.explanation.description]).toEqual([false, 'not in top 2'])
    const near = await rest.call('POST /i/_explain/0', {
      query: knn('f', [0, 0], { max_distance: 1, boost: 2 }),
    })
    expect(near.json.explanation).toMatchObject({
      value: 1,
      description: 'the type of knn search executed was Radial with the radius of 1.0',
      details: [{ value: 1 }],
    })
    const { json } = await rest.call('POST /i/_search', { query, profile: true })
    const [{ type, description }] = json.profile.shards[0].searches[0].query
    expect([type, description]).toEqual([
      'NativeEngineKnnVectorQuery',
      'NativeEngineKnnVectorQuery[f, k=2]',
    ])
    const other = await rest.call('POST /i/_search', {
      query: knn('lucene', [0, 0], { k: 2 }),
      profile: true,
    })
    expect(other.json.profile.shards[0].searches[0].query[0].type).toBe('DocAndScoreQuery')
  })

  it('explains in the words of the engine that the field names', async () => {
    const explained = async (id: string, asked: object): Promise<unknown> => {
      const { json } = await rest.call(`POST /i/_explain/${id}`, {
        query: knn('lucene', [0, 0], asked),
      })
      expect(json.explanation.details).toEqual([])
      return [json.matched, json.explanation.value, json.explanation.description]
    }
    expect(await explained('0', { k: 2 })).toEqual([true, 0.5, 'within top 2 docs'])
    expect(await explained('4', { k: 2 })).toEqual([false, 0, 'not in top 2 docs'])
    // As many as are found, which may be fewer than are asked for.
    expect(await explained('0', { k: 100 })).toEqual([true, 0.5, 'within top 5 docs'])
    const radius = { max_distance: 1, boost: 2 }
    expect(await explained('0', radius)).toEqual([true, 1, 'Score above threshold'])
    expect(await explained('4', radius)).toEqual([false, 0, 'Score below threshold'])
    expect(await explained('5', radius)).toEqual([false, 0, 'No vector found for doc'])
  })

  it('tells the distance of its radius', async () => {
    const radiusOf = async (field: string, asked: object): Promise<string> => {
      const { json } = await rest.call('POST /i/_explain/0', { query: knn(field, [1, 0], asked) })
      return json.explanation.description.replace(/^.* radius of /, '')
    }
    expect(await radiusOf('f', { min_score: 0.25 })).toBe('3.0')
    expect(await radiusOf('cos', { min_score: 0.75 })).toBe('0.5')
    expect(await radiusOf('dot', { min_score: 1.5 })).toBe('0.5')
    expect(await radiusOf('dot', { min_score: 0.25 })).toBe('-3.0')
  })

  it('ignores fields that are not mapped where it is told to', async () => {
    expect(await find(knn('none', [1, 2], { k: 1, ignore_unmapped: true }))).toEqual([])
  })
})

describe('knn in a nested query', () => {
  const nested = (more: object, query: object = {}): object => ({
    nested: { path: 'n', score_mode: 'max', query: knn('n.v', [101, 0], more), ...query },
  })

  it('finds k documents by the best vector of each', async () => {
    expect(await find(nested({ k: 2 }))).toEqual([
      ['6', 1],
      ['7', f32(1 / 5)],
    ])
    expect(await find(nested({ k: 1 }))).toEqual([['6', 1]])
  })

  it('brings one nested document for each, or all with expand_nested_docs', async () => {
    const offsets = async (more: object): Promise<number[]> => {
      const { json } = await rest.call('POST /i/_search', {
        query: nested({ k: 1, ...more }, { inner_hits: {} }),
      })
      return json.hits.hits[0].inner_hits.n.hits.hits.map(
        (hit: { _nested: { offset: number } }) => hit._nested.offset,
      )
    }
    expect(await offsets({})).toEqual([1])
    expect(await offsets({ expand_nested_docs: true })).toEqual([1, 0])
    const total = { score_mode: 'sum' }
    expect(await find(nested({ k: 1, expand_nested_docs: true }, total))).toEqual([['6', 1.5]])
  })

  it('filters whole documents, or nested ones by a nested query', async () => {
    expect(await find(nested({ k: 2, filter: { term: { tag: 'y' } } }))).toEqual([
      ['7', f32(1 / 5)],
    ])
    const inner = { nested: { path: 'n', query: { term: { 'n.tag': 'p' } } } }
    expect(await find(nested({ k: 3, filter: inner }))).toEqual([
      ['6', 0.5],
      ['7', f32(1 / 5)],
      ['8', f32(1 / 9802)],
    ])
    expect(
      await find(nested({ k: 1, expand_nested_docs: true, filter: inner }, { score_mode: 'sum' })),
    ).toEqual([['6', 0.5]])
  })

  it('finds all within a radius', async () => {
    expect(await find(nested({ max_distance: 4 }, { score_mode: 'sum' }))).toEqual([
      ['6', 1.5],
      ['7', f32(1 / 5)],
    ])
  })

  it('finds nothing of nested objects outside of one', async () => {
    expect(await find(knn('n.v', [100, 0], { k: 3 }))).toEqual([])
  })
})

describe('refusals of knn', () => {
  const body = (field: unknown, name = 'f'): object => ({ query: { knn: { [name]: field } } })
  it.each<[string | object, reason: string]>([
    [{ query: { knn: {} } }, "[knn] field 'vector' requires to be non-null and non-empty"],
    [body({ k: 1 }), '[knn] requires query vector'],
    [body({ vector: [], k: 1 }), '[1:32] [knn] failed to parse field [vector]'],
    [body([1, 2]), '[knn] requires exactly one of k, distance or score to be set'],
    [body({ vector: [1, 2] }), '[knn] requires exactly one of k, distance or score to be set'],
    [
      body({ vector: [1, 2], k: 1, min_score: 0.5 }),
      '[knn] requires exactly one of k, distance or score to be set',
    ],
    [body({ vector: [1, 2], k: 0 }), '[knn] requires k to be in the range (0, 10000]'],
    [body({ vector: [1, 2], k: 10001 }), '[knn] requires k to be in the range (0, 10000]'],
    [body({ vector: [1, 2], min_score: 0 }), '[knn] requires minScore to be greater than 0'],
    [
      body({ vector: [1, 2], min_score: 1.5 }),
      '[knn] requires score to be in the range [0, 1] for space type: L2',
    ],
    [
      body({ vector: [1, 2], max_distance: -1 }),
      '[knn] requires distance to be non-negative for space type: L2',
    ],
    [
      body({ vector: [1, 2, 3], k: 1 }),
      'Query vector has invalid dimension: 3. Dimension should be: 2',
    ],
    [
      body({ vector: [1], k: 1 }, 'bits'),
      'Query vector has invalid dimension: 8. Dimension should be: 16',
    ],
    [body({ vector: ['NaN', 2], k: 1 }), 'KNN vector values cannot be NaN'],
    [body({ vector: [1e39, 2], k: 1 }), 'KNN vector values cannot be infinity'],
    [
      body({ vector: [1.5, 2], k: 1 }, 'b'),
      '[data_type] field was set as [byte] in index mapping. But, KNN vector values are floats ' +
        'instead of byte integers',
    ],
    [
      body({ vector: [0, 0], k: 1 }, 'cos'),
      'zero vector is not supported when space type is [cosinesimil]',
    ],
    [body({ vector: [1, 2], k: 1 }, 'tag'), "Field 'tag' is not knn_vector type."],
    [body({ vector: [1, 2], k: 1 }, 'none'), "Field 'none' is not knn_vector type."],
    [
      body({ vector: [1, 2], min_score: 0.5 }, 'bits'),
      'Binary data type does not support radial search',
    ],
    [
      body({ vector: [1, 2], min_score: 0.5 }, 'flat'),
      'Radial search is not supported for indices which have quantization enabled',
    ],
    [
      body({ vector: [1, 2], k: 1, method_parameters: { nprobes: 3 } }),
      'Parameters not valid for [FAISS]:[hnsw]:[k] combination: [Validation Failed: 1: Unknown ' +
        "parameter 'nprobes' found;]",
    ],
    [
      body({ vector: [1, 2], min_score: 1, method_parameters: { ef_search: 3 } }, 'lucene'),
      'Parameters not valid for [LUCENE]:[hnsw]:[min_score] combination: [Validation Failed: 1: ' +
        "Unknown parameter 'ef_search' found;]",
    ],
    [
      body({ vector: [1, 2], k: 1, method_parameters: { ef_search: 0 } }),
      '[knn] errors in method parameter [Validation Failed: 1: Validation Failed: 1: ef_search ' +
        'should be greater than 0;;]',
    ],
    [body({ vector: [1, 2], k: 1, method_parameters: {} }), 'method_parameters cannot be empty'],
    [
      body({ vector: [1, 2], k: 1, method_parameters: { speed: 1 } }),
      '[knn] unknown method parameter found [speed]',
    ],
    [
      body({ vector: [1, 2], k: 1, method_parameters: { ef_search: 1.5 } }),
      'ef_search value must be an integer',
    ],
    [
      body({ vector: [1, 2], k: 1, rescore: { oversample_factor: 0.5 } }),
      '[knn] errors in rescore parameter [Validation Failed: 1: Oversample factor [0.500000] ' +
        'cannot be less than [1.000000];]',
    ],
    [
      body({ vector: [1, 2], k: 1, rescore: { oversample_factor: 101 } }),
      '[knn] errors in rescore parameter [Validation Failed: 1: Oversample factor [101.000000] ' +
        'cannot be more than [100.000000];]',
    ],
    [
      body({ vector: [1, 2], min_score: 1, rescore: true }),
      'The following fields are not allowed together: [rescore, min_score]',
    ],
    [
      { query: { knn: { f: { vector: [1, 2], k: 1 }, b: { vector: [1, 2], k: 1 } } } },
      "[knn] query doesn't support multiple fields, found [f] and [b]",
    ],
  ])('%j', async (asked, reason) => {
    const [status, found] = await index.refusal(asked as object)
    expect([status, found.replace('failed to create query: ', '')]).toEqual([400, reason])
  })

  it('names keys that it does not know', async () => {
    const { status, json } = await rest.call('POST /i/_search', body({ vector: [1, 2], kk: 1 }))
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'x_content_parse_exception',
      expect.stringMatching(/^\[1:\d+\] \[knn\] unknown field \[kk\]/),
    ])
  })

  it('says that an index without index.knn finds no neighbours', async () => {
    await rest.call('PUT /plain', {
      mappings: { properties: { f: { type: 'knn_vector', dimension: 2 } } },
    })
    const { status, json } = await rest.call('POST /plain/_search', body({ vector: [1, 2], k: 1 }))
    expect([status, json.error.root_cause[0].reason]).toEqual([
      400,
      "failed to create query: Field 'f' is not built for ANN search.",
    ])
  })
})
