/** Values of `def` in the form of another type: the conversions that run time decides on. */
import { DocValues } from '../../doc/doc-values.ts'
import { nullPointer } from '../../java-faults.ts'
import { ScriptFault } from '../../script-fault.ts'
import { boxed } from '../../value/boxing.ts'
import { CharacterValue } from '../../value/character-value.ts'
import { doubleToInt, doubleToLong } from '../../value/java-numbers.ts'
import { ScriptArray } from '../../value/script-array.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { unmodifiableList } from '../../value/unmodifiable.ts'
import type { ClassTable } from '../class-table.ts'
import { isArray, unboxedOf } from '../class-table.ts'
import { ScriptFunction, type Typed, type TypeName } from '../library/class-type.ts'
import { longToFloat, longToInt } from '../number/long-arithmetic.ts'
import { DOUBLE, FLOAT, INT, kindOf, LONG, NOT_A_KIND, unboxed } from '../number/number-kind.ts'

/** Takes a value of any class into the form of one type. */
export type Unbox = (value: ScriptValue) => Typed

/**
 * The conversion of values to a type.
 * @param isExplicit a cast stands in the source: numbers are narrowed
 * @returns null: every value is in its form already
 */
export function unboxTo(classes: ClassTable, type: TypeName, isExplicit: boolean): Unbox | null {
  const fail = (value: ScriptValue): ScriptFault =>
    notCast(classes.nameOfValue(value), classes.nameOf(type), isExplicit)
  if (type === 'def' || type === 'Object' || type === 'void') return null
  const primitive = primitiveUnbox(type, isExplicit, fail)
  if (primitive !== null) return primitive
  const held = unboxedOf(type)
  const take = held === null ? null : primitiveUnbox(held, isExplicit, fail)
  // Classes of numbers widen as the primitives that they hold do.
  if (held !== null && take !== null)
    return value => (value === null ? null : boxed(held, take(value) as ScriptValue))
  if (isArray(type))
    return value => {
      if (value === null || (value instanceof ScriptArray && value.className === type)) return value
      throw fail(value)
    }
  const target = classes.classOf(type)
  if (target === null) return null
  const isFunctional = target.functional !== null
  return value => {
    if (value === null || target.isInstance(value)) return value
    if (isFunctional && value instanceof ScriptFunction) return value
    // Doc values are a list to Java.
    if (type === 'List' && value instanceof DocValues) return unmodifiableList(value)
    throw fail(value)
  }
}

/** The conversion to a primitive type; null: it is none. */
function primitiveUnbox(
  type: TypeName,
  isExplicit: boolean,
  fail: (value: ScriptValue) => ScriptFault,
): Unbox | null {
  switch (type) {
    case 'boolean':
      return value => (typeof value === 'boolean' ? value : refuse(value, fail))
    case 'char':
      return value => {
        if (value instanceof CharacterValue) return value.unit
        if (isExplicit && typeof value === 'string') return onlyUnit(value)
        const number = isExplicit ? intOf(value) : null
        return number === null ? refuse(value, fail) : number & 0xffff
      }
    case 'byte':
      return value => narrowed(value, isExplicit, 24) ?? refuse(value, fail)
    case 'short':
      return value => narrowed(value, isExplicit, 16) ?? refuse(value, fail)
    case 'int':
      return value => {
        if (typeof value === 'number' && (value | 0) === value) return value
        if (value instanceof CharacterValue) return value.unit
        return (isExplicit ? intOf(value) : null) ?? refuse(value, fail)
      }
    case 'long':
      return value => {
        const kind = kindOf(value)
        if (kind === INT || kind === LONG) return unboxed(value)
        if (isExplicit && kind !== NOT_A_KIND) return doubleToLong(Number(unboxed(value)))
        return refuse(value, fail)
      }
    case 'float':
      return value => {
        const kind = kindOf(value)
        if (kind === LONG) return longToFloat(unboxed(value))
        if (kind === INT || kind === FLOAT || (kind === DOUBLE && isExplicit))
          return Math.fround(Number(unboxed(value)))
        return refuse(value, fail)
      }
    case 'double':
      return value => {
        if (typeof value === 'number') return value
        return kindOf(value) === NOT_A_KIND ? refuse(value, fail) : Number(unboxed(value))
      }
    default:
      return null
  }
}

/** A value that a class does not hold. */
function notCast(from: string, to: string, isExplicit: boolean): ScriptFault {
  return new ScriptFault(
    'class_cast_exception',
    'java.lang.ClassCastException',
    `cannot ${isExplicit ? 'explicitly' : 'implicitly'} cast def [${from}] to ${to}`,
  )
}

function refuse(value: ScriptValue, fail: (value: ScriptValue) => ScriptFault): never {
  if (value === null) throw nullPointer('cannot cast a null def reference to a primitive type')
  throw fail(value)
}

/** A number as an int, narrowed as a cast does; null: the value is no number. */
function intOf(value: ScriptValue): number | null {
  const kind = kindOf(value)
  if (kind === NOT_A_KIND) return null
  const number = unboxed(value)
  return kind === LONG ? longToInt(number) : doubleToInt(number as number)
}

/** A byte or a short, which values hold as an int. */
function narrowed(value: ScriptValue, isExplicit: boolean, shift: number): number | null {
  const number = isExplicit ? intOf(value) : kindOf(value) === INT ? unboxed(value) : null
  if (number === null) return null
  const narrow = ((number as number) << shift) >> shift
  return isExplicit || narrow === number ? narrow : null
}

/**
 * The unit of a text of one unit.
 * @throws {ScriptFault} `class_cast_exception`
 */
export function onlyUnit(text: string): number {
  if (text.length === 1) return text.charCodeAt(0)
  throw new ScriptFault(
    'class_cast_exception',
    'java.lang.ClassCastException',
    'cannot cast java.lang.String with length not equal to one to char',
  )
}
