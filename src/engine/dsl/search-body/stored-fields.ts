import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readTexts } from '../json-scalars.ts'

/** Names and patterns of stored fields; `none`: not even the id; null: not asked for. */
export type StoredFields = readonly string[] | 'none' | null

/**
 * Reads `stored_fields`: a name or a list of them.
 * @throws {EngineError} 400: neither
 */
export function readStoredFields(node: JsonNode): StoredFields {
  return storedFieldsOfNames(readTexts(node))
}

/** Takes `stored_fields` of the URL. */
export function storedFieldsOfNames(names: readonly string[]): StoredFields {
  return names.includes('_none_') ? 'none' : names
}
