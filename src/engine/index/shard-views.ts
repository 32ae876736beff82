/** Segments, recoveries and stores of shards. */
import type { LiveSegment } from '../../shard/live-segment.ts'
import type { Shard } from '../../shard/shard.ts'
import type { CallContext } from '../../task/call-context.ts'
import type {
  IndexRecoveries,
  IndexSegments,
  IndexStores,
  SegmentView,
  ShardCopy,
} from '../api/shards.ts'
import type { Target } from '../api/target.ts'
import { allocationId } from '../metadata/allocation-id.ts'
import { resolveOpen, resolveTarget } from '../metadata/resolve-target.ts'
import { DamagedShard } from '../node/damaged-shard.ts'
import type { Node } from '../node/node.ts'
import { healthOf } from './views.ts'

/**
 * The segments of open indices.
 * @throws {EngineError} as `resolveOpen`
 */
export function segmentsOf(node: Node, target: Target, context: CallContext): IndexSegments[] {
  return resolveOpen(node.metadata, target, context).flatMap(view => {
    const index = node.index(view.index.name)
    if (index === null) return []
    const shards = index.shards.map(shard => ({
      shard: shard.name.shard,
      segments: shard.segments.map(segment => segmentView(node, shard, segment)),
    }))
    return [{ index: index.name, shards }]
  })
}

function segmentView(node: Node, shard: Shard, live: LiveSegment): SegmentView {
  const { segment, liveCount, deletedCount, isDurable, isMerging, files, liveFile } = live
  const bytes = files.reduce((sum, { length }) => sum + length, liveFile?.length ?? 0)
  return {
    name: segment.stem,
    generation: Number.parseInt(segment.stem.slice(1), 36),
    docCount: liveCount,
    deletedDocCount: deletedCount,
    sizeInBytes: bytes,
    memoryInBytes: node.memory.loadedBytesOf(segment),
    isCommitted: isDurable,
    isSearchable: shard.snapshot.leaves.some(leaf => leaf.segment === segment),
    isMerging,
  }
}

/**
 * How shards were opened, or how far those are that a restore fills.
 * @throws {EngineError} as `resolveTarget`
 */
export async function recoveriesOf(
  node: Node,
  target: Target,
  context: CallContext,
): Promise<IndexRecoveries[]> {
  const found = resolveTarget(node.restores.beside(node.metadata), target, context)
  return await Promise.all(
    found.map(async ({ index: metadata }) => {
      const restored = node.restores.recoveriesOf(metadata.name)
      if (restored !== null)
        return {
          index: metadata.name,
          shards: restored.map((recovery, shard) => ({ shard, recovery })),
        }
      const closed = node.index(metadata.name) === null ? await node.closedShards(metadata) : []
      // It may have been opened meanwhile.
      const shards = node.index(metadata.name)?.allShards ?? closed
      return {
        index: metadata.name,
        shards: shards.flatMap((opened, shard) =>
          opened instanceof DamagedShard ? [] : [{ shard, recovery: opened.recovery }],
        ),
      }
    }),
  )
}

/**
 * The copies of shards.
 * @throws {EngineError} as `resolveTarget`
 */
export function copiesOf(node: Node, target: Target, context: CallContext): ShardCopy[] {
  const indices = [...healthOf(node, target, context).indices]
  indices.sort((a, b) => (a.index < b.index ? -1 : 1))
  return indices.flatMap(({ index, numberOfReplicas, shards }) => {
    const { uuid, settings } = node.metadata.index(index)!
    const createdAt = Number(settings.get('index.creation_date') ?? 0)
    const opened = node.index(index)?.allShards
    return shards.flatMap(({ shard, primaryActive }): ShardCopy[] => {
      const own = opened?.[shard]
      const primary: ShardCopy = {
        index,
        shard,
        isPrimary: true,
        isActive: primaryActive,
        allocationId: primaryActive ? allocationId(uuid, shard) : null,
        damage: own instanceof DamagedShard ? own.damage : null,
        createdAt,
        storeInBytes: own instanceof DamagedShard ? 0 : (own?.storeBytes ?? 0),
      }
      const replica: ShardCopy = {
        ...primary,
        isPrimary: false,
        isActive: false,
        allocationId: null,
        damage: null,
        storeInBytes: 0,
      }
      return [primary, ...Array.from({ length: numberOfReplicas }, () => replica)]
    })
  })
}

/**
 * Copies of shards on disk.
 * @throws {EngineError} as `resolveTarget`
 */
export function storesOf(node: Node, target: Target, context: CallContext): IndexStores[] {
  return healthOf(node, target, context).indices.map(({ index, shards }) => {
    const opened = node.index(index)?.allShards
    const uuid = node.metadata.index(index)!.uuid
    return {
      index,
      shards: shards.map(({ shard, status }) => {
        const own = opened?.[shard]
        const damage = own instanceof DamagedShard ? own.damage : null
        return { shard, status, allocationId: allocationId(uuid, shard), damage }
      }),
    }
  })
}
