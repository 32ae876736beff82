import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

// Facts: MMRSearchExtBuilder, MMROverSampleProcessor, MMRRerankProcessor and MMRUtil of the k-NN plugin, 3.6.
const SETTING = 'cluster.search.enabled_system_generated_factories'
const BOTH = ['mmr_over_sample_factory', 'mmr_rerank_factory']

let rest: Rest
const ok = okOf(() => rest)

const enable = (names: readonly string[] | null): Promise<unknown> =>
  ok('PUT /_cluster/settings', { transient: { [SETTING]: names } })

/** Squares of the distance from 0: 1, 2, 4, 4. */
const PLACES = { a: [1, 0], b: [1, 1], c: [-2, 0], d: [2, 0] }

beforeAll(async () => {
  rest = await openRest()
  const vector = { type: 'knn_vector', dimension: 2 }
  await ok('PUT /i', {
    settings: { 'index.knn': true },
    mappings: {
      properties: {
        v: vector,
        cos: { ...vector, space_type: 'cosinesimil' },
        dot: { ...vector, space_type: 'innerproduct' },
        b: { ...vector, data_type: 'byte' },
        listed: { ...vector, doc_values: true },
        bits: { ...vector, dimension: 16, data_type: 'binary' },
        text: { type: 'text' },
        n: { type: 'nested', properties: { v: vector } },
      },
    },
  })
  await ok('PUT /other', {
    settings: { 'index.knn': true },
    mappings: { properties: { v: { ...vector, space_type: 'innerproduct' }, b: vector } },
  })
  const lines = Object.entries(PLACES).flatMap(([id, v]) => [
    { index: { _id: id } },
    { v, cos: v, dot: v, b: v, bits: v, listed: v, text: 'word' },
  ])
  await ok('POST /i/_bulk?refresh', ndjson(...lines))
  await enable(BOTH)
})
afterAll(() => rest.close())

const knn = (field = 'v', vector: readonly number[] = [0, 0], more: object = { k: 1 }): object => ({
  knn: { [field]: { vector, ...more } },
})

const asking = (mmr: object, size = 4, query: object = knn()): object => ({
  size,
  query,
  ext: { mmr },
})

async function found(body: object, url = 'POST /i/_search'): Promise<string> {
  const { hits } = await ok(url, body)
  return hits.hits.map(({ _id }: { _id: string }) => _id).join('')
}

async function refusal(body: object, index = 'i'): Promise<unknown[]> {
  const { status, json } = await rest.call(`POST /${index}/_search`, body)
  return [status, json.error?.root_cause[0].type, json.error?.root_cause[0].reason]
}

