/** The value of a `join` field in a document: the name of its relation, and its parent. */
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { JSON_TOKENS, type JsonReader, type JsonToken } from '../util/json/json-reader.ts'
import type { LeafValues } from './leaf-values.ts'

/** A document's relation as it was given. */
export interface JoinValue {
  readonly name: string | null
  /** Id of the parent. */
  readonly parent: string | null
}

/**
 * Reads the value at which the reader stands.
 * @throws {EngineError} `illegal_argument_exception` or `illegal_state_exception`: no such value
 */
export function readJoin(reader: JsonReader, token: JsonToken, field: string): JoinValue {
  if (token === JSON_TOKENS.string) return { name: reader.text(), parent: null }
  if (token !== JSON_TOKENS.objectStart)
    throw new EngineError({
      type: 'illegal_state_exception',
      reason: `[${field}] expected START_OBJECT or VALUE_STRING but was: ${tokenName(token)}`,
    })
  let name: string | null = null
  let parent: string | null = null
  while (reader.next() === JSON_TOKENS.name) {
    const key = reader.text()
    const value = reader.next()
    const isText = value === JSON_TOKENS.string
    if (key === 'name' && isText) name = reader.text()
    else if (key === 'parent' && (isText || value === JSON_TOKENS.number)) parent = reader.text()
    else throw new IllegalArgumentError(`unknown field name [${key}] in join field [${field}]`)
  }
  return { name, parent }
}

/** Values of the id fields in documents of a relation. */
export interface JoinRole {
  /** Ordinal of the field that takes the document's own id: it may be a parent; −1: none. */
  readonly ownIds: number
  /** Ordinal of the field that takes the id of its parent; −1: it has none. */
  readonly parentIds: number
}

/**
 * Adds the relation and the ids that tie it.
 * @param ordinal of the field of relations
 * @param roleOf  null: no relation of the field
 * @throws {IllegalArgumentError} no relation of the field, a second one, or a child without its parent or
 *   routing, which brings it to its parent's shard
 */
export function addJoin(
  field: string,
  ordinal: number,
  { name, parent }: JoinValue,
  roleOf: (name: string) => JoinRole | null,
  values: LeafValues,
): void {
  const { onceKeys } = values.document
  if (onceKeys.has(field))
    throw new IllegalArgumentError(
      `DocValuesField "${field}" appears more than once in this document ` +
        '(only one value is allowed per field)',
    )
  onceKeys.add(field)
  if (name === null) throw new IllegalArgumentError(`null join name in field [${field}]`)
  const role = roleOf(name)
  if (role === null)
    throw new IllegalArgumentError(`unknown join name [${name}] for field [${field}]`)
  if (role.parentIds >= 0) {
    if (parent === null)
      throw new IllegalArgumentError(`[parent] is missing for join field [${field}]`)
    if (values.routing === null)
      throw new IllegalArgumentError(`[routing] is missing for join field [${field}]`)
    values.addKeyword(role.parentIds, parent)
  }
  if (role.ownIds >= 0) values.addKeyword(role.ownIds, values.id)
  values.addKeyword(ordinal, name)
}

function tokenName(token: JsonToken): string {
  switch (token) {
    case JSON_TOKENS.number:
      return 'VALUE_NUMBER'
    case JSON_TOKENS.null:
      return 'VALUE_NULL'
    default:
      return 'VALUE_BOOLEAN'
  }
}
