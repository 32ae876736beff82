import { classNameOf, type ScriptValue } from '../script/value/script-value.ts'
import { IllegalArgumentError } from '../util/errors.ts'

/**
 * Orders two items of a list that is sorted.
 * @returns negative, 0 or positive
 * @throws {IllegalArgumentError} values of two types, or of one without an order; null
 */
export function compareValues(a: ScriptValue, b: ScriptValue): number {
  if (a === null || b === null) throw new IllegalArgumentError('cannot sort a list that holds null')
  const [one, other] = [classNameOf(a), classNameOf(b)]
  const [x, y] = [keyOf(a), keyOf(b)]
  if (one !== other) throw new IllegalArgumentError(`class ${one} cannot be cast to class ${other}`)
  if (x === null || y === null)
    throw new IllegalArgumentError(`class ${one} cannot be cast to class java.lang.Comparable`)
  return x < y ? -1 : x > y ? 1 : 0
}

function keyOf(value: Exclude<ScriptValue, null>): string | number | bigint | boolean | null {
  if (typeof value !== 'object') return value
  return 'value' in value && (typeof value.value === 'number' || typeof value.value === 'bigint')
    ? value.value
    : null
}
