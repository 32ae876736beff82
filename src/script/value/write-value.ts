/** JSON of the values that scripts leave behind. */

import { IllegalArgumentError } from '../../util/errors.ts'
import { Float32, Float64, type JsonValue } from '../../util/json/json-value.ts'
import { BigIntegerValue } from './big-integer.ts'
import { ScriptObject, type ScriptValue, scalarText } from './script-value.ts'

/**
 * A value as JSON; keys are printed as Java prints them.
 * @throws {EngineError} `illegal_argument_exception`: a list or map that holds itself
 */
export function jsonOfValue(value: ScriptValue, above: ReadonlySet<object> = new Set()): JsonValue {
  if (value === null || typeof value !== 'object') return jsonOfScalar(value)
  if (value instanceof Float64 || value instanceof Float32) return value
  if (value instanceof BigIntegerValue) return value.value
  if (value instanceof ScriptObject) {
    const plain = value.plain()
    return plain instanceof ScriptObject ? plain.text() : jsonOfValue(plain, above)
  }
  if (above.has(value)) throw new IllegalArgumentError('Iterable object is self-referencing itself')
  const within = new Set(above).add(value)
  if (Array.isArray(value)) return value.map(item => jsonOfValue(item, within))
  if (value instanceof Set) return [...value].map(item => jsonOfValue(item, within))
  const map = new Map<string, JsonValue>()
  for (const [key, item] of value) map.set(scalarText(key) ?? 'null', jsonOfValue(item, within))
  return map
}

/** A double stays one on the wire. */
function jsonOfScalar(value: null | boolean | string | number | bigint): JsonValue {
  return typeof value === 'number' && !Number.isInteger(value) ? new Float64(value) : value
}
