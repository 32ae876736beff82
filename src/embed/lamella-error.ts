import { rootCausesOf } from '../rest/error-body.ts'
import {
  EngineError,
  type ErrorRecord,
  type ErrorType,
  statusOf,
  systemReason,
} from '../util/errors.ts'

/** Types whose own reason says that something failed, and whose cause says why. */
const WRAPPERS: ReadonlySet<ErrorType> = new Set([
  'no_shard_available_action_exception',
  'search_phase_execution_exception',
  'unavailable_shards_exception',
])

/**
 * An error in the names of the OpenSearch API. The message says why and what would work: where
 * the API's own reason is only that all shards failed, it is the reason of the first that did.
 */
export class LamellaError extends Error {
  /** For example `version_conflict_engine_exception`. */
  readonly type: string
  /** The API's own `reason` for this type: `all shards failed`; mostly the message. */
  readonly reason: string
  /** The HTTP status that the API answers with. */
  readonly status: number
  /** The innermost errors; this error's own type and reason when there is none below it. */
  readonly rootCause: readonly ErrorCause[]
  /** The errors that led to it, `caused_by` of the API, the outermost first; empty when none did. */
  readonly causes: readonly ErrorCause[]
  /** Values that the API prints beside: `index`, `line`, `col`, … */
  readonly details: Readonly<Record<string, unknown>>

  constructor(record: ErrorRecord, cause?: unknown) {
    super(messageOf(record), { cause })
    this.name = 'LamellaError'
    this.type = record.type
    this.reason = record.reason
    this.status = statusOf(record)
    this.details = record.extra ?? {}
    this.rootCause = rootCausesOf(record).map(({ type, reason }) => ({ type, reason }))
    this.causes = causesOf(record)
  }
}

/** An error's type and reason. */
export interface ErrorCause {
  readonly type: string
  readonly reason: string
}

/**
 * A caller's mistake as a `LamellaError`, and so a refusal by the file system, of type
 * `illegal_state_exception`; anything else, a defect of ours, as it is.
 */
export function lamellaError(error: unknown): unknown {
  if (error instanceof EngineError) return new LamellaError(error.record, error)
  const refusal = systemReason(error)
  if (refusal === null) return error
  return new LamellaError({ type: 'illegal_state_exception', reason: refusal }, error)
}

function causesOf(record: ErrorRecord): readonly ErrorCause[] {
  const causes: ErrorCause[] = []
  for (let at = record.causedBy; at !== undefined; at = at.causedBy)
    causes.push({ type: at.type, reason: at.reason })
  return causes
}

/** The reason of an error, of a wrapper that of its innermost cause unless its own says that too. */
function messageOf(record: ErrorRecord): string {
  const inner = WRAPPERS.has(record.type) ? (record.rootCause?.[0] ?? record.causedBy) : undefined
  if (inner === undefined) return record.reason
  const reason = messageOf(inner)
  return record.reason.includes(reason) ? record.reason : reason
}

/** Runs a step; what a caller did wrong rejects as a `LamellaError`. */
export async function rethrown<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw lamellaError(error)
  }
}
