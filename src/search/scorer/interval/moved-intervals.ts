import { type Intervals, NO_MORE_INTERVALS } from './intervals.ts'

/** Intervals made of others by moving their ends. */
export class MovedIntervals implements Intervals {
  readonly #inner: Intervals
  readonly #ends: (start: number, end: number) => readonly [start: number, end: number]
  start = -1
  end = -1

  /** @param ends of an interval; they ascend as its own do */
  constructor(
    inner: Intervals,
    ends: (start: number, end: number) => readonly [start: number, end: number],
  ) {
    this.#inner = inner
    this.#ends = ends
  }

  get gaps(): number {
    return this.#inner.gaps
  }

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    return this.#inner.open(docId)
  }

  next(): number {
    const start = this.#inner.next()
    if (start === NO_MORE_INTERVALS) this.start = this.end = NO_MORE_INTERVALS
    else [this.start, this.end] = this.#ends(start, this.#inner.end)
    return this.start
  }
}
