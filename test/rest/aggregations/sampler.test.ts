import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

interface Row {
  readonly score: number
  readonly k?: string | null
  readonly n?: number
}

/** Documents of a few segments; their scores are those of the field. */
const ROWS: readonly Row[] = Array.from({ length: 300 }, (_, i) => ({
  score: 1 + ((i * 37) % 23),
  ...(i % 11 === 3 ? {} : { k: `k${(i * 7) % 13}` }),
  ...(i % 9 === 4 ? {} : { n: (i * 5) % 8 }),
}))
const SEGMENT = 70

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    score: { type: 'integer' },
    k: { type: 'keyword' },
    n: { type: 'long' },
    text: { type: 'text' },
    two: { type: 'keyword' },
  }
  for (const [name, shards] of [
    ['i', 1],
    ['two', 2],
  ] as const) {
    const settings = { number_of_shards: shards, 'index.refresh_interval': '-1' }
    await ok(`PUT /${name}`, { settings, mappings: { properties } })
    for (let at = 0; at < ROWS.length; at += SEGMENT) {
      const rows = ROWS.slice(at, at + SEGMENT)
      const lines = rows.flatMap((row, id) => [{ index: { _id: String(at + id) } }, row])
      await ok(`POST /${name}/_bulk?refresh`, ndjson(...lines))
    }
  }
  await ok('PUT /pair', { mappings: { properties } })
  await ok('PUT /pair/_doc/1?refresh', { two: ['a', 'b'], score: 1 })
})
afterAll(() => rest.close())

const BY_SCORE = {
  function_score: {
    query: { match_all: {} },
    field_value_factor: { field: 'score' },
    boost_mode: 'replace',
  },
}
const SCORES = { terms: { field: 'score', size: 1000, order: { _key: 'desc' } } }

const search = async (body: object, index = 'i', parameters = ''): Promise<unknown> =>
  (await ok(`POST /${index}/_search${parameters}`, { size: 0, ...body })).aggregations

/** The scores of the best documents, of which no more than `perKey` have one key. */
function sampled(size: number, perKey: number, keyOf: (row: Row) => unknown): readonly Row[] {
  const counts = new Map<unknown, number>()
  const order = ROWS.map((row, id) => ({ row, id })).sort(
    (a, b) => b.row.score - a.row.score || a.id - b.id,
  )
  return order
    .filter(({ row }) => {
      const count = (counts.get(keyOf(row)) ?? 0) + 1
      counts.set(keyOf(row), count)
      return count <= perKey
    })
    .slice(0, size)
    .map(({ row }) => row)
}

function printed(rows: readonly Row[]): object {
  const counts = new Map<number, number>()
  for (const { score } of rows) counts.set(score, (counts.get(score) ?? 0) + 1)
  return {
    doc_count: rows.length,
    ids: { value: rows.reduce((sum, { n }) => sum + (n ?? 100), 0) },
    scores: {
      doc_count_error_upper_bound: 0,
      sum_other_doc_count: 0,
      buckets: [...counts]
        .sort(([a], [b]) => b - a)
        .map(([key, doc_count]) => ({ key, doc_count })),
    },
  }
}

const BELOW = { scores: SCORES, ids: { sum: { field: 'n', missing: 100 } } }

const WAYS: readonly (readonly [mode: string, slices: number, profile: boolean])[] = [
  ['none', 0, false],
  ['none', 0, true],
  ['all', 2, false],
  ['all', 4, false],
  ['all', 4, true],
]

