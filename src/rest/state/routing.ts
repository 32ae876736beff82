/** The routing of shards in the cluster's state. */
import type { ShardCopy } from '../../engine/api/shards.ts'
import type { JsonMap, JsonRecord, JsonValue } from '../../util/json/json-value.ts'

/** `routing_table`: the copies of each shard, index by index. */
export function routingTable(copies: readonly ShardCopy[], nodeId: string): JsonRecord {
  const indices = new Map<string, Map<string, JsonValue[]>>()
  for (const copy of copies) {
    let shards = indices.get(copy.index)
    if (shards === undefined) {
      shards = new Map()
      indices.set(copy.index, shards)
    }
    const key = String(copy.shard)
    const printed = shards.get(key) ?? []
    printed.push(printCopy(copy, nodeId))
    shards.set(key, printed)
  }
  return {
    indices: new Map(
      [...indices].map(([index, shards]): [string, JsonValue] => [index, { shards }]),
    ),
  }
}

/** `routing_nodes`: copies without a node, and those of the one there is. */
export function routingNodes(copies: readonly ShardCopy[], nodeId: string): JsonRecord {
  const printed = (isActive: boolean): JsonMap[] =>
    copies.filter(copy => copy.isActive === isActive).map(copy => printCopy(copy, nodeId))
  return { unassigned: printed(false), nodes: new Map([[nodeId, printed(true)]]) }
}

function printCopy(copy: ShardCopy, nodeId: string): JsonMap {
  const { index, shard, isPrimary, isActive, allocationId, createdAt } = copy
  const printed = new Map<string, JsonValue>([
    ['state', isActive ? 'STARTED' : 'UNASSIGNED'],
    ['primary', isPrimary],
    ['node', isActive ? nodeId : null],
    ['relocating_node', null],
    ['shard', shard],
    ['index', index],
  ])
  if (isActive) return printed.set('allocation_id', { id: allocationId })
  printed.set('recovery_source', { type: isPrimary ? 'EXISTING_STORE' : 'PEER' })
  return printed.set('unassigned_info', {
    reason: isPrimary ? 'ALLOCATION_FAILED' : 'INDEX_CREATED',
    at: new Date(createdAt).toISOString(),
    delayed: false,
    allocation_status: isPrimary ? 'no_valid_shard_copy' : 'no_attempt',
  })
}
