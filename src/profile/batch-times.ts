import type { BatchClock } from '../search/scorer/batch-clock.ts'

/**
 * Measures every batch of one slice. A timer compares the total before and after each of its calls,
 * so that all nodes whose calls contained a batch have its exact time, however few calls they
 * measure. A nested batch adds its time at its end, the outer one the rest.
 */
export class BatchTimes implements BatchClock {
  /** Nanoseconds of all finished batches and nested parts. */
  total = 0
  readonly #now: () => number
  /** For each open batch: its start, and the total at that time. */
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
    // Nested batches have added their time already.
    const within = this.total - before
    this.total += Math.max(this.#now() - start - within, 0)
  }
}
