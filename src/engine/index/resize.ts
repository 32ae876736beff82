/** Indices with the documents of another one in fewer, more or as many shards: shrink, split and clone. */

import { type AdoptedSegment, adoptSegments, type ShardFolder } from '../../shard/adopt-segments.ts'
import type { HeldShard } from '../../shard/held-shard.ts'
import { SplitSegments } from '../../shard/split-segments.ts'
import { checkAccess, refuseRestricted } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { refuseCancelled } from '../../util/cancelled-error.ts'
import { EngineError } from '../../util/errors.ts'
import type { CreateIndexOutcome, ResizeCall } from '../api/indices.ts'
import { checkBlocks } from '../metadata/blocks.ts'
import { resolveDateMath } from '../metadata/date-math-name.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { indexNotFound } from '../metadata/index-names.ts'
import { DamagedShard } from '../node/damaged-shard.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { copiesWanted } from './active-shards.ts'
import { checkNameIsFree, checkNewAliases, checkShardLimit } from './new-index.ts'
import { sourceShards } from './resize-shards.ts'
import { type ResizeSource, resizedIndex } from './resized-index.ts'

/**
 * Makes an index out of the segments of another one, whose documents keep id, routing, version and
 * sequence number. It is found once all of it is durable; before, nothing of it is.
 * @throws {EngineError} `index_not_found_exception`, `resource_already_exists_exception`,
 *   `illegal_state_exception`: the source is not write-blocked; `illegal_argument_exception`: numbers of
 *   shards, settings; `task_cancelled_exception`; `timeout_exception`: the time of the task was over
 */
export async function resizeIndex(
  node: Node,
  call: ResizeCall,
  context: CallContext,
): Promise<CreateIndexOutcome> {
  node.ensureOpen()
  const [sourceName, target] = [resolveDateMath(call.source), resolveDateMath(call.target)]
  checkAccess(context, context.task.action, [sourceName, target])
  refuseRestricted(
    context,
    [sourceName],
    'Resize is not supported when FLS or DLS or Fieldmasking is activated',
  )
  checkBlocks('metadata_write', node.metadata.clusterBlocks, [])
  const service = openSource(node, sourceName)
  const goOn = patience(node, call, context)
  // Before anything is sealed.
  resizedIndex(node, call, sourceOf(service), target)
  const held = await holdShards(service)
  try {
    // Sealed documents may have brought fields.
    const metadata = resizedIndex(node, call, sourceOf(service), target)
    const index = await node.moves.addFilled(
      metadata,
      folders => fill(metadata, held, folders, goOn),
      () => {
        goOn()
        checkNameIsFree(node, target)
        checkShardLimit(node, metadata.numberOfShards * (1 + metadata.numberOfReplicas))
        checkNewAliases(node, metadata)
      },
      context,
    )
    const copies = 1
    const wanted = copiesWanted(index.metadata, call.waitForActiveShards)
    return { index: target, shardsAcknowledged: wanted <= copies, warnings: [] }
  } catch (error) {
    // Its files go with it.
    if (node.metadata.index(sourceName)?.uuid !== service.metadata.uuid)
      throw indexNotFound(sourceName)
    throw error
  } finally {
    for (const shard of held) shard.release()
  }
}

function openSource(node: Node, name: string): IndexService {
  const metadata = node.metadata.index(name)
  if (metadata === null) throw indexNotFound(name)
  checkBlocks('metadata_read', [], [metadata])
  const service = node.openedIndex(name)
  const damaged = service.allShards.find(shard => shard instanceof DamagedShard)
  if (damaged !== undefined) throw damaged.readError(`resize [${name}]`)
  return service
}

function sourceOf({ metadata, shards }: IndexService): ResizeSource {
  return {
    metadata,
    storeBytes: shards.reduce((sum, { storeBytes }) => sum + storeBytes, 0),
    docsOf: number => shards[number]!.snapshot.numDocs,
  }
}

/** Called between steps: throws once the work is to be given up. */
function patience(
  node: Node,
  { kind, source, target, executionTimeoutInMillis }: ResizeCall,
  context: CallContext,
): () => void {
  const limit = executionTimeoutInMillis ?? Number.POSITIVE_INFINITY
  const deadline = performance.now() + limit
  return () => {
    node.ensureOpen()
    refuseCancelled(context)
    if (performance.now() < deadline) return
    throw new EngineError({
      type: 'timeout_exception',
      reason: `${kind} from [${source}] to [${target}] was not done within [${limit}ms]`,
    })
  }
}

async function holdShards({ shards }: IndexService): Promise<readonly HeldShard[]> {
  const held = await Promise.allSettled(shards.map(shard => shard.hold()))
  const failed = held.find(one => one.status === 'rejected')
  const whole = held.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  if (failed === undefined) return whole
  for (const shard of whole) shard.release()
  throw failed.reason
}

/** Fills the folders of the new index, shard by shard. */
async function fill(
  to: IndexMetadata,
  held: readonly HeldShard[],
  folders: readonly ShardFolder[],
  goOn: () => void,
): Promise<void> {
  const { numberOfShards } = to
  const factor = numberOfShards / held.length
  const primaryTerm = 1 + Math.max(...held.map(({ shard }) => shard.primaryTerm))
  let split: SplitSegments | null = null
  for (const [number, folder] of folders.entries()) {
    goOn()
    const sources = sourceShards(number, held.length, numberOfShards).map(shard => held[shard]!)
    if (factor > 1 && number % factor === 0) {
      split = await SplitSegments.of(sources[0]!, to, folder.lanes, goOn)
      split.checkWithin(number, number + factor)
    }
    const segments = split === null ? sources.flatMap(wholeSegments) : split.partOf(number)
    const maxSeqNo = Math.max(...sources.map(({ shard }) => shard.maxSeqNo))
    await adoptSegments(folder, segments, { maxSeqNo, primaryTerm }, goOn)
  }
}

function wholeSegments(from: HeldShard): AdoptedSegment[] {
  return from.segments.map(segment => ({ from, segment, live: segment.live }))
}
