import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { setEnvironmentData, Worker } from 'node:worker_threads'

/** What a thread is, by the module that its first task names. */
export type WorkerKind = 'write' | 'search' | 'merge'

const KINDS: readonly WorkerKind[] = ['write', 'search', 'merge']
const DIST = new URL('../../dist/', import.meta.url)
const MODULES = ['shard/write-worker.js', 'parallel/search-worker.js', 'shard/merge-worker.js'].map(
  file => new URL(file, DIST).href,
)
/** Threads that may be told apart. */
const TURNS = 65_536
const FIRST_MODULE = `${import.meta.dirname}/threads-that-end.mjs`

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
  readonly #turns = new Int32Array(new SharedArrayBuffer(2 * 4 * TURNS))

  constructor() {
    setEnvironmentData('turns', this.#turns.buffer)
    setEnvironmentData('modules', MODULES)
    const { postMessage } = Worker.prototype
    const note = (worker: Worker, message: unknown): unknown => this.#note(worker, message)
    Worker.prototype.postMessage = function (this: Worker, ...args: [unknown]): void {
      postMessage.apply(this, [note(this, args[0]), ...args.slice(1)] as [unknown])
    }
  }

  alive(kind: WorkerKind): readonly Worker[] {
    return [...this.#alive[kind]]
  }

  /**
   * Ends a thread at any moment but those at which Node cannot.
   * @returns false when it ended by itself before that moment came
   */
  async kill(kind: WorkerKind, worker: Worker): Promise<boolean> {
    const turn = this.#turnOf(worker)
    while (Atomics.compareExchange(this.#turns, turn, 0, 2) !== 0) {
      await delay(0)
      if (!this.#alive[kind].has(worker)) return false
    }
    await worker.terminate()
    this.#turns[turn] = 0
    return true
  }

  /** Puts things back as they were. */
  stop(): void {
    Worker.prototype.postMessage = this.#post
  }

  #turnOf(worker: Worker): number {
    return worker.threadId % TURNS
  }

  /** @returns the message as it shall go */
  #note(worker: Worker, message: unknown): unknown {
    if (typeof message !== 'object' || message === null || !('filename' in message)) return message
    const file = /(write|search|merge)-worker\.js/.exec(String(message.filename))
    if (file === null) return message
    const living = this.#alive[file[1] as WorkerKind]
    living.add(worker)
    EventEmitter.prototype.once.call(worker, 'exit', () => living.delete(worker))
    const turn = this.#turnOf(worker)
    Atomics.store(this.#turns, TURNS + turn, KINDS.indexOf(file[1] as WorkerKind))
    Atomics.store(this.#turns, turn, 1)
    // The first message has a module loaded ahead of the tasks, each of which names its own.
    return { ...message, filename: FIRST_MODULE }
  }
}
