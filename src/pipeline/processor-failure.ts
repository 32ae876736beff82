import { EngineError, type ErrorRecord } from '../util/errors.ts'

/** The failure of a processor, with what `on_failure` and headers of errors tell of it. */
export class ProcessorFailure extends Error {
  readonly record: ErrorRecord
  readonly type: string
  readonly tag: string | null
  /** The innermost pipeline, where the processor failed within another pipeline; else null. */
  readonly pipeline: string | null

  constructor(
    record: ErrorRecord,
    processor: { readonly type: string; readonly tag: string | null },
    pipeline: string | null,
  ) {
    super(record.reason)
    this.name = 'ProcessorFailure'
    this.record = record
    this.type = processor.type
    this.tag = processor.tag
    this.pipeline = pipeline
  }
}

/** The record of an error that ends a document's run; null: it is a defect of ours. */
export function failureRecord(error: unknown): ErrorRecord | null {
  if (error instanceof ProcessorFailure || error instanceof EngineError) return error.record
  // A text past what the runtime can hold, or calls too deep for its stack.
  if (error instanceof RangeError)
    return { type: 'circuit_breaking_exception', reason: `[ingest] ${error.message}` }
  return null
}

/** A pipeline that cannot go on: the documented type, as a mistake of the caller. */
export function illegalState(reason: string): EngineError {
  return new EngineError({ type: 'illegal_state_exception', reason, status: 400 })
}
