/** Java's natural order: `compareTo` of the classes that have one. */
import { Float32, Float64 } from '../../util/json/json-value.ts'
import { classCast, nullPointer } from '../java-faults.ts'
import { BigIntegerValue } from './big-integer.ts'
import { CharacterValue } from './character-value.ts'
import { classNameOf, ScriptObject, type ScriptValue } from './script-value.ts'

/** An object whose class has a natural order. */
export abstract class ComparableObject extends ScriptObject {
  /** @returns null: `other` is of another class */
  abstract compareTo(other: ScriptValue): number | null
}

/** `Double.compare`: −0.0 is below 0.0, not-a-number above all. */
export function compareDoubles(a: number, b: number): number {
  if (a < b) return -1
  if (a > b) return 1
  if (a === b && a !== 0) return 0
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1
  if (Number.isNaN(b)) return -1
  return Object.is(a, b) ? 0 : Object.is(a, -0) ? -1 : 1
}

/** `String.compareTo`: the difference of the first units that differ, or of the lengths. */
export function compareTexts(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  for (let i = 0; i < end; i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/**
 * `a.compareTo(b)`.
 * @throws {ScriptFault} `null_pointer_exception`, and `class_cast_exception` where the classes differ
 *   or have no order
 */
export function compareValues(a: ScriptValue, b: ScriptValue): number {
  if (a === null || b === null) throw nullPointer('a null has no order')
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  if (typeof a === 'number' && typeof b === 'number')
    if (Number.isInteger(a) === Number.isInteger(b)) return compareDoubles(a, b)
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  const doubleA = doubleOf(a)
  const doubleB = doubleOf(b)
  if (doubleA !== null && doubleB !== null) return compareDoubles(doubleA, doubleB)
  if (a instanceof Float32 && b instanceof Float32) return compareDoubles(a.value, b.value)
  if (a instanceof BigIntegerValue && b instanceof BigIntegerValue)
    return a.value < b.value ? -1 : a.value > b.value ? 1 : 0
  if (a instanceof CharacterValue && b instanceof CharacterValue) return a.unit - b.unit
  const order = a instanceof ComparableObject ? a.compareTo(b) : null
  if (order !== null) return order
  if (isComparable(a)) throw classCast(classNameOf(b), classNameOf(a))
  throw classCast(classNameOf(a), 'java.lang.Comparable')
}

/** The value of a `java.lang.Double`; null: the value is none. */
function doubleOf(value: ScriptValue): number | null {
  if (value instanceof Float64) return value.value
  return typeof value === 'number' && !Number.isInteger(value) ? value : null
}

/** Whether a value's class has a natural order. */
export function isComparable(value: Exclude<ScriptValue, null>): boolean {
  return (
    typeof value !== 'object' ||
    value instanceof Float64 ||
    value instanceof Float32 ||
    value instanceof BigIntegerValue ||
    value instanceof CharacterValue ||
    value instanceof ComparableObject
  )
}
