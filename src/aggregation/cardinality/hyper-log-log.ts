/**
 * HyperLogLog registers over 64-bit hashes, and Ertl's improved estimate of them (O. Ertl, "New
 * cardinality estimation algorithms for HyperLogLog sketches", 2017). A register holds the longest run
 * of zeros seen, plus one, among hashes whose first bits are its index.
 */

/** The min and max number of index bits. */
const MIN_PRECISION = 4
const MAX_PRECISION = 18

/** The index bits of a threshold: registers enough to be exact up to it. */
export function precisionOf(threshold: number): number {
  const entries = 4 * Math.ceil(threshold / 0.75)
  const bits = 32 - Math.clz32(entries)
  return Math.min(MAX_PRECISION, Math.max(MIN_PRECISION, bits))
}

/** Distinct hashes up to which they are kept in place of registers. */
export function exactLimit(precision: number): number {
  return Math.floor(0.75 * 2 ** (precision - 2))
}

/** Notes a hash given in halves, signed or not. */
export function noteHash(
  registers: Uint8Array,
  precision: number,
  high: number,
  low: number,
): void {
  const index = high >>> (32 - precision)
  const upper = (high << precision) | (low >>> (32 - precision))
  const zeros = upper !== 0 ? Math.clz32(upper) : 32 + Math.clz32(low << precision)
  const run = 1 + Math.min(zeros, 64 - precision)
  if (run > registers[index]!) registers[index] = run
}

/** The number of distinct hashes that registers tell of. */
export function estimate(registers: Uint8Array, precision: number): number {
  const size = registers.length
  const longest = 64 - precision
  const histogram = new Float64Array(longest + 2)
  for (const register of registers) histogram[register] = histogram[register]! + 1
  let z = size * tau(1 - histogram[longest + 1]! / size)
  for (let run = longest; run >= 1; run--) z = 0.5 * (z + histogram[run]!)
  z += size * sigma(histogram[0]! / size)
  return (size * size) / (2 * Math.LN2 * z)
}

/** x + Σ x^(2^k) · 2^(k−1). */
function sigma(x: number): number {
  if (x === 1) return Number.POSITIVE_INFINITY
  let power = x
  let weight = 1
  let sum = x
  for (let last = -1; last !== sum; ) {
    power *= power
    last = sum
    sum += power * weight
    weight += weight
  }
  return sum
}

/** (1 − x − Σ (1 − x^(2^−k))² · 2^−k) / 3. */
function tau(x: number): number {
  if (x === 0 || x === 1) return 0
  let root = x
  let weight = 1
  let sum = 1 - x
  for (let last = -1; last !== sum; ) {
    root = Math.sqrt(root)
    last = sum
    weight *= 0.5
    sum -= (1 - root) ** 2 * weight
  }
  return sum / 3
}
