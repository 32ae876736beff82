import { openAll } from './interval-parts.ts'
import { type Intervals, NO_MORE_INTERVALS } from './intervals.ts'

/** Sources each directly behind the one before. */
export class BlockIntervals implements Intervals {
  readonly #all: readonly Intervals[]
  start = -1
  end = -1
  readonly gaps = 0

  /** @param all min two */
  constructor(all: readonly Intervals[]) {
    this.#all = all
  }

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    return openAll(this.#all, docId)
  }

  next(): number {
    const all = this.#all
    this.start = NO_MORE_INTERVALS
    this.end = NO_MORE_INTERVALS
    if (all[0]!.next() === NO_MORE_INTERVALS) return this.start
    for (let i = 1; i < all.length; ) {
      const before = all[i - 1]!
      const each = all[i]!
      while (each.start <= before.end) if (each.next() === NO_MORE_INTERVALS) return this.start
      if (each.start === before.end + 1) i++
      else {
        if (all[0]!.next() === NO_MORE_INTERVALS) return this.start
        i = 1
      }
    }
    this.end = all[all.length - 1]!.end
    return (this.start = all[0]!.start)
  }
}
