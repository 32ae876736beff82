/**
 * Shared state of the search threads of a pool, beside their command slots: a word for the kind of
 * requests that wait, and a word for each thread that is 1 while it runs or looks for its next request.
 */
import { availableParallelism } from 'node:os'

const WAITING = 0
const FIRST_THREAD = 1

/** Kinds of requests that wait: none, preempted ones alone, new ones as well. */
export const NOBODY_WAITS = 0
export const OTHERS_WAIT = 1
export const NEW_ONES_WAIT = 2
/** The kind of requests that wait. */
export type Waiting = typeof NOBODY_WAITS | typeof OTHERS_WAIT | typeof NEW_ONES_WAIT

/** Reads and writes that state; each thread has one over the same memory. */
export class ThreadBoard {
  readonly shared: SharedArrayBuffer
  readonly #words: Int32Array
  readonly #cores = availableParallelism()

  /** @param given the memory of an existing board, or how many threads a new one is for */
  constructor(given: SharedArrayBuffer | number) {
    this.shared =
      typeof given === 'number' ? new SharedArrayBuffer(4 * (FIRST_THREAD + given)) : given
    this.#words = new Int32Array(this.shared)
  }

  /** Publishes the kind of requests that wait; threads yield between two parts of a search for them. */
  setWaiting(kind: Waiting): void {
    Atomics.store(this.#words, WAITING, kind)
  }

  /** The kind of requests that wait. */
  waiting(): number {
    return Atomics.load(this.#words, WAITING)
  }

  /** Notes that a thread runs or spins, or that it goes to sleep. */
  setAwake(thread: number, isAwake: boolean): void {
    Atomics.store(this.#words, FIRST_THREAD + thread, isAwake ? 1 : 0)
  }

  /**
   * Whether a thread that has nothing to do may stay awake for a moment: only while there are cores for
   * all that are awake, itself and the coordinating thread included.
   */
  hasCoreToSpare(): boolean {
    let awake = 1
    for (let i = FIRST_THREAD; i < this.#words.length; i++) awake += Atomics.load(this.#words, i)
    return awake <= this.#cores
  }
}
