import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('cluster-stats')
let rest: Rest
beforeAll(async () => {
  rest = await openRest({ 'node.attr.rack': 'r1' }, folder)
  await rest.call('PUT /i', {
    settings: {
      number_of_shards: 2,
      number_of_replicas: 0,
      analysis: {
        analyzer: {
          mine: { type: 'custom', tokenizer: 'keyword', filter: ['lowercase', 'short'] },
        },
        filter: { short: { type: 'truncate', length: 3 } },
      },
    },
    mappings: {
      properties: {
        t: { type: 'text', analyzer: 'mine', fields: { raw: { type: 'keyword' } } },
        w: { type: 'text', analyzer: 'whitespace' },
        o: { properties: { n: { type: 'long' } } },
      },
    },
  })
  await rest.call('PUT /j', { mappings: { properties: { n: { type: 'long' } } } })
  await rest.call('PUT /i/_doc/1?refresh', { t: 'a' })
})
afterAll(() => rest.close())

const ok = okOf(() => rest)

const BYTES = expect.any(Number)

describe('_cluster/stats', () => {
  it('counts indices, shards, documents, field types and analysis', async () => {
    const stats = await ok('GET /_cluster/stats')
    expect(Object.keys(stats)).toEqual([
      '_nodes',
      'cluster_name',
      'cluster_uuid',
      'timestamp',
      'status',
      'indices',
      'nodes',
    ])
    expect(stats.status).toBe('yellow')
    const { indices } = stats
    expect(Object.keys(indices)).toEqual([
      'count',
      'shards',
      'docs',
      'store',
      'fielddata',
      'query_cache',
      'completion',
      'segments',
      'mappings',
      'analysis',
    ])
    expect(indices.count).toBe(2)
    expect(indices.shards).toEqual({
      total: 3,
      primaries: 3,
      replication: 0,
      index: {
        shards: { min: 1, max: 2, avg: 1.5 },
        primaries: { min: 1, max: 2, avg: 1.5 },
        replication: { min: 0, max: 0, avg: 0 },
      },
    })
    expect(indices.docs).toEqual({ count: 1, deleted: 0 })
    expect(indices.mappings.field_types).toEqual([
      { name: 'keyword', count: 1, index_count: 1 },
      { name: 'long', count: 2, index_count: 2 },
      { name: 'object', count: 1, index_count: 1 },
      { name: 'text', count: 2, index_count: 1 },
    ])
    const one = (name: string) => [{ name, count: 1, index_count: 1 }]
    expect(indices.analysis).toEqual({
      char_filter_types: [],
      tokenizer_types: [],
      filter_types: one('truncate'),
      analyzer_types: one('custom'),
      built_in_char_filters: [],
      built_in_tokenizers: one('keyword'),
      built_in_filters: one('lowercase'),
      built_in_analyzers: one('whitespace'),
    })
  })

  it('shows the node, its machine and its disk', async () => {
    const { nodes } = await ok('GET /_cluster/stats?human')
    expect(nodes.count).toEqual({
      total: 1,
      cluster_manager: 1,
      coordinating_only: 0,
      data: 1,
      ingest: 1,
      master: 1,
      remote_cluster_client: 1,
      search: 0,
      warm: 0,
    })
    expect(nodes.versions).toEqual(['3.6.0'])
    expect(nodes.os.mem).toMatchObject({ total_in_bytes: BYTES, used_percent: BYTES })
    expect(nodes.os.mem.total).toMatch(/^[\d.]+[mgt]b$/)
    expect(nodes.process.open_file_descriptors.min).toBeGreaterThan(0)
    expect(nodes.jvm.max_uptime).toMatch(/^[\d.]+(ms|s|m|h|d)$/)
    expect(nodes.fs).toMatchObject({
      total_in_bytes: BYTES,
      free_in_bytes: BYTES,
      available_in_bytes: BYTES,
    })
    expect(nodes.discovery_types).toEqual({ 'single-node': 1 })
    expect(nodes.packaging_types).toEqual([{ type: 'lamella', count: 1 }])
  })

  it('shows the metrics and the nodes that are asked for', async () => {
    const some = await ok('GET /_cluster/stats/indices,os/docs,shards/nodes/_local')
    expect(Object.keys(some.indices)).toEqual(['count', 'shards', 'docs'])
    expect(Object.keys(some.nodes)).toEqual(['count', 'versions', 'os'])
    expect(await ok('GET /_cluster/stats/nodes/data:false')).toMatchObject({
      _nodes: { total: 0, successful: 0, failed: 0 },
    })
    const { status, json } = await rest.call('GET /_cluster/stats/jwm/nodes/_all')
    expect([status, json.error.reason]).toEqual([
      400,
      'request [/_cluster/stats/jwm/nodes/_all] contains unrecognized metric: [jwm] -> did you mean [jvm]?',
    ])
  })
})

