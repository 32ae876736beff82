import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /near', {
    settings: {
      number_of_shards: 2,
      'index.knn': true,
      'index.knn.advanced.approximate_threshold': 0,
      'index.refresh_interval': '-1',
    },
    mappings: {
      properties: { v: { type: 'knn_vector', dimension: 4 }, n: { type: 'integer' } },
    },
  })
  await ok('PUT /plain', {
    settings: { number_of_shards: 1 },
    mappings: { properties: { v: { type: 'knn_vector', dimension: 4 } } },
  })
  const lines = Array.from({ length: 200 }, (_, n) => [
    { index: { _id: `${n}` } },
    { n, v: [n, n % 7, n % 3, 1] },
  ]).flat()
  await ok('POST /near/_bulk?refresh', ndjson(...lines))
  await ok('POST /plain/_doc/1?refresh', { v: [1, 2, 3, 4] })
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const refusal = async (line: string, body?: object) => {
  const { status, json } = await rest.call(line, body)
  return `${status} ${json.error.type}: ${json.error.reason}`
}
const nodeStats = async (names = '') => {
  const { nodes } = await ok(`GET /_plugins/_knn/stats${names}`)
  const [only] = Object.values(nodes) as Record<string, unknown>[]
  return only!
}
const TWO = { total: 4, successful: 2, failed: 0 }
const knn = (asked: object) => ({ query: { knn: { v: { vector: [1, 2, 0, 1], ...asked } } } })

describe('warming and clearing of vectors', () => {
  it('loads the vectors of all segments, which the next search finds in memory, and drops them', async () => {
    await ok('POST /_plugins/_knn/clear_cache/near')
    const before = await nodeStats()
    expect([before['indices_in_cache'], before['graph_memory_usage']]).toEqual([{}, 0])
    expect(await ok('GET /_plugins/_knn/warmup/near')).toEqual({ _shards: TWO })
    const warm = await nodeStats()
    const own = (warm['indices_in_cache'] as Record<string, Record<string, number>>)['near']!
    expect(own['graph_count']).toBe(2)
    expect(own['graph_memory_usage']).toBeGreaterThan(3)
    expect(own['graph_memory_usage']).toBe(warm['graph_memory_usage'])
    expect(own['graph_memory_usage_percentage']).toBeGreaterThan(0)
    const count = (stats: Record<string, unknown>, name: string): number => stats[name] as number
    for (const name of ['miss_count', 'load_success_count'])
      expect(count(warm, name) - count(before, name), name).toBe(2)
    expect(count(warm, 'total_load_time')).toBeGreaterThan(count(before, 'total_load_time'))
    await ok('GET /_plugins/_knn/warmup/near')
    await ok('POST /near/_search', knn({ k: 3 }))
    const searched = await nodeStats()
    expect(count(searched, 'miss_count')).toBe(count(warm, 'miss_count'))
    expect(count(searched, 'hit_count')).toBeGreaterThan(count(warm, 'hit_count'))
    expect(await ok('POST /_plugins/_knn/clear_cache/ne*')).toEqual({ _shards: TWO })
    const cleared = await nodeStats()
    expect([cleared['indices_in_cache'], cleared['graph_memory_usage']]).toEqual([{}, 0])
    expect(cleared['eviction_count']).toBe(0)
    const { hits } = await ok('POST /near/_search', knn({ k: 1 }))
    expect(hits.total.value).toBe(2)
  })

  it('refuses indices without vectors for searches, and names that are none', async () => {
    const rejected = (what: string): string =>
      `400 k_n_n_invalid_indices_exception: ${what} request rejected. One or more indices have ` +
      `'index.knn' set to false.`
    expect(await refusal('GET /_plugins/_knn/warmup/near,plain')).toBe(rejected('Warm up'))
    expect(await refusal('POST /_plugins/_knn/clear_cache/plain')).toBe(rejected('ClearCache'))
    expect(await refusal('GET /_plugins/_knn/warmup/none')).toBe(
      '404 index_not_found_exception: no such index [none]',
    )
    expect(await ok('GET /_plugins/_knn/warmup/none*')).toEqual({
      _shards: { total: 0, successful: 0, failed: 0 },
    })
    expect((await rest.call('POST /_plugins/_knn/warmup/near')).status).toBeGreaterThan(399)
    expect(await refusal('GET /_plugins/_knn/warmup/near?expand_wildcards=all')).toMatch(
      /^400 illegal_argument_exception: request .* contains unrecognized parameter: \[expand_wildcards\]/,
    )
  })
})

