/** Sources of the values of tuples: a field's values, or the buckets that they fall into. */
import type { CellPlan } from '../geo/cells/place-cells.ts'
import { type RoundingPlan, roundingOf } from '../histogram/rounding.ts'
import { tabled } from '../histogram/tabled-rounding.ts'
import type { TermKey } from '../terms/term-keys.ts'
import type { AnyValueSource } from '../value-source.ts'

/** How a number becomes the value of a tuple: itself, the start of its bucket, or a cell. Plain data. */
export type TupleRounding =
  | { readonly kind: 'none' }
  | { readonly kind: 'interval'; readonly interval: number }
  | { readonly kind: 'date'; readonly rounding: RoundingPlan }
  /** Places, which become the cells that they lie in. */
  | { readonly kind: 'cell'; readonly cells: CellPlan }

/** The values of one place of tuples: plain data. */
export interface TupleSource {
  /** Null: the index lacks the field. */
  readonly values: AnyValueSource | null
  readonly rounding: TupleRounding
  /** Whether documents without a value have the value null. */
  readonly hasNull: boolean
}

/** A value of a tuple; null stands for none. */
export type TupleValue = TermKey | null

/** Turns numbers into the starts of their buckets; null: they stay as they are. */
export function bucketStart(rounding: TupleRounding): ((value: number) => number) | null {
  switch (rounding.kind) {
    case 'none':
    case 'cell':
      return null
    case 'interval': {
      const { interval } = rounding
      return value => Math.floor(value / interval) * interval
    }
    case 'date': {
      const starts = tabled(roundingOf(rounding.rounding))
      return value => starts.round(value)
    }
  }
}

/** About the start of the bucket behind one; of roundings without buckets, the same number. */
export function nextStart(rounding: TupleRounding): (start: number) => number {
  switch (rounding.kind) {
    case 'none':
    case 'cell':
      return start => start
    case 'interval': {
      const { interval } = rounding
      return start => start + interval
    }
    case 'date': {
      const starts = roundingOf(rounding.rounding)
      return start => starts.next(start)
    }
  }
}

/** Compares two values of one source; null stands first. */
export function compareTupleValues(
  a: TupleValue,
  b: TupleValue,
  compare: (a: TermKey, b: TermKey) => number,
): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  return compare(a, b)
}
