/** Commit points of a shard: writing, reading, and deleting what they no longer reference. */
import type { Manifest } from '../codec/manifest/format.ts'
import { readManifest } from '../codec/manifest/reader.ts'
import type { CommitFilesRequest } from '../pool/messages.ts'
import type { Directory } from '../store/directory.ts'
import { CorruptSegmentError } from '../util/errors.ts'

/**
 * The commit protocol. A crash at any point leaves either the previous commit or the new one: new
 * files are written and synced, then the folder; the commit point is written under a pending name,
 * synced, renamed and made durable by a second sync of the folder. Only then may older commits and
 * unreferenced files be deleted, and the log trimmed.
 */
export function commitFiles(
  directory: Directory,
  request: Pick<CommitFilesRequest, 'newFiles' | 'unsynced' | 'commit' | 'generation'>,
): void {
  const { newFiles, unsynced, commit, generation } = request
  const made: string[] = []
  const pending = `pending_commit_${generation}`
  try {
    for (const file of newFiles) {
      directory.delete(file.name)
      directory.write(file.name, file.bytes)
      made.push(file.name)
    }
    directory.sync([...unsynced, ...made])
    directory.syncFolder()
    directory.delete(pending)
    directory.write(pending, commit)
    made.push(pending)
    directory.sync([pending])
    directory.rename(pending, commitFileName(generation))
  } catch (error) {
    for (const name of made) directory.delete(name)
    throw error
  }
  directory.syncFolder()
}

/** File name of a commit point. */
export function commitFileName(generation: number): string {
  return `commit_${generation}`
}

/**
 * The newest commit point of a folder, or null when it holds none.
 * @throws {CorruptSegmentError} the newest is corrupt: an older one lacks operations acknowledged
 *   since, so it is not used instead
 */
export function readLastCommit(directory: Directory): Manifest | null {
  let newest = 0
  for (const name of directory.list()) {
    const match = /^commit_(\d{1,15})$/.exec(name)
    if (match !== null) newest = Math.max(newest, Number(match[1]))
  }
  if (newest === 0) return null
  const name = commitFileName(newest)
  const manifest = readManifest(name, directory.read(name))
  if (manifest.generation !== newest)
    throw new CorruptSegmentError(name, 32, `generation ${newest}`, `${manifest.generation}`)
  for (const segment of manifest.segments)
    for (const file of segment.files) {
      const length = directory.length(file.name)
      if (length !== file.length)
        throw new CorruptSegmentError(
          file.name,
          Math.max(0, Math.min(length, file.length)),
          `${file.length} bytes, as ${name} says`,
          length < 0 ? 'no file' : `${length} bytes`,
        )
    }
  return manifest
}

/**
 * Deletes files left by a crash or an older commit: every file of the store's own kinds that the
 * commit does not reference.
 * @throws the first failure, after all were tried
 */
export function deleteUnreferenced(directory: Directory, manifest: Manifest | null): void {
  const named = new Set<string>()
  if (manifest !== null) {
    named.add(commitFileName(manifest.generation))
    for (const segment of manifest.segments) for (const file of segment.files) named.add(file.name)
  }
  let failure: unknown = null
  for (const name of directory.list()) {
    if (named.has(name) || !/^(pending_|commit_|_[0-9a-z]+[._])/.test(name)) continue
    try {
      directory.delete(name)
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== null) throw failure
}
