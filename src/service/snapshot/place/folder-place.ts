import type { EngineApi } from '../../../engine/api/engine-api.ts'
import { EngineError } from '../../../util/errors.ts'
import { repositoryError } from '../snapshot-errors.ts'
import type { RepositoryStores } from './file-store.ts'
import { FolderStore } from './folder-store.ts'

/**
 * Opens a repository that lies in a folder.
 * @throws {EngineError} `repository_exception`: outside of `path.repo`, behind a link, or not to be opened
 */
export function openFolder(name: string, location: string, engine: EngineApi): RepositoryStores {
  try {
    const { path, directory, blobs } = engine.snapshots.repositoryFolder(location)
    return { id: path, files: new FolderStore(directory), blobs: new FolderStore(blobs) }
  } catch (error) {
    if (error instanceof EngineError) throw repositoryError(name, error.message)
    throw repositoryError(name, `location [${location}] cannot be opened`, { status: 500 })
  }
}
