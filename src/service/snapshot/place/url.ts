import { fileURLToPath } from 'node:url'
import { notSupported } from '../../../schema/mapping-errors.ts'
import { repositoryError } from '../snapshot-errors.ts'
import { openFolder } from './folder-place.ts'
import type { RepositoryType } from './repository-type.ts'

/** Protocols that the real server reads, beside files. */
const OTHER_PROTOCOLS = ['http', 'https', 'ftp', 'jar']

/** `url`: a folder that is only read, by its URL. */
export const URL_PLACE: RepositoryType = {
  keys: ['url', 'max_restore_bytes_per_sec'],
  isReadOnly: true,
  chunkSize: '',
  readPlace(name, text) {
    const given = text('url', '')
    if (given === '') throw repositoryError(name, 'missing url')
    const location = fileOf(name, given)
    return engine => openFolder(name, location, engine)
  },
}

/** The folder that a URL names. */
function fileOf(name: string, text: string): string {
  const protocol = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? ''
  if (OTHER_PROTOCOLS.includes(protocol)) throw notSupported(`url: ${protocol}`)
  if (protocol !== 'file')
    throw repositoryError(name, `unsupported url protocol [${protocol}] from URL [${text}]`)
  try {
    return fileURLToPath(text)
  } catch {
    throw repositoryError(name, `cannot parse URL [${text}]`)
  }
}
