/**
 * Comparisons of vectors in plain TypeScript: the same steps in the same order as the kernels
 * (`kernels/assembly/vectors.ts`), and so the same bits.
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

/** Sum of the squares of differences, float32. */
export function squaredFloats(a: Float32Array, b: Float32Array): number {
  parts.fill(0)
  for (let i = 0; i < a.length; i++) {
    const difference = Math.fround(a[i]! - b[i]!)
    parts[i & 15] = parts[i & 15]! + Math.fround(difference * difference)
  }
  return sumOfParts()
}

/** Sum of the absolute differences, float32. */
export function absoluteFloats(a: Float32Array, b: Float32Array): number {
  parts.fill(0)
  for (let i = 0; i < a.length; i++)
    parts[i & 15] = parts[i & 15]! + Math.abs(Math.fround(a[i]! - b[i]!))
  return sumOfParts()
}

/** The largest absolute difference, float32. */
export function largestFloats(a: Float32Array, b: Float32Array): number {
  let largest = 0
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs(Math.fround(a[i]! - b[i]!))
    if (difference > largest) largest = difference
  }
  return largest
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

/** Sum of the squares of differences: exact. */
export function squaredBytes(a: Int8Array, b: Int8Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2
  return sum
}

/** Sum of the absolute differences: exact. */
export function absoluteBytes(a: Int8Array, b: Int8Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!)
  return sum
}

/** The largest absolute difference. */
export function largestBytes(a: Int8Array, b: Int8Array): number {
  let largest = 0
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!))
  return largest
}

/** Number of bits that differ. */
export function differingBits(a: Int8Array, b: Int8Array): number {
  let count = 0
  for (let i = 0; i < a.length; i++)
    for (let bits = (a[i]! ^ b[i]!) & 0xff; bits !== 0; bits &= bits - 1) count++
  return count
}
