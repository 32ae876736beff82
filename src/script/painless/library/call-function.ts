/** Calls of a script's functions whose results have a primitive type. */

import type { Long } from '../../../util/long.ts'
import { classCast, nullPointer } from '../../java-faults.ts'
import type { ScriptFault } from '../../script-fault.ts'
import { toDouble, toInt, toLong } from '../../value/java-numbers.ts'
import { classNameOf, type ScriptValue } from '../../value/script-value.ts'
import type { ScriptFunction } from './class-type.ts'

/**
 * Whether a predicate holds.
 * @throws {ScriptFault} `class_cast_exception`: it answers something else
 */
export function holds(predicate: ScriptFunction, ...inputs: ScriptValue[]): boolean {
  const result = predicate.call(...inputs)
  return typeof result === 'boolean' ? result : mismatch(result, 'java.lang.Boolean')
}

/**
 * The sign of a comparator's answer, and any integer that a function gives.
 * @throws {ScriptFault} `class_cast_exception`: it answers something else
 */
export function intFrom(callee: ScriptFunction, ...inputs: ScriptValue[]): number {
  const result = callee.call(...inputs)
  return toInt(result) ?? mismatch(result, 'java.lang.Integer')
}

/**
 * The long that a function gives.
 * @throws {ScriptFault} `class_cast_exception`: it answers something else
 */
export function longFrom(callee: ScriptFunction, ...inputs: ScriptValue[]): Long {
  const result = callee.call(...inputs)
  return toLong(result) ?? mismatch(result, 'java.lang.Long')
}

/**
 * The double that a function gives.
 * @throws {ScriptFault} `class_cast_exception`: it answers something else
 */
export function doubleFrom(callee: ScriptFunction, ...inputs: ScriptValue[]): number {
  const result = callee.call(...inputs)
  return toDouble(result) ?? mismatch(result, 'java.lang.Double')
}

function mismatch(result: ScriptValue, to: string): never {
  throw result === null
    ? nullPointer('the function answered null')
    : classCast(classNameOf(result), to)
}

/** The fault of a value that is no number. */
export function notNumeric(value: ScriptValue): ScriptFault {
  return value === null
    ? nullPointer('a number is needed')
    : classCast(classNameOf(value), 'java.lang.Number')
}
