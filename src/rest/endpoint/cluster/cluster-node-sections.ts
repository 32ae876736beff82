import { availableParallelism, platform, version } from 'node:os'
import type { NodeInfo, NodeUse } from '../../../engine/api/cluster.ts'
import type { MachineUse } from '../../../engine/api/machine.ts'
import type { IngestStats } from '../../../engine/api/pipelines.ts'
import type { JsonMap, JsonRecord } from '../../../util/json/json-value.ts'
import { NODE_ROLES } from '../../node-view.ts'
import { heapUse, memoryUse } from '../../process-use.ts'
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
  ingest: IngestStats,
  { processCpuPercent }: MachineUse,
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
      cpu: { percent: Math.round(processCpuPercent) },
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
      threads: threadPools
        .filter(({ threadsOf }) => threadsOf === undefined)
        .reduce((sum, { use }) => sum + use.threads, 1),
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
    ingest: {
      number_of_pipelines: ingest.pipelines.length,
      processor_stats: processorStats(ingest),
    },
  }
}

/** Counts of all processors of a type together. */
function processorStats({ pipelines }: IngestStats): JsonMap {
  const sums = new Map<string, [count: number, failed: number, current: number, millis: number]>()
  for (const { type, count, failed, current, timeInMillis } of pipelines.flatMap(
    ({ processors }) => processors,
  )) {
    const sum = sums.get(type) ?? [0, 0, 0, 0]
    sums.set(type, [sum[0] + count, sum[1] + failed, sum[2] + current, sum[3] + timeInMillis])
  }
  return new Map(
    [...sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, [count, failed, current, time_in_millis]]) => [
        type,
        { count, failed, current, time_in_millis },
      ]),
  )
}

function hasRole(role: string): boolean {
  return NODE_ROLES.includes(role) || role === 'master'
}
