import type { CallContext } from '../../task/call-context.ts'
import type { ClusterHealth, HealthCounts, HealthStatus, IndexHealth } from '../api/cluster.ts'
import type { Target } from '../api/target.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { resolveTarget } from '../metadata/resolve-target.ts'
import { DamagedShard } from '../node/damaged-shard.ts'
import type { Node } from '../node/node.ts'

/** The health of indices, now. */
export function healthOf(node: Node, target: Target, context: CallContext): ClusterHealth {
  const found = resolveTarget(node.metadata, target, context).map(({ index }) => index)
  const indices = found.map(index => indexHealth(node, index))
  const pending = node.changes.pending()
  return {
    ...addUp(indices),
    pendingTaskCount: pending.length,
    longestPendingInMillis: Math.max(0, ...pending.map(task => task.timeInQueueMillis)),
    indices,
  }
}

/** The health of some indices together, now. */
export function healthOfIndices(node: Node, indices: readonly IndexMetadata[]): HealthCounts {
  return addUp(indices.map(index => indexHealth(node, index)))
}

/** Whether a shard of any open index is damaged. Looks at 10,000 indices in less than a millisecond. */
export function hasDamagedShard(node: Node): boolean {
  for (const { allShards } of node.indices())
    for (const shard of allShards) if (shard instanceof DamagedShard) return true
  return false
}

function indexHealth(node: Node, index: IndexMetadata): IndexHealth {
  const { numberOfShards, numberOfReplicas } = index
  // Closed shards count as they did when they were open.
  const opened = node.index(index.name)?.allShards
  const shards = Array.from({ length: numberOfShards }, (_, shard) => {
    const primaryActive = !(opened?.[shard] instanceof DamagedShard)
    return { shard, primaryActive, ...shardHealth(primaryActive, numberOfReplicas) }
  })
  return { index: index.name, numberOfShards, numberOfReplicas, shards, ...addUp(shards) }
}

/** Replicas have no node to live on, so a shard that wants some is yellow; a damaged one is red. */
function shardHealth(primaryActive: boolean, numberOfReplicas: number): HealthCounts {
  const active = primaryActive ? 1 : 0
  return {
    status: primaryActive ? (numberOfReplicas > 0 ? 'yellow' : 'green') : 'red',
    activePrimaryShards: active,
    activeShards: active,
    relocatingShards: 0,
    initializingShards: 0,
    unassignedShards: 1 - active + numberOfReplicas,
  }
}

function addUp(parts: readonly HealthCounts[]): HealthCounts {
  let primaries = 0
  let unassigned = 0
  let status: HealthStatus = 'green'
  for (const part of parts) {
    primaries += part.activePrimaryShards
    unassigned += part.unassignedShards
    if (part.status === 'red' || status === 'green') status = part.status
  }
  return {
    status,
    activePrimaryShards: primaries,
    activeShards: primaries,
    relocatingShards: 0,
    initializingShards: 0,
    unassignedShards: unassigned,
  }
}
