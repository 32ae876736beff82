/** The formats of bodies, by the names that requests have for them. */
import { IllegalArgumentError } from '../util/errors.ts'

/** A format of bodies. */
export type BodyFormat = 'json'

/** Media types and short names of plain text, which asks for no format. */
const TEXT = new Set(['text', 'txt', 'text/plain'])
const NOT_YET = new Set(['yaml', 'cbor', 'smile'])

/**
 * The format that `format` names; null for plain text.
 * @throws {IllegalArgumentError} a format that is not built
 */
export function bodyFormat(value: string): BodyFormat | null {
  if (TEXT.has(value)) return null
  const name = shortName(value)
  if (name === 'json') return name
  throw new IllegalArgumentError(`[format=${value}] is not supported yet`)
}

/**
 * The format that a request asks for, by its parameter or else by the first media type of its `Accept`
 * that names one; null without.
 */
export function formatAsked(
  given: ReadonlyMap<string, string>,
  accept: string | undefined,
): BodyFormat | null {
  const value = given.get('format')
  if (value !== undefined) return bodyFormat(value)
  for (const type of (accept ?? '').split(',')) {
    const name = shortName(type.split(';', 1)[0]!.trim())
    if (name === 'json') return name
    if (NOT_YET.has(name)) throw new IllegalArgumentError(`[Accept: ${name}] is not supported yet`)
  }
  return null
}

/** `json` of `application/json` and of `application/vnd.opensearch+json`. */
function shortName(mediaType: string): string {
  return mediaType.toLowerCase().replace(/^application\/(vnd\.opensearch\+)?/, '')
}
