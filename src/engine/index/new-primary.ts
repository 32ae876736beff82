import type { CallContext } from '../../task/call-context.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { indexNotFound } from '../metadata/index-names.ts'
import { checkBlocksFor } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'

/**
 * Opens the primary of a shard once more, which could not be opened: from its files, or as an empty one.
 * @param from `nothing` deletes its files
 * @throws {EngineError} `index_not_found_exception`; the cluster is blocked for such changes
 */
export async function allocatePrimary(
  node: Node,
  index: string,
  shard: number,
  from: 'files' | 'nothing',
  context: CallContext,
): Promise<void> {
  await node.moves.renewShard(indexFor(node, index, context), shard, from)
}

/**
 * Closes the primary of a shard, and opens it again from its files.
 * @throws {EngineError} as `allocatePrimary`
 */
export async function restartPrimary(
  node: Node,
  index: string,
  shard: number,
  context: CallContext,
): Promise<void> {
  await node.moves.restartShard(indexFor(node, index, context), shard)
}

function indexFor(node: Node, index: string, context: CallContext): IndexMetadata {
  node.ensureOpen()
  checkBlocksFor(node.metadata, context.task.action, [])
  const metadata = node.metadata.index(index)
  if (metadata === null) throw indexNotFound(index)
  return metadata
}
