/** Taking a snapshot: files that the repository lacks are copied, then the root lists it. */
import { randomBytes } from 'node:crypto'
import type { HeldIndex, HeldIndices } from '../../engine/api/snapshots.ts'
import type { Target } from '../../engine/api/target.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'
import { type JsonNode, parseJsonTree } from '../../util/json/json-tree.ts'
import { writeJson } from '../../util/json/json-writer.ts'
import { inBackground } from './background.ts'
import { checkCapacity } from './capacity.ts'
import { listSnapshot } from './list-snapshot.ts'
import { PieceBuffers } from './piece-buffers.ts'
import { RELEASE } from './release.ts'
import type { OpenRepository, Repositories } from './repositories.ts'
import type { RepositoryRoot } from './repository-root.ts'
import { newProgress, type RunningSnapshot, type ShardProgress } from './running-snapshot.ts'
import { isStored, type ShardRecord } from './shard-record.ts'
import { invalidName, repositoryError, snapshotError } from './snapshot-errors.ts'
import { checkSnapshotName } from './snapshot-names.ts'
import type { IndexRecord, SnapshotRecord } from './snapshot-record.ts'
import type { SnapshotState } from './snapshot-state.ts'
import { failShard, failureOf, storeShard } from './store-shard.ts'
import { statusOfShards } from './task-status.ts'

/** Shards that are copied at a time. */
const SHARDS_AT_ONCE = 2

/** A request for a snapshot. */
export interface CreateSnapshot {
  readonly repository: string
  readonly snapshot: string
  readonly target: Target
  readonly includesGlobalState: boolean
  /** Whether shards that cannot be read are left out. */
  readonly allowsPartial: boolean
  readonly metadata: JsonNode | null
}

/**
 * Begins a snapshot; it goes on without the request.
 * @returns `done`: the snapshot, listed
 * @throws {EngineError} it cannot be begun
 */
export async function createSnapshot(
  repositories: Repositories,
  call: CreateSnapshot,
  context: CallContext,
): Promise<{ readonly done: Promise<SnapshotRecord> }> {
  const { engine } = repositories
  const opened = repositories.open(call.repository)
  const { repository, options } = opened
  checkSnapshotName(call.repository, call.snapshot)
  if (options.isReadOnly)
    throw repositoryError(call.repository, 'cannot create snapshot in a readonly repository')
  engine.snapshots.names(call.target, context)
  const running = newSnapshot(call)
  const end = await repository.inTurn(async () => {
    const root = await checkNameIsFree(repositories, opened, call.snapshot)
    if (root.generation === 0)
      await repository.writeRoot(call.repository, root, [], options.isCompressed)
    checkCapacity(repositories, { ...call, uuid: running.uuid })
    const begin = (): (() => void) =>
      repositories.begin({
        kind: 'create',
        repository,
        repositoryName: call.repository,
        snapshots: [],
        running,
      })
    return engine.snapshots.inTurn(`create_snapshot [${call.snapshot}]`, begin, context)
  })
  let held: HeldIndices
  try {
    held = await engine.snapshots.hold(call.target, context)
  } catch (error) {
    end()
    throw error
  }
  const progress = new Map(
    held.indices.map(({ name, shards }) => [name, shards.map(() => newProgress())]),
  )
  running.indices = progress
  running.dataStreams = held.dataStreams
  const damaged = held.indices.filter(isDamaged).map(({ name }) => name)
  if (damaged.length > 0 && !call.allowsPartial) {
    held.release()
    end()
    throw snapshotError(
      { ...call, uuid: running.uuid },
      `Indices don't have primary shards [${damaged.join(', ')}]`,
    )
  }
  let settle = (): void => {}
  running.ended = new Promise(resolve => {
    settle = resolve
  })
  const done = inBackground(engine, context, async own => {
    own.task.describe = () => `snapshot [${call.repository}:${call.snapshot}]`
    own.task.status = () => statusOfShards([...progress.values()].flat())
    running.abort = () => {
      running.isAborted = true
      own.task.cancel()
    }
    if (running.isAborted) own.task.cancel()
    try {
      return await takeSnapshot(repositories, opened, call, running, held, progress, own)
    } finally {
      held.release()
      end()
      settle()
    }
  })
  return { done }
}

function newSnapshot(call: CreateSnapshot): RunningSnapshot {
  const running: RunningSnapshot = {
    name: call.snapshot,
    uuid: newUuid(),
    includesGlobalState: call.includesGlobalState,
    metadata: call.metadata,
    startInMillis: Date.now(),
    dataStreams: [],
    indices: new Map(),
    isAborted: false,
    abort: () => {
      running.isAborted = true
    },
    ended: Promise.resolve(),
  }
  return running
}

