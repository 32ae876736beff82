import { type Intervals, NO_MORE_INTERVALS } from './intervals.ts'

/** The minimal ones of several sources. */
export class AnyIntervals implements Intervals {
  readonly #all: readonly Intervals[]
  #open: Intervals[] = []
  #current: Intervals | null = null
  start = -1
  end = -1
  gaps = 0

  constructor(all: readonly Intervals[]) {
    this.#all = all
  }

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    this.#current = null
    this.#open = this.#all.filter(each => each.open(docId))
    for (const each of this.#open) each.next()
    return this.#open.length > 0
  }

  next(): number {
    if (this.#current !== null)
      for (const each of this.#open)
        while (each.start <= this.start && each.end >= this.end && each.start !== NO_MORE_INTERVALS)
          each.next()
    let best: Intervals | null = null
    for (const each of this.#open)
      if (
        each.start !== NO_MORE_INTERVALS &&
        (best === null || each.end < best.end || (each.end === best.end && each.start > best.start))
      )
        best = each
    this.#current = best
    this.start = best?.start ?? NO_MORE_INTERVALS
    this.end = best?.end ?? NO_MORE_INTERVALS
    this.gaps = best?.gaps ?? 0
    return this.start
  }
}
