import { EventEmitter } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What a thread is, by the module that its first task names. */
export type WorkerKind = 'write' | 'search' | 'merge'

/**
 * Knows the threads of this process that are alive, by what they do: to be made before the first of
 * them. The pools hand every thread its module in its first message.
 */
export class WorkerTracker {
  readonly #alive: Record<WorkerKind, Set<Worker>> = {
    write: new Set(),
    search: new Set(),
    merge: new Set(),
  }
  readonly #post = Worker.prototype.postMessage

  constructor() {
    const { postMessage } = Worker.prototype
    const note = (worker: Worker, message: unknown): void => this.#note(worker, message)
    Worker.prototype.postMessage = function (this: Worker, ...args: [unknown]): void {
      note(this, args[0])
      postMessage.apply(this, args)
    }
  }

  alive(kind: WorkerKind): readonly Worker[] {
    return [...this.#alive[kind]]
  }

  /** Puts things back as they were. */
  stop(): void {
    Worker.prototype.postMessage = this.#post
  }

  #note(worker: Worker, message: unknown): void {
    const file = /(write|search|merge)-worker\.js/.exec(JSON.stringify(message) ?? '')
    if (file === null) return
    const living = this.#alive[file[1] as WorkerKind]
    if (living.has(worker)) return
    living.add(worker)
    EventEmitter.prototype.once.call(worker, 'exit', () => living.delete(worker))
  }
}
