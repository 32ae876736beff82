/** Fields with `store: true`, as a get prints them: read from the source, which holds their values. */
import type { Mapping } from '../../schema/mapping.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { type JsonNode, parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonMap, JsonValue } from '../../util/json/json-value.ts'
import { jsonValueOf } from '../../util/json/json-writer.ts'
import { sourcePath, valuesAt } from '../dsl/values-at.ts'

/**
 * The stored values of fields by name, each a list; a field that is not stored, or has none, is left out.
 * @param source as it was given; empty where none is kept
 * @throws {IllegalArgumentError} a name of an object
 */
export function storedFields(
  source: Uint8Array,
  names: readonly string[],
  mapping: Mapping,
): JsonMap {
  const found = new Map<string, JsonValue>()
  if (source.length === 0) return found
  let root: JsonNode | null = null
  for (const name of names) {
    if (name !== '' && mapping.object(name) !== null)
      throw new IllegalArgumentError(`field [${name}] isn't a leaf field`)
    for (const field of mapping.fieldsLike(name)) {
      if (field.parameters.get('store') !== true) continue
      root ??= parseJsonTree(source)
      const values: JsonValue[] = []
      for (const node of valuesAt(root, sourcePath(field.name, mapping)))
        values.push(jsonValueOf(node))
      if (values.length > 0) found.set(field.name, values)
    }
  }
  return found
}
