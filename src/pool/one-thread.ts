import { once } from 'node:events'
import type { Transferable, Worker } from 'node:worker_threads'
import { Piscina } from 'piscina'

/**
 * A thread that keeps state between its tasks, in a Piscina pool of its own. Discard it once it is lost:
 * Piscina does not replace a thread that dies while it starts, and tasks that wait for it would never
 * settle.
 */
export class OneThread {
  readonly #pool: Piscina
  /** Resolves when the modules of the thread are loaded, or when it has ended. */
  readonly #loaded: Promise<unknown>

  /**
   * @param worker module whose default export runs a task
   * @param onLost called once when the thread is gone, also after `end`
   * @param workerData start data of the thread
   */
  constructor(worker: URL, onLost: (reason: string) => void, workerData: unknown = undefined) {
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
    this.#pool = pool
    const thread = this.#thread
    // The first message of a thread says that it is ready; those of its tasks come through another port.
    this.#loaded =
      thread === null
        ? Promise.resolve()
        : Promise.race([once(thread, 'message'), once(thread, 'exit')]).catch(() => {})
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

  /** Ends the thread whatever it does, but for loading: Node aborts the process when that is cut short. */
  async end(): Promise<void> {
    await this.#loaded
    await this.#pool.destroy()
  }
}
