/** Files of a repository that no snapshot needs: left by deletions, by failures and by crashes. */
import { fairTurn } from '../../util/fair-turn.ts'
import { blobName, blobOfPart, isBlob, UNFINISHED } from './blob-names.ts'
import type { OpenRepository } from './repositories.ts'
import { isSnapshotFile, snapshotFile } from './repository.ts'
import type { RepositoryRoot } from './repository-root.ts'
import { type FileCount, filesOf, isStored } from './shard-record.ts'

/**
 * Deletes what no snapshot of the root needs and nothing that runs has pinned. To be called in a turn of
 * the repository.
 * @param root durable, and current
 * @param goOn called between snapshots; throws to give up
 * @throws {EngineError} `repository_exception`: a snapshot that cannot be read may need any of the files;
 *   nothing is deleted
 */
export async function deleteGarbage(
  { name, repository }: OpenRepository,
  root: RepositoryRoot,
  goOn: () => void,
): Promise<FileCount> {
  const needed = new Set(root.snapshots.map(({ uuid }) => snapshotFile(uuid)))
  for (const entry of root.snapshots) {
    await fairTurn()
    goOn()
    for (const { shards } of (await repository.readSnapshot(name, entry)).indices)
      for (const shard of shards)
        if (isStored(shard)) for (const file of filesOf(shard)) needed.add(blobName(file))
  }
  const total = { count: 0, bytes: 0 }
  for (const store of [repository.files, repository.blobs]) {
    const before = total.count
    const list = await store.list()
    for (const file of list.names) {
      if (!isGarbageKind(file)) continue
      const whole = blobOfPart(file)
      await fairTurn()
      if (needed.has(whole) || repository.isPinned(whole)) continue
      total.bytes += Math.max(0, list.lengthOf(file))
      total.count++
      await store.delete(file)
    }
    if (total.count > before) await store.sync()
  }
  await repository.deleteOldRoots(root)
  return total
}

/** Whether a file is one of a repository's own that comes and goes; others are left alone. */
function isGarbageKind(file: string): boolean {
  return isBlob(file) || isSnapshotFile(file) || file.startsWith(UNFINISHED)
}
