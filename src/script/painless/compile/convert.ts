import { nullPointer } from '../../java-faults.ts'
import { boxed } from '../../value/boxing.ts'
import { doubleToInt, doubleToLong } from '../../value/java-numbers.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { boxOf, type ClassTable, isPrimitive, unboxedOf } from '../class-table.ts'
import { castFault } from '../compile-fault.ts'
import type { Typed, TypeName } from '../library/class-type.ts'
import { longToFloat, longToInt } from '../number/long-arithmetic.ts'
import { FLOAT, INT, kindOfType, LONG, NOT_A_KIND, unboxed } from '../number/number-kind.ts'
import { booleanRun, type Code, longRun, numberRun, type Run, valueRun } from './code.ts'
import { located } from './frame.ts'
import { onlyUnit, type Unbox, unboxTo } from './unbox.ts'

/** How much freedom a conversion has. */
export interface Conversion {
  /** A cast stands in the source. */
  readonly isExplicit: boolean
  readonly offset: number
}

/**
 * An expression as one of another type.
 * @throws {CompileFault} `class_cast_exception`: the types do not convert
 */
export function convert(classes: ClassTable, code: Code, to: TypeName, how: Conversion): Code {
  const from = code.type
  if (from === to) return code
  const run =
    from === 'def'
      ? unboxingRun(classes, code, to, how)
      : to === 'def'
        ? boxingRun(code)
        : typedRun(classes, code, to, how)
  if (run === null) {
    const names = [classes.nameOf(from), classes.nameOf(to)]
    throw castFault(how.offset, `Cannot cast from [${names[0]}] to [${names[1]}].`)
  }
  if (code.constant === undefined || code.constant === null || from === 'def')
    return { type: to, run }
  const constant = run(undefined as never)
  return { type: to, run: () => constant, constant }
}

/** An expression as a value. */
export function boxingRun(code: Code): Run<ScriptValue> | null {
  switch (code.type) {
    case 'void':
      return null
    case 'char':
    case 'long':
    case 'float':
    case 'double': {
      const { run, type } = code
      return frame => boxed(type, run(frame))
    }
    default:
      return valueRun(code)
  }
}

function unboxingRun(
  classes: ClassTable,
  code: Code,
  to: TypeName,
  { isExplicit, offset }: Conversion,
): Run | null {
  if (to === 'void') return null
  const unbox = unboxTo(classes, to, isExplicit)
  if (unbox === null) return code.run
  if (to === 'double' && code.double !== undefined) return code.double
  if (to === 'double' && code.bare !== undefined) return bareDouble(code.bare, unbox, offset)
  return unboxingWith(valueRun(code), unbox, offset)
}

function unboxingWith(run: Run<ScriptValue>, unbox: Unbox, offset: number): Run {
  return frame => {
    const value = run(frame)
    try {
      return unbox(value)
    } catch (error) {
      throw located(error, offset)
    }
  }
}

/** A double out of a number that comes without its box. */
function bareDouble(bare: Run, unbox: Unbox, offset: number): Run {
  return frame => {
    const number = bare(frame)
    if (typeof number === 'number') return number
    try {
      return frame.kind === NOT_A_KIND ? unbox(number) : Number(number)
    } catch (error) {
      throw located(error, offset)
    }
  }
}

/** Null: the types do not convert. */
function typedRun(classes: ClassTable, code: Code, to: TypeName, how: Conversion): Run | null {
  const from = code.type
  if (from === 'void' || to === 'void') return null
  if (isPrimitive(from) && isPrimitive(to)) return primitiveRun(code, to, how)
  if (isPrimitive(from)) return boxedRun(classes, code, to, how)
  if (isPrimitive(to)) return unboxedRun(classes, code, to, how)
  if (classes.isSubclass(from, to)) return code.run
  if (!how.isExplicit || !classes.isSubclass(to, from)) return null
  const check = unboxTo(classes, to, true)
  return check === null ? code.run : unboxingWith(valueRun(code), check, how.offset)
}

function primitiveRun(code: Code, to: TypeName, { isExplicit }: Conversion): Run | null {
  const from = code.type
  if (from === 'boolean' || to === 'boolean') return null
  if (!(isExplicit || widens(from, to) || fits(code, to))) return null
  return narrowingRun(code, kindOfType(from), to)
}

