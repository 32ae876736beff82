/** Errors as JSON. */
import type { ErrorRecord } from '../errors.ts'
import { Float64, type JsonMap, type JsonValue, RawJson } from './json-value.ts'

/** Prints the trace of any error of a chain. */
export type ErrorTrace = (record: ErrorRecord) => string

/**
 * An error in wire form, without root causes.
 * @param trace     adds `stack_trace` to it and its causes; null: none
 * @param withCause whether its cause is printed
 */
export function errorJson(
  record: ErrorRecord,
  trace: ErrorTrace | null,
  withCause = true,
): JsonMap {
  const object = new Map<string, JsonValue>([
    ['type', record.type],
    ['reason', record.reason],
  ])
  for (const [key, value] of Object.entries(record.extra ?? {}))
    if (value !== undefined) object.set(key, jsonOf(value))
  if (withCause && record.causedBy !== undefined) {
    object.set('caused_by', errorJson(record.causedBy, trace))
  }
  if (trace !== null) object.set('stack_trace', trace(record))
  return object
}

/** A value that an error carries beside its reason; made by our own code, so that it prints. */
function jsonOf(value: unknown): JsonValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') {
    return value
  }
  if (typeof value === 'number') return Number.isInteger(value) ? value : new Float64(value)
  if (Array.isArray(value)) return value.map(jsonOf)
  if (value instanceof RawJson) return value
  const entries = value instanceof Map ? [...value] : Object.entries(value as object)
  return new Map(
    entries
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => [String(key), jsonOf(item)]),
  )
}
