/**
 * Floating-point numbers as signed 64-bit integers of the same order, like Lucene's
 * `NumericUtils.doubleToSortableLong` and `floatToSortableInt`: the bits, the lower ones flipped if
 * the sign is set. −0.0 comes directly before 0.0.
 */

const bits = new DataView(new ArrayBuffer(8))

/** Output of the encoders: upper and lower half of a double's sortable long. */
export const sortable = { hi: 0, lo: 0 }

/** Writes the sortable long of a double to `sortable`. */
export function doubleToSortable(value: number): void {
  bits.setFloat64(0, value)
  const hi = bits.getInt32(0)
  const lo = bits.getUint32(4)
  if (hi < 0) {
    sortable.hi = hi ^ 0x7fffffff
    sortable.lo = ~lo >>> 0
  } else {
    sortable.hi = hi
    sortable.lo = lo
  }
}

/** The double of a sortable long. */
export function sortableToDouble(hi: number, lo: number): number {
  if (hi < 0) {
    bits.setInt32(0, hi ^ 0x7fffffff)
    bits.setUint32(4, ~lo >>> 0)
  } else {
    bits.setInt32(0, hi)
    bits.setUint32(4, lo)
  }
  return bits.getFloat64(0)
}

/** The sortable int of a float32, −2³¹ … 2³¹−1. */
export function floatToSortable(value: number): number {
  bits.setFloat32(0, value)
  const int = bits.getInt32(0)
  return int < 0 ? int ^ 0x7fffffff : int
}

/** The float32 of a sortable int. */
export function sortableToFloat(int: number): number {
  bits.setInt32(0, int < 0 ? int ^ 0x7fffffff : int)
  return bits.getFloat32(0)
}

/** The sortable short of a number rounded to half precision, −32768 … 32767. */
export function halfFloatToSortable(value: number): number {
  const half = halfBits(value)
  const short = (half << 16) >> 16
  return short < 0 ? short ^ 0x7fff : short
}

/** The number of a sortable short. */
export function sortableToHalfFloat(short: number): number {
  const half = (short < 0 ? short ^ 0x7fff : short) & 0xffff
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >>> 10) & 0x1f
  const fraction = half & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

/** IEEE half-precision bits of a number, rounded to nearest, ties to even. */
function halfBits(value: number): number {
  bits.setFloat64(0, value)
  const sign = (bits.getUint32(0) >>> 16) & 0x8000
  const size = Math.abs(value)
  if (Number.isNaN(value)) return 0x7e00
  if (size >= 65520) return sign | 0x7c00
  if (size < 2 ** -14) return sign | roundToEven(size * 2 ** 24)
  const exponent = Math.floor(Math.log2(size))
  const scale = 2 ** exponent > size ? exponent - 1 : exponent
  const fraction = roundToEven((size / 2 ** scale - 1) * 1024)
  return sign | (((scale + 15) << 10) + fraction)
}

function roundToEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest > 0.5 || (rest === 0.5 && floor % 2 === 1)) return floor + 1
  return floor
}
