/** Facts and counters of the node. */
import { nodeSettings } from '../../schema/setting-registry.ts'
import { fileSystemOf } from '../../store/disk-usage.ts'
import { openFiles } from '../../store/open-files.ts'
import type { NodeIdentity, NodeInfo, NodeUse } from '../api/cluster.ts'
import type { Node } from '../node/node.ts'
import { threadPoolsOf } from '../node/thread-pools.ts'

/** Documents that a buffer may take before it is sealed, over all write threads. */
const BUFFER_BYTES_PER_THREAD = 64 * 2 ** 20

/** Names and ids of the node. */
export function identityOf(node: Node): NodeIdentity {
  return {
    nodeId: node.metadata.node.nodeId,
    nodeName: nodeSettings.text(node.settings, 'node.name'),
    clusterName: nodeSettings.text(node.settings, 'cluster.name'),
    clusterUuid: node.metadata.node.clusterUuid,
  }
}

/** Facts of the node. */
export function nodeInfoOf(node: Node): NodeInfo {
  const searchQueue = nodeSettings.number(node.settings, 'thread_pool.search.queue_size') ?? 1000
  return {
    ...identityOf(node),
    settings: node.settings,
    ephemeralId: node.ephemeralId,
    folder: node.path,
    threadPools: threadPoolsOf(node, searchQueue),
    totalIndexingBufferInBytes: node.writeThreads * BUFFER_BYTES_PER_THREAD,
  }
}

/** Current use of the machine by the node. */
export function nodeUseOf(node: Node): NodeUse {
  const { count, limit } = openFiles()
  const { arenas } = node.memory
  const { limitInBytes, currentInBytes, totalInBytes, rejections } = node.indexingPressure
  return {
    disk: node.diskUsage(),
    fileSystem: node.path === null ? null : fileSystemOf(node.path),
    openFileCount: count,
    maxOpenFileCount: limit,
    breakers: node.breakers.views(),
    requestCache: node.requests.use(),
    scripts: node.scripts.counts().map(([context, counts]) => ({ context, ...counts })),
    indexingPressure: { limitInBytes, currentInBytes, totalInBytes, rejections },
    arenas: {
      count: arenas.arenas.length,
      usedInBytes: arenas.usedBytes,
      capacityInBytes: arenas.capacityBytes,
    },
    documentStatuses: node.documentStatuses.counts(),
    searchStatuses: node.searchStatuses.counts(),
    searchPhases: node.searchActivity.phases,
    selection: node.searchActivity.selection(),
    shardQueryCount: node.searchActivity.shardQueryCount,
    searches: node.tasks
      .running()
      .filter(({ action }) => action === 'indices:data/read/search')
      .map(task => ({
        elapsedInMillis: Math.floor(task.runningTimeInNanos / 1e6),
        cpuInMillis: Math.floor(task.resources.totalInNanos / 1e6),
      })),
    stateUpdates: node.changes.counts(),
  }
}
