/** Errors in the documented envelope: `{error: {root_cause, type, reason, …}, status}`. */
import { type ErrorRecord, toErrorRecord } from '../util/errors.ts'
import { Float64, type JsonMap, type JsonValue, RawJson } from '../util/json/json-value.ts'
import { STATUS } from './status.ts'

/** The HTTP status of an error. */
export function statusOf(record: ErrorRecord): number {
  return record.status ?? STATUS[record.type]
}

/** Status and body of an error; what is no `EngineError` is a defect of ours, a 500. */
export function errorAnswer(error: unknown): { status: number; body: JsonMap } {
  const record = toErrorRecord(error)
  const status = statusOf(record)
  const causes = record.rootCause ?? [record]
  const inner = new Map<string, JsonValue>([
    ['root_cause', causes.map(cause => describe(cause, false))],
    ...describe(record, true),
  ])
  return {
    status,
    body: new Map<string, JsonValue>([
      ['error', inner],
      ['status', status],
    ]),
  }
}

/** An error inside a response: a bulk item's, without root causes. */
export function errorObject(record: ErrorRecord): JsonMap {
  return describe(record, true)
}

function describe(record: ErrorRecord, withCause: boolean): JsonMap {
  const object = new Map<string, JsonValue>([
    ['type', record.type],
    ['reason', record.reason],
  ])
  for (const [key, value] of Object.entries(record.extra ?? {})) object.set(key, jsonOf(value))
  if (withCause && record.causedBy !== undefined) {
    object.set('caused_by', describe(record.causedBy, true))
  }
  return object
}

/** What an error carries beside its reason, as a value that prints; made by our own code. */
function jsonOf(value: unknown): JsonValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') {
    return value
  }
  if (typeof value === 'number') return Number.isInteger(value) ? value : new Float64(value)
  if (Array.isArray(value)) return value.map(jsonOf)
  if (value instanceof RawJson) return value
  const entries = value instanceof Map ? [...value] : Object.entries(value as object)
  return new Map(entries.map(([key, item]) => [String(key), jsonOf(item)]))
}
