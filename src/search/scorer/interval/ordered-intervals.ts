import { gapsBetween, openAll } from './interval-parts.ts'
import { type Intervals, NO_MORE_INTERVALS } from './intervals.ts'

/**
 * Sources each behind the one before. Looking for the next one moves all but the first on, wherever
 * they stand, as in Lucene: an interval that begins in the one before may be passed over.
 */
export class OrderedIntervals implements Intervals {
  readonly #all: readonly Intervals[]
  #isExhausted = false
  start = -1
  end = -1
  gaps = 0

  /** @param all min two */
  constructor(all: readonly Intervals[]) {
    this.#all = all
  }

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    this.#isExhausted = false
    const isThere = openAll(this.#all, docId)
    if (isThere) this.#all[0]!.next()
    return isThere
  }

  next(): number {
    const all = this.#all
    const last = all[all.length - 1]!
    this.start = NO_MORE_INTERVALS
    this.end = NO_MORE_INTERVALS
    if (this.#isExhausted) return this.start
    // The start of the last part of the interval found: a better one ends ahead of it.
    let bound = NO_MORE_INTERVALS
    for (let isFound = false; ; isFound = true) {
      for (let at = 1; ; at++) {
        const before = all[at - 1]!
        if (before.end >= bound) return this.start
        const each = all[at]
        if (each === undefined || (isFound && each.start > before.end)) break
        do {
          if (each.end >= bound) return this.start
          if (each.next() === NO_MORE_INTERVALS) {
            this.#isExhausted = true
            return this.start
          }
        } while (each.start <= before.end)
      }
      this.start = all[0]!.start
      this.end = last.end
      this.gaps = gapsBetween(this.start, this.end, all)
      bound = last.start
      if (all[0]!.next() === NO_MORE_INTERVALS) return this.start
    }
  }
}
