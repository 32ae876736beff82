/** The units that `auto_date_histogram` chooses from, and how it lays buckets out over them. */
import { maxLength, type Rounding, type RoundingPlan, roundingOf } from './rounding.ts'
import { tabled } from './tabled-rounding.ts'

/** A unit whose multiples buckets may be as long as. */
interface LadderUnit {
  readonly unit: 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year'
  /** As intervals print it. */
  readonly sign: string
  /** Ascending. */
  readonly multiples: readonly number[]
}

const UNITS: readonly LadderUnit[] = [
  { unit: 'second', sign: 's', multiples: [1, 5, 10, 30] },
  { unit: 'minute', sign: 'm', multiples: [1, 5, 10, 30] },
  { unit: 'hour', sign: 'h', multiples: [1, 3, 12] },
  { unit: 'day', sign: 'd', multiples: [1, 7] },
  { unit: 'month', sign: 'M', multiples: [1, 3] },
  { unit: 'year', sign: 'y', multiples: [1, 5, 10, 20, 50, 100] },
]

/** Names of the units, the finest first. */
export const LADDER_UNITS: readonly string[] = UNITS.map(({ unit }) => unit)

/** The buckets of an answer. */
export interface LaidBuckets {
  /** Index of their unit. */
  readonly level: number
  /** Such as `7d`. */
  readonly interval: string
  /** Ascending. */
  readonly starts: readonly number[]
}

/** Units from a finest one on, in a time zone. */
export class UnitLadder {
  readonly #units: readonly LadderUnit[]
  readonly #target: number
  readonly #roundings: readonly Rounding[]
  readonly #lengths: readonly number[]

  /**
   * @param finest index of the finest unit
   * @param target number of buckets that answers shall have at most
   */
  constructor(finest: number, zone: string | null, target: number) {
    this.#units = UNITS.slice(finest)
    this.#target = target
    const plans = this.#units.map(
      ({ unit }): RoundingPlan => ({ interval: { kind: 'calendar', unit }, zone, offset: 0 }),
    )
    this.#roundings = plans.map(plan => tabled(roundingOf(plan)))
    this.#lengths = plans.map(maxLength)
  }

  /** The start of the bucket of an instant. */
  round(level: number, millis: number): number {
    return this.#roundings[level]!.round(millis)
  }

  /** About the start of the bucket behind one. */
  next(level: number, start: number): number {
    return this.#roundings[level]!.next(start)
  }

  /**
   * Whether buckets of a level, between two instants, are surely more than an answer may have. What
   * has been seen tells, so that more instants never take it back.
   */
  isTooFine(level: number, first: number, last: number): boolean {
    if (level === this.#units.length - 1) return false
    // A zone's change of offset makes buckets shorter or longer.
    return (last - first) / this.#lengths[level]! > this.#limit(level) + 2
  }

  /** The buckets between two instants, at a level or above. */
  layOut(least: number, first: number, last: number): LaidBuckets {
    for (let level = least; ; level++) {
      const starts = this.#startsOf(level, first, last)
      if (starts !== null) return this.#merged(level, starts)
    }
  }

  /** The interval of an answer without buckets. */
  get finestInterval(): string {
    return `1${this.#units[0]!.sign}`
  }

  #limit(level: number): number {
    return this.#target * this.#units[level]!.multiples.at(-1)!
  }

  /** Null: they are too many. */
  #startsOf(level: number, first: number, last: number): number[] | null {
    const limit = level === this.#units.length - 1 ? Number.POSITIVE_INFINITY : this.#limit(level)
    const rounding = this.#roundings[level]!
    const end = rounding.round(last)
    const starts: number[] = []
    for (let start = rounding.round(first); start <= end; ) {
      if (starts.length === limit) return null
      starts.push(start)
      const next = rounding.next(start)
      // A change of the zone's offset must not bring a bucket twice.
      start = next > start ? next : rounding.round(start + 2 * (start - next) + 3_600_000)
    }
    return starts
  }

  /** Consecutive buckets merged by the smallest multiple that makes them few enough. */
  #merged(level: number, starts: readonly number[]): LaidBuckets {
    const { multiples, sign } = this.#units[level]!
    const enough = multiples.find(each => Math.floor(starts.length / each) <= this.#target)
    const multiple = starts.length <= this.#target ? 1 : (enough ?? 1)
    const kept = starts.filter((_, i) => i % multiple === 0)
    return { level, interval: `${multiple}${sign}`, starts: kept }
  }
}
