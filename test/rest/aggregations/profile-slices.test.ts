import { afterAll, beforeAll, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

const KEYS = ['a', 'b', 'a', 'c']

beforeAll(async () => {
  rest = await openRest()
  const mappings = { properties: { k: { type: 'keyword' }, n: { type: 'long' } } }
  const settings = { 'index.search.concurrent.max_slice_count': 2 }
  await ok('PUT /i', { settings: { number_of_shards: 1, ...settings }, mappings })
  // A segment each, so that two slices have two of them.
  for (const [n, k] of KEYS.entries()) await rest.call(`PUT /i/_doc/${n}?refresh`, { k, n })
})
afterAll(() => rest.close())

const AGGS = {
  x: {
    terms: { field: 'k', execution_hint: 'map' },
    aggs: { m: { max: { field: 'n' } } },
  },
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
const nodeOf = async (more: object, mode = 'all'): Promise<any> => {
  const set = { 'index.search.concurrent_segment_search.mode': mode }
  await ok('PUT /i/_settings', set)
  const { profile } = await ok('POST /i/_search', { size: 0, aggs: AGGS, profile: true, ...more })
  return profile.shards[0].aggregations[0]
}

it('prints an object per slice for each aggregation, with what the slice noted', async () => {
  const node = await nodeOf({ profile_slices: true })
  const [child] = node.children
  expect(Object.keys(node).slice(-4)).toEqual(['breakdown', 'debug', 'slices', 'children'])
  for (const each of [node, child]) {
    expect(each.slices.map((slice: { slice_id: number }) => slice.slice_id)).toEqual([0, 1])
    const leaves = each.slices.flatMap((slice: { partitions: object[] }) => slice.partitions)
    expect(leaves).toHaveLength(4)
    let collected = 0
    for (const { breakdown, worker, slice_time_in_nanos } of each.slices) {
      expect(worker).toBeGreaterThanOrEqual(-1)
      expect(Object.keys(breakdown)).toHaveLength(12)
      expect(Object.keys(breakdown)).toEqual(Object.keys(breakdown).sort())
      const times = Object.entries(breakdown).filter(([key]) => !key.endsWith('_count'))
      const sum = times.reduce((total, [, time]) => total + Number(time), 0)
      expect(slice_time_in_nanos).toBe(sum)
      collected += breakdown.collect_count
    }
    expect(collected).toBe(each.breakdown.collect_count)
    expect(collected).toBe(4)
  }
  expect(child.slices[0]).not.toHaveProperty('debug')
  const buckets = node.slices.map((slice: { debug: object }) => slice.debug)
  for (const debug of buckets) expect(debug).toMatchObject({ result_strategy: 'terms' })
  const total = buckets.reduce(
    (sum: number, debug: { total_buckets: number }) => sum + debug.total_buckets,
    0,
  )
  expect(node.debug.total_buckets).toBe(total)
})

it('prints texts of durations with human', async () => {
  const answer = await ok('POST /i/_search?human', {
    size: 0,
    aggs: AGGS,
    profile: true,
    profile_slices: true,
  })
  for (const slice of answer.profile.shards[0].aggregations[0].slices)
    expect(Object.keys(slice).slice(0, 3)).toEqual([
      'slice_id',
      'slice_time',
      'slice_time_in_nanos',
    ])
})

it('prints none where they are not asked for, nor where the search is not cut', async () => {
  expect(await nodeOf({})).not.toHaveProperty('slices')
  expect(await nodeOf({ profile_slices: true }, 'none')).not.toHaveProperty('slices')
})
