import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

/** Above the number of terms from which children are deferred unless a request says otherwise. */
const DOCUMENTS = 33_000
const CHUNK = 11_000

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    many: { type: 'keyword' },
    some: { type: 'keyword' },
    few: { type: 'keyword' },
    n: { type: 'long' },
  }
  const settings = { number_of_shards: 1, 'index.refresh_interval': '-1' }
  await ok('PUT /i', { settings, mappings: { properties } })
  for (let at = 0; at < DOCUMENTS; at += CHUNK) {
    const lines = Array.from({ length: CHUNK }, (_, i) => at + i).flatMap(i => [
      { index: {} },
      { many: `m${i}`, some: `s${(i * 31) % 811}`, few: `f${i % 7}`, n: (i * 7919) % 1009 },
    ])
    await ok('POST /i/_bulk', ndjson(...lines))
  }
  await ok('POST /i/_refresh')
  await ok('POST /i/_forcemerge?max_num_segments=1')
}, 120_000)
afterAll(() => rest.close())

const AVG = { avg: { field: 'n' } }
const DISTINCT = { cardinality: { field: 'n' } }

it.each<[string, string, object, object, readonly string[] | undefined]>([
  ['any children below very many terms', 'many', {}, { a: AVG }, ['a']],
  ['children that keep much below many terms', 'some', {}, { a: AVG, c: DISTINCT }, ['a', 'c']],
  [
    'what stands above such children',
    'some',
    {},
    { f: { terms: { field: 'few' }, aggs: { c: DISTINCT } } },
    ['f'],
  ],
  ['no children that keep little below many terms', 'some', {}, { a: AVG }, undefined],
  ['none where most terms stay', 'many', { shard_size: 9000 }, { a: AVG }, undefined],
  ['none below few terms', 'few', {}, { c: DISTINCT }, undefined],
  ['none that buckets are sorted by', 'some', { order: { c: 'desc' } }, { c: DISTINCT }, undefined],
  [
    'none where the request says so',
    'many',
    { collect_mode: 'depth_first' },
    { a: AVG },
    undefined,
  ],
])('shards defer %s, with the same results', async (_title, field, more, aggs, deferred) => {
  const asking = (keys: object): object => ({
    size: 0,
    query: { range: { n: { lt: 700 } } },
    aggs: { x: { terms: { field, size: 5, ...keys }, aggs } },
  })
  const { profile, aggregations } = await ok('POST /i/_search', { ...asking(more), profile: true })
  const [node] = profile.shards[0].aggregations
  expect(node.debug.deferred_aggregators).toEqual(deferred)
  expect(aggregations.x.buckets).toHaveLength(5)
  for (const collect_mode of ['depth_first', 'breadth_first']) {
    const asked = asking({ ...more, collect_mode })
    expect((await ok('POST /i/_search', asked)).aggregations).toEqual(aggregations)
  }
  expect((await ok('POST /i/_search', asking(more))).aggregations).toEqual(aggregations)
})
