import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
let next = 0

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

/** A new index of a few documents. */
async function newIndex(settings: object = {}): Promise<string> {
  const name = `i${next++}`
  await rest.call(`PUT /${name}`, {
    settings: { number_of_shards: 2, 'index.refresh_interval': '-1', ...settings },
    mappings: { properties: { t: { type: 'text' }, d: { type: 'date' }, n: { type: 'integer' } } },
  })
  const lines = Array.from({ length: 20 }, (_, i) => [
    { index: { _id: String(i) } },
    { t: i % 2 === 0 ? 'sea' : 'ship', d: '2020-01-01', n: i },
  ])
  await rest.call(`POST /${name}/_bulk?refresh`, ndjson(...lines.flat()))
  return name
}

interface Counts {
  readonly hit_count: number
  readonly miss_count: number
  readonly memory_size_in_bytes: number
  readonly evictions: number
}

const statsOf = async (index: string): Promise<Counts> =>
  (await rest.call(`GET /${index}/_stats/request_cache`)).json.indices[index].primaries
    .request_cache
const countsOf = async (index: string): Promise<[hits: number, misses: number]> => {
  const { hit_count, miss_count } = await statsOf(index)
  return [hit_count, miss_count]
}
const totalOf = async (index: string, body: object, params = ''): Promise<number> => {
  const { status, json, text } = await rest.call(`POST /${index}/_search?${params}`, body)
  expect(status, text).toBe(200)
  return json.hits.total.value
}
const sea = { query: { match: { t: 'sea' } } }

