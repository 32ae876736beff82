import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('node-stats')
let rest: Rest
beforeAll(async () => {
  rest = await openRest({ 'node.attr.rack': 'r1' }, folder)
  const properties = { t: { type: 'text' }, c: { type: 'completion' }, d: { type: 'completion' } }
  for (const index of ['a', 'b']) await rest.call(`PUT /${index}`, { mappings: { properties } })
  await rest.call('PUT /a/_doc/1?refresh', { t: 'one', c: 'input', d: 'other' })
  await rest.call('PUT /b/_doc/1?refresh', { t: 'two' })
  await rest.call('PUT /closed', {})
  await rest.call('POST /closed/_close')
})
afterAll(() => rest.close())

const SECTIONS = [
  'indices',
  'os',
  'process',
  'jvm',
  'thread_pool',
  'fs',
  'transport',
  'http',
  'breakers',
  'script',
  'discovery',
  'ingest',
  'adaptive_selection',
  'script_cache',
  'indexing_pressure',
  'shard_indexing_pressure',
  'search_backpressure',
  'cluster_manager_throttling',
  'weighted_routing',
  'resource_usage_stats',
  'admission_control',
  'caches',
]
const HEAD = ['timestamp', 'name', 'transport_address', 'host', 'ip', 'roles', 'attributes']

/** The one node of an answer. */
// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
async function node(path: string): Promise<any> {
  const { status, json } = await rest.call(`GET /_nodes${path}`)
  expect([status, json._nodes]).toEqual([200, { total: 1, successful: 1, failed: 0 }])
  return Object.values(json.nodes)[0]
}

describe('_nodes/stats', () => {
  it('has every section, or those that are asked for', async () => {
    expect(Object.keys(await node('/stats'))).toEqual([...HEAD, ...SECTIONS])
    expect(Object.keys(await node('/stats/_all'))).toEqual([...HEAD, ...SECTIONS])
    expect(Object.keys(await node('/stats/breaker,os'))).toEqual([...HEAD, 'os', 'breakers'])
    expect(Object.keys(await node('/_local/stats/http'))).toEqual([...HEAD, 'http'])
  })

  it('shows the node that filters mean, and none for others', async () => {
    for (const filter of ['_all', 'data:true', 'rack:r1', '_cluster_manager'])
      expect((await node(`/${filter}/stats/os`)).attributes).toEqual({ rack: 'r1' })
    const { status, json } = await rest.call('GET /_nodes/nobody/stats')
    expect([status, json._nodes.total, json.nodes]).toEqual([200, 0, {}])
  })

  it('sums up what the indices have, by metric', async () => {
    const { indices } = await node('/stats/indices')
    expect(indices.docs).toEqual({ count: 2, deleted: 0 })
    expect(indices.completion.size_in_bytes).toBeGreaterThan(0)
    expect(indices.completion.fields).toBeUndefined()
    const some = (await node('/stats/indices/store,merge')).indices
    expect(Object.keys(some)).toEqual(['store', 'merges', 'status_counter'])
    expect((await node('/stats/_all/docs')).indices.docs.count).toBe(2)
  })

  it('tells completions and field data by field', async () => {
    const { indices } = await node('/stats/indices/completion?fields=c')
    expect(Object.keys(indices.completion.fields)).toEqual(['c'])
    const both = (await node('/stats/indices/completion?completion_fields=c,d')).indices.completion
    expect(both.size_in_bytes).toBe(both.fields.c.size_in_bytes + both.fields.d.size_in_bytes)
  })

  it('goes down to indices and shards', async () => {
    const { indices } = await node('/stats/indices/docs?level=indices')
    expect(indices.indices).toEqual({
      a: { docs: { count: 1, deleted: 0 } },
      b: { docs: { count: 1, deleted: 0 } },
    })
    const { shards } = (await node('/stats/indices/docs?level=shards')).indices
    expect(shards.a).toEqual([{ 0: { docs: { count: 1, deleted: 0 } } }])
    expect(Object.keys((await node('/stats/indices?level=node')).indices)).not.toContain('indices')
  })

  it('counts memory, threads and writes as they are', async () => {
    const stats = await node('/stats')
    const { memory } = stats.indexing_pressure
    expect(memory.current.all_in_bytes).toBe(0)
    expect(memory.total.coordinating_in_bytes).toBeGreaterThan(0)
    expect(memory.limit_in_bytes).toBeGreaterThan(memory.total.coordinating_in_bytes)
    expect(stats.breakers.parent).toMatchObject({ tripped: 0, overhead: 1 })
    expect(Object.keys(stats.breakers)).toContain('request')
    expect(stats.thread_pool.write.completed).toBeGreaterThanOrEqual(0)
    expect(stats.jvm.mem.heap_used_in_bytes).toBeLessThan(stats.jvm.mem.heap_max_in_bytes)
    expect(stats.fs.data[0]).toMatchObject({ path: expect.any(String), type: expect.any(String) })
    expect(stats.fs.total.total_in_bytes).toBeGreaterThan(0)
    expect(stats.http).toEqual({ current_open: 0, total_opened: 0 })
    const human = await node('/stats/breaker?human')
    expect(human.breakers.parent.limit_size).toMatch(/b$/)
  })

  it.each([
    [
      '/stats/oss',
      'request [/_nodes/stats/oss] contains unrecognized metric: [oss] -> did you mean [os]?',
    ],
    [
      '/stats/os,_all',
      'request [/_nodes/stats/os,_all] contains _all and individual metrics [os,_all]',
    ],
    [
      '/stats/os/docs',
      'request [/_nodes/stats/os/docs] contains index metrics [docs] but indices stats not requested',
    ],
    [
      '/stats/indices/complation',
      'request [/_nodes/stats/indices/complation] contains unrecognized index metric: [complation] -> did you mean [completion]?',
    ],
    [
      '/stats/caches/docs',
      'request [/_nodes/stats/caches/docs] contains unrecognized cache type: [docs]',
    ],
    [
      '/stats?level=cluster',
      'level parameter must be one of [indices] or [node] or [shards] but was [cluster]',
    ],
  ])('refuses %s', async (path, reason) => {
    const { status, json } = await rest.call(`GET /_nodes${path}`)
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'illegal_argument_exception',
      reason,
    ])
  })
})

it('tells the file system of a folder alone', async () => {
  const inMemory = await openRest()
  const { json } = await inMemory.call('GET /_nodes/stats/fs')
  const [only] = Object.values(json.nodes) as { fs: { data: unknown[] } }[]
  expect(only!.fs.data).toEqual([])
  await inMemory.close()
})
