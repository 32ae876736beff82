/** Names of indices: what they may be, and the errors of those that are not there. */
import { EngineError } from '../../util/errors.ts'

/** An index as errors name it. */
interface IndexName {
  readonly name: string
  readonly uuid: string
}

/** 400: the index is there, but closed. */
export function indexClosed({ name, uuid }: IndexName): EngineError {
  return new EngineError({
    type: 'index_closed_exception',
    reason: 'closed',
    extra: { index: name, index_uuid: uuid },
  })
}

/** 404: no such index. */
export function indexNotFound(name: string): EngineError {
  return new EngineError({
    type: 'index_not_found_exception',
    reason: `no such index [${name}]`,
    extra: {
      index: name,
      'resource.id': name,
      'resource.type': 'index_or_alias',
      index_uuid: '_na_',
    },
  })
}

/**
 * Refuses a name that no index may have.
 * @throws {EngineError} `invalid_index_name_exception`
 */
export function checkIndexName(name: string): void {
  checkNameFor(name, description => invalidName(name, description))
  if (name !== name.toLowerCase()) throw invalidName(name, 'must be lowercase')
}

/**
 * Refuses a name that neither an index nor an alias may have.
 * @param error of a description
 */
export function checkNameFor(name: string, error: (description: string) => EngineError): void {
  if (name === '.' || name === '..') throw error("must not be '.' or '..'")
  if (/[\\/*?"<>| ,]/.test(name))
    throw error('must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]')
  if (name.includes('#')) throw error("must not contain '#'")
  if (name.includes(':')) throw error("must not contain ':'")
  if (/^[_\-+]/.test(name)) throw error("must not start with '_', '-', or '+'")
  for (let i = 0; i < name.length; i++)
    if (name.charCodeAt(i) < 0x20 || name.charCodeAt(i) === 0x7f)
      throw error('must not contain control characters')
  const bytes = Buffer.byteLength(name)
  if (bytes > 255) throw error(`index name is too long, (${bytes} > 255)`)
  if (bytes === 0) throw error('must not be empty')
}

/** 400: not a name that an index may have. */
export function invalidName(name: string, description: string): EngineError {
  return new EngineError({
    type: 'invalid_index_name_exception',
    reason: `Invalid index name [${name}], ${description}`,
    extra: { index: name, index_uuid: '_na_' },
  })
}
