/** Dotted paths to fields of a document: `a.b.0.c`, `_source.a`, `_ingest.timestamp`. */

import { IllegalArgumentError } from '../util/errors.ts'

/** A parsed path. */
export interface FieldPath {
  /** As it was given; errors name it. */
  readonly text: string
  /** Whether it leads into `_ingest` and not into the document. */
  readonly isIngest: boolean
  /** Names of fields and indexes of list items, min one. */
  readonly keys: readonly string[]
}

const INGEST = '_ingest.'
const SOURCE = '_source.'
/** Levels that a document may have. */
const MAX_KEYS = 1000

/**
 * Parses a path.
 * @throws {EngineError} `illegal_argument_exception`: an empty path, one without a name, or of too many levels
 */
export function parsePath(text: string): FieldPath {
  if (text === '') throw new IllegalArgumentError('path cannot be null nor empty')
  const isIngest = text.startsWith(INGEST)
  const rest = isIngest
    ? text.slice(INGEST.length)
    : text.startsWith(SOURCE)
      ? text.slice(SOURCE.length)
      : text
  const keys = rest.split('.')
  // Dots at the end count for nothing, as Java splits texts.
  while (keys.length > 0 && keys.at(-1) === '') keys.pop()
  if (keys.length === 0 || keys.length > MAX_KEYS)
    throw new IllegalArgumentError(`path [${text.slice(0, 256)}] is not valid`)
  return { text, isIngest, keys }
}
