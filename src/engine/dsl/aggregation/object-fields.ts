/** Declarative reading of the objects of aggregations. */
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { fieldError, unknownField } from '../parse-error.ts'

/** The reader of each key of an object. */
export type FieldReaders = { readonly [key: string]: (value: JsonNode) => void }

/**
 * Reads an object key by key.
 * @param type   name of the aggregation, for errors
 * @param tables of readers, no key in two: one table made of others' would cost more than the reading
 * @throws {EngineError} `x_content_parse_exception`: an unknown key, or a value that is wrong
 */
export function readFields(
  node: JsonObjectNode,
  type: string,
  ...tables: readonly FieldReaders[]
): void {
  for (const entry of node.entries) {
    const { key, value } = entry
    const table = tables.find(readers => Object.hasOwn(readers, key))
    if (table === undefined) throw unknownField(entry, type, tables.flatMap(Object.keys))
    try {
      table[key]!(value)
    } catch (error) {
      throw fieldError(value, type, key, error)
    }
  }
}
