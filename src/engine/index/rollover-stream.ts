import { checkAccess } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { RolloverCall } from '../api/indices.ts'
import {
  backingIndexName,
  type DataStream,
  rolledOver,
  writeIndexOfStream,
} from '../metadata/data-stream.ts'
import { indexNotFound } from '../metadata/index-names.ts'
import { checkBlocksFor } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'
import { templateOfStream } from '../template/stream-templates.ts'
import { newBackingIndex } from './data-streams.ts'
import { checkNameIsFree, openNewIndex } from './new-index.ts'
import { type RolloverPlan, withRollover } from './rollover-plan.ts'

/**
 * Plans that a data stream goes on to its next index.
 * @throws {EngineError} `illegal_argument_exception`: the call says what only templates say of data streams, or
 *   there is no template of data streams for it; `resource_already_exists_exception`: of the new name
 */
export function planStream(
  node: Node,
  stream: DataStream,
  call: RolloverCall,
  context: CallContext,
): RolloverPlan {
  const { metadata } = node
  const { name } = stream
  const { settings, mappings, aliases } = call.body
  if (call.newIndex !== null)
    throw new IllegalArgumentError(
      'new index name may not be specified when rolling over a data stream',
    )
  if (settings.size > 0 || mappings !== null || aliases !== null)
    throw new IllegalArgumentError(
      'aliases, mappings, and index settings may not be specified when rolling over a data stream',
    )
  const source = metadata.index(writeIndexOfStream(stream).name)
  if (source === null) throw indexNotFound(writeIndexOfStream(stream).name)
  const newName = backingIndexName(name, stream.generation + 1)
  checkAccess(context, context.task.action, [source.name, newName])
  checkBlocksFor(metadata, context.task.action, [source])
  const template = templateOfStream(metadata.node, name)
  checkNameIsFree(node, newName)
  return {
    source,
    newName,
    change(info) {
      const created = newBackingIndex(node, newName, template, call.waitForActiveShards)
      const before = metadata.node.dataStreams
      const dataStreams = new Map(before).set(name, rolledOver(stream, created))
      node.applyBatch([created, withRollover(source, name, info)], [], { dataStreams })
      const undo = (): void => node.applyBatch([source], [created], { dataStreams: before })
      return openNewIndex(node, created, undo).metadata
    },
  }
}
