import { Piscina } from 'piscina'

/** A pool of one thread, started with its first task and kept: it holds state between tasks. */
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
