/** Restored indices: checked, filled unseen, and found all at once. */

import { fileNameOf, type ShardEntry } from '../../shard/held-files.ts'
import { type CopiedFile, restoreShard } from '../../shard/restore-shard.ts'
import { segmentStem } from '../../shard/segment-files.ts'
import { beginRecovery, endRecovery, type ShardRecovery } from '../../shard/shard-recovery.ts'
import { checkAccess, refuseRestricted, TRUSTED_ACCESS } from '../../task/access.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { RestoreCall, RestoredIndex, StreamEntry } from '../api/snapshots.ts'
import { checkAliasFilter, checkAliasTogether, checkNotOfStream } from '../index/alias-checks.ts'
import { checkNameIsFree, checkShardLimit } from '../index/new-index.ts'
import { checkAliasName } from '../metadata/alias.ts'
import { checkBlocks } from '../metadata/blocks.ts'
import type { DataStream } from '../metadata/data-stream.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { invalidName } from '../metadata/index-names.ts'
import { checkMappingFits } from '../metadata/mapping-fit.ts'
import type { StateWithBatch } from '../metadata/metadata-store.ts'
import type { Node } from '../node/node.ts'
import type { RunningRestore } from '../node/running-restores.ts'
import { restoredState } from './global-state.ts'
import { restoredIndex } from './restored-index.ts'

/** An empty shard: of one that its snapshot does not have. */
const EMPTY: ShardEntry<CopiedFile> = {
  segments: [],
  maxSeqNo: -1,
  primaryTerm: 1,
  commitBytes: 0,
}

/**
 * Checks that a restore may be, as far as it can be told before files are copied.
 * @throws {EngineError} as `refuse` makes it; `cluster_block_exception`, `validation_exception`
 */
export function checkRestore(node: Node, call: RestoreCall, context: CallContext): void {
  checkRestored(call, context)
  planRestore(node, call)
}

/**
 * Passes a restore by whoever may make such indices, and who comes by none that he may not read.
 * @throws {EngineError} 403 `security_exception`
 */
function checkRestored({ indices }: RestoreCall, context: CallContext): void {
  const { access } = context
  const names = indices.map(({ name }) => name)
  checkAccess(context, context.task.action, names)
  if (access === TRUSTED_ACCESS || names.length === 0) return
  checkAccess(context, 'indices:admin/create', names)
  checkAccess(context, 'indices:data/write/index', names)
  const reads = (name: string): boolean =>
    access.decide('indices:data/read/search', [name]).isAllowed
  for (const { name, from } of indices) {
    if (name === from || !reads(name)) continue
    checkAccess(context, 'indices:data/read/search', [from])
    refuseRestricted(
      context,
      [from],
      'Restore under another name is not supported when FLS or DLS or Fieldmasking is activated',
    )
  }
}

/**
 * Makes indices of files; they are found once all of them are durable, or none is.
 * @throws {EngineError} as `checkRestore`; whatever copying fails with
 */
export async function restoreIndices(
  node: Node,
  call: RestoreCall,
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  checkRestored(call, context)
  const plan = planRestore(node, call)
  const restores = plan.map(({ metadata }, i) => {
    return { metadata, recoveries: beginRecoveries(call, call.indices[i]!) }
  })
  const end = node.restores.begin(restores)
  try {
    await fillIndices(node, call, plan, restores, context)
  } finally {
    end()
  }
}

async function fillIndices(
  node: Node,
  call: RestoreCall,
  plan: readonly PlannedIndex[],
  restores: readonly RunningRestore[],
  context: CallContext,
): Promise<void> {
  const replaced: IndexMetadata[] = []
  await node.moves.addAllFilled(
    plan.map(({ metadata }) => metadata),
    call.indices.map(({ shards }, i) => async folders => {
      for (const [number, folder] of folders.entries())
        await restoreShard(folder, noted(shards[number] ?? EMPTY, restores[i]!.recoveries[number]!))
    }),
    services => {
      // Other changes had their turn meanwhile.
      const now = planRestore(node, call, plan)
      for (const { old } of now) if (old !== null) replaced.push(old)
      const changes: StateWithBatch = {
        ...(call.globalState === null ? {} : restoredState(call.globalState, node.metadata.node)),
        ...streamsAfter(
          node,
          call,
          plan.map(({ metadata }) => metadata),
        ),
      }
      node.metadata.putBatch(
        {
          put: plan.map(({ metadata }) => metadata),
          removed: replaced.map(({ uuid }) => uuid),
        },
        changes,
      )
      for (const [i, service] of services.entries())
        for (const [number, shard] of service.shards.entries())
          noteRecovery(shard.recovery, restores[i]!.recoveries[number]!)
    },
    `restore_snapshot[${call.source.snapshot}]`,
    context,
  )
  // A closed index has no open shards, only its files.
  for (const old of replaced) await node.moves.discard(old)
}

/** An index of a restore, with the closed one that it replaces. */
interface PlannedIndex {
  readonly metadata: IndexMetadata
  readonly old: IndexMetadata | null
}

/** @param made metadata of an earlier plan, which holds unless another index is to be replaced now */
function planRestore(
  node: Node,
  call: RestoreCall,
  made: readonly PlannedIndex[] | null = null,
): PlannedIndex[] {
  const { indices, refuse } = call
  checkBlocks('create_index', node.metadata.clusterBlocks, [])
  if (call.globalState !== null) restoredState(call.globalState, node.metadata.node)
  const plan = indices.map((index, i): PlannedIndex => {
    const old = replacedIndex(node, index, refuse)
    if (made !== null) {
      if (made[i]!.old?.uuid === old?.uuid) return { metadata: made[i]!.metadata, old }
      throw refuse(`cannot restore index [${index.name}] because it was changed meanwhile`)
    }
    const metadata = restoredIndex(node, index, old, refuse)
    checkMappingFits(metadata, metadata.mapping)
    checkShards(index, metadata, old, refuse)
    return { metadata, old }
  })
  checkShardLimit(
    node,
    plan.reduce((sum, { metadata }) => {
      return sum + metadata.numberOfShards * (1 + metadata.numberOfReplicas)
    }, 0),
  )
  checkAliases(node, plan)
  checkStreams(node, call)
  return plan
}

