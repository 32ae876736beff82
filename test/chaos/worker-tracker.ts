import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { setEnvironmentData, Worker } from 'node:worker_threads'

/** What a thread is, by the module that it runs. */
export type WorkerKind = 'write' | 'search' | 'merge'

const KINDS: readonly WorkerKind[] = ['write', 'search', 'merge']
/** Threads that may be told apart. */
const TURNS = 65_536
const FIRST_MODULE = `${import.meta.dirname}/threads-that-end.mjs`

/**
 * Knows the threads of this process that are alive, by what they do: to be made before the first of
 * them. The pools hand every thread its entry in its first message.
 */
export class WorkerTracker {
  readonly #alive = new Set<Worker>()
  readonly #post = Worker.prototype.postMessage
  readonly #turns = new Int32Array(new SharedArrayBuffer(2 * 4 * TURNS))

  constructor() {
    setEnvironmentData('turns', this.#turns.buffer)
    setEnvironmentData('kinds', KINDS)
    const { postMessage } = Worker.prototype
    const note = (worker: Worker, message: unknown): unknown => this.#note(worker, message)
    Worker.prototype.postMessage = function (this: Worker, ...args: [unknown]): void {
      postMessage.apply(this, [note(this, args[0]), ...args.slice(1)] as [unknown])
    }
  }

  /** The threads of a kind, from when they have told it. */
  alive(kind: WorkerKind): readonly Worker[] {
    const number = KINDS.indexOf(kind) + 1
    const told = (worker: Worker) => Atomics.load(this.#turns, TURNS + this.#turnOf(worker))
    return [...this.#alive].filter(worker => told(worker) === number)
  }

  /**
   * Ends a thread at any moment but those at which Node cannot.
   * @returns false when it ended by itself before that moment came
   */
  async kill(worker: Worker): Promise<boolean> {
    const turn = this.#turnOf(worker)
    while (Atomics.compareExchange(this.#turns, turn, 0, 2) !== 0) {
      await delay(0)
      if (!this.#alive.has(worker)) return false
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
    if (!String(message.filename).endsWith('/thread-entry.cjs')) return message
    this.#alive.add(worker)
    EventEmitter.prototype.once.call(worker, 'exit', () => this.#alive.delete(worker))
    Atomics.store(this.#turns, this.#turnOf(worker), 1)
    // The first message has a module loaded ahead of the tasks, each of which names its own.
    return { ...message, filename: FIRST_MODULE }
  }
}
