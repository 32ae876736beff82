import type { ScriptValue } from '../script/value/script-value.ts'

/** A value that shares no list, map or set with another; scalars and objects never change. */
export function copyValue(value: ScriptValue): ScriptValue {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(copyValue)
  if (value instanceof Map) {
    const copy = new Map<ScriptValue, ScriptValue>()
    for (const [key, item] of value) copy.set(key, copyValue(item))
    return copy
  }
  return value instanceof Set ? new Set(Array.from(value, copyValue)) : value
}

/** An estimate of the bytes that a value takes. */
export function sizeOfValue(value: ScriptValue): number {
  if (typeof value === 'string') return 16 + value.length
  if (value === null || typeof value !== 'object') return 8
  let size = 16
  if (value instanceof Map)
    for (const [key, item] of value) size += 16 + sizeOfValue(key) + sizeOfValue(item)
  else if (Array.isArray(value) || value instanceof Set)
    for (const item of value) size += 8 + sizeOfValue(item)
  return size
}