function replacedIndex(
  node: Node,
  { name }: RestoredIndex,
  refuse: RestoreCall['refuse'],
): IndexMetadata | null {
  const old = node.metadata.index(name)
  if (old === null) {
    checkNameIsFree(node, name)
    return null
  }
  if (old.isOpen)
    throw refuse(
      `cannot restore index [${name}] because an open index with same name already exists in the cluster. ` +
        'Either close or delete the existing index or restore the index under a different name by ' +
        'providing a rename pattern and replacement name',
    )
  return old
}

function checkShards(
  { from, name, shards }: RestoredIndex,
  { numberOfShards }: IndexMetadata,
  old: IndexMetadata | null,
  refuse: RestoreCall['refuse'],
): void {
  if (shards.length !== numberOfShards)
    throw refuse(`index [${from}] has [${numberOfShards}] shards, the snapshot [${shards.length}]`)
  if (old === null) return
  if (shards.includes(null))
    throw refuse(`cannot restore partial index [${name}] because such index already exists`)
  if (old.numberOfShards !== numberOfShards)
    throw refuse(
      `cannot restore index [${name}] with [${old.numberOfShards}] shards from a snapshot of index ` +
        `[${from}] with [${numberOfShards}] shards`,
    )
}

/** Refuses aliases that the indices cannot have beside each other and those of the node. */
function checkAliases(node: Node, plan: readonly PlannedIndex[]): void {
  const gone = new Set(plan.map(({ old }) => old?.uuid))
  const restored = plan.map(({ metadata }) => metadata)
  for (const metadata of restored)
    for (const [alias, of] of metadata.aliases) {
      checkAliasName(alias)
      if (node.metadata.index(alias) !== null || restored.some(({ name }) => name === alias))
        throw invalidName(alias, 'an index or data stream exists with the same name as the alias')
      checkNotOfStream(node.metadata, alias)
      checkAliasFilter(node, metadata, alias, of)
      const others = node.metadata.indicesOfAlias(alias).filter(({ uuid }) => !gone.has(uuid))
      const all = [...others, ...restored.filter(({ aliases }) => aliases.has(alias))]
      checkAliasTogether(
        alias,
        all.sort((a, b) => (a.name < b.name ? -1 : 1)),
      )
    }
}

function checkStreams(node: Node, { dataStreams, indices, refuse }: RestoreCall): void {
  for (const { name } of dataStreams) {
    if (node.metadata.dataStream(name) !== null) {
      const own = new Set(dataStreams.flatMap(stream => stream.indices))
      const rest = node.metadata.dataStream(name)!.indices
      if (rest.some(index => !own.has(index.name)))
        throw refuse(`cannot restore data stream [${name}] because such data stream already exists`)
    } else if (node.metadata.index(name) !== null || indices.some(index => index.name === name))
      throw refuse(`cannot restore data stream [${name}] because such index already exists`)
  }
}

function streamsAfter(
  node: Node,
  { dataStreams }: RestoreCall,
  restored: readonly IndexMetadata[],
): StateWithBatch {
  if (dataStreams.length === 0) return {}
  const uuids = new Map(restored.map(({ name, uuid }) => [name, uuid]))
  const streams = new Map(node.metadata.node.dataStreams)
  for (const stream of dataStreams) streams.set(stream.name, streamOf(stream, uuids))
  return { dataStreams: streams }
}

function streamOf(
  { name, timestampField, generation, indices }: StreamEntry,
  uuids: ReadonlyMap<string, string>,
): DataStream {
  return {
    name,
    timestampField,
    generation,
    indices: indices.map(index => ({ name: index, uuid: uuids.get(index) ?? '' })),
  }
}

/** The recoveries of an index's shards, which say where their files are from. */
function beginRecoveries(
  { source }: RestoreCall,
  { from, shards }: RestoredIndex,
): ShardRecovery[] {
  return shards.map(shard => {
    const { segments, commitBytes } = shard ?? EMPTY
    const files = segments.flatMap((segment, number) =>
      segment.files.map(({ kind, length, checksum }) => {
        return { name: fileNameOf(segmentStem(number), kind), length, checksum }
      }),
    )
    return {
      ...beginRecovery(null),
      type: 'snapshot',
      source: { ...source, index: from },
      files: [...files, { name: 'commit_1', length: commitBytes, checksum: 0 }],
    }
  })
}

/** Has the recovery of a shard say how its files came, before it was opened. */
function noteRecovery(
  recovery: ShardRecovery,
  { type, source, startedAt, files }: ShardRecovery,
): void {
  Object.assign(recovery, { type, source, startedAt, files })
  recovery.indexInMillis = Date.now() - startedAt
  endRecovery(recovery)
}

/** The files of a shard, each noted in its recovery once it is copied. */
function noted(shard: ShardEntry<CopiedFile>, recovery: ShardRecovery): ShardEntry<CopiedFile> {
  const note = (file: CopiedFile): CopiedFile => ({
    ...file,
    async copyTo(write) {
      await file.copyTo(write)
      recovery.copiedFiles++
      recovery.indexInMillis = Date.now() - recovery.startedAt
      recovery.totalInMillis = recovery.indexInMillis
    },
  })
  return {
    ...shard,
    segments: shard.segments.map(segment => ({ ...segment, files: segment.files.map(note) })),
  }
}