describe('ext.mmr', () => {
  it.each<[mmr: object, size: number, expected: string]>([
    // Scores 1/2, 1/3, 1/5, 1/5. c is 9 from a, b and d are 1 from it: b has 1/6 − 1/4, c 1/10 − 1/20.
    [{}, 2, 'ac'],
    [{ diversity: 0.5, candidates: 4 }, 4, 'acbd'],
    [{ diversity: 0 }, 4, 'abcd'],
    [{ diversity: 1 }, 4, 'acbd'],
    // Among two candidates there is no c.
    [{ diversity: 0.5, candidates: 2 }, 2, 'ab'],
    [{ diversity: 0.5, candidates: 3 }, 2, 'ac'],
    [
      { vector_field_path: 'v', vector_field_space_type: 'l2', vector_field_data_type: 'FLOAT' },
      2,
      'ac',
    ],
    // By another field than that of the query: c is opposite to a, and d lies where a does.
    [{ vector_field_path: 'cos' }, 3, 'acb'],
  ])('%j of %i', async (mmr, size, expected) => {
    expect(await found(asking(mmr, size))).toBe(expected)
  })

  it.each<[field: string, vector: readonly number[], expected: string]>([
    // (1 + cos) / 2: with (0, 1) b has .854 and the others .5; a and d are .854 like b, c .146.
    ['cos', [0, 1], 'bcad'],
    // Products 1, 2, −2 and 2 are 2, 3, 1/3 and 3. Behind b all have 0, d is the first; it is 3 like a, 1/5 like c.
    ['dot', [1, 1], 'bdca'],
    ['b', [0, 0], 'acbd'],
    // 1, 2, 7 and 1 bits; from a 1, 8 and 2: d has 1/4 − 1/6, c 1/16 − 1/18. From d 3 and 6: c has 1/16 − 1/14.
    ['bits', [0, 0], 'adcb'],
  ])('compares vectors of %s as %j', async (field, vector, expected) => {
    const ids = await found(asking({ candidates: 4 }, expected.length, knn(field, vector)))
    expect(ids).toBe(expected)
  })

  it('has the ten best of thirty where no size is given', async () => {
    const body = { query: knn(), ext: { mmr: { diversity: 0.5 } } }
    expect(await found(body)).toBe('acbd')
  })

  it('leaves scores, totals and sources, and no vectors beside them', async () => {
    const { hits } = await ok('POST /i/_search', asking({ candidates: 4 }, 2))
    expect(hits.total.value).toBe(4)
    expect(hits.max_score).toBe(0.5)
    expect(hits.hits[1]).toEqual({
      _index: 'i',
      _id: 'c',
      _score: 0.2,
      _source: expect.objectContaining({ v: [-2, 0] }),
    })
    const bare = await ok('POST /i/_search', { ...asking({}, 1), _source: false })
    expect(bare.hits.hits).toEqual([{ _index: 'i', _id: 'a', _score: 0.5 }])
  })

  it('leaves the values that were asked for', async () => {
    const one = async (more: object, url = 'POST /i/_search'): Promise<unknown> =>
      (await ok(url, { ...asking({}, 1), _source: false, ...more })).hits.hits[0].fields
    expect(await one({ fields: ['v', 'text'] })).toEqual({ v: [1, 0], text: ['word'] })
    expect(await one({ fields: ['t*', { field: 'v*' }] })).toEqual({ v: [1, 0], text: ['word'] })
    expect(await one({ fields: ['text'] })).toEqual({ text: ['word'] })
    const asList = { docvalue_fields: ['listed'], query: knn('listed') }
    expect(await one(asList)).toEqual({ listed: [[1, 0]] })
    expect(await one({}, 'POST /i/_search?docvalue_fields=listed')).toEqual({ listed: [[1, 0]] })
  })

  it('takes all within a radius, and none', async () => {
    const within = knn('v', [0, 0], { max_distance: 2 })
    expect(await found(asking({}, 4, within))).toBe('ab')
    const nothing = knn('v', [50, 50], { max_distance: 2 })
    expect(await found(asking({}, 4, nothing))).toBe('')
  })

  it('runs behind the request processors of a pipeline, and ahead of its response processors', async () => {
    const search_pipeline = {
      request_processors: [{ filter_query: { query: { match_all: {} } } }],
    }
    // What such a processor makes of the query is no query of vectors any more.
    expect((await refusal({ ...asking({}), search_pipeline }))[2]).toBe(
      "Maximal Marginal Relevance rerank doesn't support the query type [bool]",
    )
    const truncating = { response_processors: [{ truncate_hits: { target_size: 1 } }] }
    const { hits } = await ok('POST /i/_search', {
      ...asking({ diversity: 1 }, 3),
      search_pipeline: truncating,
      verbose_pipeline: true,
    })
    expect(hits.hits.map(({ _id }: { _id: string }) => _id)).toEqual(['a'])
  })

  it('is noted with verbose_pipeline', async () => {
    const answer = await ok('POST /i/_search', {
      ...asking({}, 2),
      search_pipeline: { response_processors: [{ truncate_hits: { target_size: 1 } }] },
      verbose_pipeline: true,
    })
    expect(
      answer.processor_results.map((each: { processor_name: string }) => each.processor_name),
    ).toEqual(['mmr_over_sample', 'mmr_rerank', 'truncate_hits'])
    expect(answer.processor_results[1].output_data).toHaveLength(2)
  })

  it.each<[mmr: object, reason: string, type?: string]>([
    [{ diversity: -0.1 }, 'diversity in mmr query extension must be between 0.0 and 1.0'],
    [{ diversity: 1.5 }, 'diversity in mmr query extension must be between 0.0 and 1.0'],
    [{ candidates: -1 }, 'candidates in mmr query extension must be larger than 0.'],
    [
      { vector_field_path: '' },
      'vector_field_path in mmr query extension should not be an empty string.',
    ],
    [
      { vector_field_data_type: 'text' },
      'vector_field_data_type in mmr query extension is not valid, valid values are binary,byte,float.',
    ],
    [
      { vector_field_space_type: 'near' },
      'vector_field_space_type in mmr query extension is not valid, valid values are ' +
        'l2,cosinesimil,l1,linf,innerproduct,hamming.',
    ],
    [{ far: 1 }, '[mmr] query extension does not support [far]', 'parsing_exception'],
    [{ diversity: [1] }, '[mmr] query extension does not support [diversity]', 'parsing_exception'],
    [
      { vector_field_path: 'text' },
      'MMR query extension cannot support non knn_vector field [i:text].',
    ],
    [
      { vector_field_path: 'n.v' },
      'MMR search extension cannot support the field n.v because it is in the nested field n.',
    ],
    [
      { vector_field_space_type: 'innerproduct' },
      'The space type [innerproduct] provided in the MMR query extension does not match the space type ' +
        '[l2] in target indices.',
    ],
    [
      { vector_field_data_type: 'byte' },
      'The vector data type [byte] provided in the MMR query extension does not match the vector data ' +
        'type [float] in target indices.',
    ],
    [
      { vector_field_path: 'none' },
      '[mmr of a field that is not mapped: none] is not supported yet',
    ],
  ])('refuses %j', async (mmr, reason, type = 'illegal_argument_exception') => {
    expect(await refusal(asking(mmr))).toEqual([400, type, reason])
  })

  it('refuses other queries, and none', async () => {
    expect((await refusal(asking({}, 2, { match: { text: 'word' } })))[2]).toBe(
      "Maximal Marginal Relevance rerank doesn't support the query type [match]",
    )
    expect((await refusal({ ext: { mmr: {} } }))[2]).toBe(
      'Query builder must not be null to do Maximal Marginal Relevance rerank.',
    )
  })

  it('refuses fields that differ from index to index', async () => {
    expect((await refusal(asking({}), 'i,other'))[2]).toBe(
      'MMR query extension cannot support different space type [l2, innerproduct] for the knn_vector ' +
        'field at path v.',
    )
    expect((await refusal(asking({}, 2, knn('b')), 'i,other'))[2]).toBe(
      'MMR query extension cannot support different vector data type [byte, float] for the knn_vector ' +
        'field at path b.',
    )
  })

  it('refuses hits without the vector', async () => {
    await ok('PUT /i/_doc/e?refresh', { cos: [3, 3] })
    const body = asking({ vector_field_path: 'v' }, 5, knn('cos', [1, 1]))
    expect((await refusal(body))[2]).toBe(
      'Failed to extract the vector from the doc [e] for MMR rerank: field path [v] not found in ' +
        'document source.',
    )
    await ok('DELETE /i/_doc/e?refresh')
  })

  it('is refused unless both factories are enabled, by name or all of them', async () => {
    const words =
      `We need to enable [${BOTH.join(', ')}] in the cluster setting [${SETTING}] to support the mmr ` +
      'search extension.'
    for (const names of [null, [], [BOTH[0]!], ['other']]) {
      await enable(names)
      expect(await refusal(asking({}))).toEqual([400, 'illegal_argument_exception', words])
    }
    await enable(['*'])
    expect(await found(asking({}, 2))).toBe('ac')
    await enable(BOTH)
  })
})

