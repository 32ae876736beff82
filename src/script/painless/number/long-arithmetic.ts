/** Java's arithmetic of `long`: results beyond 64 bits wrap around. */
import type { Long } from '../../../util/long.ts'
import { arithmetic } from '../../java-faults.ts'
import { wrapLong } from '../../value/java-numbers.ts'

const MAX_SAFE = Number.MAX_SAFE_INTEGER

/** a + b. */
export function addLong(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (sum <= MAX_SAFE && sum >= -MAX_SAFE) return sum
  }
  return wrapLong(BigInt(a) + BigInt(b))
}

/** a − b. */
export function subtractLong(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (difference <= MAX_SAFE && difference >= -MAX_SAFE) return difference
  }
  return wrapLong(BigInt(a) - BigInt(b))
}

/** a · b. */
export function multiplyLong(a: Long, b: Long): Long {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    // 0 × −1 is −0, which a long does not have.
    if (product <= MAX_SAFE && product >= -MAX_SAFE) return product + 0
  }
  return wrapLong(BigInt(a) * BigInt(b))
}

/** @throws {ScriptFault} `arithmetic_exception` */
export function divideLong(a: Long, b: Long): Long {
  if (b === 0) throw arithmetic('/ by zero')
  // The quotient of two safe integers is never rounded up to the next integer.
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0
  return wrapLong(BigInt(a) / BigInt(b))
}

/** @throws {ScriptFault} `arithmetic_exception` */
export function remainderLong(a: Long, b: Long): Long {
  if (b === 0) throw arithmetic('/ by zero')
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0
  return wrapLong(BigInt(a) % BigInt(b))
}

/** @param distance its low six bits count */
export function shiftLongLeft(a: Long, distance: Long): Long {
  const bits = lowSix(distance)
  if (typeof a === 'number') {
    const shifted = a * 2 ** bits
    if (shifted <= MAX_SAFE && shifted >= -MAX_SAFE) return shifted
  }
  return wrapLong(BigInt(a) << BigInt(bits))
}

/** The sign comes in from the left. */
export function shiftLongRight(a: Long, distance: Long): Long {
  const bits = lowSix(distance)
  return typeof a === 'number' ? Math.floor(a / 2 ** bits) : wrapLong(a >> BigInt(bits))
}

/** Zeros come in from the left. */
export function shiftLongRightUnsigned(a: Long, distance: Long): Long {
  if (a >= 0) return shiftLongRight(a, distance)
  return wrapLong(BigInt.asUintN(64, BigInt(a)) >> BigInt(lowSix(distance)))
}

/** The bits that both have. */
export function andLong(a: Long, b: Long): Long {
  if (isInt(a) && isInt(b)) return a & b
  return wrapLong(BigInt(a) & BigInt(b))
}

/** The bits that one has. */
export function orLong(a: Long, b: Long): Long {
  if (isInt(a) && isInt(b)) return a | b
  return wrapLong(BigInt(a) | BigInt(b))
}

/** The bits that only one has. */
export function xorLong(a: Long, b: Long): Long {
  if (isInt(a) && isInt(b)) return a ^ b
  return wrapLong(BigInt(a) ^ BigInt(b))
}

/** An `(int)` cast. */
export function longToInt(a: Long): number {
  return typeof a === 'number' ? a | 0 : Number(BigInt.asIntN(32, a))
}

/** A `(float)` cast, rounded once. */
export function longToFloat(a: Long): number {
  if (typeof a === 'number') return Math.fround(a)
  // Of the low bits it only counts whether one is set.
  const size = a < 0n ? -a : a
  const low = (size & 0xfffffn) === 0n ? 0n : 1n
  const float = Math.fround(Number((size >> 20n) | low)) * 2 ** 20
  return a < 0n ? -float : float
}

function lowSix(distance: Long): number {
  return typeof distance === 'number' ? distance & 63 : Number(distance & 63n)
}

function isInt(value: Long): value is number {
  return typeof value === 'number' && (value | 0) === value
}
