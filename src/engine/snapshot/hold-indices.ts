/** The files of indices at one moment each, open and closed ones. */
import { filesOfClosed, filesOfHeld, type HeldFiles } from '../../shard/held-files.ts'
import { Shard } from '../../shard/shard.ts'
import { refuseRestricted } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import { type ErrorRecord, toErrorRecord } from '../../util/errors.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { HeldIndex, HeldIndices, StreamEntry } from '../api/snapshots.ts'
import type { Target } from '../api/target.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { resolveTarget } from '../metadata/resolve-target.ts'
import { indexEntry } from '../metadata/section/index-entry.ts'
import { DamagedShard } from '../node/damaged-shard.ts'
import type { Node } from '../node/node.ts'

/** The names of the indices of a target, in order. */
export function namesOf(node: Node, target: Target, context: CallContext): readonly string[] {
  return resolveTarget(node.metadata, target, context)
    .map(({ index }) => index.name)
    .sort()
}

/**
 * Seals what was written to the indices of a target, and holds their files.
 * @throws {EngineError} as `resolveTarget`
 */
export async function holdIndices(
  node: Node,
  target: Target,
  context: CallContext,
): Promise<HeldIndices> {
  node.ensureOpen()
  const found = resolveTarget(node.metadata, target, context).map(({ index }) => index)
  // A copy would be whole, and could be restored under a name that is not restricted.
  refuseRestricted(
    context,
    found.map(({ name }) => name),
    'Snapshot is not supported when FLS or DLS or Fieldmasking is activated',
  )
  found.sort((a, b) => (a.name < b.name ? -1 : 1))
  const held: HeldIndex[] = []
  const release = (): void => {
    for (const { shards } of held)
      for (const shard of shards) if ('release' in shard) shard.release()
  }
  try {
    for (const metadata of found) held.push(await holdIndex(node, metadata))
  } catch (error) {
    release()
    throw error
  }
  return { indices: held, dataStreams: streamsOf(node, target, held), release }
}

async function holdIndex(node: Node, { name, uuid }: IndexMetadata): Promise<HeldIndex> {
  const shards = await holdShards(node, name, uuid)
  // Sealed documents may have brought fields.
  const metadata = node.metadata.index(name)
  if (metadata?.uuid !== uuid) {
    for (const shard of shards) if ('release' in shard) shard.release()
    const gone: ErrorRecord = {
      type: 'index_not_found_exception',
      reason: `no such index [${name}]`,
    }
    return { name, uuid, entry: null, shards: [gone] }
  }
  return { name, uuid, entry: indexEntry(node.makeAnalysis).print(metadata), shards }
}

async function holdShards(
  node: Node,
  name: string,
  uuid: string,
): Promise<readonly (HeldFiles | ErrorRecord)[]> {
  const metadata = node.metadata.index(name)
  if (metadata?.uuid === uuid && !metadata.isOpen)
    return (await node.closedShards(metadata)).map((shard, number) => {
      if (shard instanceof DamagedShard) return shard.damage
      return held(() => filesOfClosed(node.shardDirectory(uuid, number)))
    })
  const open = node.index(name)
  if (open?.metadata.uuid !== uuid) return []
  return await Promise.all(open.allShards.map(holdShard))
}

async function holdShard(shard: Shard | DamagedShard): Promise<HeldFiles | ErrorRecord> {
  if (!(shard instanceof Shard)) return shard.damage
  try {
    const files = await shard.hold()
    return held(() => filesOfHeld(files))
  } catch (error) {
    return toErrorRecord(error)
  }
}

function held(files: () => HeldFiles): HeldFiles | ErrorRecord {
  try {
    return files()
  } catch (error) {
    return toErrorRecord(error)
  }
}

/** The data streams that a target names and of which all indices are held. */
function streamsOf(node: Node, { names }: Target, held: readonly HeldIndex[]): StreamEntry[] {
  const uuids = new Set(held.map(({ uuid }) => uuid))
  const isAll = names.length === 0 || (names.length === 1 && names[0] === '_all')
  const isNamed = (stream: string): boolean =>
    isAll || names.some(name => matchesWildcard(name, stream))
  return [...node.metadata.node.dataStreams.values()]
    .filter(({ name, indices }) => isNamed(name) && indices.every(index => uuids.has(index.uuid)))
    .map(({ name, timestampField, generation, indices }) => ({
      name,
      timestampField,
      generation,
      indices: indices.map(index => index.name),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