describe('the request cache', () => {
  it('keeps searches without hits, by shard, until a refresh changes it', async () => {
    const index = await newIndex()
    expect(await totalOf(index, { ...sea, size: 0 })).toBe(10)
    expect(await countsOf(index)).toEqual([0, 2])
    expect(await totalOf(index, { size: 0, ...sea })).toBe(10)
    expect(await countsOf(index)).toEqual([2, 2])
    expect((await statsOf(index)).memory_size_in_bytes).toBeGreaterThan(0)
    expect((await rest.call(`POST /${index}/_count`, sea)).json.count).toBe(10)
    await rest.call(`PUT /${index}/_doc/new?refresh`, { t: 'sea' })
    expect(await totalOf(index, { ...sea, size: 0 })).toBe(11)
  })

  it('keeps those with hits when they ask for it, as they were', async () => {
    const index = await newIndex()
    const body = {
      ...sea,
      rescore: { query: { rescore_query: { term: { n: 4 } } } },
      explain: true,
    }
    const first = await rest.call(`POST /${index}/_search?request_cache=true`, body)
    const second = await rest.call(`POST /${index}/_search?request_cache=true`, body)
    expect(await countsOf(index)).toEqual([2, 2])
    expect(second.json.hits).toEqual(first.json.hits)
    expect(await totalOf(index, sea)).toBe(10)
    expect(await countsOf(index)).toEqual([2, 2])
  })

  it('keeps those with as few hits as a setting says', async () => {
    const index = await newIndex()
    const key = 'indices.requests.cache.maximum_cacheable_size'
    await rest.call('PUT /_cluster/settings', { transient: { [key]: 5 } })
    for (const size of [5, 6, 5]) await totalOf(index, { ...sea, size })
    await rest.call('PUT /_cluster/settings', { transient: { [key]: null } })
    await totalOf(index, { ...sea, size: 5 })
    expect(await countsOf(index)).toEqual([2, 2])
  })

  it('tells searches apart by everything that they find', async () => {
    const index = await newIndex()
    const bodies: readonly object[] = [
      sea,
      { query: { match: { t: 'ship' } } },
      { ...sea, min_score: 100 },
      { ...sea, post_filter: { range: { n: { lt: 4 } } } },
      { ...sea, track_total_hits: 3 },
      { ...sea, terminate_after: 1 },
      { query: { has_child: { type: 'x', query: { match_all: {} }, ignore_unmapped: true } } },
    ]
    const totals = async (): Promise<unknown[]> =>
      Promise.all(
        bodies.map(
          async body =>
            (await rest.call(`POST /${index}/_search?size=0`, body)).json.hits.total.value,
        ),
      )
    const once = await totals()
    expect(new Set(once).size).toBeGreaterThan(3)
    expect(await countsOf(index)).toEqual([0, 2 * bodies.length])
    expect(await totals()).toEqual(once)
    expect(await countsOf(index)).toEqual([2 * bodies.length, 2 * bodies.length])
  })

  it('remembers that a shard could have no hit', async () => {
    const index = await newIndex()
    const body = { query: { term: { absent: 'x' } }, size: 0 }
    for (let i = 0; i < 2; i++) {
      const { json } = await rest.call(`POST /${index}/_search?pre_filter_shard_size=1`, body)
      expect(json._shards.skipped).toBe(1)
    }
    expect(await countsOf(index)).toEqual([2, 2])
  })

  it('is asked by the request first, and else by the index', async () => {
    const index = await newIndex({ 'index.requests.cache.enable': false })
    await totalOf(index, { ...sea, size: 0 })
    expect(await countsOf(index)).toEqual([0, 0])
    await totalOf(index, { ...sea, size: 0 }, 'request_cache=true')
    expect(await countsOf(index)).toEqual([0, 2])
    await rest.call(`PUT /${index}/_settings`, { 'index.requests.cache.enable': true })
    await totalOf(index, { ...sea, size: 0 }, 'request_cache=false')
    expect(await countsOf(index)).toEqual([0, 2])
    await totalOf(index, { ...sea, size: 0 })
    expect(await countsOf(index)).toEqual([2, 2])
  })

  it.each<[string, object, string]>([
    ['now', { query: { range: { d: { lte: 'now/d' } } } }, ''],
    ['a random score', { query: { function_score: { random_score: {} } }, min_score: 0 }, ''],
    ['a profile', { ...sea, profile: true }, ''],
    ['a suggestion', { ...sea, suggest: { s: { text: 'se', term: { field: 't' } } } }, ''],
    ['shared statistics', sea, 'search_type=dfs_query_then_fetch'],
  ])('keeps no search with %s', async (_name, body, params) => {
    const index = await newIndex()
    await totalOf(index, { ...body, size: 0 }, params)
    expect(await countsOf(index)).toEqual([0, 0])
  })

  it('keeps no scroll and no search at a point in time', async () => {
    const index = await newIndex()
    await totalOf(index, sea, 'scroll=1m')
    const point = await rest.call(`POST /${index}/_search/point_in_time?keep_alive=1m`)
    const pit = { id: point.json.pit_id }
    expect((await rest.call('POST /_search', { ...sea, size: 0, pit })).status).toBe(200)
    expect(await countsOf(index)).toEqual([0, 0])
  })

  it('keeps dates without now', async () => {
    const index = await newIndex()
    await totalOf(index, { query: { range: { d: { lte: '2020-01-01||+1d' } } }, size: 0 })
    expect(await countsOf(index)).toEqual([0, 2])
  })

  it('is cleared by name, or with all caches', async () => {
    const index = await newIndex()
    const used = async (): Promise<number> => (await statsOf(index)).memory_size_in_bytes
    for (const params of ['request=true', '', 'query=true', 'request=false']) {
      await totalOf(index, { ...sea, size: 0 })
      expect(await used()).toBeGreaterThan(0)
      await rest.call(`POST /${index}/_cache/clear?${params}`)
      if (params === 'query=true' || params === 'request=false')
        expect(await used(), params).toBeGreaterThan(0)
      else expect(await used(), params).toBe(0)
    }
  })

  it('gives up what was used least recently once it is full', async () => {
    const small = await openRest({ 'indices.requests.cache.size': '4kb' })
    try {
      await small.call('PUT /i/_doc/1?refresh', { n: 1 })
      const ask = (i: number): Promise<unknown> =>
        small.call('POST /i/_search?size=0', { query: { term: { n: i } } })
      for (let i = 0; i < 30; i++) await ask(i)
      const stats = async (): Promise<Counts> =>
        (await small.call('GET /i/_stats/request_cache')).json._all.primaries.request_cache
      const { evictions, memory_size_in_bytes: bytes } = await stats()
      expect(evictions).toBeGreaterThan(10)
      expect(bytes).toBeLessThanOrEqual(4096)
      await ask(29)
      expect((await stats()).hit_count).toBe(1)
      await ask(0)
      expect((await stats()).hit_count).toBe(1)
      const { memory_size_in_bytes: size_in_bytes } = await stats()
      const caches = await small.call('GET /_nodes/stats/caches')
      const [node] = Object.values(caches.json.nodes) as { caches: { request_cache: object } }[]
      expect(node!.caches.request_cache).toMatchObject({ hit_count: 1, size_in_bytes })
      const refused = await small.call('PUT /_cluster/settings', {
        persistent: { 'indices.requests.cache.size': '1mb' },
      })
      expect(refused.status).toBe(400)
    } finally {
      await small.close()
    }
  })
})
