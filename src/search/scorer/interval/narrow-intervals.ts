import { type Intervals, NO_MORE_INTERVALS } from './intervals.ts'

/** Those with so many gaps at most. */
export class NarrowIntervals implements Intervals {
  readonly #inner: Intervals
  readonly #maxGaps: number

  constructor(inner: Intervals, maxGaps: number) {
    this.#inner = inner
    this.#maxGaps = maxGaps
  }

  get start(): number {
    return this.#inner.start
  }

  get end(): number {
    return this.#inner.end
  }

  get gaps(): number {
    return this.#inner.gaps
  }

  open(docId: number): boolean {
    return this.#inner.open(docId)
  }

  next(): number {
    let start: number
    do start = this.#inner.next()
    while (start !== NO_MORE_INTERVALS && this.#inner.gaps > this.#maxGaps)
    return start
  }
}
