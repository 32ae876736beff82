import type { StepKeys } from '../kernel/key-steps.ts'
import type { NumberRange } from './range-counts.ts'

/** The intervals between the ends of ranges, each of which lies whole within a range or outside. */
export class RangeIntervals implements StepKeys {
  /** Finite ends, ascending. */
  readonly #ends: Float64Array
  /** The ranges of each interval, by its number of ends up to it. */
  readonly #ranges: readonly (readonly number[])[]

  constructor(ranges: readonly NumberRange[]) {
    const ends = new Set(ranges.flatMap(({ from, to }) => [from, to]).filter(Number.isFinite))
    this.#ends = Float64Array.from(ends).sort()
    const at = (i: number, open: number): number => this.#ends[i] ?? open
    this.#ranges = Array.from({ length: this.#ends.length + 1 }, (_, i) => {
      const first = i === 0 ? Number.NEGATIVE_INFINITY : at(i - 1, Number.NEGATIVE_INFINITY)
      const last = at(i, Number.POSITIVE_INFINITY)
      return ranges.flatMap(({ from, to }, r) => (from <= first && last <= to ? [r] : []))
    })
  }

  /** The interval of a value; NaN of NaN. */
  of(value: number): number {
    if (Number.isNaN(value)) return Number.NaN
    let from = 0
    let to = this.#ends.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (this.#ends[middle]! <= value) from = middle + 1
      else to = middle
    }
    return from
  }

  /** The value at which an interval ends. */
  next(interval: number): number {
    return this.#ends[interval] ?? Number.POSITIVE_INFINITY
  }

  /** The ranges that an interval lies in. */
  ranges(interval: number): readonly number[] {
    return this.#ranges[interval]!
  }
}