describe('statistics of vectors', () => {
  it('count queries by what they ask for, once for each index', async () => {
    const names = [
      'knn_query_requests',
      'knn_query_with_filter_requests',
      'min_score_query_requests',
      'max_distance_query_with_filter_requests',
      'script_query_requests',
      'script_query_errors',
      'graph_query_requests',
    ]
    const counts = async (): Promise<number[]> => {
      const stats = await nodeStats(`/${names.join(',')}`)
      expect(Object.keys(stats).sort()).toEqual([...names].sort())
      return names.map(name => stats[name] as number)
    }
    const script = (params: object) => ({
      query: {
        script_score: {
          query: { match_all: {} },
          script: { lang: 'knn', source: 'knn_score', params },
        },
      },
    })
    const before = await counts()
    const filter = { range: { n: { lt: 50 } } }
    await ok('POST /near/_search', knn({ k: 3 }))
    await ok('POST /near/_search', knn({ k: 3, filter }))
    await ok('POST /near/_search', knn({ min_score: 0.5 }))
    await ok('POST /near/_search', knn({ max_distance: 9, filter }))
    const params = { field: 'v', space_type: 'l2', query_value: [1, 2, 3, 4] }
    await ok('POST /plain/_search', script(params))
    await refusal('POST /plain/_search', script({ ...params, space_type: 'far' }))
    const after = await counts()
    expect(after.map((count, i) => count - before[i]!)).toEqual([2, 1, 1, 1, 2, 1, 4])
  })

  it('print all that are known, those of the cluster beside the nodes', async () => {
    const all = await ok('GET /_plugins/_knn/stats')
    expect(Object.keys(all)).toEqual([
      '_nodes',
      'cluster_name',
      'circuit_breaker_triggered',
      'model_index_status',
      'nodes',
    ])
    expect([all._nodes, all.circuit_breaker_triggered, all.model_index_status]).toEqual([
      { total: 1, successful: 1, failed: 0 },
      false,
      null,
    ])
    const [id] = Object.keys(all.nodes)
    const node = all.nodes[id!]
    expect(node.script_compilations).toBe(1)
    expect([node.faiss_initialized, node.training_requests]).toEqual([false, 0])
    expect(node.graph_stats.refresh).toEqual({ total: 0, total_time_in_millis: 0 })
    expect(Object.keys(node.remote_vector_index_build_stats)).toEqual([
      'build_stats',
      'client_stats',
      'repository_stats',
    ])
    const text = (await rest.call('GET /_plugins/_knn/stats')).text
    expect(text).toContain('"training_memory_usage_percentage":0.0')
    const some = await ok(`GET /_plugins/_knn/${id}/stats/circuit_breaker_triggered,miss_count`)
    expect(some).toEqual({
      _nodes: { total: 1, successful: 1, failed: 0 },
      cluster_name: all.cluster_name,
      circuit_breaker_triggered: false,
      nodes: { [id!]: { miss_count: expect.any(Number) } },
    })
    expect((await ok('GET /_plugins/_knn/_local/stats/_all')).nodes[id!].graph_index_errors).toBe(0)
    expect(await ok('GET /_plugins/_knn/other/stats/merge')).toEqual({
      _nodes: { total: 0, successful: 0, failed: 0 },
      cluster_name: all.cluster_name,
      nodes: {},
    })
  })

  it('refuse names that are none', async () => {
    expect(await refusal('GET /_plugins/_knn/stats/hit_cuont')).toBe(
      '400 illegal_argument_exception: request [/_plugins/_knn/stats/hit_cuont] contains ' +
        'unrecognized stat: [hit_cuont] -> did you mean [hit_count]?',
    )
    expect(await refusal('GET /_plugins/_knn/stats/_all,hit_count')).toBe(
      '400 illegal_argument_exception: Request /_plugins/_knn/stats/_all,hit_count contains ' +
        '_all and individual stats',
    )
  })
})

it('counts vectors that make room for others, until there is room again', async () => {
  const small = await openRest({ 'memory.limit': '3mb' })
  try {
    const call = okOf(() => small)
    const v = Array.from({ length: 1000 }, (_, i) => i % 10)
    for (const index of ['a', 'b']) {
      await call(`PUT /${index}`, {
        settings: { 'index.knn': true, number_of_shards: 1 },
        mappings: { properties: { v: { type: 'knn_vector', dimension: v.length } } },
      })
      const lines = Array.from({ length: 100 }, () => [{ index: {} }, { v }]).flat()
      for (let i = 0; i < 5; i++) await call(`POST /${index}/_bulk`, ndjson(...lines))
      await call(`POST /${index}/_forcemerge?max_num_segments=1`)
      await call(`GET /_plugins/_knn/warmup/${index}`)
    }
    const shown = async (): Promise<unknown[]> => {
      const { circuit_breaker_triggered, nodes } = await call('GET /_plugins/_knn/stats')
      const [node] = Object.values(nodes) as Record<string, object>[]
      const { eviction_count, cache_capacity_reached, indices_in_cache } = node!
      return [
        Object.keys(indices_in_cache!),
        eviction_count,
        cache_capacity_reached,
        circuit_breaker_triggered,
      ]
    }
    expect(await shown()).toEqual([['b'], 1, true, true])
    await call('POST /_plugins/_knn/clear_cache/a,b')
    expect(await shown()).toEqual([[], 1, false, false])
  } finally {
    await small.close()
  }
})

it('refuses settings from before methods, as they are gone', async () => {
  for (const name of ['space_type', 'algo_param.m', 'algo_param.ef_construction'])
    expect(await refusal('PUT /old', { settings: { [`index.knn.${name}`]: 'l2' } })).toMatch(
      `unknown setting [index.knn.${name}]`,
    )
})
