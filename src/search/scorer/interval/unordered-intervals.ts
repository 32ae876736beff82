import { gapsBetween, openAll } from './interval-parts.ts'
import { type Intervals, NO_MORE_INTERVALS } from './intervals.ts'

/** Sources in any order, maybe one over the other. */
export class UnorderedIntervals implements Intervals {
  readonly #all: readonly Intervals[]
  #left = 0
  #rightmost = -1
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
    this.#rightmost = -1
    this.#left = 0
    if (!openAll(this.#all, docId)) return false
    for (const each of this.#all) if (!this.#move(each)) return false
    this.#left = this.#all.length
    return true
  }

  next(): number {
    while (this.#left > 0 && this.#first().start === this.start) this.#move(this.#first())
    if (this.#left === 0) {
      this.end = NO_MORE_INTERVALS
      return (this.start = NO_MORE_INTERVALS)
    }
    do {
      const first = this.#first()
      this.start = first.start
      this.end = this.#rightmost
      this.gaps = gapsBetween(this.start, this.end, this.#all)
      if (first.end === this.end) return this.start
      this.#move(first)
    } while (this.#left > 0 && this.end === this.#rightmost)
    return this.start
  }

  #move(intervals: Intervals): boolean {
    if (intervals.next() === NO_MORE_INTERVALS) {
      this.#left = 0
      return false
    }
    this.#rightmost = Math.max(this.#rightmost, intervals.end)
    return true
  }

  /** The one that starts first, of equal starts the longest. */
  #first(): Intervals {
    let best = this.#all[0]!
    for (const each of this.#all)
      if (each.start < best.start || (each.start === best.start && each.end > best.end)) best = each
    return best
  }
}