/** Whether every value of a type is one of another, or nearly. */
function widens(from: TypeName, to: TypeName): boolean {
  if (from === 'byte' && to === 'short') return true
  return (
    kindOfType(to) > kindOfType(from) ||
    (to === 'int' && kindOfType(from) === INT) ||
    (from === 'byte' && to === 'byte')
  )
}

/** Whether an integer literal has a value of a narrower type. */
function fits(code: Code, to: TypeName): boolean {
  if (code.isIntegerLiteral !== true) return false
  const value = code.constant as number
  return narrow(value, to) === value
}

/** An int cut to a type that arithmetic holds as one. */
function narrow(value: number, to: TypeName): number {
  switch (to) {
    case 'byte':
      return (value << 24) >> 24
    case 'short':
      return (value << 16) >> 16
    case 'char':
      return value & 0xffff
    default:
      return value
  }
}

function narrowingRun(code: Code, kind: number, to: TypeName): Run {
  const number = numberRun(code)
  const long = longRun(code)
  switch (kindOfType(to)) {
    case INT:
      if (to === 'int' && kind === INT) return code.run
      if (kind === INT) return frame => narrow(number(frame), to)
      if (kind === LONG) return frame => narrow(longToInt(long(frame)), to)
      return frame => narrow(doubleToInt(number(frame)), to)
    case LONG:
      return kind === INT ? code.run : frame => doubleToLong(number(frame))
    case FLOAT:
      if (kind === LONG) return frame => longToFloat(long(frame))
      return frame => Math.fround(number(frame))
    default:
      return kind === LONG ? frame => Number(long(frame)) : code.run
  }
}

/** A primitive as an object. */
function boxedRun(classes: ClassTable, code: Code, to: TypeName, how: Conversion): Run | null {
  const from = code.type
  if (from === 'char' && to === 'String') {
    if (!how.isExplicit) return null
    const unit = numberRun(code)
    return frame => String.fromCharCode(unit(frame))
  }
  if (classes.isSubclass(boxOf(from), to)) return boxingRun(code)
  const target = unboxedOf(to)
  const converted = target === null ? null : primitiveRun(code, target, how)
  return target === null || converted === null ? null : boxingRun({ type: target, run: converted })
}

/** An object as a primitive. */
function unboxedRun(classes: ClassTable, code: Code, to: TypeName, how: Conversion): Run | null {
  const from = code.type
  if (from === 'String' && to === 'char') {
    if (!how.isExplicit) return null
    return locatedRun(code, how.offset, value => onlyUnit(value as string))
  }
  const own = unboxedOf(from)
  if (own === null) {
    const mayHoldIt = how.isExplicit && classes.isSubclass(boxOf(to), from)
    return mayHoldIt || (how.isExplicit && from === 'Object')
      ? unboxingRun(classes, { ...code, type: 'def' }, to, how)
      : null
  }
  if (own === 'boolean') return to === 'boolean' ? locatedRun(code, how.offset, same) : null
  const isLong = kindOfType(own) === LONG
  const bare: Code = {
    type: own,
    run: locatedRun(code, how.offset, value => (isLong ? unboxed(value) : Number(unboxed(value)))),
  }
  return own === to ? bare.run : primitiveRun(bare, to, how)
}

function same(value: ScriptValue): Typed {
  return value
}

/** Takes an object into another form; null has none. */
function locatedRun(code: Code, offset: number, take: (value: ScriptValue) => Typed): Run {
  const run = valueRun(code)
  return frame => {
    const value = run(frame)
    try {
      if (value === null) throw nullPointer('cannot cast a null reference to a primitive type')
      return take(value)
    } catch (error) {
      throw located(error, offset)
    }
  }
}

/** An expression as a condition. */
export function conditionRun(classes: ClassTable, code: Code, offset: number): Run<boolean> {
  return booleanRun(convert(classes, code, 'boolean', { isExplicit: false, offset }))
}

/** A value in the form of a number's kind, whatever its class. */
export function promoted(classes: ClassTable, code: Code, kind: number, offset: number): Code {
  const type = ['int', 'long', 'float', 'double'][kind]!
  return convert(classes, code, type, { isExplicit: false, offset })
}