describe('statistics of processors that the node makes', () => {
  it('count runs by processor, and what factories were asked and made', async () => {
    const own = await openRest()
    try {
      const stats = async (): Promise<unknown> => {
        const { json } = await own.call('GET /_nodes/stats/search_pipeline')
        const [node] = Object.values(json.nodes) as { search_pipeline: Record<string, unknown> }[]
        const { system_generated_processors, system_generated_factories } = node!.search_pipeline
        return [system_generated_processors, system_generated_factories]
      }
      expect(await stats()).toEqual([
        { request_processors: [], response_processors: [] },
        { request_processor_factories: [], response_processor_factories: [] },
      ])
      await own.call('PUT /i', {
        settings: { 'index.knn': true },
        mappings: { properties: { v: { type: 'knn_vector', dimension: 2 } } },
      })
      await own.call('PUT /i/_doc/1?refresh', { v: [1, 2] })
      await own.call('PUT /_cluster/settings', { persistent: { [SETTING]: BOTH } })
      await own.call('POST /i/_search', asking({}))
      await own.call('POST /i/_search', { query: { match_all: {} } })
      await own.call('POST /i/_search', asking({ vector_field_path: 'none' }))
      const runs = (count: number, failed = 0): object => ({
        stats: { count, time_in_millis: expect.any(Number), current: 0, failed },
      })
      const factory = (name: string): object => {
        const micros = { time_in_microseconds: expect.any(Number), current: 0, failed: 0 }
        return {
          [name]: {
            type: name,
            evaluation_stats: { count: 3, ...micros },
            generation_stats: { count: 2, ...micros },
          },
        }
      }
      expect(await stats()).toEqual([
        {
          request_processors: [{ mmr_over_sample: { type: 'mmr_over_sample', ...runs(2, 1) } }],
          response_processors: [{ mmr_rerank: { type: 'mmr_rerank', ...runs(1) } }],
        },
        {
          request_processor_factories: [factory(BOTH[0]!)],
          response_processor_factories: [factory(BOTH[1]!)],
        },
      ])
    } finally {
      await own.close()
    }
  })
})
