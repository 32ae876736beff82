import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'

/** Names and patterns of stored fields; `none`: not even the id; null: not asked for. */
export type StoredFields = readonly string[] | 'none' | null

/**
 * Reads `stored_fields`: a name or a list of them.
 * @throws {EngineError} 400: neither
 */
export function readStoredFields(node: JsonNode): StoredFields {
  if (node.kind === 'string') return storedFieldsOfNames([node.value])
  if (node.kind === 'array') return storedFieldsOfNames(node.items.map(readText))
  const found = tokenName(node.kind)
  throw parsingError(
    node,
    `Expected [VALUE_STRING] or [START_ARRAY] in [stored_fields] but found [${found}]`,
  )
}

/**
 * Takes `stored_fields` of the URL.
 * @throws {IllegalArgumentError} `_none_` with others
 */
export function storedFieldsOfNames(names: readonly string[]): StoredFields {
  if (!names.includes('_none_')) return names
  if (names.length > 1) throw new IllegalArgumentError('cannot combine _none_ with other fields')
  return 'none'
}
