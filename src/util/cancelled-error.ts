import type { Cancellation } from './cancellation.ts'
import { EngineError } from './errors.ts'

/** The error of work that was cancelled. */
export function cancelledError(): EngineError {
  return new EngineError({ type: 'task_cancelled_exception', reason: 'The task was cancelled.' })
}

/** @throws {EngineError} `task_cancelled_exception`: the work was cancelled */
export function refuseCancelled(signal: Cancellation): void {
  if (signal.isCancelled) throw cancelledError()
}
