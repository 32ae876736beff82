/** Where shards are: `routing_table` by index, `routing_nodes` by node. Replicas have no node to be on. */
import type { ClusterState, IndexState } from '../../../engine/api/cluster-state.ts'
import { DeferredJson, type JsonRecord, type JsonValue } from '../../../util/json/json-value.ts'

/** Everything below `routing_table`. */
export function printRoutingTable({ indices }: ClusterState, nodeId: string): JsonValue {
  const shardsOf = (index: IndexState): JsonValue => ({
    shards: new Map(
      index.shards.map((_, number) => [String(number), copies(index, number, nodeId)]),
    ),
  })
  return {
    indices: new Map(indices.map(index => [index.name, new DeferredJson(() => shardsOf(index))])),
  }
}

/** Everything below `routing_nodes`. */
export function printRoutingNodes({ indices }: ClusterState, nodeId: string): JsonValue {
  const shards = indices.flatMap(index =>
    index.shards.flatMap((_, number) => copies(index, number, nodeId)),
  )
  return {
    unassigned: shards.filter(({ state }) => state !== STARTED),
    nodes: new Map([[nodeId, shards.filter(({ state }) => state === STARTED)]]),
  }
}

const STARTED = 'STARTED'

/** The primary of a shard and its replicas. */
function copies(index: IndexState, number: number, nodeId: string): readonly JsonRecord[] {
  const { isActive, allocationId } = index.shards[number]!
  const copy = (isPrimary: boolean, isStarted: boolean): JsonRecord => ({
    state: isStarted ? STARTED : 'UNASSIGNED',
    primary: isPrimary,
    node: isStarted ? nodeId : null,
    relocating_node: null,
    shard: number,
    index: index.name,
    ...(isStarted ? { allocation_id: { id: allocationId } } : unassigned(index, isPrimary)),
  })
  const replicas = Array.from({ length: index.numberOfReplicas }, () => copy(false, false))
  return [copy(true, isActive), ...replicas]
}

/** Why a copy has no node: a primary is damaged, a replica has none to be on. */
function unassigned(index: IndexState, isPrimary: boolean): Record<string, JsonValue> {
  return {
    recovery_source: { type: isPrimary ? 'EXISTING_STORE' : 'PEER' },
    unassigned_info: {
      reason: isPrimary ? 'ALLOCATION_FAILED' : 'INDEX_CREATED',
      at: new Date(index.createdAtInMillis).toISOString(),
      delayed: false,
      allocation_status: isPrimary ? 'no_valid_shard_copy' : 'no_attempt',
    },
  }
}
