import { IllegalArgumentError, validationFailed } from '../../util/errors.ts'
import type { VersionType } from '../api/documents.ts'

/**
 * The type of versions by its name.
 * @throws {EngineError} `illegal_argument_exception` for another name; `force` is refused by itself
 */
export function parseVersionType(name: string): VersionType {
  if (name === 'internal' || name === 'external' || name === 'external_gte') return name
  if (name === 'external_gt') return 'external'
  if (name === 'force') throw validationFailed(['version type [force] may no longer be used'])
  throw new IllegalArgumentError(`No version type match [${name}]`)
}
