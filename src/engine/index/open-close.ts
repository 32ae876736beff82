/** Closing indices and opening them again. */
import { clusterSettings } from '../../schema/setting-registry.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { allSettled } from '../../util/settle.ts'
import type { OpenIndices } from '../api/indices.ts'
import type { Target } from '../api/target.ts'
import { writeIndexOfStream } from '../metadata/data-stream.ts'
import { type IndexMetadata, indexMetadata } from '../metadata/index-metadata.ts'
import { resolveTarget } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'
import { copiesWanted } from './active-shards.ts'
import { checkShardLimit } from './new-index.ts'

/** The setting by which a closed index shows how it was closed. */
const VERIFIED = 'index.verified_before_close'

/**
 * Closes indices: nobody finds their documents from the change on, then their shards are committed.
 * @returns the names of those that were open
 * @throws {EngineError} `illegal_state_exception`: the cluster does not let indices be closed;
 *   `illegal_argument_exception`: one takes the writes of a data stream
 */
export async function closeIndices(
  node: Node,
  target: Target,
  context: CallContext,
): Promise<readonly string[]> {
  node.ensureOpen()
  if (!clusterSettings.boolean(node.effectiveSettings, 'cluster.indices.close.enable'))
    throw new EngineError({
      type: 'illegal_state_exception',
      reason:
        'index close is disabled - set [cluster.indices.close.enable: true] to enable it. NOTE: ' +
        'closed indices still consume a significant amount of diskspace',
    })
  const wanted = resolveTarget(node.metadata, target, context).map(({ index }) => index)
  refuseWriteIndices(node, wanted)
  const closed: string[] = []
  const released: Promise<void>[] = []
  const names = wanted.map(({ name, uuid }) => `[${name}/${uuid}]`).join(', ')
  try {
    await node.changes.submit(
      `close-indices ${names}`,
      'URGENT',
      () => {
        node.ensureOpen()
        refuseWriteIndices(node, wanted)
        for (const { name, uuid } of wanted) {
          const metadata = node.metadata.index(name)
          // It may have gone or been closed while this waited for its turn.
          if (metadata?.uuid !== uuid || !metadata.isOpen) continue
          released.push(node.moves.close(withState(metadata, false)).released)
          closed.push(name)
        }
      },
      context,
    )
  } finally {
    await allSettled(released)
  }
  return closed
}

/** Data streams must take writes. */
function refuseWriteIndices({ metadata }: Node, indices: readonly IndexMetadata[]): void {
  const taking = indices.filter(index => {
    const stream = metadata.dataStreamOf(index)
    return stream !== null && writeIndexOfStream(stream).uuid === index.uuid
  })
  if (taking.length === 0) return
  const names = taking.map(({ name }) => name).join(',')
  throw new IllegalArgumentError(`cannot close the following data stream write indices [${names}]`)
}

/**
 * Opens indices; resolves when they answer.
 * @throws {EngineError} `validation_exception`: more shards than may be open
 */
export async function openIndices(
  node: Node,
  { target, waitForActiveShards }: OpenIndices,
  context: CallContext,
): Promise<{ readonly shardsAcknowledged: boolean }> {
  node.ensureOpen()
  const wanted = resolveTarget(node.metadata, target, context).map(({ index }) => index)
  const closed = wanted.filter(({ isOpen }) => !isOpen)
  let added = 0
  for (const { numberOfShards, numberOfReplicas } of closed)
    added += numberOfShards * (1 + numberOfReplicas)
  if (added > 0) checkShardLimit(node, added)
  await Promise.all(
    closed.map(metadata =>
      node.moves.reopen(metadata, current => withState(current, true), context),
    ),
  )
  const copies = 1
  return {
    shardsAcknowledged: wanted.every(index => copiesWanted(index, waitForActiveShards) <= copies),
  }
}

function withState(metadata: IndexMetadata, isOpen: boolean): IndexMetadata {
  const settings = metadata.settings.with(new Map([[VERIFIED, isOpen ? null : 'true']]))
  const settingsVersion = metadata.settingsVersion + 1
  return indexMetadata({ ...metadata, settings, settingsVersion, isOpen }, metadata.analysis)
}
