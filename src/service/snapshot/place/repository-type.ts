import type { EngineApi } from '../../../engine/api/engine-api.ts'
import type { RepositoryStores } from './file-store.ts'

/**
 * Reads a setting of a repository as text.
 * @throws {IllegalArgumentError} a list
 */
export type ReadText = (key: string, otherwise: string) => string

/** Settings of each type that can be written. */
export const WRITABLE_KEYS: readonly string[] = [
  'compress',
  'chunk_size',
  'max_snapshot_bytes_per_sec',
  'max_restore_bytes_per_sec',
  'readonly',
]

/** A kind of place that repositories lie in. */
export interface RepositoryType {
  /** The settings that it takes. */
  readonly keys: readonly string[]
  /** Whether nothing can be written there. */
  readonly isReadOnly: boolean
  /** Default of `chunk_size`; '' is no limit. */
  readonly chunkSize: string
  /**
   * Reads where a repository lies.
   * @param name of the repository, for errors
   * @returns opens it; throws an `EngineError` `repository_exception` where that cannot be
   * @throws {EngineError} `repository_exception`, `illegal_argument_exception`: settings that cannot be
   */
  readPlace(name: string, text: ReadText): (engine: EngineApi) => RepositoryStores
}
