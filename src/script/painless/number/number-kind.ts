/** Kinds of numbers, from the narrowest to the widest, and values of them without their boxes. */
import { Float32, Float64 } from '../../../util/json/json-value.ts'
import type { Long } from '../../../util/long.ts'
import { CharacterValue } from '../../value/character-value.ts'
import { wrapLong } from '../../value/java-numbers.ts'
import { doubleValue, type ScriptValue } from '../../value/script-value.ts'
import type { TypeName } from '../library/class-type.ts'

/** The kind of a value that is no number. */
export const NOT_A_KIND = -1
/** Bytes, shorts and characters take part in arithmetic as ints. */
export const INT = 0
export const LONG = 1
export const FLOAT = 2
export const DOUBLE = 3

/** Types of results by their kind. */
export const KIND_TYPES: readonly TypeName[] = ['int', 'long', 'float', 'double']

/** The kind that a type's values take part in arithmetic as. */
export function kindOfType(type: TypeName): number {
  switch (type) {
    case 'byte':
    case 'short':
    case 'char':
    case 'int':
      return INT
    case 'long':
      return LONG
    case 'float':
      return FLOAT
    case 'double':
      return DOUBLE
    default:
      return NOT_A_KIND
  }
}

/** The kind of a value at run time. */
export function kindOf(value: ScriptValue): number {
  switch (typeof value) {
    case 'number':
      return (value | 0) === value ? INT : DOUBLE
    case 'bigint':
      return LONG
    case 'object':
      if (value instanceof Float64) return DOUBLE
      if (value instanceof Float32) return FLOAT
      return value instanceof CharacterValue ? INT : NOT_A_KIND
    default:
      return NOT_A_KIND
  }
}

/** A number without its box: of kind `LONG` a `Long`, else a number. */
export function unboxed(value: ScriptValue): Long {
  switch (typeof value) {
    case 'number':
      return value
    case 'bigint':
      return wrapLong(value)
    default:
      if (value instanceof Float64 || value instanceof Float32) return value.value
      return value instanceof CharacterValue ? value.unit : 0
  }
}

/** A number of a kind as a value. */
export function valueOfKind(kind: number, number: Long): ScriptValue {
  if (kind === LONG) return BigInt(number)
  if (kind === FLOAT) return new Float32(Number(number))
  return kind === DOUBLE ? doubleValue(Number(number)) : number
}