describe('_nodes', () => {
  it('shows roles, sizes and all sections', async () => {
    const [node] = Object.values<Record<string, never>>((await ok('GET /_nodes?human')).nodes)
    expect(node!['roles']).toEqual(['cluster_manager', 'data', 'ingest', 'remote_cluster_client'])
    expect(node!['total_indexing_buffer']).toMatch(/^\d+(\.\d+)?mb$/)
    expect(Object.keys(node!).slice(0, 11)).toEqual([
      'name',
      'transport_address',
      'host',
      'ip',
      'version',
      'build_type',
      'build_hash',
      'total_indexing_buffer',
      'total_indexing_buffer_in_bytes',
      'roles',
      'attributes',
    ])
    expect(Object.keys(node!).slice(11)).toEqual([
      'settings',
      'os',
      'process',
      'jvm',
      'thread_pool',
      'transport',
      'http',
      'plugins',
      'modules',
      'ingest',
      'aggregations',
      'search_pipelines',
    ])
    expect(node!['settings']).toMatchObject({
      client: { type: 'node' },
      cluster: { name: 'lamella' },
    })
    expect(node!['jvm']!['start_time']).toMatch(/^\d{4}-.*Z$/)
    expect(node!['thread_pool']!['write']).toMatchObject({ type: 'fixed', size: BYTES })
    expect(node!['thread_pool']!['generic']).toEqual({
      type: 'scaling',
      core: 4,
      max: 128,
      keep_alive: '30s',
      queue_size: -1,
    })
    const flat = await ok('GET /_nodes/settings?flat_settings')
    const [{ settings }] = Object.values<{ settings: object }>(flat.nodes) as [{ settings: object }]
    expect(settings).toMatchObject({ 'client.type': 'node', 'node.attr.rack': 'r1' })
  })

  it('shows modules beside plugins, and takes no metric of that name', async () => {
    const [node] = Object.values<object>((await ok('GET /_nodes/plugins')).nodes)
    expect(node).toMatchObject({ plugins: [], modules: [] })
    expect((await rest.call('GET /_nodes/_all/modules')).status).toBe(400)
  })

  it.each([
    ['_all', 1],
    ['_local', 1],
    ['_master', 1],
    ['_cluster_manager', 1],
    ['lam*-0', 1],
    ['127.0.0.1', 1],
    ['127.0.*', 1],
    ['rack:r1', 1],
    ['ra*:r*', 1],
    ['data:true', 1],
    ['ingest:true,data:false', 0],
    ['_all,cluster_manager:false', 0],
    ['master:false,_local', 1],
    ['coordinating_only:true', 0],
    ['_all,coordinating_only:false', 1],
    ['nobody', 0],
    ['rack:r2', 0],
  ])('takes the filter %s', async (filter, count) => {
    expect((await ok(`GET /_nodes/${filter}/http`))._nodes.total).toBe(count)
  })
})

describe('_cluster/health by awareness attributes', () => {
  const AWARENESS = 'cluster.routing.allocation.awareness.attributes'
  const LEVEL = 'GET /_cluster/health?level=awareness_attributes'
  const put = (value: string | null) =>
    rest.call('PUT /_cluster/settings', { transient: { [AWARENESS]: value } })

  it('shows the shards of each value of an attribute', async () => {
    expect((await ok(LEVEL)).awareness_attributes).toEqual({})
    await put('rack, zone')
    const rack = {
      r1: {
        active_shards: 3,
        initializing_shards: 0,
        relocating_shards: 0,
        unassigned_shards: -1,
        data_nodes: 1,
        weight: 1,
      },
    }
    const health = await ok(LEVEL)
    expect(health.awareness_attributes).toEqual({ rack, zone: {} })
    expect(health.status).toBe('yellow')
    expect((await ok(`${LEVEL}&awareness_attribute=rack`)).awareness_attributes).toEqual({ rack })
    await put(null)
    expect(await ok('GET /_cluster/health')).not.toHaveProperty('awareness_attributes')
  })

  it.each([
    [
      'GET /_cluster/health/i?level=awareness_attributes',
      'awareness_attribute is not a supported parameter with index health',
    ],
    [
      'GET /_cluster/health?awareness_attribute=rack',
      'level=awareness_attributes is required with awareness_attribute parameter',
    ],
    [
      'GET /_cluster/health?ensure_node_weighed_in',
      'not a local request to ensure local node commissioned or weighed in',
    ],
  ])('refuses %s', async (line, complaint) => {
    const { status, json } = await rest.call(line)
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'action_request_validation_exception',
      `Validation Failed: 1: ${complaint};`,
    ])
  })
})

it('include_defaults shows what the node was given, and the type of the store', async () => {
  const { defaults } = await ok('GET /_cluster/settings?include_defaults&flat_settings')
  expect(defaults['node.attr.rack']).toBe('r1')
  expect(defaults['cluster.routing.allocation.enable']).toBe('all')
  const { i } = await ok('GET /i/_settings?include_defaults&flat_settings')
  expect(i.defaults['index.store.type']).toBe('')
})
