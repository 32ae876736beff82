import { type Intervals, NO_MORE_INTERVALS } from './intervals.ts'

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
