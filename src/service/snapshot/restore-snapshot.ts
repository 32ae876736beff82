/** Restoring a snapshot: its indices are made of its files, and found all at once. */

import type { RestoreCall, RestoredIndex, StreamEntry } from '../../engine/api/snapshots.ts'
import type { SettingChanges } from '../../schema/settings.ts'
import type { CallContext } from '../../task/call-context.ts'
import { refuseCancelled } from '../../util/cancelled-error.ts'
import type { EngineError } from '../../util/errors.ts'
import { inBackground } from './background.ts'
import { copyOut, missingBlob } from './blob-copy.ts'
import type { BlobFinder } from './blob-names.ts'
import { chosenIndices } from './clone-snapshot.ts'
import { newUuid } from './create-snapshot.ts'
import { PieceBuffers } from './piece-buffers.ts'
import { type Renaming, renamer } from './renaming.ts'
import type { OpenRepository, Repositories } from './repositories.ts'
import type { RootEntry } from './repository-root.ts'
import {
  type FileCount,
  filesOf,
  isStored,
  type ShardRecord,
  type StoredFile,
} from './shard-record.ts'
import { concurrentError, restoreError, type SnapshotName } from './snapshot-errors.ts'
import type { IndexRecord, SnapshotRecord } from './snapshot-record.ts'
import { printStatus } from './task-status.ts'

/** A request to restore a snapshot. */
export interface RestoreSnapshot {
  readonly repository: string
  readonly snapshot: string
  /** Names and patterns of indices and data streams; none: all. */
  readonly indices: readonly string[]
  readonly ignoresUnavailable: boolean
  /** Null keeps the names. */
  readonly renaming: Renaming | null
  /** Null keeps the names of aliases. */
  readonly aliasRenaming: Renaming | null
  readonly includesAliases: boolean
  readonly includesGlobalState: boolean
  /** Whether shards that the snapshot lacks are made without documents. */
  readonly allowsPartial: boolean
  readonly settings: SettingChanges
  readonly ignoredSettings: readonly string[]
}

/** A restore that is done. */
export interface RestoreOutcome {
  readonly snapshot: string
  /** By their new names. */
  readonly indices: readonly string[]
  readonly shardCount: number
}

/**
 * Begins a restore; it goes on without the request.
 * @returns `done`: all of its indices are found
 * @throws {EngineError} it cannot be begun
 */
export async function restoreSnapshot(
  repositories: Repositories,
  call: RestoreSnapshot,
  context: CallContext,
): Promise<{ readonly done: Promise<RestoreOutcome> }> {
  const { engine } = repositories
  const opened = repositories.open(call.repository)
  const { name, repository } = opened
  const deleting = repositories
    .operations(repository)
    .some(({ kind, snapshots }) => kind === 'delete' && snapshots.includes(call.snapshot))
  if (deleting)
    throw concurrentError(
      { ...call, uuid: (await entryOf(opened, call)).uuid },
      'cannot restore a snapshot while a snapshot deletion is in-progress',
    )
  const end = repositories.begin({
    kind: 'restore',
    repository,
    repositoryName: name,
    snapshots: [call.snapshot],
    running: null,
  })
  try {
    // From here on no deletion takes it.
    const entry = await entryOf(opened, call)
    const where: SnapshotName = { ...call, uuid: entry.uuid }
    const record = await repository.readSnapshot(name, entry)
    if (record.state === 'FAILED')
      throw restoreError(where, `unsupported snapshot state [${record.state}]`)
    const listing = await repository.findBlobs()
    // Set once the task is there, which copies look at.
    const task: { context: CallContext } = { context }
    const copied = { count: 0, bytes: 0 }
    const buffers = new PieceBuffers()
    const plan = planRestore(opened, call, record, where, file => ({
      ...file,
      async copyTo(write) {
        const options = {
          throttle: opened.throttleOut,
          signal: task.context,
          buffers,
          goOn: () => {
            engine.snapshots.ensureOpen()
            refuseCancelled(task.context)
          },
          onBytes: (bytes: number) => {
            copied.bytes += bytes
          },
        }
        await copyOut(repository, file, listing, options, write)
        copied.count++
      },
    }))
    const all = filesOfPlan(plan)
    refuseMissing(record, plan, listing, where)
    engine.snapshots.checkRestore(plan, context)
    const done = inBackground(engine, context, async own => {
      own.task.describe = () => `restore [${call.repository}:${call.snapshot}]`
      const { shardCount } = outcomeOf(call, plan)
      own.task.status = () => printStatus({ total: shardCount, done: 0 }, all, copied)
      task.context = own
      try {
        await engine.snapshots.restore(plan, own)
        return outcomeOf(call, plan)
      } finally {
        end()
      }
    })
    return { done }
  } catch (error) {
    end()
    throw error
  }
}

