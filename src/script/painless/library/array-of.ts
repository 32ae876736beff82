import { classCast, illegalArgument } from '../../java-faults.ts'
import { chargeList } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { emptyItem, ScriptArray } from '../../value/script-array.ts'
import { classNameOf, type ScriptList, type ScriptValue } from '../../value/script-value.ts'

/**
 * A value that must be an array. Members take arrays as `Object`, because arrays of any type are let in.
 * @throws {ScriptFault} `illegal_argument_exception`
 */
export function arrayOf(value: ScriptValue): ScriptArray {
  if (value instanceof ScriptArray) return value
  throw illegalArgument('Argument is not an array')
}

/**
 * An array whose items are objects.
 * @throws {ScriptFault} `illegal_argument_exception`: no array, or one of a primitive type
 */
export function objectArrayOf(value: ScriptValue): ScriptArray {
  const array = arrayOf(value)
  if (emptyItem(array.itemType) !== null)
    throw illegalArgument(`an array of [${array.itemType}] holds no objects`)
  return array
}

/** The items of an array as a list of their own. */
export function listOfArray(run: ScriptRun, array: ScriptArray): ScriptList {
  const { length } = array.items
  chargeList(run, length, length)
  run.step(length >> 6)
  return array.values()
}

/**
 * Checks that an array may hold a value.
 * @throws {ScriptFault} `class_cast_exception`
 */
export function requireStorable(itemType: string, value: ScriptValue): void {
  if (value !== null && !isStorable(itemType, value)) throw classCast(classNameOf(value), itemType)
}

function isStorable(itemType: string, value: Exclude<ScriptValue, null>): boolean {
  switch (itemType) {
    case 'def':
    case 'Object':
      return true
    case 'Collection':
      return Array.isArray(value) || value instanceof Set
    case 'List':
      return Array.isArray(value)
    case 'Map':
      return value instanceof Map
    case 'Set':
      return value instanceof Set
    default:
      return /[^.$]*$/.exec(classNameOf(value))![0] === itemType
  }
}
