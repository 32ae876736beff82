import type { Task } from './task.ts'

/**
 * Has a caller's own signal cancel a task.
 * @returns parts the two again, to be called when the task has ended
 */
export function linkAbort(signal: AbortSignal | undefined, task: Task): () => void {
  if (signal === undefined || !task.isCancellable) return () => {}
  const cancel = (): void => task.cancel()
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel)
  return () => signal.removeEventListener('abort', cancel)
}