/** @throws {EngineError} `snapshot_restore_exception`: there is none */
async function entryOf(
  { name, repository }: OpenRepository,
  call: RestoreSnapshot,
): Promise<RootEntry> {
  const { snapshots } = await repository.readRoot(name)
  const entry = snapshots.find(each => each.name === call.snapshot)
  if (entry === undefined) throw restoreError({ ...call, uuid: null }, 'snapshot does not exist')
  return entry
}

/** A restore as the API prints it. */
export function printRestore({ snapshot, indices, shardCount }: RestoreOutcome): {
  readonly snapshot: {
    readonly snapshot: string
    readonly indices: readonly string[]
    readonly shards: {
      readonly total: number
      readonly failed: number
      readonly successful: number
    }
  }
} {
  const shards = { total: shardCount, failed: 0, successful: shardCount }
  return { snapshot: { snapshot, indices, shards } }
}

function outcomeOf({ snapshot }: RestoreSnapshot, { indices }: RestoreCall): RestoreOutcome {
  return {
    snapshot,
    indices: indices.map(({ name }) => name),
    shardCount: indices.reduce((sum, { shards }) => sum + shards.length, 0),
  }
}

function filesOfPlan({ indices }: RestoreCall): FileCount {
  const files = indices.flatMap(({ shards }) =>
    shards.flatMap(shard => shard?.segments.flatMap(segment => segment.files) ?? []),
  )
  return { count: files.length, bytes: files.reduce((sum, { length }) => sum + length, 0) }
}

type CopiedShard = NonNullable<RestoredIndex['shards'][number]>
type CopiedFile = CopiedShard['segments'][number]['files'][number]

function planRestore(
  { name }: OpenRepository,
  call: RestoreSnapshot,
  record: SnapshotRecord,
  where: SnapshotName,
  copied: (file: StoredFile) => CopiedFile,
): RestoreCall {
  const refuse = (reason: string): EngineError => restoreError(where, reason)
  const { streams, indices: chosen } = chooseParts(call, record)
  const rename = renamer(call.renaming)
  const renameAlias = call.includesAliases ? renamer(call.aliasRenaming) : null
  const renamed = new Map<string, string>()
  for (const { name: from } of chosen) {
    const to = rename(from)
    const other = renamed.get(to)
    if (other !== undefined)
      throw refuse(`indices [${from}] and [${other}] are renamed into the same index [${to}]`)
    renamed.set(to, from)
  }
  return {
    source: {
      repository: name,
      snapshot: record.name,
      version: record.version,
      restoreUuid: newUuid(),
    },
    indices: chosen.map((index): RestoredIndex => {
      if (!call.allowsPartial && !index.shards.every(isStored))
        throw refuse(`index [${index.name}] wasn't fully snapshotted - cannot restore`)
      return {
        entry: index.entry,
        from: index.name,
        name: rename(index.name),
        settings: call.settings,
        ignoredSettings: call.ignoredSettings,
        renameAlias,
        shards: index.shards.map(shard => copiedShard(shard, copied)),
      }
    }),
    dataStreams: streams.map(stream => ({
      ...stream,
      name: rename(stream.name),
      indices: stream.indices.map(rename),
    })),
    globalState: call.includesGlobalState ? record.globalState : null,
    refuse,
  }
}

function copiedShard(
  shard: ShardRecord,
  copied: (file: StoredFile) => CopiedFile,
): CopiedShard | null {
  if (!isStored(shard)) return null
  return {
    ...shard,
    segments: shard.segments.map(segment => ({ ...segment, files: segment.files.map(copied) })),
  }
}

/** The indices that a request means, and the data streams all of whose indices are among them. */
function chooseParts(
  call: RestoreSnapshot,
  { indices, dataStreams }: SnapshotRecord,
): { readonly streams: readonly StreamEntry[]; readonly indices: readonly IndexRecord[] } {
  const known = [...indices.map(({ name }) => name), ...dataStreams.map(({ name }) => name)]
  const named = new Set(chosenIndices(call, known))
  const streams = dataStreams.filter(({ name }) => named.has(name))
  const all = new Set([...named, ...streams.flatMap(stream => stream.indices)])
  return { streams, indices: indices.filter(({ name }) => all.has(name)) }
}

/** Refuses a snapshot of which a file is missing, or not of its length, before anything is made. */
function refuseMissing(
  record: SnapshotRecord,
  plan: RestoreCall,
  listing: BlobFinder,
  where: SnapshotName,
): void {
  const restored = new Set(plan.indices.map(({ from }) => from))
  for (const { name, shards } of record.indices) {
    if (!restored.has(name)) continue
    for (const shard of shards)
      if (isStored(shard))
        for (const file of filesOf(shard))
          if (listing.find(file) === null)
            throw restoreError(where, `index [${name}] is damaged`, missingBlob(file))
  }
}
