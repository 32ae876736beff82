/** Bits of a quotient: more than a double has, so that it is rounded once. */
const QUOTIENT_BITS = 68

/**
 * The double nearest to a fraction.
 * @param denominator above 0; 0 gives NaN
 * @param exponent the fraction counts in units of 2^exponent
 */
export function ratio(numerator: bigint, denominator: bigint, exponent = 0): number {
  if (denominator === 0n) return Number.NaN
  if (numerator === 0n) return 0
  const size = numerator < 0n ? -numerator : numerator
  const shift = QUOTIENT_BITS + lengthOf(denominator) - lengthOf(size)
  const scaled = shift >= 0 ? size << BigInt(shift) : size
  const divisor = shift >= 0 ? denominator : denominator << BigInt(-shift)
  const quotient = scaled / divisor
  // A last bit tells whether something is left.
  const kept = quotient * divisor === scaled ? quotient : quotient | 1n
  const power = exponent - shift
  const half = Math.trunc(power / 2)
  const rounded = Number(kept) * 2 ** half * 2 ** (power - half)
  return numerator < 0n ? -rounded : rounded
}

/** Bits, up to 3 more. */
function lengthOf(value: bigint): number {
  return 4 * value.toString(16).length
}
