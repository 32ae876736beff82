/** Errors in the documented envelope: `{error: {root_cause, type, reason, …}, status}`. */
import { type ErrorRecord, type ErrorType, statusOf, toErrorRecord } from '../util/errors.ts'
import { Float64, type JsonMap, type JsonValue, RawJson } from '../util/json/json-value.ts'
import { stackTrace } from './stack-trace.ts'

/** Types that are no classes of the real server's own: looked through, never stopped at, below one. */
const FOREIGN_TYPES: ReadonlySet<ErrorType> = new Set([
  'action_request_validation_exception',
  'illegal_argument_exception',
  'illegal_state_exception',
  'input_coercion_exception',
  'json_e_o_f_exception',
  'json_parse_exception',
  'mustache_exception',
  'named_object_not_found_exception',
  'number_format_exception',
  'unsupported_operation_exception',
  'validation_exception',
  'x_content_parse_exception',
])

/**
 * Status and body of an error; what is no `EngineError` is a defect of ours, a 500.
 * @param hasTrace adds `stack_trace` to the error, its causes and its roots
 */
export function errorAnswer(error: unknown, hasTrace = false): { status: number; body: JsonMap } {
  const status = statusOf(toErrorRecord(error))
  return {
    status,
    body: new Map<string, JsonValue>([
      ['error', wholeError(error, hasTrace)],
      ['status', status],
    ]),
  }
}

/** An error with its root causes, in the envelope and wherever a whole call failed within another. */
export function wholeError(error: unknown, hasTrace: boolean): JsonMap {
  const record = toErrorRecord(error)
  const trace = hasTrace ? traceOf(error) : null
  return new Map<string, JsonValue>([
    ['root_cause', rootCausesOf(record).map(cause => describe(cause, trace, false))],
    ...describe(record, trace),
  ])
}

/**
 * An error inside a response: a bulk item's, without root causes.
 * @param hasTrace adds `stack_trace` to it and its causes
 */
export function errorObject(error: unknown, hasTrace: boolean): JsonMap {
  return describe(toErrorRecord(error), hasTrace ? traceOf(error) : null)
}

/** Prints the trace of any error of a chain; frames are known of the one that was thrown. */
type Trace = (record: ErrorRecord) => string

function traceOf(error: unknown): Trace {
  const thrown = toErrorRecord(error)
  return record => stackTrace(record, record.reason === thrown.reason ? error : null)
}

/** Entries of `root_cause`: the innermost errors that are the server's own. */
export function rootCausesOf(record: ErrorRecord): readonly ErrorRecord[] {
  return record.rootCause ?? [rootOf(record)]
}

/** The innermost error that is the server's own. */
function rootOf(record: ErrorRecord): ErrorRecord {
  let root = record
  for (let cause = root.causedBy; cause !== undefined; cause = root.causedBy) {
    if (FOREIGN_TYPES.has(cause.type)) break
    root = cause
  }
  return root
}

function describe(record: ErrorRecord, trace: Trace | null, withCause = true): JsonMap {
  const object = new Map<string, JsonValue>([
    ['type', record.type],
    ['reason', record.reason],
  ])
  for (const [key, value] of Object.entries(record.extra ?? {}))
    if (value !== undefined) object.set(key, jsonOf(value))
  if (withCause && record.causedBy !== undefined) {
    object.set('caused_by', describe(record.causedBy, trace))
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
