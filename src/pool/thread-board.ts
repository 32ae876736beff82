/**
 * What all search threads of a pool see of one another, outside their command slots: a word that says
 * which requests wait for a thread, and a word for each thread that is 1 while it runs or looks for
 * its next request.
 */
import { availableParallelism } from 'node:os'

const WAITING = 0
const FIRST_THREAD = 1

/** Nobody; the rest of requests that have run; or new ones, too. */
export const NOBODY_WAITS = 0
export const OTHERS_WAIT = 1
export const NEW_ONES_WAIT = 2
export type Waiting = typeof NOBODY_WAITS | typeof OTHERS_WAIT | typeof NEW_ONES_WAIT

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

  /** Tells the threads who waits: who can stop half way, shall. */
  setWaiting(who: Waiting): void {
    Atomics.store(this.#words, WAITING, who)
  }

  waiting(): number {
    return Atomics.load(this.#words, WAITING)
  }

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
