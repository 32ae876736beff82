import { Piscina } from 'piscina'

/**
 * A pool of one thread that stays for as long as the pool: it holds state between its tasks. A pool
 * whose thread died is to be given up: Piscina does not replace one that dies while it starts, and
 * what waits for it would wait for good.
 * @param onLost hears that the thread is gone, once; also of `destroy`
 * @param workerData what the thread is started with
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
