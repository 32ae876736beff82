import { IllegalArgumentError } from '../../util/errors.ts'
import type { FoundHit } from './hit-source.ts'

/**
 * The source of a match.
 * @throws {EngineError} `illegal_argument_exception`: its index keeps none
 */
export function sourceOf({ index, id, source }: FoundHit): Uint8Array {
  if (source !== null) return source
  throw new IllegalArgumentError(`[${index}][${id}] didn't store _source`)
}
