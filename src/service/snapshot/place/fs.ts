import { repositoryError } from '../snapshot-errors.ts'
import { openFolder } from './folder-place.ts'
import { type RepositoryType, WRITABLE_KEYS } from './repository-type.ts'

/** `fs`: a folder below `path.repo`. */
export const FS: RepositoryType = {
  keys: ['location', ...WRITABLE_KEYS],
  isReadOnly: false,
  chunkSize: '',
  readPlace(name, text) {
    const location = text('location', '')
    if (location === '') throw repositoryError(name, 'missing location')
    return engine => openFolder(name, location, engine)
  },
}
