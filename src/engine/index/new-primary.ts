import type { CallContext } from '../../task/call-context.ts'
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
  node.ensureOpen()
  checkBlocksFor(node.metadata, context.task.action, [])
  const metadata = node.metadata.index(index)
  if (metadata === null) throw indexNotFound(index)
  await node.moves.renewShard(metadata, shard, from)
}
