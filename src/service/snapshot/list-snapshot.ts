/** Makes a snapshot part of its repository. */
import type { OpenRepository } from './repositories.ts'
import { snapshotFile } from './repository.ts'
import type { SnapshotRecord } from './snapshot-record.ts'

/**
 * Writes a snapshot's file and a root that lists it, durable when it resolves. Its blobs are in the
 * repository and pinned. To be called in a turn of the repository.
 */
export async function listSnapshot(
  { name, repository, options }: OpenRepository,
  record: SnapshotRecord,
): Promise<void> {
  const file = snapshotFile(record.uuid)
  repository.pin(file)
  try {
    const root = await repository.readRoot(name)
    const written = await repository.writeSnapshot(record, options.isCompressed)
    await repository.blobs.sync()
    await repository.files.sync()
    const entry = {
      name: record.name,
      uuid: record.uuid,
      state: record.state,
      startInMillis: record.startInMillis,
      indices: record.indices.map(index => index.name),
      dataStreams: record.dataStreams.map(stream => stream.name),
      ...written,
    }
    const listed = [...root.snapshots, entry]
    const next = await repository.writeRoot(name, root, listed, options.isCompressed)
    await repository.deleteOldRoots(next)
  } finally {
    repository.unpin(file)
  }
}
