/**
 * Shared state of a pool's search threads, beside their command slots: one word for the kind of
 * waiting requests, and one for each thread that is 1 while it runs or spins for its next request.
 */
import { availableParallelism } from 'node:os'

const WAITING = 0
const FIRST_THREAD = 1

/** Kinds of waiting requests: none, only preempted ones, new ones too. */
export const NOBODY_WAITS = 0
export const OTHERS_WAIT = 1
export const NEW_ONES_WAIT = 2
/** The kind of waiting requests. */
export type Waiting = typeof NOBODY_WAITS | typeof OTHERS_WAIT | typeof NEW_ONES_WAIT

/** View of that state; each thread has one over the same memory. */
export class ThreadBoard {
  readonly shared: SharedArrayBuffer
  readonly #words: Int32Array
  readonly #cores = availableParallelism()

  /** @param given the memory of an existing board, or the number of threads of a new one */
  constructor(given: SharedArrayBuffer | number) {
    this.shared =
      typeof given === 'number' ? new SharedArrayBuffer(4 * (FIRST_THREAD + given)) : given
    this.#words = new Int32Array(this.shared)
  }

  /**
   * Publishes the kind of waiting requests; threads yield to them between two parts of a search.
   */
  setWaiting(kind: Waiting): void {
    Atomics.store(this.#words, WAITING, kind)
  }

  /** The kind of waiting requests. */
  waiting(): number {
    return Atomics.load(this.#words, WAITING)
  }

  /** Records that a thread runs or spins, or that it goes to sleep. */
  setAwake(thread: number, isAwake: boolean): void {
    Atomics.store(this.#words, FIRST_THREAD + thread, isAwake ? 1 : 0)
  }

  /**
   * Whether an idle thread may spin for a moment: only while there are cores for all awake threads,
   * the coordinating one included.
   */
  hasCoreToSpare(): boolean {
    let awake = 1
    for (let i = FIRST_THREAD; i < this.#words.length; i++) awake += Atomics.load(this.#words, i)
    return awake <= this.#cores
  }
}
