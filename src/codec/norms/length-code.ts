/**
 * Document lengths in one byte, as Lucene's `SmallFloat.intToByte4` codes them: lengths below 40
 * exactly, larger ones with three bits after the leading one, rounded down. Scores depend on it.
 */

/** Number of lengths that are their own code: 255 − code of the max int. */
const FREE_VALUES = 255 - longToInt4(0x7fffffff)

/** The one-byte code of a length of 0 … 2³¹−1. */
export function encodeLength(length: number): number {
  return length < FREE_VALUES ? length : FREE_VALUES + longToInt4(length - FREE_VALUES)
}

/** The length of each code. */
export const CODED_LENGTHS: Float64Array = Float64Array.from({ length: 256 }, (_, code) =>
  code < FREE_VALUES ? code : FREE_VALUES + int4ToLong(code - FREE_VALUES),
)

function longToInt4(value: number): number {
  const bits = 32 - Math.clz32(value)
  if (bits < 4) return value
  const shift = bits - 4
  return ((value >>> shift) & 7) | ((shift + 1) << 3)
}

function int4ToLong(code: number): number {
  const bits = code & 7
  const shift = (code >>> 3) - 1
  return shift === -1 ? bits : (bits | 8) * 2 ** shift
}
