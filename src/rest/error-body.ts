/** Errors in the documented envelope: `{error: {root_cause, type, reason, …}, status}`. */
import { type ErrorRecord, type ErrorType, statusOf, toErrorRecord } from '../util/errors.ts'
import { type ErrorTrace, errorJson } from '../util/json/error-json.ts'
import type { JsonMap, JsonValue } from '../util/json/json-value.ts'
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
    ['root_cause', rootCausesOf(record).map(cause => errorJson(cause, trace, false))],
    ...errorJson(record, trace),
  ])
}

/**
 * An error inside a response: a bulk item's, without root causes.
 * @param hasTrace adds `stack_trace` to it and its causes
 */
export function errorObject(error: unknown, hasTrace: boolean): JsonMap {
  return errorJson(toErrorRecord(error), hasTrace ? traceOf(error) : null)
}

function traceOf(error: unknown): ErrorTrace {
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
    // Exceptions of a script are Java's, of any type.
    if (FOREIGN_TYPES.has(cause.type) || root.type === 'script_exception') break
    root = cause
  }
  return root
}
