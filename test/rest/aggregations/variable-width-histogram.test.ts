import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

interface Row {
  readonly n: readonly number[]
  readonly k: string
}

const SEED = 901
const random = new Random(SEED)
const ROWS: readonly Row[] = Array.from({ length: 260 }, () => ({
  n: Array.from({ length: random.below(3) }, () => random.below(40) ** 2 / 8 - 20),
  k: `k${random.below(3)}`,
}))
const SEGMENT = 60
/** More distinct values than are kept exactly. */
const MANY = 6000

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    number: { type: 'integer' },
    n: { type: 'double' },
    k: { type: 'keyword' },
    t: { type: 'date' },
    b: { type: 'boolean' },
    text: { type: 'text' },
  }
  for (const [name, shards] of [
    ['few', 1],
    ['i', 1],
    ['three', 3],
    ['many', 1],
  ] as const) {
    const settings = { number_of_shards: shards, 'index.refresh_interval': '-1' }
    await ok(`PUT /${name}`, { settings, mappings: { properties } })
  }
  const few = [-3, -2, 1, 4, 5].flatMap(number => [{ index: {} }, { number }])
  await ok('POST /few/_bulk?refresh', ndjson(...few))
  for (const name of ['i', 'three'])
    for (let at = 0; at < ROWS.length; at += SEGMENT) {
      const rows = ROWS.slice(at, at + SEGMENT)
      const lines = rows.flatMap((row, id) => [{ index: { _id: String(at + id) } }, row])
      await ok(`POST /${name}/_bulk?refresh`, ndjson(...lines))
    }
  for (let at = 0; at < MANY; at += 1500) {
    const lines = Array.from({ length: 1500 }, (_, i) => [
      { index: { _id: String(at + i) } },
      { n: Math.sqrt((at + i) * 37 + 1), k: `k${i % 3}` },
    ])
    await ok('POST /many/_bulk?refresh', ndjson(...lines.flat()))
  }
})
afterAll(() => rest.close())

const search = async (body: object, index = 'i', parameters = ''): Promise<unknown> =>
  (await ok(`POST /${index}/_search${parameters}`, { size: 0, ...body })).aggregations

/** Clusters of values by looking at all neighbours before each step, and the rows of each. */
function expected(rows: readonly Row[], size: number): readonly object[] {
  const all = rows.flatMap(row => [...new Set(row.n)].map(value => ({ row, value })))
  const values = [...new Set(all.map(({ value }) => value))].sort((a, b) => a - b)
  let clusters = values.map(value => all.filter(each => each.value === value))
  const mean = (list: readonly { value: number }[]): number =>
    list.reduce((sum, { value }) => sum + value, 0) / list.length
  while (clusters.length > size) {
    let nearest = 0
    const gap = (i: number): number => mean(clusters[i + 1]!) - mean(clusters[i]!)
    for (let i = 1; i + 1 < clusters.length; i++) if (gap(i) < gap(nearest)) nearest = i
    const both = [...clusters[nearest]!, ...clusters[nearest + 1]!]
    clusters = [...clusters.slice(0, nearest), both, ...clusters.slice(nearest + 2)]
  }
  return clusters.map(list => ({
    min: list[0]!.value,
    key: mean(list),
    max: list.at(-1)!.value,
    doc_count: list.length,
    low: {
      value: list.reduce((low, { row }) => Math.min(low, ...row.n), Number.POSITIVE_INFINITY),
    },
  }))
}

const BELOW = { low: { min: { field: 'n' } } }

const WAYS: readonly (readonly [mode: string, slices: number, profile: boolean])[] = [
  ['none', 0, false],
  ['none', 0, true],
  ['all', 2, false],
  ['all', 4, true],
]

