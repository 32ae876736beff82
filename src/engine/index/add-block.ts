import type { CallContext } from '../../task/call-context.ts'
import type { BlockName } from '../api/indices.ts'
import type { Target } from '../api/target.ts'
import { blockOf, checkBlocks } from '../metadata/blocks.ts'
import { resolveTarget } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'
import { putIndexSettings } from './settings-update.ts'

/**
 * Adds a block to indices; in force and durable when it resolves.
 * @returns their names
 * @throws {EngineError} `cluster_block_exception`: another block refuses changes of their metadata
 */
export async function addBlock(
  node: Node,
  target: Target,
  name: BlockName,
  context: CallContext,
): Promise<readonly string[]> {
  node.ensureOpen()
  const indices = resolveTarget(node.metadata, target, context).map(({ index }) => index)
  const block = blockOf(name)
  if (!block.levels.includes('metadata_write'))
    checkBlocks('metadata_write', node.metadata.clusterBlocks, indices)
  const changes = new Map([[block.setting, 'true']])
  await putIndexSettings(node, { target, changes, preserveExisting: false }, context)
  return indices.map(index => index.name)
}
