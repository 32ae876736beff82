/** Deleting snapshots, and what deletions and crashes have left. */
import { checkCapacity } from './capacity.ts'
import { deleteGarbage } from './garbage.ts'
import type { OpenRepository, Repositories } from './repositories.ts'
import type { RepositoryRoot } from './repository-root.ts'
import type { FileCount } from './shard-record.ts'
import { concurrentError, repositoryError, snapshotMissing } from './snapshot-errors.ts'
import { chosenNames } from './snapshot-names.ts'

/**
 * Deletes snapshots; those that are being taken are aborted. Durable when it resolves.
 * @param names names, and patterns of them
 * @throws {EngineError} `snapshot_missing_exception`; `repository_exception`: only read;
 *   `concurrent_snapshot_execution_exception`: one of them is being restored or cloned
 */
export async function deleteSnapshots(
  repositories: Repositories,
  repositoryName: string,
  names: readonly string[],
): Promise<void> {
  const opened = repositories.open(repositoryName)
  const { repository, options } = opened
  if (options.isReadOnly)
    throw repositoryError(repositoryName, 'cannot delete snapshot from a readonly repository')
  const chosen = await chooseAll(repositories, opened, names)
  const first = { repository: repositoryName, snapshot: names.join(','), uuid: null }
  checkCapacity(repositories, first)
  const end = repositories.begin({
    kind: 'delete',
    repository,
    repositoryName,
    snapshots: chosen,
    running: null,
  })
  try {
    const aborted = repositories
      .operations(repository)
      .flatMap(({ running }) =>
        running !== null && chosen.includes(running.name) ? [running] : [],
      )
    for (const running of aborted) running.abort()
    // One that has been listed meanwhile goes with the others.
    await Promise.all(aborted.map(({ ended }) => ended))
    await repository.inTurn(async () => {
      refuseUsed(repositories, opened, chosen)
      const root = await repository.readRoot(repositoryName)
      const kept = root.snapshots.filter(({ name }) => !chosen.includes(name))
      let next = root
      if (kept.length < root.snapshots.length)
        next = await repository.writeRoot(repositoryName, root, kept, options.isCompressed)
      else if (aborted.length === 0) return
      await tidy(opened, next)
    })
  } finally {
    end()
  }
}

/** Removes garbage after a deletion, which holds even where the garbage cannot be removed. */
async function tidy(opened: OpenRepository, root: RepositoryRoot): Promise<void> {
  try {
    await deleteGarbage(opened, root, () => {})
  } catch {
    // It wastes space until the next deletion, and `_cleanup` tells why.
  }
}

async function chooseAll(
  repositories: Repositories,
  { name, repository }: OpenRepository,
  names: readonly string[],
): Promise<string[]> {
  const listed = (await repository.readRoot(name)).snapshots.map(entry => entry.name)
  const running = repositories
    .operations(repository)
    .flatMap(operation => (operation.running === null ? [] : [operation.running.name]))
  return chosenNames(names, [...new Set([...listed, ...running])], missing => {
    throw snapshotMissing(name, missing)
  })
}

function refuseUsed(
  repositories: Repositories,
  { name, repository }: OpenRepository,
  chosen: readonly string[],
): void {
  for (const { kind, snapshots } of repositories.operations(repository)) {
    if (kind !== 'restore' && kind !== 'clone') continue
    const used = snapshots.find(snapshot => chosen.includes(snapshot))
    if (used === undefined) continue
    throw concurrentError(
      { repository: name, snapshot: used, uuid: null },
      kind === 'restore'
        ? 'cannot delete snapshot during a restore'
        : 'cannot delete snapshot while it is being cloned',
    )
  }
}

/**
 * Removes files that no snapshot needs.
 * @throws {EngineError} `repository_exception`: only read, or a snapshot is damaged
 */
export async function cleanUp(
  repositories: Repositories,
  repositoryName: string,
): Promise<FileCount> {
  const opened = repositories.open(repositoryName)
  const { repository, options } = opened
  if (options.isReadOnly)
    throw repositoryError(repositoryName, 'cannot run cleanup on readonly repository')
  const end = repositories.begin({
    kind: 'cleanup',
    repository,
    repositoryName,
    snapshots: [],
    running: null,
  })
  try {
    return await repository.inTurn(async () =>
      deleteGarbage(opened, await repository.readRoot(repositoryName), () => {
        repositories.engine.snapshots.ensureOpen()
      }),
    )
  } finally {
    end()
  }
}
