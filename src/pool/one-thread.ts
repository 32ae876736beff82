import { Piscina } from 'piscina'

/**
 * A Piscina pool of one thread that lives as long as the pool and keeps state between its tasks. Discard
 * a pool whose thread died: Piscina does not replace a thread that dies while it starts, and tasks
 * that wait for it would never settle.
 * @param onLost called once when the thread is gone, also after `destroy`
 * @param workerData data that the thread is started with
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
  // A thread whose module does not load is told of here alone.
  pool.on('error', error => lose(error instanceof Error ? error.message : String(error)))
  // The task under way learns the reason in this turn of the event loop.
  pool.on('workerDestroy', () => setImmediate(() => lose('its thread ended')))
  return pool
}
