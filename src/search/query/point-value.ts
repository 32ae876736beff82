/**
 * Query numbers in the index's form: 64-bit integers in the same order as the numbers. A segment's
 * `valueKind` names the field's encoding.
 */

import {
  doubleToSortable,
  floatToSortable,
  halfFloatToSortable,
  sortable,
} from '../../codec/doc-values/sortable.ts'
import type { PointEncoding } from '../scorer/point-encoding.ts'

/** Min and max signed 64-bit integer. */
export const MIN_LONG: bigint = -(2n ** 63n)
/** The max signed 64-bit integer. */
export const MAX_LONG: bigint = 2n ** 63n - 1n

/** The highest double below 2⁶⁴. */
const MAX_UNSIGNED_DOUBLE = 2 ** 64 - 2048

/**
 * The sortable integer of a number; `long` and `unsignedLong` take whole numbers only, and one past
 * the unsigned range becomes its end. Floats and half floats are rounded to their type first.
 */
export function encodePoint(value: number, encoding: PointEncoding): bigint {
  switch (encoding) {
    case 'long':
      return BigInt(value)
    case 'unsignedLong':
      return BigInt(Math.min(Math.max(value, 0), MAX_UNSIGNED_DOUBLE)) + MIN_LONG
    case 'double':
      doubleToSortable(value)
      return joinHalves(sortable.hi, sortable.lo)
    case 'float':
      return BigInt(floatToSortable(value))
    case 'halfFloat':
      return BigInt(halfFloatToSortable(value))
  }
}

/** Signed upper half of a 64-bit integer. */
export function highHalf(value: bigint): number {
  long[0] = value
  return signedHalves[1]!
}

/** Unsigned lower half of a 64-bit integer. */
export function lowHalf(value: bigint): number {
  long[0] = value
  return halves[0]!
}

/** The 64-bit integer of two halves. */
export function joinHalves(hi: number, lo: number): bigint {
  signedHalves[1] = hi
  halves[0] = lo
  return long[0]!
}

// Split and join 64-bit integers through memory: BigInt arithmetic allocates at each step.
const long = new BigInt64Array(1)
const halves = new Uint32Array(long.buffer)
const signedHalves = new Int32Array(long.buffer)
