import { arch, availableParallelism, platform, release } from 'node:os'
import type { NodeInfo } from '../../../engine/api/cluster.ts'
import { nodeSettings } from '../../../schema/setting-registry.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { addressOf, attributesOf, isNodeMeant, NODE_ROLES } from '../../node-view.ts'
import { flag, list, millis, unrecognized } from '../../params.ts'
import { VERSION_INFO } from '../../version.ts'

const METRICS = [
  'settings',
  'os',
  'process',
  'jvm',
  'thread_pool',
  'transport',
  'http',
  'plugins',
  'ingest',
  'aggregations',
  'search_pipelines',
  'indices',
]

/** `GET /_nodes[/{node_id}][/{metric}]`: the one node there is. */
export const nodes: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_nodes'],
    ['GET', '/_nodes/{node_id}'],
    ['GET', '/_nodes/{node_id}/{metric}'],
    ['GET', '/_nodes/{node_id}/info'],
    ['GET', '/_nodes/{node_id}/info/{metric}'],
  ],
  action: 'cluster:monitor/nodes/info',
  params: { flat_settings: flag, timeout: millis },
  body: 'none',
  handle({ engine, params, part, path, httpAddress }): Answer {
    const info = engine.cluster.nodeInfo()
    let filters = list(part('node_id'))
    let metrics = list(part('metric'))
    // One part alone may be metrics: `_nodes/http,os`.
    if (metrics.length === 0 && filters.length > 0 && filters.every(isMetric)) {
      metrics = filters
      filters = []
    }
    const unknown = metrics.filter(metric => !isMetric(metric))
    if (unknown.length > 0) throw unrecognized(path, 'metric', unknown, METRICS)
    const isShown = (name: string): boolean =>
      metrics.length === 0 || metrics.includes('_all') || metrics.includes(name)
    const shown = new Map<string, JsonValue>()
    if (isNodeMeant(filters, info)) {
      shown.set(info.nodeId, print(info, isShown, params.flat_settings ?? false, httpAddress))
    }
    return {
      json: {
        _nodes: { total: shown.size, successful: shown.size, failed: 0 },
        cluster_name: info.clusterName,
        nodes: shown,
      },
    }
  },
})

function isMetric(name: string): boolean {
  return name === '_all' || METRICS.includes(name)
}

function print(
  info: NodeInfo,
  isShown: (metric: string) => boolean,
  isFlat: boolean,
  httpAddress: string | null,
): JsonRecord {
  const { name, transportAddress, host } = addressOf(info, httpAddress)
  const sections: Record<string, JsonValue> = {
    settings: info.settings.toJson(isFlat),
    os: {
      name: platform(),
      version: release(),
      arch: arch(),
      available_processors: availableParallelism(),
      allocated_processors: availableParallelism(),
    },
    process: { refresh_interval_in_millis: 1000, id: process.pid, mlockall: false },
    // No Java here; clients that read a version from this section find the runtime's.
    jvm: { pid: process.pid, version: process.versions.node, vm_name: 'Node.js' },
    thread_pool: new Map(
      info.threadPools.map(({ name, size, queueSize }): [string, JsonValue] => [
        name,
        { type: 'fixed', size, queue_size: queueSize },
      ]),
    ),
    transport: { bound_address: [], publish_address: transportAddress, profiles: {} },
    http: {
      bound_address: httpAddress === null ? [] : [httpAddress],
      publish_address: httpAddress ?? '',
      max_content_length_in_bytes: nodeSettings.bytes(info.settings, 'http.max_content_length'),
    },
    plugins: [],
    ingest: { processors: [] },
    aggregations: {},
    search_pipelines: { request_processors: [], response_processors: [] },
  }
  const shown = Object.entries(sections).filter(([name]) => isShown(name))
  return {
    name,
    transport_address: transportAddress,
    host,
    ip: host,
    version: VERSION_INFO.number,
    build_type: VERSION_INFO.build_type,
    build_hash: VERSION_INFO.build_hash,
    total_indexing_buffer: info.totalIndexingBufferInBytes,
    roles: [...NODE_ROLES],
    attributes: attributesOf(info),
    ...Object.fromEntries(shown),
  }
}
