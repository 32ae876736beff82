/** Looks for damage in a repository: every file that a snapshot needs is read. */

import type { CallContext } from '../../task/call-context.ts'
import { refuseCancelled } from '../../util/cancelled-error.ts'
import { EngineError, toErrorRecord } from '../../util/errors.ts'
import { copyOut } from './blob-copy.ts'
import { type BlobFinder, blobName } from './blob-names.ts'
import { PieceBuffers } from './piece-buffers.ts'
import type { OpenRepository, Repositories } from './repositories.ts'
import { verifyAccess } from './repositories.ts'
import type { RootEntry } from './repository-root.ts'
import { filesOf, isStored, type StoredFile } from './shard-record.ts'
import { Throttle } from './throttle.ts'

/**
 * Verifies a repository: that it can be written unless it is only read, and every byte of its snapshots.
 * @throws {EngineError} `repository_verification_exception` with the first damage as its cause
 */
export async function verifyRepository(
  repositories: Repositories,
  name: string,
  context: CallContext,
): Promise<void> {
  const opened = repositories.open(name)
  const { repository } = opened
  const end = repositories.begin({
    kind: 'verify',
    repository,
    repositoryName: name,
    snapshots: [],
    running: null,
  })
  try {
    await verifyAccess(opened)
    const verified = new Set<string>()
    for (const entry of await readEntries(opened)) {
      refuseCancelled(context)
      const damage = await damageOf(repositories, opened, entry, verified, context)
      // It may have been deleted meanwhile.
      if (damage === null || !(await isListed(opened, entry))) continue
      throw failed(name, `snapshot [${entry.name}] is damaged`, damage)
    }
  } finally {
    end()
  }
}

async function readEntries({ name, repository }: OpenRepository): Promise<readonly RootEntry[]> {
  try {
    return (await repository.readRoot(name)).snapshots
  } catch (error) {
    throw failed(name, 'its list of snapshots is damaged', error)
  }
}

async function isListed(
  { name, repository }: OpenRepository,
  { uuid }: RootEntry,
): Promise<boolean> {
  return (await repository.readRoot(name)).snapshots.some(entry => entry.uuid === uuid)
}

async function damageOf(
  repositories: Repositories,
  { name, repository }: OpenRepository,
  entry: RootEntry,
  verified: Set<string>,
  context: CallContext,
): Promise<unknown> {
  const options = {
    throttle: new Throttle(0),
    signal: context,
    buffers: new PieceBuffers(),
    goOn: () => {
      repositories.engine.snapshots.ensureOpen()
      refuseCancelled(context)
    },
    onBytes: () => {},
  }
  const verify = async (file: StoredFile, listing: BlobFinder): Promise<void> => {
    const blob = blobName(file)
    if (verified.has(blob)) return
    await copyOut(repository, file, listing, options, async () => {})
    verified.add(blob)
  }
  try {
    const record = await repository.readSnapshot(name, entry)
    const listing = await repository.findBlobs()
    for (const { shards } of record.indices)
      for (const shard of shards)
        if (isStored(shard)) for (const file of filesOf(shard)) await verify(file, listing)
    return null
  } catch (error) {
    // Neither is damage.
    repositories.engine.snapshots.ensureOpen()
    refuseCancelled(context)
    return error
  }
}

function failed(name: string, text: string, cause: unknown): EngineError {
  return new EngineError({
    type: 'repository_verification_exception',
    reason: `[${name}] ${text}`,
    causedBy: toErrorRecord(cause),
  })
}