describe('variable_width_histogram', () => {
  it('gathers the values that are near', async () => {
    const h = { variable_width_histogram: { field: 'number', buckets: 3 } }
    expect(await search({ aggs: { h } }, 'few', '?typed_keys')).toEqual({
      'variable_width_histogram#h': {
        buckets: [
          { min: -3, key: -2.5, max: -2, doc_count: 2 },
          { min: 1, key: 1, max: 1, doc_count: 1 },
          { min: 4, key: 4.5, max: 5, doc_count: 2 },
        ],
      },
    })
    const text = { variable_width_histogram: { field: 'number', buckets: 1, format: '0.0 m' } }
    expect(await search({ aggs: { text } }, 'few')).toEqual({
      text: {
        buckets: [
          {
            min: -3,
            min_as_string: '-3.0 m',
            key: 1,
            key_as_string: '1.0 m',
            max: 5,
            max_as_string: '5.0 m',
            doc_count: 5,
          },
        ],
      },
    })
  })

  it('makes the clusters of all values, however shards and slices are cut', async () => {
    for (const [mode, slices, profile] of WAYS)
      for (const index of ['i', 'three']) {
        await ok(`PUT /${index}/_settings`, {
          'index.search.concurrent_segment_search.mode': mode,
          'index.search.concurrent.max_slice_count': slices,
        })
        for (const buckets of [1, 2, 5, 13]) {
          const h = { variable_width_histogram: { field: 'n', buckets }, aggs: BELOW }
          const k = { terms: { field: 'k', order: { _key: 'asc' } }, aggs: { h } }
          expect(
            await search({ profile, aggs: { h, k } }, index),
            `seed ${SEED}: ${JSON.stringify([mode, slices, profile, index, buckets])}`,
          ).toMatchObject({
            h: { buckets: expected(ROWS, buckets) },
            k: {
              buckets: ['k0', 'k1', 'k2'].map(key => ({
                h: {
                  buckets: expected(
                    ROWS.filter(row => row.k === key),
                    buckets,
                  ),
                },
              })),
            },
          })
        }
      }
  })

  it('gathers more values than it keeps apart alike for all slices', async () => {
    const answers = new Set<string>()
    const k = { terms: { field: 'k', size: 1, shard_size: 1 } }
    const h = { variable_width_histogram: { field: 'n', buckets: 8 }, aggs: { ...BELOW, k } }
    for (const [mode, slices, profile] of WAYS) {
      await ok('PUT /many/_settings', {
        'index.search.concurrent_segment_search.mode': mode,
        'index.search.concurrent.max_slice_count': slices,
      })
      const found = await search({ profile, aggs: { h } }, 'many')
      answers.add(JSON.stringify(found))
      const { buckets } = (found as { h: { buckets: readonly { doc_count: number }[] } }).h
      expect(buckets).toHaveLength(8)
      expect(buckets.reduce((sum, { doc_count }) => sum + doc_count, 0)).toBe(MANY)
    }
    expect(answers.size).toBe(1)
  })

  it('gives documents without a value the missing one, and none where no index has the field', async () => {
    const missing = ROWS.filter(({ n }) => n.length === 0).length
    const h = { variable_width_histogram: { field: 'n', buckets: 1000, missing: 5000 } }
    const { buckets } = ((await search({ aggs: { h } })) as { h: { buckets: readonly object[] } }).h
    expect(buckets.at(-1)).toEqual({ min: 5000, key: 5000, max: 5000, doc_count: missing })
    const none = { variable_width_histogram: { field: 'none' } }
    expect(await search({ aggs: { none } })).toEqual({ none: { buckets: [] } })
    expect(await search({ query: { match_none: {} }, aggs: { h } })).toEqual({ h: { buckets: [] } })
  })

  it('counts documents by their weights, and is profiled', async () => {
    await ok('PUT /heavy', { mappings: { properties: { n: { type: 'long' } } } })
    await ok('PUT /heavy/_doc/1?refresh', { n: [1, 1, 3], _doc_count: 4 })
    const aggs = { h: { variable_width_histogram: { field: 'n', buckets: 1 } } }
    const answer = await ok('POST /heavy/_search', { profile: true, aggs })
    expect(answer.aggregations.h.buckets).toEqual([{ min: 1, key: 2, max: 3, doc_count: 8 }])
    expect(answer.profile.shards[0].aggregations).toMatchObject([
      { type: 'VariableWidthHistogramAggregator', description: 'h' },
    ])
  })

  it.each<readonly [options: object, reason: string]>([
    [{ buckets: 0 }, 'buckets must be greater than [0] for [h]'],
    [{ shard_size: 1 }, 'shard_size must be greater than [1] for [h]'],
    [{ initial_buffer: 0 }, 'initial_buffer must be greater than [0] for [h]'],
    [
      { buckets: 9, initial_buffer: 8 },
      'initial_buffer must be at least buckets but was [8<9] for [h]',
    ],
    [
      { buckets: 9, shard_size: 8 },
      '3/4 of shard_size must be at least buckets but was [6<9] for [h]',
    ],
    [{ interval: 3 }, '[variable_width_histogram] unknown field [interval]'],
    [{ field: undefined }, 'Required one of fields [field, script], but none were specified. '],
    [
      { field: 'k' },
      'Field [k] of type [keyword] is not supported for aggregation [variable_width_histogram]',
    ],
    [
      { field: 't' },
      'Field [t] of type [date] is not supported for aggregation [variable_width_histogram]',
    ],
    [
      { field: 'b' },
      'Field [b] of type [boolean] is not supported for aggregation [variable_width_histogram]',
    ],
  ])('refuses %j', async (options, reason) => {
    const aggs = { h: { variable_width_histogram: { field: 'n', ...options } } }
    const answer = await rest.call('POST /i/_search', { aggs })
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining(JSON.stringify(reason).slice(1, -1)),
    ])
  })
})
