/** Settings of a repository: what each type takes. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { RegisteredRepository } from '../../engine/api/snapshots.ts'
import { type SettingChanges, Settings } from '../../schema/settings.ts'
import { didYouMean, findAlike } from '../../util/did-you-mean.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { parseSize } from '../../util/units.ts'
import type { RepositoryStores } from './place/file-store.ts'
import type { RepositoryType } from './place/repository-type.ts'
import { REPOSITORY_TYPES } from './place/repository-types.ts'
import { repositoryError } from './snapshot-errors.ts'

/** The settings of a repository, read. */
export interface RepositoryOptions {
  /** Opens the place where it lies; throws an `EngineError` where that cannot be. */
  readonly open: (engine: EngineApi) => RepositoryStores
  /** Whether its own files are deflated; those of segments are kept as they are. */
  readonly isCompressed: boolean
  /** Longest blob; longer files are kept in parts. Infinity: no limit. */
  readonly partBytes: number
  /** 0: no limit. */
  readonly snapshotBytesPerSecond: number
  /** 0: no limit. */
  readonly restoreBytesPerSecond: number
  readonly isReadOnly: boolean
}

/** Smaller parts would be too many. */
const MIN_PART_BYTES = 1024

/**
 * A repository as it is registered.
 * @param settings flat keys
 * @throws {EngineError} `repository_exception`: a type that there is not, no location;
 *   `illegal_argument_exception`: a setting that it does not have, or a value that the setting does not take
 */
export function repositoryOf(
  name: string,
  type: string,
  settings: SettingChanges,
): RegisteredRepository {
  const { keys } = typeOf(name, type)
  const given = new Settings(
    [...settings].flatMap(([key, value]) => (value === null ? [] : [[key, value] as const])),
  )
  for (const key of given.toMap().keys())
    if (!keys.includes(key))
      throw new IllegalArgumentError(
        `unknown setting [${key}] of a repository of type [${type}]${didYouMean(findAlike(key, keys))}`,
      )
  const repository = { type, settings: given }
  readOptions(name, repository)
  return repository
}

function typeOf(name: string, type: string): RepositoryType {
  const found = REPOSITORY_TYPES.get(type)
  if (found !== undefined) return found
  throw repositoryError(name, `repository type [${type}] does not exist`)
}

/** @throws {EngineError} as `repositoryOf` */
export function readOptions(
  name: string,
  { type, settings }: RegisteredRepository,
): RepositoryOptions {
  const text = (key: string, otherwise: string): string => {
    const value = settings.get(key)
    if (value !== null && typeof value !== 'string')
      throw new IllegalArgumentError(
        `Found list type value for setting [${key}] but but did not expect a list for it.`,
      )
    return value ?? otherwise
  }
  const place = typeOf(name, type)
  const open = place.readPlace(name, text)
  const chunk = text('chunk_size', place.chunkSize)
  const partBytes = chunk === '' ? Number.POSITIVE_INFINITY : parseSize(chunk, 'chunk_size')
  if (partBytes < MIN_PART_BYTES)
    throw new IllegalArgumentError(
      `failed to parse value [${chunk}] for setting [chunk_size], must be >= [1kb]`,
    )
  return {
    open,
    isCompressed: booleanOf('compress', text('compress', 'true')),
    partBytes,
    snapshotBytesPerSecond: rateOf(text, 'max_snapshot_bytes_per_sec'),
    restoreBytesPerSecond: rateOf(text, 'max_restore_bytes_per_sec'),
    isReadOnly: place.isReadOnly || booleanOf('readonly', text('readonly', 'false')),
  }
}

function booleanOf(key: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new IllegalArgumentError(
    `Failed to parse value [${text}] for setting [${key}] as only [true] or [false] are allowed.`,
  )
}

function rateOf(text: (key: string, otherwise: string) => string, key: string): number {
  const bytes = parseSize(text(key, '0b'), key)
  if (bytes >= 0) return bytes
  throw new IllegalArgumentError(
    `failed to parse value [${text(key, '')}] for setting [${key}], must be >= [0b]`,
  )
}
