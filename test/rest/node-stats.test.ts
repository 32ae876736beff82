import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GROUPS_WITHOUT_SOURCE } from '../../src/rest/endpoint/node/no-source.ts'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'
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
  'search_pipeline',
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
  'repositories',
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

  it('tells field data by field, where there is some', async () => {
    for (const query of ['fielddata_fields=*', 'fields=t', 'fielddata_fields=zz']) {
      const { fielddata } = (await node(`/stats/indices/fielddata?${query}`)).indices
      expect(fielddata).toEqual({ memory_size_in_bytes: 0, evictions: 0 })
    }
    await rest.call('PUT /f', {
      mappings: { properties: { t: { type: 'text', fielddata: true } } },
    })
    await rest.call('PUT /f/_doc/1?refresh', { t: 'one two' })
    await rest.call('POST /f/_search', { aggs: { t: { terms: { field: 't' } } } })
    const some = (await node('/stats/indices/fielddata?fielddata_fields=t')).indices.fielddata
    expect(some.fields.t.memory_size_in_bytes).toBe(some.memory_size_in_bytes)
    await rest.call('DELETE /f')
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
    expect(stats.http).toEqual({ current_open: 0, total_opened: 0, total_rejected: 0 })
    const human = await node('/stats/breaker?human')
    expect(human.breakers.parent.limit_size).toMatch(/b$/)
  })

  it('tells of the machine and the process', async () => {
    const { os, process: own, jvm, fs } = await node('/stats/os,process,jvm,fs')
    expect(Object.keys(os)).toEqual(['timestamp', 'cpu', 'mem', 'swap', 'cgroup'])
    for (const { percent } of [os.cpu, own.cpu]) expect(percent >= 0 && percent <= 100).toBe(true)
    expect(own.cpu.total_in_millis).toBeGreaterThan(0)
    expect(own.mem.resident_in_bytes).toBeGreaterThan(2 ** 20)
    if (process.platform === 'linux') {
      expect(os.swap.used_in_bytes).toBe(os.swap.total_in_bytes - os.swap.free_in_bytes)
      expect(own.mem.total_virtual_in_bytes).toBeGreaterThan(own.mem.resident_in_bytes)
      expect(fs.data[0].mount).toMatch(/^\//)
    }
    expect(jvm.mem.pools).toEqual({})
    expect(jvm.classes).toEqual({})
    const { count, used_in_bytes: used, total_capacity_in_bytes: all } = jvm.buffer_pools.direct
    expect([count > 0, used > 0, used < all]).toEqual([true, true, true])
    expect(Object.keys(jvm.gc.collectors)).toEqual(['young', 'old'])
    expect(Object.keys(jvm.gc.collectors.young)).toEqual([
      'collection_count',
      'collection_time_in_millis',
    ])
    expect(jvm.threads.peak_count).toBeGreaterThanOrEqual(jvm.threads.count)
  })

  it('counts reads and writes of the disk since the start, where it is listed', async () => {
    const { io_stats: io } = (await node('/stats/fs')).fs
    if (Object.keys(io).length === 0) return
    const { device_name: name, ...counts } = io.devices[0]
    expect(name).toEqual(expect.any(String))
    expect(io.total).toEqual(counts)
    expect(counts.operations).toBe(counts.read_operations + counts.write_operations)
  })

  it('counts searches by their phases, and how fast shards answered', async () => {
    const before = await node('/stats')
    await rest.call('PUT /n/_doc/1?refresh', { k: 'x' })
    await rest.call('POST /a/_search?search_type=dfs_query_then_fetch', {
      query: { match: { t: 'one' } },
    })
    const collapse = { field: 'k.keyword', inner_hits: { name: 'i' } }
    expect((await rest.call('POST /n/_search', { collapse })).status).toBe(200)
    const after = await node('/stats')
    const grown = Object.fromEntries(
      Object.entries<{ total: number }>(after.indices.search.request).map(([phase, { total }]) => [
        phase,
        total - before.indices.search.request[phase].total,
      ]),
    )
    expect(grown).toEqual({
      took: 2,
      dfs_pre_query: 1,
      query: 3,
      fetch: 3,
      dfs_query: 0,
      expand: 1,
      can_match: 0,
    })
    expect(after.indices.search.request.took).toEqual({
      time_in_millis: expect.any(Number),
      current: 0,
      total: expect.any(Number),
    })
    const [selection] = Object.values<Record<string, unknown>>(after.adaptive_selection)
    expect(Object.entries(selection!)).toEqual([
      ['outgoing_searches', 0],
      ['avg_queue_size', expect.any(Number)],
      ['avg_service_time_ns', expect.any(Number)],
      ['avg_response_time_ns', expect.any(Number)],
      ['rank', expect.stringMatching(/^-?\d+\.\d$/)],
    ])
    expect(after.search_backpressure.search_task.completion_count).toBe(
      after.indices.search.request.took.total,
    )
    expect(after.search_backpressure.mode).toBe('disabled')
    await rest.call('DELETE /n')
  })

  it('counts writes and searches by the status of their answers', async () => {
    const counts = async () => (await node('/stats/indices/docs')).indices.status_counter
    const before = await counts()
    await rest.call('PUT /s/_doc/1', { n: 1 })
    await rest.call('PUT /s/_create/1', { n: 1 })
    await rest.call('POST /s/_update/1', { doc: { n: 2 } })
    await rest.call('POST /s/_update/none', { doc: { n: 2 } })
    await rest.call('DELETE /s/_doc/none')
    await rest.call(
      'POST /s/_bulk?refresh',
      ndjson(
        { index: { _id: '2' } },
        { n: 'x' },
        { index: {} },
        { n: 3 },
        { delete: { _id: '2' } },
      ),
    )
    await rest.call('POST /s/_search', { query: { match_all: {} } })
    await rest.call('POST /absent/_search', { query: { match_all: {} } })
    await rest.call(
      'POST /_msearch',
      ndjson({ index: 's' }, { query: { match_all: {} } }, { index: 'absent' }, { size: 0 }),
    )
    const after = await counts()
    const grown = (of: string) =>
      Object.entries<number>(after[of]).map(([kind, count]) => [kind, count - before[of][kind]])
    expect(grown('doc_status')).toEqual([
      ['success', 3],
      ['user_error', 5],
      ['system_failure', 0],
    ])
    expect(grown('search_response_status')).toEqual([
      ['success', 2],
      ['user_error', 2],
      ['system_failure', 0],
    ])
    await rest.call('DELETE /s')
  })

  it('prints what nothing holds off as it is', async () => {
    const stats = await node('/stats')
    const { overall } = stats.discovery.cluster_state_stats
    expect(overall.update_count).toBeGreaterThan(overall.failed_count)
    expect(stats.shard_indexing_pressure).toMatchObject({ enabled: false, enforced: false })
    const none = { transport: { rejection_count: { search: 0, indexing: 0 } } }
    expect(stats.admission_control).toEqual({ global_cpu_usage: none, global_io_usage: none })
    const [use] = Object.values<Record<string, unknown>>(stats.resource_usage_stats)
    expect(use).toMatchObject({
      cpu_utilization_percent: expect.stringMatching(/^\d+\.\d$/),
      memory_utilization_percent: expect.stringMatching(/^\d+\.\d$/),
    })
    expect(stats.repositories).toEqual([])
    expect(stats.breakers.parent.limit_size).toMatch(/b$/)
    expect(stats.breakers.parent.estimated_size).toMatch(/b$/)
    const { index_searcher: slices, search, pipeline } = stats.thread_pool
    expect(slices).toEqual(search)
    expect(pipeline).toMatchObject({ threads: 0, largest: 0 })
  })

  it('has nothing in groups without a source', async () => {
    const stats = await node('/stats')
    for (const group of Object.keys(GROUPS_WITHOUT_SOURCE)) {
      let at = stats
      for (const key of group.split('.')) at = at[key]
      expect([group, at]).toEqual([group, {}])
    }
  })

  it('goes down to indices and shards in caches', async () => {
    await rest.call('POST /a/_search?size=0&request_cache=true', { query: { match: { t: 'one' } } })
    const cached = async (level: string) =>
      (await node(`/stats/caches/request_cache?level=${level}`)).caches.request_cache
    const total = await cached('node')
    expect(Object.keys(total)).toEqual([
      'size_in_bytes',
      'evictions',
      'hit_count',
      'miss_count',
      'item_count',
      'store_name',
    ])
    expect(await cached('tier')).toEqual(total)
    const { store_name: _, ...use } = total
    const { indices } = await cached('indices')
    expect(Object.keys(indices)).toEqual(['a', 'b'])
    expect(indices.a).toEqual({ ...use, miss_count: indices.a.miss_count })
    expect((await cached('shard')).shards['[a][0]']).toEqual(indices.a)
    expect(Object.keys((await cached('shards')).shards)).toEqual(['[a][0]', '[b][0]'])
  })

  it('shows sizes of files and groups of searches where asked', async () => {
    await rest.call('POST /a/_search', { stats: ['g1', 'h'] })
    const { search, segments } = (
      await node('/stats/indices/search,segments?groups=g*&include_segment_file_sizes')
    ).indices
    expect(Object.keys(search.groups)).toEqual(['g1'])
    expect(Object.keys(segments.file_sizes).length).toBeGreaterThan(0)
    const plain = (await node('/stats/indices/segments?timeout=30s')).indices
    expect(plain.segments.file_sizes).toEqual({})
  })

  it.each([
    [
      '/stats/oss',
      'request [/_nodes/stats/oss] contains unrecognized metric: [oss] -> did you mean [os]?',
    ],
    ['/stats/zz,aa', 'request [/_nodes/stats/zz,aa] contains unrecognized metrics: [aa], [zz]'],
    [
      '/_local/stats/os,_all',
      'request [/_nodes/_local/stats/os,_all] contains _all and individual metrics [os,_all]',
    ],
    [
      '/stats/_all/docz',
      'request [/_nodes/stats/_all/docz] contains unrecognized index metric: [docz] -> did you mean [docs]?',
    ],
    [
      '/stats/os?timeout=1',
      'failed to parse setting [timeout] with value [1] as a time value: unit is missing or unrecognized',
    ],
    [
      '/stats/os?include_segment_file_sizes=yes',
      'Failed to parse value [yes] as only [true] or [false] are allowed.',
    ],
    ['/stats/os?types=a', 'request [/_nodes/stats/os] contains unrecognized parameter: [types]'],
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
