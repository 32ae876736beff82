import type { ShardName } from '../../shard/write-operation.ts'
import { toErrorRecord } from '../../util/errors.ts'
import type { Node } from '../node/node.ts'
import type { ShardFailure } from '../response/search-response.ts'

/** An error as the failure of one shard. */
export function failureOf(node: Node, name: ShardName, error: unknown): ShardFailure {
  const { shard, index } = name
  const { nodeId } = node.metadata.node
  return { shard, index, node: nodeId, reason: toErrorRecord(error) }
}
