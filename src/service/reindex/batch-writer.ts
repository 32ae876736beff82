import type { BulkItem, DocumentWrite } from '../../engine/api/documents.ts'
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { CallContext } from '../../task/call-context.ts'
import { EngineError, statusOf } from '../../util/errors.ts'
import { backOff, isRejected, MAX_RETRIES, withBackoff } from './backoff.ts'
import type { ByScrollCall } from './by-scroll-call.ts'
import type { Counts } from './progress.ts'

/** A write that failed. */
export interface WriteFailure {
  readonly index: string
  readonly id: string | null
  readonly error: EngineError
}

/** How batches are written. */
export interface BatchOptions
  extends Pick<ByScrollCall, 'abortsOnConflict' | 'timeoutInMillis' | 'waitForActiveShards'> {
  readonly pipeline: string | null
  readonly requireAlias: boolean
}

/** Writes batches, sends refused writes again, and counts. */
export class BatchWriter {
  readonly #engine: EngineApi
  readonly #options: BatchOptions
  readonly #counts: Counts
  readonly #context: CallContext
  /** Indices that writes went to. */
  readonly written: Set<string> = new Set()

  constructor(engine: EngineApi, options: BatchOptions, counts: Counts, context: CallContext) {
    this.#engine = engine
    this.#options = options
    this.#counts = counts
    this.#context = context
  }

  /**
   * Writes one batch.
   * @returns the writes that failed; conflicts only where they end the work
   */
  async write(batch: readonly DocumentWrite[]): Promise<readonly WriteFailure[]> {
    const failures: WriteFailure[] = []
    let left = batch
    for (let retry = 0; left.length > 0; retry++) {
      const items = await this.#send(left)
      const mayRetry = retry < MAX_RETRIES && !this.#context.isCancelled
      const refused: DocumentWrite[] = []
      for (const [i, item] of items.entries()) {
        if (mayRetry && 'error' in item && isRejected(item.error)) refused.push(left[i]!)
        else this.#settle(item, failures)
      }
      left = refused
      if (left.length === 0) break
      this.#counts.bulkRetries++
      await backOff(retry, this.#context)
    }
    return failures
  }

  async #send(writes: readonly DocumentWrite[]): Promise<readonly BulkItem[]> {
    const signal = this.#context
    const context = signal.child('indices:data/write/bulk')
    const { items } = await withBackoff(
      () => this.#engine.documents.write({ writes, ...this.#options, signal }, context),
      () => this.#counts.bulkRetries++,
      this.#context,
    )
    return items
  }

  #settle(item: BulkItem, failures: WriteFailure[]): void {
    if ('error' in item) {
      const { index, id, error } = item
      if (!(error instanceof EngineError)) throw error
      const isConflict = statusOf(error.record) === 409
      if (isConflict) this.#counts.versionConflicts++
      if (!isConflict || this.#options.abortsOnConflict) failures.push({ index, id, error })
      return
    }
    const { result, index } = item.outcome
    if (item.action === 'delete') this.#counts.deleted++
    else if (result === 'created') this.#counts.created++
    else this.#counts.updated++
    this.written.add(index)
  }
}
