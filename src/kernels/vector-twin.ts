/**
 * Comparisons of vectors, in an order of steps that kernels can follow to the bit.
 *
 * Sums of float32 are made in 16 parts: part i takes components i, i + 16, … in order. Parts are then added,
 * first those eight apart within a register's lane, in float32:
 * part[i] + part[i + 4] and part[i + 8] + part[i + 12] and both, for i of 0 … 3; then lanes 0 + 1, 2 + 3, and both.
 */

const PARTS = 16
const parts = new Float32Array(PARTS)

/** Sum of the products of components, float32. */
export function dotFloats(a: Float32Array, b: Float32Array): number {
  parts.fill(0)
  for (let i = 0; i < a.length; i++) parts[i & 15] = parts[i & 15]! + Math.fround(a[i]! * b[i]!)
  return sumOfParts()
}

function sumOfParts(): number {
  const lane = (i: number): number =>
    Math.fround(
      Math.fround(parts[i]! + parts[i + 4]!) + Math.fround(parts[i + 8]! + parts[i + 12]!),
    )
  return Math.fround(Math.fround(lane(0) + lane(1)) + Math.fround(lane(2) + lane(3)))
}

/** Sum of the products of components: exact. */
export function dotBytes(a: Int8Array, b: Int8Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}
