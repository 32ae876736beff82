import { type Intervals, NO_MORE_INTERVALS } from './intervals.ts'

/** Those that a function takes. */
export class FilteredIntervals implements Intervals {
  readonly #own: Intervals
  readonly #accepts: (start: number, end: number, gaps: number) => boolean

  constructor(own: Intervals, accepts: (start: number, end: number, gaps: number) => boolean) {
    this.#own = own
    this.#accepts = accepts
  }

  get start(): number {
    return this.#own.start
  }

  get end(): number {
    return this.#own.end
  }

  get gaps(): number {
    return this.#own.gaps
  }

  open(docId: number): boolean {
    return this.#own.open(docId)
  }

  next(): number {
    const own = this.#own
    for (;;) {
      const start = own.next()
      if (start === NO_MORE_INTERVALS || this.#accepts(start, own.end, own.gaps)) return start
    }
  }
}
