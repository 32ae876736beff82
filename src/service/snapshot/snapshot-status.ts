/** How far snapshots are, shard by shard. */
import { clusterSettings } from '../../schema/setting-registry.ts'
import { EngineError, validationFailed } from '../../util/errors.ts'
import { fairTurn } from '../../util/fair-turn.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { knownSnapshots } from './find-snapshots.ts'
import { type PrintedShard, printStatus } from './print-status.ts'
import type { OpenRepository, Repositories } from './repositories.ts'
import type { RunningSnapshot } from './running-snapshot.ts'
import { isStored, NO_FILES, totalOf } from './shard-record.ts'
import { snapshotMissing } from './snapshot-errors.ts'
import type { SnapshotRecord } from './snapshot-record.ts'

/** Most shards that a call may be about. */
const LIMIT = 'snapshot.max_shards_allowed_in_status_api'

/** Which snapshots are asked about. */
export interface SnapshotStatus {
  /** '': all repositories, of which those snapshots that are being taken. */
  readonly repository: string
  /** Exact names; none: those that are being taken. */
  readonly snapshots: readonly string[]
  /** Exact names of indices; none: all. Of one snapshot alone. */
  readonly indices: readonly string[]
  /** Whether missing and damaged snapshots, and missing indices, are left out. */
  readonly ignoresUnavailable: boolean
}

/** A snapshot with the shards that are asked about, before any is printed. */
interface FoundStatus {
  readonly shardCount: number
  print(): JsonRecord
}

/**
 * The state of snapshots.
 * @throws {EngineError} `repository_missing_exception`, `snapshot_missing_exception`,
 *   `index_not_found_exception`, `action_request_validation_exception`, `circuit_breaking_exception`: too many
 *   shards
 */
export async function snapshotStatus(
  repositories: Repositories,
  call: SnapshotStatus,
): Promise<JsonRecord[]> {
  if (call.snapshots.length > 1 && call.indices.length > 0)
    throw validationFailed(['index list filter is supported only for a single snapshot'])
  const names =
    call.repository === '' || call.repository === '_all'
      ? [...repositories.find([]).keys()]
      : [call.repository]
  const found: FoundStatus[] = []
  for (const name of names)
    found.push(...(await statusIn(repositories, repositories.open(name), call)))
  const count = found.reduce((sum, { shardCount }) => sum + shardCount, 0)
  checkShardCount(repositories, call.repository || names.join(','), count)
  return found.map(each => each.print())
}

async function statusIn(
  repositories: Repositories,
  opened: OpenRepository,
  call: SnapshotStatus,
): Promise<FoundStatus[]> {
  const { name, repository } = opened
  if (call.snapshots.length === 0)
    return repositories
      .operations(repository)
      .flatMap(({ running, repositoryName }) =>
        running === null || repositoryName !== name ? [] : [ofRunning(name, running, call)],
      )
  const known = await knownSnapshots(repositories, opened)
  const all: FoundStatus[] = []
  for (const snapshot of call.snapshots) {
    await fairTurn()
    const found = known.find(each => each.name === snapshot)
    if (found === undefined) {
      if (call.ignoresUnavailable) continue
      throw snapshotMissing(name, snapshot)
    }
    if (found.running !== null) {
      all.push(ofRunning(name, found.running, call))
      continue
    }
    try {
      all.push(ofRecord(name, await repository.readSnapshot(name, found.entry!), call))
    } catch (error) {
      const isDamage = error instanceof EngineError && error.type === 'repository_exception'
      if (!call.ignoresUnavailable || !isDamage) throw error
    }
  }
  return all
}

function ofRunning(
  repository: string,
  running: RunningSnapshot,
  call: SnapshotStatus,
): FoundStatus {
  const chosen = chosenIndices(repository, running.name, [...running.indices.keys()], call)
  const shards = new Map(chosen.map(index => [index, running.indices.get(index)!]))
  return {
    shardCount: countOf(shards),
    print: () =>
      printStatus({
        repository,
        ...running,
        state: 'IN_PROGRESS',
        endInMillis: Date.now(),
        indices: new Map(
          Array.from(shards, ([index, own]) => [
            index,
            own.map((shard): PrintedShard => ({ ...shard, isRunning: true })),
          ]),
        ),
      }),
  }
}

function ofRecord(repository: string, record: SnapshotRecord, call: SnapshotStatus): FoundStatus {
  const known = record.indices.map(({ name }) => name)
  const chosen = new Set(chosenIndices(repository, record.name, known, call))
  const indices = record.indices.filter(({ name }) => chosen.has(name))
  return {
    shardCount: indices.reduce((sum, { shards }) => sum + shards.length, 0),
    print: () =>
      printStatus({
        repository,
        ...record,
        indices: new Map(
          indices.map(({ name, shards }) => [
            name,
            shards.map((shard): PrintedShard => {
              if (!isStored(shard))
                return {
                  stage: 'FAILURE',
                  total: NO_FILES,
                  incremental: NO_FILES,
                  processed: NO_FILES,
                  startInMillis: 0,
                  tookInMillis: 0,
                  failure: shard.isSkipped ? 'skipped' : shard.failure,
                  isRunning: false,
                }
              const { incremental, startInMillis, tookInMillis } = shard
              return {
                stage: 'DONE',
                total: totalOf(shard),
                incremental,
                processed: incremental,
                startInMillis,
                tookInMillis,
                failure: null,
                isRunning: false,
              }
            }),
          ]),
        ),
      }),
  }
}

function countOf(shards: ReadonlyMap<string, readonly unknown[]>): number {
  let count = 0
  for (const own of shards.values()) count += own.length
  return count
}

/** @throws {EngineError} `index_not_found_exception`: one that the snapshot does not have */
function chosenIndices(
  repository: string,
  snapshot: string,
  known: readonly string[],
  { indices, ignoresUnavailable }: SnapshotStatus,
): readonly string[] {
  if (indices.length === 0) return known
  const missing = indices.filter(index => !known.includes(index))
  if (missing.length > 0 && !ignoresUnavailable) {
    const list = missing.join(', ')
    throw new EngineError({
      type: 'index_not_found_exception',
      reason: `no such index [${list}]`,
      extra: {
        index: list,
        'resource.id': list,
        'resource.type': 'index_or_alias',
        index_uuid: '_na_',
      },
      causedBy: {
        type: 'illegal_argument_exception',
        reason: `indices [${list}] missing in snapshot [${snapshot}] of repository [${repository}]`,
      },
    })
  }
  return known.filter(index => indices.includes(index))
}

function checkShardCount(repositories: Repositories, repository: string, count: number): void {
  const { persistent, transient } = repositories.engine.cluster.settings()
  const limit = clusterSettings.number(persistent.with(transient.toMap()), LIMIT) ?? 200_000
  if (count <= limit) return
  throw new EngineError({
    type: 'circuit_breaking_exception',
    reason:
      `[${repository}] Total shard count [${count}] is more than the maximum allowed value of shard count ` +
      `[${limit}] for snapshot status request. Try narrowing down the request by requesting fewer snapshots or indices.`,
    extra: { bytes_wanted: 0, bytes_limit: 0, durability: 'PERMANENT' },
  })
}
