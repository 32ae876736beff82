/**
 * Percentiles by the rules of HDR histograms: cells have so many significant bits that their width is
 * within the digits asked for, and values stand for the upper end of theirs.
 */
import { EngineError } from '../../util/errors.ts'
import { doubleText } from '../../util/json/float-text.ts'
import { countOf } from './cell-ranks.ts'
import type { CellRules, Cells } from './value-cells.ts'

const MANTISSA_BITS = 52

/** Bits behind the first one that a cell's values share. @param digits 0…5 */
function sharedBits(digits: number): number {
  return Math.ceil(Math.log2(2 * 10 ** digits)) - 1
}

/** Cells of the values that share their significant digits. */
export function hdrRules(digits: number): CellRules {
  return { level: MANTISSA_BITS - sharedBits(digits), maxCells: Number.POSITIVE_INFINITY }
}

/** @throws {EngineError} `array_index_out_of_bounds_exception`: a value is negative */
export function checkNotNegative(values: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    if (value < 0)
      throw new EngineError({
        type: 'array_index_out_of_bounds_exception',
        reason: `The value ${doubleText(value)} is out of bounds for histogram, which has no negative values`,
      })
    // A cell of its own for −0 would stand beside that of 0.
    if (value === 0) values[i] = 0
  }
}

/** The percentile of cells of `hdrRules`. @returns NaN without values */
export function hdrPercentile(cells: Cells, digits: number, percent: number): number {
  const { mins, counts } = cells
  const count = countOf(cells)
  if (count === 0) return Number.NaN
  let rest = Math.max(1, Math.ceil((percent / 100) * count))
  let at = 0
  while (at < mins.length - 1 && rest > counts[at]!) rest -= counts[at++]!
  const half = 2 ** sharedBits(digits)
  const start = cellStart(mins[at]!, digits)
  const width = start === 0 ? unitOf(cells) / half : 2 ** exponentOf(start) / half
  return start + width - unitOf(cells) / half
}

/** The percentage of values in the cells up to that of a value. @returns NaN without values */
export function hdrPercentBelow(cells: Cells, digits: number, value: number): number {
  const { mins, counts } = cells
  const count = countOf(cells)
  if (count === 0) return Number.NaN
  const limit = cellStart(Math.max(value, 0), digits)
  let below = 0
  for (let i = 0; i < mins.length && cellStart(mins[i]!, digits) <= limit; i++) below += counts[i]!
  return (100 * below) / count
}

/** The power of two below the lowest value other than 0; 0 where there is none. */
function unitOf({ maxs }: Cells): number {
  const lowest = maxs.find(max => max > 0)
  return lowest === undefined ? 0 : 2 ** exponentOf(lowest)
}

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)

/** ⌊log₂⌋ of a positive normal double. */
function exponentOf(value: number): number {
  double[0] = value
  return (words[1]! >>> 20) - 1023
}

/** The value without the bits in which those of its cell differ. */
function cellStart(value: number, digits: number): number {
  const bits = MANTISSA_BITS - sharedBits(digits)
  double[0] = value
  // At most 19 bits are shared, all of them in the upper half.
  words[0] = 0
  words[1] = (words[1]! >>> (bits - 32)) << (bits - 32)
  return double[0]
}
