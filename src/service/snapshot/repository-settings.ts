/** Settings of a repository: what each type takes. */
import { fileURLToPath } from 'node:url'
import type { RegisteredRepository } from '../../engine/api/snapshots.ts'
import { notSupported } from '../../schema/mapping-errors.ts'
import { type SettingChanges, Settings } from '../../schema/settings.ts'
import { didYouMean, findAlike } from '../../util/did-you-mean.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { parseSize } from '../../util/units.ts'
import { repositoryError } from './snapshot-errors.ts'

/** The settings of a repository, read. */
export interface RepositoryOptions {
  readonly location: string
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

/** The settings of each type; one of type `url` is only read. */
const KEYS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'fs',
    [
      'location',
      'compress',
      'chunk_size',
      'max_snapshot_bytes_per_sec',
      'max_restore_bytes_per_sec',
      'readonly',
    ],
  ],
  ['url', ['url', 'max_restore_bytes_per_sec']],
])

/** Protocols of a URL that the real server reads, beside files. */
const OTHER_PROTOCOLS = ['http', 'https', 'ftp', 'jar']

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
  const keys = KEYS.get(type)
  if (keys === undefined) throw repositoryError(name, `repository type [${type}] does not exist`)
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
  const place = type === 'url' ? 'url' : 'location'
  const given = text(place, '')
  if (given === '') throw repositoryError(name, `missing ${place}`)
  const location = type === 'url' ? fileOf(name, given) : given
  const chunk = text('chunk_size', '')
  const partBytes = chunk === '' ? Number.POSITIVE_INFINITY : parseSize(chunk, 'chunk_size')
  if (partBytes < MIN_PART_BYTES)
    throw new IllegalArgumentError(
      `failed to parse value [${chunk}] for setting [chunk_size], must be >= [1kb]`,
    )
  return {
    location,
    isCompressed: booleanOf('compress', text('compress', 'true')),
    partBytes,
    snapshotBytesPerSecond: rateOf(text, 'max_snapshot_bytes_per_sec'),
    restoreBytesPerSecond: rateOf(text, 'max_restore_bytes_per_sec'),
    isReadOnly: type === 'url' || booleanOf('readonly', text('readonly', 'false')),
  }
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
