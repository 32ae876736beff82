import type { SnapshotLeaf } from '../../segment/snapshot.ts'
import { checkAccess } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { IndexSegments, SegmentView } from '../api/shards.ts'
import type { Node } from '../node/node.ts'
import { checkIds, targetsOf } from './point-in-time.ts'
import type { HeldShard } from './search-targets.ts'

/**
 * The segments that points in time hold, by index and shard; those that are gone hold none.
 * @param ids null: all of the caller
 * @throws {EngineError} no ids; 400: a text that is no id; 403
 */
export function segmentsOfPoints(
  node: Node,
  ids: readonly string[] | null,
  context: CallContext,
): IndexSegments[] {
  node.ensureOpen()
  const { pits } = node
  if (ids !== null) checkIds(node, ids)
  const found =
    ids === null
      ? pits.list(context.principal)
      : [...new Set(ids)].flatMap(id => pits.look(id, context.principal) ?? [])
  const byIndex = new Map<string, IndexSegments['shards'][number][]>()
  for (const { held } of found)
    for (const { view, shards } of targetsOf(held).indices) {
      let own = byIndex.get(view.index.name)
      if (own === undefined) byIndex.set(view.index.name, (own = []))
      for (const shard of shards)
        if ('snapshot' in shard)
          own.push({ shard: shard.shard.name.shard, segments: segmentsOf(node, shard) })
    }
  checkAccess(context, context.task.action, [...byIndex.keys()])
  return Array.from(byIndex, ([index, shards]) => ({
    index,
    shards: shards.sort((a, b) => a.shard - b.shard),
  }))
}

function segmentsOf(node: Node, { shard, snapshot }: HeldShard): SegmentView[] {
  return snapshot.leaves.map(leaf => segmentView(node, leaf, shard.segments))
}

/** @param current those of the shard now: a commit has no others */
function segmentView(
  { memory }: Node,
  { segment, liveCount }: SnapshotLeaf,
  current: HeldShard['shard']['segments'],
): SegmentView {
  const live = current.find(each => each.segment === segment)
  return {
    name: segment.stem,
    generation: Number.parseInt(segment.stem.slice(1), 36),
    docCount: liveCount,
    deletedDocCount: segment.maxDoc - liveCount,
    sizeInBytes: segment.fileBytes,
    memoryInBytes: memory.loadedBytesOf(segment),
    isCommitted: live?.isDurable ?? false,
    isSearchable: true,
    isMerging: live?.isMerging ?? false,
  }
}
