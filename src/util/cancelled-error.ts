import type { Cancellation } from './cancellation.ts'
import { EngineError } from './errors.ts'

/** The error of work that was cancelled. */
export function cancelledError(): EngineError {
  return new EngineError({ type: 'task_cancelled_exception', reason: 'The task was cancelled.' })
}

/**
 * A work's result, or the error of a cancellation as soon as that comes: the work sees it on its own and ends
 * a little later, and how it ends is lost.
 * @param signal null: nobody may cancel
 * @throws {EngineError} `task_cancelled_exception`
 */
export function untilCancelled<T>(work: Promise<T>, signal: Cancellation | null): Promise<T> {
  if (signal === null) return work
  return new Promise((resolve, reject) => {
    const unlisten = signal.onCancel(() => reject(cancelledError()))
    if (signal.isCancelled) reject(cancelledError())
    work.then(resolve, reject).finally(unlisten)
  })
}

/** @throws {EngineError} `task_cancelled_exception`: the work was cancelled */
export function refuseCancelled(signal: Cancellation): void {
  if (signal.isCancelled) throw cancelledError()
}
