/** A copy of some indices of a snapshot under another name: it needs the same files. */
import { EngineError } from '../../util/errors.ts'
import { checkCapacity } from './capacity.ts'
import { checkNameIsFree, newUuid } from './create-snapshot.ts'
import { listSnapshot } from './list-snapshot.ts'
import type { Repositories } from './repositories.ts'
import { isStored } from './shard-record.ts'
import { repositoryError, snapshotError, snapshotMissing } from './snapshot-errors.ts'
import { checkSnapshotName, chosenNames } from './snapshot-names.ts'

/** A request for a clone. */
export interface CloneSnapshot {
  readonly repository: string
  readonly source: string
  readonly target: string
  /** Names and patterns of indices of the source. */
  readonly indices: readonly string[]
  readonly ignoresUnavailable: boolean
}

/**
 * Clones a snapshot; durable when it resolves.
 * @throws {EngineError} `snapshot_missing_exception`, `invalid_snapshot_name_exception`,
 *   `snapshot_exception`: none of its indices is meant, or one of them is not whole;
 *   `index_not_found_exception`; `repository_exception`
 */
export async function cloneSnapshot(
  repositories: Repositories,
  call: CloneSnapshot,
): Promise<void> {
  const opened = repositories.open(call.repository)
  const { name, repository, options } = opened
  checkSnapshotName(name, call.target)
  if (options.isReadOnly)
    throw repositoryError(name, 'cannot create snapshot in a readonly repository')
  checkCapacity(repositories, { repository: name, snapshot: call.target, uuid: null })
  const end = repositories.begin({
    kind: 'clone',
    repository,
    repositoryName: name,
    snapshots: [call.source],
    running: null,
  })
  try {
    await repository.inTurn(async () => {
      const root = await checkNameIsFree(repositories, opened, call.target)
      const entry = root.snapshots.find(each => each.name === call.source)
      if (entry === undefined) throw snapshotMissing(name, call.source)
      const source = await repository.readSnapshot(name, entry)
      const chosen = new Set(chosenIndices(call, entry.indices))
      const indices = source.indices.filter(index => chosen.has(index.name))
      const fault = (text: string): EngineError =>
        snapshotError({ repository: name, snapshot: call.source, uuid: null }, text)
      if (indices.length === 0)
        throw fault(
          `No indices in the source snapshot [${call.source}/${entry.uuid}] matched requested pattern ` +
            `[${call.indices.join(',')}]`,
        )
      const broken = indices.find(({ shards }) => !shards.every(isStored))
      if (broken !== undefined)
        throw fault(`Can't clone index [${broken.name}] because its snapshot was not successful.`)
      const now = Date.now()
      await listSnapshot(opened, {
        ...source,
        name: call.target,
        uuid: newUuid(),
        state: 'SUCCESS',
        startInMillis: now,
        endInMillis: now,
        indices,
        dataStreams: source.dataStreams.filter(stream =>
          stream.indices.every(index => chosen.has(index)),
        ),
      })
    })
  } finally {
    end()
  }
}

/**
 * The indices of a snapshot that a request means.
 * @throws {EngineError} `index_not_found_exception`, unless missing ones are ignored
 */
export function chosenIndices(
  { indices, ignoresUnavailable }: Pick<CloneSnapshot, 'indices' | 'ignoresUnavailable'>,
  known: readonly string[],
): string[] {
  return chosenNames(indices, known, missing => {
    if (ignoresUnavailable) return
    throw new EngineError({
      type: 'index_not_found_exception',
      reason: `no such index [${missing}]`,
      extra: {
        index: missing,
        'resource.id': missing,
        'resource.type': 'index_or_alias',
        index_uuid: '_na_',
      },
    })
  })
}
