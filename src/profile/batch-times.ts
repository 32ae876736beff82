import type { BatchClock } from '../search/scorer/batch-clock.ts'

/**
 * Measures every batch of one slice. A timer compares the total before and after each of its calls,
 * so that all nodes in whose calls a batch ran know its time exactly, however few of the calls they
 * measure. A batch within a batch adds its part when it ends, the outer one the rest.
 */
export class BatchTimes implements BatchClock {
  /** Nanoseconds of all batches and parts that have ended. */
  total = 0
  readonly #now: () => number
  /** Of each open batch: when it began, and the total then. */
  readonly #open: number[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  begin(): void {
    this.#open.push(this.total, this.#now())
  }

  end(): void {
    const start = this.#open.pop()!
    const before = this.#open.pop()!
    // What batches within this one took has been added already.
    const within = this.total - before
    this.total += Math.max(this.#now() - start - within, 0)
  }
}
