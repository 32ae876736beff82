import { EngineError, statusOf, toErrorRecord } from '../../util/errors.ts'
import type { StatusUse } from '../api/cluster.ts'

type Counts = { -readonly [K in keyof StatusUse]: number }

/** Counts the statuses of answers since the start. */
export class StatusCounts {
  readonly #counts: Counts = { success: 0, userError: 0, systemFailure: 0 }

  /** Counts an outcome by the status that it is answered with. */
  note(status: number): void {
    if (status < 400) this.#counts.success++
    else if (status < 500) this.#counts.userError++
    else this.#counts.systemFailure++
  }

  /** Counts an error; any but an `EngineError` is a defect of ours, a 500. */
  noteError(error: unknown): void {
    this.note(error instanceof EngineError ? statusOf(toErrorRecord(error)) : 500)
  }

  /**
   * Counts how a call ends; the call itself does not wait for that.
   * @param status of a result
   */
  watch<T>(call: Promise<T>, status: (result: T) => number): Promise<T> {
    call.then(
      result => this.note(status(result)),
      (error: unknown) => this.noteError(error),
    )
    return call
  }

  counts(): StatusUse {
    return { ...this.#counts }
  }
}
