/** Conversions between Java's kinds of numbers. */
import { Float32, Float64 } from '../../util/json/json-value.ts'
import type { Long } from '../../util/long.ts'
import { BigIntegerValue } from './big-integer.ts'
import { ComparableObject } from './compare.ts'
import type { ScriptValue } from './script-value.ts'

const MIN_LONG = -(2n ** 63n)
const MAX_LONG = 2n ** 63n - 1n

/** A number of any kind that converts to the others. */
export abstract class NumberObject extends ComparableObject {
  abstract toDouble(): number
  /** Without its fraction. */
  abstract toBigInt(): bigint
}

/** The low 64 bits of an integer, in the one form that a `Long` has. */
export function wrapLong(value: bigint): Long {
  const wrapped = BigInt.asIntN(64, value)
  const number = Number(wrapped)
  return Number.isSafeInteger(number) ? number : wrapped
}

/** A `(long)` cast of a double: cut, not-a-number is 0, the ends saturate. */
export function doubleToLong(value: number): Long {
  if (Number.isNaN(value)) return 0
  const cut = Math.trunc(value)
  if (Number.isSafeInteger(cut)) return cut + 0
  if (cut >= 2 ** 63) return MAX_LONG
  return cut <= -(2 ** 63) ? MIN_LONG : BigInt(cut)
}

/** An `(int)` cast of a double. */
export function doubleToInt(value: number): number {
  if (Number.isNaN(value)) return 0
  return Math.min(Math.max(Math.trunc(value), -2147483648), 2147483647) | 0
}

/** Whether a value is a `java.lang.Number`. */
export function isNumber(value: ScriptValue): boolean {
  return (
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Float64 ||
    value instanceof Float32 ||
    value instanceof BigIntegerValue ||
    value instanceof NumberObject
  )
}

/** Whether a number has no fraction by its class: Integer, Long, BigInteger. */
export function isIntegral(value: ScriptValue): value is number | bigint | BigIntegerValue {
  return (
    (typeof value === 'number' && Number.isInteger(value)) ||
    typeof value === 'bigint' ||
    value instanceof BigIntegerValue
  )
}

/** `doubleValue()` of a number; null: the value is none. */
export function toDouble(value: ScriptValue): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Float64 || value instanceof Float32) return value.value
  if (value instanceof BigIntegerValue) return Number(value.value)
  return value instanceof NumberObject ? value.toDouble() : null
}

/** `longValue()` of a number; null: the value is none. */
export function toLong(value: ScriptValue): Long | null {
  if (typeof value === 'number') return doubleToLong(value)
  if (typeof value === 'bigint') return wrapLong(value)
  if (value instanceof Float64 || value instanceof Float32) return doubleToLong(value.value)
  if (value instanceof BigIntegerValue) return wrapLong(value.value)
  return value instanceof NumberObject ? wrapLong(value.toBigInt()) : null
}

/** `intValue()` of a number; null: the value is none. */
export function toInt(value: ScriptValue): number | null {
  if (typeof value === 'number') return doubleToInt(value)
  if (value instanceof Float64 || value instanceof Float32) return doubleToInt(value.value)
  const long = toLong(value)
  return long === null ? null : Number(BigInt.asIntN(32, BigInt(long)))
}
