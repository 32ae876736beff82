/** Snapshots of a repository as the API lists them. */
import { EngineError } from '../../util/errors.ts'
import { fairTurn } from '../../util/fair-turn.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { printEntry, printInfo, printRunning } from './print-info.ts'
import type { OpenRepository, Repositories } from './repositories.ts'
import type { RootEntry } from './repository-root.ts'
import type { RunningSnapshot } from './running-snapshot.ts'
import { isStored } from './shard-record.ts'
import { snapshotMissing } from './snapshot-errors.ts'
import { chosenNames } from './snapshot-names.ts'
import type { SnapshotRecord } from './snapshot-record.ts'

/** Which snapshots are asked for, and how. */
export interface FindSnapshots {
  readonly repository: string
  /** Names, patterns, `_all`, `_current`: those that are being taken. */
  readonly snapshots: readonly string[]
  /** Whether missing and damaged ones are left out. */
  readonly ignoresUnavailable: boolean
  /** Whether their files are read; else they show what the root knows. */
  readonly isVerbose: boolean
}

/**
 * Snapshots in the order in which they were taken.
 * @throws {EngineError} `repository_missing_exception`, `snapshot_missing_exception`, `repository_exception`
 */
export async function findSnapshots(
  repositories: Repositories,
  { repository, snapshots, ignoresUnavailable, isVerbose }: FindSnapshots,
): Promise<JsonRecord[]> {
  const opened = repositories.open(repository)
  const known = await knownSnapshots(repositories, opened)
  const chosen = chooseSnapshots(known, snapshots, missing => {
    if (!ignoresUnavailable) throw snapshotMissing(repository, missing)
  })
  const printed: JsonRecord[] = []
  for (const { running, entry } of chosen) {
    await fairTurn()
    if (running !== null) printed.push(printRunning(running, isVerbose))
    else if (!isVerbose) printed.push(printEntry(entry!))
    else {
      const record = await readOrSkip(opened, entry!, ignoresUnavailable)
      if (record !== null) printed.push(printInfo(record))
    }
  }
  return printed
}

/** A listed snapshot; null: it is damaged, and may be left out. */
async function readOrSkip(
  { name, repository }: OpenRepository,
  entry: RootEntry,
  ignoresUnavailable: boolean,
): Promise<SnapshotRecord | null> {
  try {
    return await repository.readSnapshot(name, entry)
  } catch (error) {
    if (ignoresUnavailable && error instanceof EngineError) return null
    throw error
  }
}

/** A snapshot in numbers. */
export interface SnapshotSummary {
  readonly name: string
  readonly state: string
  readonly startInMillis: number
  /** 0 while it is being taken. */
  readonly endInMillis: number
  readonly indexCount: number
  readonly shardCount: number
  readonly failedCount: number
}

/**
 * All snapshots of a repository in numbers, in the order in which they were taken.
 * @param ignoresUnavailable whether damaged ones are left out
 * @throws {EngineError} `repository_missing_exception`, `repository_exception`
 */
export async function summarizeSnapshots(
  repositories: Repositories,
  repository: string,
  ignoresUnavailable: boolean,
): Promise<SnapshotSummary[]> {
  const opened = repositories.open(repository)
  const summaries: SnapshotSummary[] = []
  for (const { running, entry } of await knownSnapshots(repositories, opened)) {
    await fairTurn()
    if (running !== null) {
      const shards = [...running.indices.values()].flat()
      summaries.push({
        ...running,
        state: 'IN_PROGRESS',
        endInMillis: 0,
        indexCount: running.indices.size,
        shardCount: shards.length,
        failedCount: shards.filter(({ stage }) => stage === 'FAILURE').length,
      })
      continue
    }
    const record = await readOrSkip(opened, entry!, ignoresUnavailable)
    if (record === null) continue
    const shards = record.indices.flatMap(index => index.shards)
    summaries.push({
      ...record,
      indexCount: record.indices.length,
      shardCount: shards.length,
      failedCount: shards.filter(shard => !isStored(shard)).length,
    })
  }
  return summaries
}

/** A snapshot that is being taken, or that the root lists. */
export interface KnownSnapshot {
  readonly name: string
  readonly startInMillis: number
  readonly running: RunningSnapshot | null
  readonly entry: RootEntry | null
}

/** All snapshots of a repository in the order in which they were taken. */
export async function knownSnapshots(
  repositories: Repositories,
  { name, repository }: OpenRepository,
): Promise<KnownSnapshot[]> {
  // Asked for first: one that is listed meanwhile is not missed.
  const running = repositories
    .operations(repository)
    .flatMap((operation): KnownSnapshot[] =>
      operation.running === null ? [] : [{ ...part(operation.running), entry: null }],
    )
  const listed = (await repository.readRoot(name)).snapshots
    .filter(entry => running.every(each => each.name !== entry.name))
    .map((entry): KnownSnapshot => ({ ...entry, running: null, entry }))
  return [...listed, ...running].sort(
    (a, b) => a.startInMillis - b.startInMillis || (a.name < b.name ? -1 : 1),
  )
}

function part(running: RunningSnapshot): Omit<KnownSnapshot, 'entry'> {
  return { name: running.name, startInMillis: running.startInMillis, running }
}

/** Those of them that names mean; `_current` means those that are being taken. */
export function chooseSnapshots(
  known: readonly KnownSnapshot[],
  names: readonly string[],
  missing: (name: string) => void,
): KnownSnapshot[] {
  const hasCurrent = names.includes('_current')
  const others = names.filter(name => name !== '_current')
  const chosen = new Set(
    hasCurrent && others.length === 0
      ? []
      : chosenNames(
          others,
          known.map(({ name }) => name),
          missing,
        ),
  )
  return known.filter(({ name, running }) => chosen.has(name) || (hasCurrent && running !== null))
}
