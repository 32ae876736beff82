import { availableParallelism, platform, version } from 'node:os'
import type { NodeInfo, NodeUse } from '../../../engine/api/cluster.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { NODE_ROLES } from '../../node-view.ts'
import { cpuPercent, heapUse, memoryUse } from '../../process-use.ts'
import { VERSION_INFO } from '../../version.ts'

/** All roles that nodes may have, in order of name. */
const ROLES = [
  'cluster_manager',
  'coordinating_only',
  'data',
  'ingest',
  'master',
  'remote_cluster_client',
  'search',
  'warm',
]

/** `nodes` of `_cluster/stats`: the one node there is. */
export function clusterNodeSections(
  { threadPools }: NodeInfo,
  { disk, openFileCount }: NodeUse,
): JsonRecord {
  const { used, max } = heapUse()
  const processors = availableParallelism()
  return {
    count: { total: 1, ...Object.fromEntries(ROLES.map(role => [role, hasRole(role) ? 1 : 0])) },
    versions: [VERSION_INFO.number],
    os: {
      available_processors: processors,
      allocated_processors: processors,
      names: [{ name: platform(), count: 1 }],
      pretty_names: [{ pretty_name: version(), count: 1 }],
      mem: memoryUse(),
    },
    process: {
      cpu: { percent: cpuPercent() },
      open_file_descriptors: { min: openFileCount, max: openFileCount, avg: openFileCount },
    },
    jvm: {
      max_uptime_in_millis: Math.round(process.uptime() * 1000),
      versions: [
        {
          version: process.versions.node,
          vm_name: 'Node.js',
          vm_version: process.versions.v8,
          vm_vendor: 'Node.js',
          bundled_jdk: false,
          using_bundled_jdk: null,
          count: 1,
        },
      ],
      mem: { heap_used_in_bytes: used, heap_max_in_bytes: max },
      // The coordinating one, and those that it has started.
      threads: threadPools.reduce((sum, { use }) => sum + use.threads, 1),
    },
    fs:
      disk === null
        ? {}
        : {
            total_in_bytes: disk.totalInBytes,
            free_in_bytes: disk.freeInBytes,
            available_in_bytes: disk.availableInBytes,
          },
    plugins: [],
    network_types: { transport_types: {}, http_types: { node: 1 } },
    discovery_types: { 'single-node': 1 },
    packaging_types: [{ type: VERSION_INFO.build_type, count: 1 }],
    ingest: { number_of_pipelines: 0, processor_stats: {} },
  }
}

function hasRole(role: string): boolean {
  return NODE_ROLES.includes(role) || role === 'master'
}
