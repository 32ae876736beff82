import { rootCausesOf } from '../rest/error-body.ts'
import { EngineError, type ErrorRecord, statusOf } from '../util/errors.ts'

/** What went wrong, in the names of the OpenSearch API. The message says why and what would work. */
export class LamellaError extends Error {
  /** For example `version_conflict_engine_exception`. */
  readonly type: string
  /** The HTTP status that the API answers with. */
  readonly status: number
  /** The innermost errors; this error's own type and reason when there is none below it. */
  readonly rootCause: readonly ErrorCause[]
  /** What the API prints beside: `index`, `line`, `col`, … */
  readonly details: Readonly<Record<string, unknown>>

  constructor(record: ErrorRecord, cause?: unknown) {
    super(record.reason, { cause })
    this.name = 'LamellaError'
    this.type = record.type
    this.status = statusOf(record)
    this.details = record.extra ?? {}
    this.rootCause = rootCausesOf(record).map(({ type, reason }) => ({ type, reason }))
  }
}

/** An error's type and reason. */
export interface ErrorCause {
  readonly type: string
  readonly reason: string
}

/** A caller's mistake as a `LamellaError`; anything else, a defect of ours, as it is. */
export function lamellaError(error: unknown): unknown {
  return error instanceof EngineError ? new LamellaError(error.record, error) : error
}

/** Runs a step; what a caller did wrong rejects as a `LamellaError`. */
export async function rethrown<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw lamellaError(error)
  }
}
