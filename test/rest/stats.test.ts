import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())
beforeEach(async () => {
  await rest.call('DELETE /*?expand_wildcards=all')
})

const ok = okOf(() => rest)

/** One section of the statistics of all indices. */
const section = async (metric: string, name = metric, params = '') =>
  (await ok(`GET /_stats/${metric}${params}`))._all.total[name]

describe('_stats', () => {
  it('counts index operations, deletions, failures and noops where they happen', async () => {
    await ok('PUT /i', { mappings: { properties: { n: { type: 'integer' } } } })
    const before = Date.now()
    await ok('PUT /i/_doc/1', { n: 1 })
    await ok('PUT /i/_doc/1', { n: 2 })
    await rest.call('PUT /i/_doc/2', { n: 'no number' })
    await ok('DELETE /i/_doc/1')
    await ok('PUT /i/_doc/3', { n: 3 })
    await ok('POST /i/_update/3', { doc: { n: 3 } })
    await ok('POST /_bulk', ndjson({ update: { _index: 'i', _id: '3' } }, { doc: { n: 3 } }))
    const indexing = await section('indexing')
    expect(indexing).toEqual({
      index_total: 3,
      index_time_in_millis: expect.any(Number),
      index_current: 0,
      index_failed: 1,
      delete_total: 1,
      delete_time_in_millis: expect.any(Number),
      delete_current: 0,
      noop_update_total: 2,
      is_throttled: false,
      throttle_time_in_millis: 0,
      doc_status: {},
      max_last_index_request_timestamp: expect.any(Number),
    })
    expect(indexing.max_last_index_request_timestamp).toBeGreaterThanOrEqual(before)
  })

  it('counts gets by whether they found, with the old name of their time', async () => {
    await ok('PUT /i/_doc/1', { n: 1 })
    await ok('GET /i/_doc/1')
    await rest.call('GET /i/_doc/2')
    await ok('POST /_mget', { docs: [{ _index: 'i', _id: '2' }] })
    const get = await section('get', 'get', '?human')
    expect(get).toMatchObject({ total: 3, exists_total: 1, missing_total: 2, current: 0 })
    expect(Object.keys(get).slice(0, 4)).toEqual(['total', 'getTime', 'time', 'time_in_millis'])
    expect(get.getTime).toBe(get.time)
    expect(await section('get')).not.toHaveProperty('getTime')
    // An update reads the document first.
    await ok('POST /i/_update/1', { doc: { n: 2 } })
    expect(await section('get')).toMatchObject({ total: 4, exists_total: 2 })
  })

  it('counts query and fetch phases by shard, sliced ones and those of groups', async () => {
    await ok('PUT /i', { settings: { number_of_shards: 2, number_of_replicas: 0 } })
    await ok('PUT /i/_doc/1?refresh', { t: 'a' })
    await ok('POST /i/_search', { query: { match: { t: 'a' } }, stats: ['bar', 'baz'] })
    await ok('POST /i/_search', { size: 0, stats: ['bar'] })
    await ok('POST /i/_count')
    const search = await section('search')
    expect(search).toMatchObject({
      open_contexts: 0,
      query_total: 6,
      query_current: 0,
      query_failed: 0,
      concurrent_query_total: 6,
      concurrent_query_current: 0,
      fetch_total: 1,
      fetch_current: 0,
      scroll_total: 0,
      point_in_time_total: 0,
      suggest_total: 0,
      startree_query_total: 0,
      search_idle_reactivate_count_total: 0,
    })
    expect(search.concurrent_avg_slice_count).toBeGreaterThan(0)
    expect(search).not.toHaveProperty('groups')
    const { groups } = await section('search', 'search', '?groups=ba*')
    expect(groups).toMatchObject({
      bar: { query_total: 4, fetch_total: 1, query_current: 0, fetch_current: 0 },
      baz: { query_total: 2, fetch_total: 1 },
    })
    expect(Object.keys((await section('search', 'search', '?groups=*z,no')).groups)).toEqual([
      'baz',
    ])
    expect(await section('search', 'search', '?groups=no')).not.toHaveProperty('groups')
  })

  it('counts a query phase that failed', async () => {
    await ok('PUT /i', { settings: { number_of_replicas: 0 } })
    await ok('PUT /i/_doc/1?refresh', { t: 'a b' })
    // The breaker refuses the queue of hits in the query phase.
    await ok('PUT /_cluster/settings', {
      transient: { 'indices.breaker.request.limit': '1b' },
    })
    try {
      expect((await rest.call('POST /i/_search')).status).toBe(429)
    } finally {
      await ok('PUT /_cluster/settings', { transient: { 'indices.breaker.request.limit': null } })
    }
    expect(await section('search')).toMatchObject({ query_total: 1, query_failed: 1 })
  })

  it('shows the log until a commit takes its operations', async () => {
    await ok('PUT /i', { settings: { number_of_replicas: 0 } })
    await ok('POST /i/_flush?force=true')
    const empty = await section('translog')
    await ok('PUT /i/_doc/1', { n: 1 })
    const translog = await section('translog')
    expect(translog).toMatchObject({ operations: 1, uncommitted_operations: 1 })
    expect(translog.size_in_bytes).toBeGreaterThan(empty.size_in_bytes)
    expect(translog.uncommitted_size_in_bytes).toBe(translog.size_in_bytes)
    expect(translog.earliest_last_modified_age).toBeGreaterThanOrEqual(0)
    expect(translog.remote_store.upload.total_uploads).toEqual({
      started: 0,
      failed: 0,
      succeeded: 0,
    })
    await ok('POST /i/_flush')
    expect(await section('translog')).toMatchObject({
      operations: 0,
      uncommitted_operations: 0,
      size_in_bytes: empty.size_in_bytes,
    })
    expect(await section('flush')).toMatchObject({ total: 2, periodic: 0 })
  })

  it('counts segments as soon as a flush has sealed them, and their memory', async () => {
    await ok('PUT /i', { settings: { number_of_replicas: 0, refresh_interval: '-1' } })
    await ok('PUT /i/_doc/1', { t: 'some words' })
    const buffered = await section('segments')
    expect(buffered.count).toBe(0)
    expect(buffered.index_writer_memory_in_bytes).toBeGreaterThan(0)
    expect(buffered.version_map_memory_in_bytes).toBeGreaterThan(0)
    expect((await section('docs')).count).toBe(0)
    await ok('POST /i/_flush')
    expect(await section('docs')).toEqual({ count: 1, deleted: 0 })
    const sealed = await section('segments', 'segments', '?human')
    expect(sealed).toMatchObject({ count: 1, version_map_memory_in_bytes: 0, file_sizes: {} })
    expect(sealed.terms_memory_in_bytes).toBeGreaterThan(0)
    expect(sealed.fixed_bit_set).toBe('0b')
    const { file_sizes: files } = await section(
      'segments',
      'segments',
      '?include_segment_file_sizes',
    )
    expect(Object.keys(files)).toEqual(['seg', 'sto'])
    expect(files.sto).toEqual({ size_in_bytes: expect.any(Number), description: 'Stored Fields' })
    const store = await section('store')
    expect(files.seg.size_in_bytes + files.sto.size_in_bytes).toBe(store.size_in_bytes)
  })

  it('counts merges with the documents and bytes of their sources', async () => {
    await ok('PUT /i', { settings: { number_of_replicas: 0 } })
    await ok('PUT /i/_doc/1?refresh', { t: 'a' })
    await ok('PUT /i/_doc/2?refresh', { t: 'b' })
    await ok('POST /i/_forcemerge?max_num_segments=1')
    const merges = await section('merge', 'merges')
    expect(merges).toMatchObject({
      current: 0,
      current_docs: 0,
      current_size_in_bytes: 0,
      total: 1,
      total_docs: 2,
      total_stopped_time_in_millis: 0,
      total_throttled_time_in_millis: 0,
      total_auto_throttle_in_bytes: 0,
      unreferenced_file_cleanups_performed: 0,
    })
    expect(merges.total_size_in_bytes).toBeGreaterThan(0)
    const refresh = await section('refresh')
    expect(refresh.external_total).toBe(refresh.total)
    expect(refresh.listeners).toBe(0)
  })

  it('shows the bytes of completion fields one by one where they are asked for', async () => {
    const completion = { type: 'completion' }
    await ok('PUT /i', {
      mappings: { properties: { a: completion, b: completion, t: { type: 'text' } } },
    })
    await ok('PUT /i/_doc/1?refresh', { a: 'x', b: ['y', 'yy'], t: 'x' })
    const plain = await section('completion')
    expect(plain).not.toHaveProperty('fields')
    const { fields, size_in_bytes } = await section('completion', 'completion', '?fields=*')
    expect(Object.keys(fields)).toEqual(['a', 'b'])
    expect(fields.a.size_in_bytes + fields.b.size_in_bytes).toBe(size_in_bytes)
    expect(size_in_bytes).toBe(plain.size_in_bytes)
    const chosen = await section('completion', 'completion', '?fields=*&completion_fields=b*')
    expect(Object.keys(chosen.fields)).toEqual(['b'])
    expect(await section('completion', 'completion', '?fields=t')).not.toHaveProperty('fields')
    expect(await section('fielddata', 'fielddata', '?fielddata_fields=*')).toEqual({
      memory_size_in_bytes: 0,
      evictions: 0,
    })
  })

  it('shows closed indices as their commits have them', async () => {
    await ok('PUT /i', { settings: { number_of_replicas: 1 } })
    await ok('PUT /i/_doc/1?refresh', { t: 'a' })
    await ok('PUT /i/_doc/2?refresh', { t: 'b' })
    await ok('DELETE /i/_doc/2?refresh')
    await ok('POST /i/_close')
    const { status, json } = await rest.call('GET /i/_stats')
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'index_closed_exception',
      'closed',
    ])
    const line = 'GET /i/_stats?forbid_closed_indices=false&expand_wildcards=all'
    const shut = await ok(line)
    expect(shut._shards).toEqual({ total: 2, successful: 1, failed: 0 })
    const { primaries } = shut.indices.i
    expect(primaries.docs.count).toBe(1)
    expect(primaries.store.size_in_bytes).toBeGreaterThan(0)
    expect(primaries.translog).toMatchObject({ operations: 0, uncommitted_operations: 0 })
    expect(primaries.segments.count).toBe(0)
    const unloaded = await ok(`${line}&include_unloaded_segments`)
    expect(unloaded.indices.i.primaries.segments.count).toBe(1)
    await ok('POST /i/_open')
    expect((await ok('GET /i/_stats')).indices.i.primaries.docs.count).toBe(1)
  })

  it('is by index, by shard, or for all together', async () => {
    await ok('PUT /i', { settings: { number_of_shards: 2, number_of_replicas: 1 } })
    const whole = await ok('GET /_stats?level=cluster')
    expect(Object.keys(whole)).toEqual(['_shards', '_all'])
    expect(whole._shards).toEqual({ total: 4, successful: 2, failed: 0 })
    const [shard] = (await ok('GET /_stats/docs?level=shards')).indices.i.shards['1']
    expect(Object.keys(shard)).toEqual([
      'routing',
      'docs',
      'commit',
      'seq_no',
      'retention_leases',
      'shard_path',
    ])
    expect((await rest.call('GET /_stats?level=odd')).status).toBe(400)
  })

  it('prints its metrics in the order of the real server', async () => {
    await ok('PUT /i')
    expect(Object.keys((await ok('GET /_stats/_all'))._all.primaries)).toEqual([
      'docs',
      'store',
      'indexing',
      'get',
      'search',
      'merges',
      'refresh',
      'flush',
      'warmer',
      'query_cache',
      'fielddata',
      'completion',
      'segments',
      'translog',
      'request_cache',
      'recovery',
    ])
    expect(Object.keys((await ok('GET /_stats/get,docs'))._all.primaries)).toEqual(['docs', 'get'])
  })

  it.each([
    ['GET /_stats/fieldata', 'metric: [fieldata] -> did you mean [fielddata]?'],
    ['GET /_stats/docs,merg', 'metric: [merg] -> did you mean [merge]?'],
    ['GET /_stats?feilds=a', 'parameter: [feilds] -> did you mean [fields]?'],
  ])('refuses %s', async (line, complaint) => {
    const { status, json } = await rest.call(line)
    const path = line.replace('GET ', '').replace(/\?.*/, '')
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'illegal_argument_exception',
      `request [${path}] contains unrecognized ${complaint}`,
    ])
  })
})
