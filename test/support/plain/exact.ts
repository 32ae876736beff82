/** Arithmetic without rounding but at the end. */

/** A fraction of integers. */
interface Fraction {
  readonly top: bigint
  /** Above 0. */
  readonly bottom: bigint
}

/** 2⁻¹⁰⁷⁴, the smallest double, is 1. */
const UNIT_BITS = 1074n

/** The sum of finite doubles, rounded once. */
export function exactSum(values: readonly number[]): number {
  return roundedFraction({
    top: values.reduce((sum, value) => sum + unitsOf(value), 0n),
    bottom: 1n << UNIT_BITS,
  })
}

/** The double nearest to a fraction; of two the even one. Results below 2⁻¹⁰²² are not asked for. */
function roundedFraction({ top, bottom }: Fraction): number {
  if (top === 0n) return 0
  const size = top < 0n ? -top : top
  // A quotient of more than 64 bits, whose last one tells whether anything is left.
  const shift = Math.max(0, 70 - (bitsOf(size) - bitsOf(bottom)))
  const shifted = size << BigInt(shift)
  const quotient = shifted / bottom
  const sticky = quotient * bottom === shifted ? quotient : quotient | 1n
  const down = Math.min(shift, 1000)
  const value = Number(sticky) / 2 ** down / 2 ** (shift - down)
  return top < 0n ? -value : value
}

function bitsOf(value: bigint): number {
  return value.toString(2).length
}

function unitsOf(value: number): bigint {
  // In two steps: 2^1074 is no double.
  let scaled = value
  let left = Number(UNIT_BITS)
  while (!Number.isInteger(scaled) && left > 0) {
    const step = Math.min(left, 60)
    scaled *= 2 ** step
    left -= step
  }
  return BigInt(scaled) << BigInt(left)
}
