/** Data streams as they are shown, and what they hold. */
import { Pins } from '../../segment/pins.ts'
import type { Shard } from '../../shard/shard.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { DataStreamStats, ShownDataStream } from '../api/data-streams.ts'
import type { DataStream } from '../metadata/data-stream.ts'
import { checkBlocksFor } from '../metadata/resolve-target.ts'
import type { IndexService } from '../node/index-service.ts'
import type { Node } from '../node/node.ts'
import { templateFor } from '../template/compose.ts'
import { chosenStreams } from './stream-names.ts'
import { healthOfIndices } from './views.ts'

/** Data streams of names, in order of name. */
export function showDataStreams(
  node: Node,
  names: readonly string[],
  context: CallContext,
): ShownDataStream[] {
  const { metadata } = node
  return chosen(node, names, context).map(stream => {
    const { name, timestampField, indices, generation } = stream
    return {
      name,
      timestampField,
      indices,
      generation,
      status: healthOfIndices(node, metadata.indicesOfStream(stream)).status,
      template: templateFor(metadata.node, name)?.name ?? null,
    }
  })
}

/** Sizes of the named data streams; closed indices count as indices, but not by their content. */
export function dataStreamStats(
  node: Node,
  names: readonly string[],
  context: CallContext,
): DataStreamStats {
  let total = 0
  let successful = 0
  const streams = chosen(node, names, context).map(stream => {
    let storeInBytes = 0
    let maximumTimestamp = 0
    for (const metadata of node.metadata.indicesOfStream(stream)) {
      const index = node.index(metadata.name)
      if (index === null) continue
      total += metadata.numberOfShards * (1 + metadata.numberOfReplicas)
      successful += index.shards.length
      for (const shard of index.shards) storeInBytes += shard.storeBytes
      maximumTimestamp = Math.max(maximumTimestamp, latestTime(node, index, stream.timestampField))
    }
    const { name, indices } = stream
    return { name, backingIndices: indices.length, storeInBytes, maximumTimestamp }
  })
  return { shards: { total, successful, failed: 0 }, streams }
}

function chosen(node: Node, names: readonly string[], context: CallContext): DataStream[] {
  const { metadata } = node
  const found = chosenStreams(metadata, names, context)
  const indices = found.flatMap(stream => metadata.indicesOfStream(stream))
  checkBlocksFor(metadata, context.task.action, indices)
  return found
}

/** The latest time in a field of dates, in milliseconds since 1970; 0 where no document has one. */
function latestTime(node: Node, index: IndexService, path: string): number {
  const field = index.metadata.mapping.field(path)
  const perMilli = field?.type === 'date_nanos' ? 1e6 : 1
  const times = index.shards.map(shard => latestIn(node, shard, path))
  return Math.floor(Math.max(0, ...times) / perMilli)
}

function latestIn(node: Node, { snapshot }: Shard, path: string): number {
  const pins = new Pins()
  let latest = 0
  try {
    for (const leaf of snapshot.leaves) {
      const times = node.searcher.openLeaf(leaf, pins, null).numericValues(path)
      if (times === null || times.docCount === 0) continue
      latest = Math.max(latest, times.maxHi * 2 ** 32 + times.maxLo)
    }
  } finally {
    pins.release()
  }
  return latest
}
