/**
 * Minimal intervals of positions in one document, as Lucene's intervals package finds them (Boldi &
 * Vigna, "Efficient Optimally Lazy Algorithms for Minimal-Interval Semantics"): none contains another
 * one of the same source, so that both their starts and their ends ascend.
 */
import type { PositionPostings } from './freq-postings.ts'

/** Start and end of exhausted intervals. */
export const NO_MORE_INTERVALS = 2147483647

/** Intervals of one document; both ends are included. */
export interface Intervals {
  /** −1 before the first one. */
  readonly start: number
  readonly end: number
  /** Positions of the current one that its parts do not cover. */
  readonly gaps: number
  /** Opens a document; false when it has none, as far as postings alone tell. */
  open(docId: number): boolean
  /** Moves to the next one and returns its start. */
  next(): number
}

/** The part of a term's postings that its intervals read. */
export type IntervalPostings = Pick<PositionPostings, 'docId' | 'advance' | 'freq' | 'nextPosition'>

/** A term's positions. */
export class TermIntervals implements Intervals {
  readonly #postings: IntervalPostings
  start = -1
  readonly gaps = 0
  #left = 0

  constructor(postings: IntervalPostings) {
    this.#postings = postings
  }

  get end(): number {
    return this.start
  }

  open(docId: number): boolean {
    const postings = this.#postings
    this.start = -1
    if (postings.docId() < docId) postings.advance(docId)
    this.#left = postings.docId() === docId ? postings.freq() : 0
    return this.#left > 0
  }

  next(): number {
    if (this.#left === 0) return (this.start = NO_MORE_INTERVALS)
    this.#left--
    return (this.start = this.#postings.nextPosition())
  }
}

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

/** Opens all, though one may not be there. */
function openAll(all: readonly Intervals[], docId: number): boolean {
  let isThere = true
  for (const each of all) if (!each.open(docId)) isThere = false
  return isThere
}

/** Positions of an interval that its parts leave. */
function gapsBetween(start: number, end: number, parts: readonly Intervals[]): number {
  let gaps = end - start + 1
  for (const each of parts)
    gaps -= each instanceof RepeatedIntervals ? each.covered : each.end - each.start + 1
  return gaps
}

/** So many of a source in a row, none of them twice. */
export class RepeatedIntervals implements Intervals {
  readonly #source: Intervals
  /** The last ones, in a ring that begins at `#first`. */
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  #first = 0
  #isOpen = false
  start = -1
  end = -1
  covered = 0

  /** @param count min two */
  constructor(source: Intervals, count: number) {
    this.#source = source
    this.#starts = new Int32Array(count)
    this.#ends = new Int32Array(count)
  }

  get gaps(): number {
    return this.end - this.start + 1 - this.covered
  }

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    this.#first = 0
    this.#isOpen = false
    return this.#source.open(docId)
  }

  next(): number {
    const count = this.#starts.length
    if (this.start === NO_MORE_INTERVALS) return this.start
    if (this.#isOpen) {
      const last = this.#first
      this.#first = (last + 1) % count
      if (!this.#take(last)) return this.start
    } else for (let i = 0; i < count; i++) if (!this.#take(i)) return this.start
    this.#isOpen = true
    this.start = this.#starts[this.#first]!
    this.end = this.#ends[(this.#first + count - 1) % count]!
    // As Lucene counts them, which is what they cover where each is of one position.
    this.covered = 0
    for (let i = 0; i < count; i++) this.covered += this.#starts[i]! - this.#ends[i]! + 1
    return this.start
  }

  #take(at: number): boolean {
    const source = this.#source
    if (source.next() === NO_MORE_INTERVALS) {
      this.start = NO_MORE_INTERVALS
      this.end = NO_MORE_INTERVALS
      return false
    }
    this.#starts[at] = source.start
    this.#ends[at] = source.end
    return true
  }
}

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

/** How an interval lies to those of another source. */
export type IntervalRelation =
  | 'containing'
  | 'containedBy'
  | 'overlapping'
  | 'notContaining'
  | 'notContainedBy'
  | 'notOverlapping'

/** The part of a relation: which others are passed over, and whether the next one has it. */
interface Relation {
  /** Whether another one ends the search for good where there is none. */
  readonly isNegative: boolean
  isBefore(own: Intervals, other: Intervals): boolean
  holds(own: Intervals, other: Intervals): boolean
}

const RELATIONS: Readonly<Record<IntervalRelation, Relation>> = {
  containing: {
    isNegative: false,
    isBefore: (own, other) => other.start < own.start,
    holds: (own, other) => own.end >= other.end,
  },
  containedBy: {
    isNegative: false,
    isBefore: (own, other) => other.end < own.end,
    holds: (own, other) => other.start <= own.start,
  },
  overlapping: {
    isNegative: false,
    isBefore: (own, other) => other.end < own.start,
    holds: (own, other) => other.start <= own.end,
  },
  notContaining: {
    isNegative: true,
    // One that begins within is enough, wherever it ends: so Lucene has it.
    isBefore: (own, other) => other.start < own.start && other.end < own.end,
    holds: (own, other) => other.start > own.end,
  },
  notContainedBy: {
    isNegative: true,
    isBefore: (own, other) => other.end < own.end,
    holds: (own, other) => own.start < other.start,
  },
  notOverlapping: {
    isNegative: true,
    isBefore: (own, other) => other.end < own.start,
    holds: (own, other) => other.start > own.end,
  },
}

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

/** Those that lie so to the ones of another source. */
export class RelatedIntervals implements Intervals {
  readonly #own: Intervals
  readonly #other: Intervals
  readonly #relation: Relation
  #hasOther = false
  start = -1
  end = -1

  constructor(own: Intervals, other: Intervals, relation: IntervalRelation) {
    this.#own = own
    this.#other = other
    this.#relation = RELATIONS[relation]
  }

  get gaps(): number {
    return this.#own.gaps
  }

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    this.#hasOther = this.#other.open(docId)
    return this.#own.open(docId) && (this.#hasOther || this.#relation.isNegative)
  }

  next(): number {
    const own = this.#own
    while (this.#goesOn() && own.next() !== NO_MORE_INTERVALS)
      if (this.#holds()) {
        this.end = own.end
        return (this.start = own.start)
      }
    this.end = NO_MORE_INTERVALS
    return (this.start = NO_MORE_INTERVALS)
  }

  #goesOn(): boolean {
    return this.#hasOther || this.#relation.isNegative
  }

  #holds(): boolean {
    const { isNegative, isBefore, holds } = this.#relation
    const other = this.#other
    while (this.#hasOther && isBefore(this.#own, other))
      this.#hasOther = other.next() !== NO_MORE_INTERVALS
    return this.#hasOther ? holds(this.#own, other) : isNegative
  }
}
