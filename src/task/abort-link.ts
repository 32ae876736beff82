import type { Task } from './task.ts'

/** Aborts a call: an `AbortSignal`, or the part of one that is read. */
export interface AbortSource {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * Has a caller's own signal cancel a task.
 * @returns parts the two again, to be called when the task has ended
 */
export function linkAbort(signal: AbortSource | undefined, task: Task): () => void {
  if (signal === undefined || !task.isCancellable) return () => {}
  const cancel = (): void => task.cancel()
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel)
  return () => signal.removeEventListener('abort', cancel)
}
