import { Piscina } from 'piscina'

/**
 * A Piscina pool of one thread that lives as long as the pool and keeps state between its tasks.
 * Discard a pool whose thread died: Piscina does not replace a thread that dies while it starts,
 * and tasks that wait for it would never settle.
 * @param onLost called once when the thread is gone, also after `destroy`
 * @param workerData start data of the thread
 */
export function oneThread(
  worker: URL,
  onLost: (reason: string) => void,
  workerData: unknown = undefined,
): Piscina {
  const pool = new Piscina({
    filename: worker.href,
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    concurrentTasksPerWorker: 1,
    atomics: 'disabled',
    recordTiming: false,
    workerData,
  })
  let isLost = false
  const lose = (reason: string): void => {
    if (!isLost) onLost(reason)
    isLost = true
  }
  // The only event when a thread's module fails to load.
  pool.on('error', error => lose(error instanceof Error ? error.message : String(error)))
  // Deferred, so that the task under way rejects with the reason first.
  pool.on('workerDestroy', () => setImmediate(() => lose('its thread ended')))
  return pool
}