describe('sampler and diversified_sampler', () => {
  it('choose the best documents, however slices are cut', async () => {
    const body = fc.record({
      shard_size: fc.integer({ min: 1, max: 320 }),
      field: fc.constantFrom('k', 'n', null),
      max_docs_per_value: fc.integer({ min: 0, max: 6 }),
    })
    const drawn = fc.sample(body, { numRuns: 25, seed: 82 })
    for (const [mode, slices, profile] of WAYS) {
      await ok('PUT /i/_settings', {
        'index.search.concurrent_segment_search.mode': mode,
        'index.search.concurrent.max_slice_count': slices,
      })
      for (const { shard_size, field, max_docs_per_value } of drawn) {
        const isPlain = field === null
        const x = isPlain
          ? { sampler: { shard_size } }
          : { diversified_sampler: { field, shard_size, max_docs_per_value } }
        const rows = isPlain
          ? sampled(shard_size, Number.POSITIVE_INFINITY, () => 0)
          : sampled(shard_size, max_docs_per_value, row => row[field])
        expect(
          await search({ query: BY_SCORE, profile, aggs: { x: { ...x, aggs: BELOW } } }),
          `seed 82: ${JSON.stringify([mode, slices, profile, x])}`,
        ).toEqual({ x: printed(rows) })
      }
    }
  })

  it('sample in each bucket above them, and in the samples of others', async () => {
    const aggs = {
      n: {
        terms: { field: 'n', order: { 's>top': 'desc' }, size: 3 },
        aggs: {
          s: {
            sampler: { shard_size: 4 },
            aggs: {
              top: { sum: { field: 'score' } },
              again: { sampler: { shard_size: 2 }, aggs: { low: { min: { field: 'score' } } } },
            },
          },
        },
      },
    }
    const expected = [...Array(8).keys()]
      .map(key => {
        const best = sampled(ROWS.length, Number.POSITIVE_INFINITY, () => 0)
          .filter(row => row.n === key)
          .slice(0, 4)
        const all = ROWS.filter(row => row.n === key).length
        const top = { value: best.reduce((sum, { score }) => sum + score, 0) }
        const again = { doc_count: 2, low: { value: best[1]!.score } }
        return { key, doc_count: all, s: { doc_count: 4, top, again } }
      })
      .sort((a, b) => b.s.top.value - a.s.top.value || a.key - b.key)
      .slice(0, 3)
    expect(await search({ query: BY_SCORE, aggs })).toMatchObject({ n: { buckets: expected } })
  })

  it('add the samples of shards, and hand scores to top_hits below', async () => {
    const aggs = {
      'a s': {
        sampler: { shard_size: 10 },
        aggs: { hits: { top_hits: { size: 1, _source: false } } },
      },
    }
    expect(await search({ query: BY_SCORE, aggs }, 'two', '?typed_keys')).toMatchObject({
      'sampler#a s': {
        doc_count: 20,
        'top_hits#hits': { hits: { total: { value: 20 }, max_score: 23 } },
      },
    })
  })

  it('are of the same typed name, and empty where no index has the field', async () => {
    const aggs = {
      x: {
        diversified_sampler: { field: 'none' },
        aggs: { n: { sum: { field: 'n' } }, t: { terms: { field: 'k' } } },
      },
    }
    expect(await search({ aggs }, 'i', '?typed_keys')).toEqual({
      'sampler#x': {
        doc_count: 0,
        'sum#n': { value: 0 },
        'sterms#t': { doc_count_error_upper_bound: 0, sum_other_doc_count: 0, buckets: [] },
      },
    })
    expect(await search({ query: { match_none: {} }, aggs: { x: { sampler: {} } } })).toEqual({
      x: { doc_count: 0 },
    })
  })

  it('give documents without a value the missing one, or a value of their own', async () => {
    const x = { diversified_sampler: { field: 'k', shard_size: 300 } }
    expect(await search({ aggs: { x } })).toEqual({ x: { doc_count: 14 } })
    const missing = { diversified_sampler: { ...x.diversified_sampler, missing: 'k3' } }
    expect(await search({ aggs: { x: missing } })).toEqual({ x: { doc_count: 13 } })
    const other = { diversified_sampler: { ...x.diversified_sampler, missing: 'zz' } }
    expect(await search({ aggs: { x: other } })).toEqual({ x: { doc_count: 14 } })
  })

  it.each<readonly [x: object, type: string]>([
    [{ sampler: {} }, 'SamplerAggregator'],
    [{ diversified_sampler: { field: 'n' } }, 'DiversifiedNumericSamplerAggregator'],
    [{ diversified_sampler: { field: 'k' } }, 'DiversifiedOrdinalsSamplerAggregator'],
    [
      { diversified_sampler: { field: 'k', execution_hint: 'global_ordinals' } },
      'DiversifiedOrdinalsSamplerAggregator',
    ],
    [
      { diversified_sampler: { field: 'k', execution_hint: 'map' } },
      'DiversifiedMapSamplerAggregator',
    ],
    [
      { diversified_sampler: { field: 'k', execution_hint: 'bytes_hash' } },
      'DiversifiedBytesHashSamplerAggregator',
    ],
  ])('are profiled as one slice, with what the children saw: %j', async (x, type) => {
    const body = {
      size: 0,
      profile: true,
      aggs: { x: { ...x, aggs: { m: { max: { field: 'n' } } } } },
    }
    const answer = await ok('POST /i/_search', body)
    const [node] = answer.profile.shards[0].aggregations
    expect(node).toMatchObject({ type, description: 'x', breakdown: { collect_count: 300 } })
    expect(node.breakdown.max_collect).toBeUndefined()
    expect(node.children).toMatchObject([
      {
        type: 'MaxAggregator',
        description: 'm',
        breakdown: { collect_count: answer.aggregations.x.doc_count },
      },
    ])
  })

  it('refuse two values in a document', async () => {
    const aggs = { x: { diversified_sampler: { field: 'two' } } }
    const answer = await rest.call('POST /pair/_search', { aggs })
    expect([answer.status, answer.json.error.root_cause[0]]).toEqual(
      [
        400,
        {
          type: 'illegal_argument_exception',
          reason: 'Sample diversifying key must be a single valued-field',
        },
      ].map((each, i) => (i === 0 ? each : expect.objectContaining(each as object))),
    )
  })

  it.each<readonly [x: object, reason: string]>([
    [{ sampler: { shard_size: 0 } }, '[shardSize] must be greater than 0. Found [0] in [x]'],
    [{ sampler: { size: 3 } }, '[sampler] unknown field [size]'],
    [
      { diversified_sampler: {} },
      'Required one of fields [field, script], but none were specified. ',
    ],
    [
      { diversified_sampler: { field: 'k', max_docs_per_value: -1 } },
      '[maxDocsPerValue] must be greater than or equal to 0. Found [-1] in [x]',
    ],
    [
      { diversified_sampler: { field: 'k', execution_hint: 'fast' } },
      'Unknown `execution_hint`: [fast], expected any of [map, bytes_hash, global_ordinals]',
    ],
    [
      { diversified_sampler: { field: 'text' } },
      'Text fields are not optimised for operations that require per-document field data like ' +
        'aggregations and sorting',
    ],
  ])('refuse %j', async (x, reason) => {
    const answer = await rest.call('POST /i/_search', { aggs: { x } })
    expect([answer.status, answer.text.includes(JSON.stringify(reason).slice(1, -1))]).toEqual([
      400,
      true,
    ])
  })
})
