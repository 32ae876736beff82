import type { Transferable, Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { builtFile } from '../util/built-file.ts'

/**
 * A thread that keeps state between its tasks, in a Piscina pool of its own. Discard it once it is lost: it
 * is not replaced, and tasks that wait for it would never settle.
 */
export class OneThread {
  readonly #pool: Piscina

  /**
   * @param worker     module whose default export runs a task
   * @param onLost     called once when the thread is gone, also after `end`
   * @param startData  what the modules of the thread find in `workerData`
   */
  constructor(worker: URL, onLost: (reason: string) => void, startData: object = {}) {
    const pool = new Piscina({
      filename: builtFile('pool/thread-entry.cjs').href,
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      atomics: 'disabled',
      recordTiming: false,
      workerData: { ...startData, module: worker.href },
    })
    // Piscina would start another thread in place of a lost one, whose state is gone with it.
    pool.options.minThreads = 0
    let isLost = false
    const lose = (reason: string): void => {
      if (!isLost) onLost(reason)
      isLost = true
    }
    // The only event when a thread's module fails to load.
    pool.on('error', error => lose(error instanceof Error ? error.message : String(error)))
    // Deferred, so that the task under way rejects with the reason first.
    pool.on('workerDestroy', () => setImmediate(() => lose('its thread ended')))
    this.#pool = pool
  }

  get #thread(): Worker | null {
    return this.#pool.threads[0] ?? null
  }

  /** Its id, of `node:worker_threads`; null when it has ended. */
  get id(): number | null {
    return this.#thread?.threadId ?? null
  }

  /**
   * Runs a task.
   * @param transfer objects whose ownership moves to the thread
   */
  run(task: unknown, transfer: readonly Transferable[]): Promise<unknown> {
    return this.#pool.run(task, { transferList: [...transfer] })
  }

  /** Calls back when the thread with this id has ended; at once when it is gone already. */
  whenEnded(id: number, then: (reason: string) => void): void {
    const thread = this.#thread
    if (thread?.threadId !== id) then('it ended at its start')
    else thread.once('exit', code => then(`it ended with code ${code}`))
  }

  /** Ends the thread, whatever it does. */
  async end(): Promise<void> {
    await this.#pool.destroy()
  }
}
