import { Piscina } from 'piscina'

/** A pool of one thread that stays for as long as the pool: it holds state between its tasks. */
export function oneThread(worker: URL): Piscina {
  return new Piscina({
    filename: worker.href,
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    concurrentTasksPerWorker: 1,
    atomics: 'disabled',
    recordTiming: false,
  })
}
