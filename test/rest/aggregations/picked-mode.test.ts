import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

/** Above the number of terms from which children are deferred unless a request says otherwise. */
const DOCUMENTS = 33_000
const CHUNK = 11_000
const SETTINGS = { number_of_shards: 1, 'index.refresh_interval': '-1' }
const COLUMN = { type: 'keyword', index: false }

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
  await ok('PUT /i', { settings: SETTINGS, mappings: { properties } })
  for (let at = 0; at < DOCUMENTS; at += CHUNK) {
    const lines = Array.from({ length: CHUNK }, (_, i) => at + i).flatMap(i => [
      { index: {} },
      { many: `m${i}`, some: `s${(i * 31) % 811}`, few: `f${i % 7}`, n: (i * 7919) % 1009 },
    ])
    await ok('POST /i/_bulk', ndjson(...lines))
  }
  await ok('POST /i/_refresh')
  await ok('POST /i/_forcemerge?max_num_segments=1')
  await fillParts('parts', properties)
  // Of these no postings tell the documents of a term.
  const columns = { ...properties, many: COLUMN, some: COLUMN, few: COLUMN }
  await fillParts('columns', columns)
}, 120_000)
afterAll(() => rest.close())

/** Fills an index of several segments, with several values, with none, and with deletions. */
async function fillParts(index: string, properties: object): Promise<void> {
  await ok(`PUT /${index}`, { settings: SETTINGS, mappings: { properties } })
  for (let at = 0; at < DOCUMENTS; at += CHUNK) {
    const lines = Array.from({ length: CHUNK }, (_, i) => at + i).flatMap(i => [
      { index: { _id: `${i}` } },
      {
        many: `m${i}`,
        ...(i % 10 > 0 && { some: i % 3 === 0 ? [`s${i % 500}`, `s${i % 701}`] : `s${i % 601}` }),
        few: `f${i % 7}`,
        n: (i * 7919) % 1009,
      },
    ])
    await ok(`POST /${index}/_bulk?refresh=true`, ndjson(...lines))
  }
  const deletes = Array.from({ length: 150 }, (_, i) => ({ delete: { _id: `${i * 211}` } }))
  await ok(`POST /${index}/_bulk?refresh=true`, ndjson(...deletes))
}

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

it.each<[string, string, object, object, readonly string[] | undefined]>([
  ['children below many terms', 'some', {}, { a: AVG }, ['a']],
  ['children below very many terms', 'many', {}, { a: AVG }, ['a']],
  ['children that are asked for so', 'some', { collect_mode: 'breadth_first' }, { a: AVG }, ['a']],
  ['children by key', 'some', { order: { _key: 'desc' } }, { a: AVG, c: DISTINCT }, ['a', 'c']],
  [
    'those that buckets are not sorted by',
    'some',
    { order: { a: 'desc' } },
    { a: AVG, c: DISTINCT },
    ['c'],
  ],
  [
    'hits',
    'some',
    {},
    { h: { top_hits: { size: 2, sort: [{ n: 'desc' }], _source: ['many'] } } },
    ['h'],
  ],
  [
    'whole trees',
    'some',
    {},
    { f: { terms: { field: 'few' }, aggs: { a: AVG, s: { stats: { field: 'n' } } } } },
    ['f'],
  ],
  ['none below few terms', 'few', {}, { a: AVG }, undefined],
  ['none where most terms stay', 'some', { shard_size: 400 }, { a: AVG }, undefined],
])(
  'searches of all documents find them again for %s',
  async (_title, field, more, aggs, deferred) => {
    const asking = (keys: object): object => ({
      size: 0,
      aggs: { x: { terms: { field, size: 5, ...keys }, aggs } },
    })
    for (const index of ['i', 'parts', 'columns']) {
      const { profile, aggregations } = await ok(`POST /${index}/_search`, {
        ...asking(more),
        profile: true,
      })
      const [node] = profile.shards[0].aggregations
      expect(node.debug.deferred_aggregators).toEqual(deferred)
      expect(node.children.map((child: { description: string }) => child.description)).toEqual(
        Object.keys(aggs),
      )
      expect(aggregations.x.buckets).toHaveLength(5)
      const deep = asking({ ...more, collect_mode: 'depth_first' })
      expect((await ok(`POST /${index}/_search`, deep)).aggregations).toEqual(aggregations)
      expect((await ok(`POST /${index}/_search`, asking(more))).aggregations).toEqual(aggregations)
    }
  },
)

it.each<[string, object]>([
  ['a query', { query: { range: { n: { gte: 0 } } } }],
  ['a min score', { min_score: 0.5 }],
  ['an end after some matches', { terminate_after: 1000 }],
])('searches with %s note them', async (_title, more) => {
  const aggs = { x: { terms: { field: 'some', size: 5 }, aggs: { a: AVG } } }
  const { profile } = await ok('POST /i/_search', { size: 0, aggs, ...more, profile: true })
  expect(profile.shards[0].aggregations[0].debug.deferred_aggregators).toBeUndefined()
})
