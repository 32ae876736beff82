/** The formats of bodies, by the names that requests have for them. */
import { IllegalArgumentError } from '../../util/errors.ts'

/** A format of bodies. */
export type BodyFormat = 'json' | 'yaml' | 'cbor'

const MEDIA_TYPE = /^application\/(?:vnd\.opensearch\+)?(json|yaml|cbor|smile)$/

/** Media types and short names of plain text, which asks for no format. */
const TEXT = new Set(['text', 'txt', 'text/plain'])

/**
 * The format that `format` names; null for plain text.
 * @throws {EngineError} 406 for `smile`, 400 for an unknown name
 */
export function bodyFormat(value: string): BodyFormat | null {
  if (TEXT.has(value)) return null
  const format = formatOfType(value) ?? formatOfType(`application/${value}`)
  if (format !== null) return format
  throw new IllegalArgumentError(
    `[format=${value}] is not supported: use [json], [yaml], [cbor] or [text]`,
  )
}

/**
 * The format that a request asks for, by its parameter or else by the first media type of its `Accept`
 * that names one; null without.
 * @throws {EngineError} as `bodyFormat`
 */
export function formatAsked(
  given: ReadonlyMap<string, string>,
  accept: string | undefined,
): BodyFormat | null {
  const value = given.get('format')
  if (value !== undefined) return bodyFormat(value)
  for (const type of (accept ?? '').split(',')) {
    const format = formatOfType(type)
    if (format !== null) return format
  }
  return null
}

/**
 * The format of a media type: of `application/json`, of `application/vnd.opensearch+json;
 * charset=UTF-8`; null for any other.
 * @throws {EngineError} 406 for `application/smile`
 */
export function formatOfType(mediaType: string): BodyFormat | null {
  const name = MEDIA_TYPE.exec(mediaType.split(';', 1)[0]!.trim().toLowerCase())?.[1]
  if (name === undefined) return null
  if (name === 'json' || name === 'yaml' || name === 'cbor') return name
  throw new IllegalArgumentError(`[${name}] is not supported: use [json], [yaml] or [cbor]`, {
    status: 406,
  })
}
