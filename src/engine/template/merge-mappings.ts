/** Mappings of several templates laid over each other, before an index is there that they must fit. */
import { isObjectType, type ObjectType } from '../../schema/field-type.ts'
import type { Mapping } from '../../schema/mapping.ts'
import type { JsonMap, JsonValue } from '../../util/json/json-value.ts'

/**
 * A mapping over another one, both as they print: objects are merged, a field and any other key is replaced
 * whole, and dynamic templates are replaced by name.
 */
export function mergeMappings(below: JsonMap, above: JsonMap): JsonMap {
  const merged = new Map(below)
  for (const [key, value] of above) {
    const old = merged.get(key)
    if (key === 'properties' && isMap(old) && isMap(value)) merged.set(key, mergeFields(old, value))
    else if (key === 'dynamic_templates' && Array.isArray(old) && Array.isArray(value))
      merged.set(key, mergeByName(old, value))
    else if (key === '_meta' && isMap(old) && isMap(value))
      merged.set(key, new Map([...old, ...value]))
    else merged.set(key, value)
  }
  return merged
}

function mergeFields(below: JsonMap, above: JsonMap): JsonMap {
  const merged = new Map(below)
  for (const [name, value] of above) {
    const old = merged.get(name)
    const areObjects = isMap(old) && isMap(value) && isObject(old) && isObject(value)
    merged.set(name, areObjects ? mergeMappings(old, value) : value)
  }
  return merged
}

/** Objects print their type only when they are nested or empty. */
function isObject(field: JsonMap): boolean {
  const type = field.get('type')
  return field.has('properties') || type === undefined || type === 'object' || type === 'nested'
}

/** Lists of records with one key each. */
function mergeByName(below: readonly JsonValue[], above: readonly JsonValue[]): JsonValue[] {
  const byName = new Map<string, JsonValue>()
  for (const item of [...below, ...above])
    if (isMap(item)) byName.set([...item.keys()].join(), item)
  return [...byName.values()]
}

function isMap(value: JsonValue | undefined): value is JsonMap {
  return value instanceof Map
}

/**
 * A mapping as it prints, in maps throughout, and with the flags of nested objects that it switches off: these
 * win over a layer below that has them on.
 */
export function printedMapping(mapping: Mapping): JsonMap {
  return withFlagsOff(mapping.root, mapping.toJson())
}

function withFlagsOff(object: ObjectType, printed: JsonMap): JsonMap {
  const whole = new Map(printed)
  if (object.nested?.includeInParent === false) whole.set('include_in_parent', false)
  if (object.nested?.includeInRoot === false) whole.set('include_in_root', false)
  const properties = printed.get('properties')
  if (!isMap(properties)) return whole
  const fields = Array.from(properties, ([name, value]): [string, JsonValue] => {
    const child = object.children.get(name)
    const isInner = child !== undefined && isObjectType(child) && isMap(value)
    return [name, isInner ? withFlagsOff(child, value) : value]
  })
  return whole.set('properties', new Map(fields))
}