/** 22 url-safe characters that no other snapshot has. */
export function newUuid(): string {
  return randomBytes(16).toString('base64url')
}

/**
 * Refuses the name of a snapshot that is there, or on its way.
 * @returns the root, read now
 * @throws {EngineError} `invalid_snapshot_name_exception`
 */
export async function checkNameIsFree(
  repositories: Repositories,
  { name, repository }: OpenRepository,
  snapshot: string,
): Promise<RepositoryRoot> {
  const root = await repository.readRoot(name)
  if (root.snapshots.some(entry => entry.name === snapshot))
    throw invalidName(name, snapshot, 'snapshot with the same name already exists')
  const running = repositories.operations(repository)
  if (running.some(operation => operation.running?.name === snapshot))
    throw invalidName(name, snapshot, 'snapshot with the same name is already in-progress')
  return root
}

function isDamaged({ entry, shards }: HeldIndex): boolean {
  return entry === null || shards.some(shard => !('release' in shard))
}

async function takeSnapshot(
  repositories: Repositories,
  opened: OpenRepository,
  call: CreateSnapshot,
  running: RunningSnapshot,
  held: HeldIndices,
  progress: ReadonlyMap<string, readonly ShardProgress[]>,
  context: CallContext,
): Promise<SnapshotRecord> {
  const { engine } = repositories
  const { repository } = opened
  const pinned: string[] = []
  const goOn = (): void => {
    engine.snapshots.ensureOpen()
    if (running.isAborted || context.isCancelled) throw abortedError(call, running)
  }
  const options = {
    signal: context,
    buffers: new PieceBuffers(),
    goOn,
    pin: (file: string) => {
      repository.pin(file)
      pinned.push(file)
    },
  }
  try {
    const listing = await repository.findBlobs()
    const records = new Map<ShardProgress, ShardRecord>()
    const waiting = held.indices.flatMap(({ name, shards }) =>
      shards.map((shard, number) => ({ shard, own: progress.get(name)![number]! })),
    )
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { shard, own } = next
        goOn()
        const record =
          'release' in shard
            ? await engine.tasks.step(context, 'cluster:admin/snapshot/create[s]', () =>
                storeShard(opened, shard, listing, own, options),
              )
            : failShard(own, failureOf(new EngineError(shard)), false)
        records.set(own, record)
        if (isStored(record)) own.stage = 'DONE'
      }
    }
    const lanes = await Promise.allSettled(Array.from({ length: SHARDS_AT_ONCE }, lane))
    for (const each of lanes) if (each.status === 'rejected') throw each.reason
    goOn()
    const indices = held.indices.flatMap(({ name, uuid, entry }): IndexRecord[] => {
      // It was deleted before it was held.
      if (entry === null) return []
      const shards = progress.get(name)!.map(own => records.get(own)!)
      return [{ name, uuid, entry: parseJsonTree(writeJson(entry)), shards }]
    })
    const globalState = call.includesGlobalState
      ? parseJsonTree(writeJson(engine.snapshots.globalState()))
      : null
    const record: SnapshotRecord = {
      name: call.snapshot,
      uuid: running.uuid,
      state: stateOf(indices.flatMap(({ shards }) => shards)),
      version: RELEASE,
      includesGlobalState: call.includesGlobalState,
      metadata: call.metadata,
      startInMillis: running.startInMillis,
      endInMillis: Math.max(running.startInMillis, Date.now()),
      dataStreams: held.dataStreams,
      globalState,
      indices,
    }
    await repository.inTurn(async () => {
      goOn()
      await listSnapshot(opened, record)
    })
    return record
  } catch (error) {
    if (error instanceof EngineError && error.type === 'snapshot_exception') throw error
    throw snapshotError({ ...call, uuid: running.uuid }, 'failed to finalize snapshot', error)
  } finally {
    for (const file of pinned) repository.unpin(file)
  }
}

function abortedError(call: CreateSnapshot, { uuid, isAborted }: RunningSnapshot): EngineError {
  return snapshotError(
    { ...call, uuid },
    isAborted ? 'Snapshot was aborted by deletion' : 'Snapshot was cancelled',
  )
}

function stateOf(shards: readonly ShardRecord[]): SnapshotState {
  const stored = shards.filter(isStored).length
  if (stored === shards.length) return 'SUCCESS'
  return stored === 0 ? 'FAILED' : 'PARTIAL'
}
