/** Operators over values whose types only run time knows. */
import type { Long } from '../../../util/long.ts'
import { nullPointer } from '../../java-faults.ts'
import { ScriptFault } from '../../script-fault.ts'
import { chargeText } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { valuesEqual } from '../../value/equality.ts'
import { classNameOf, type ScriptValue } from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'
import type { ArithmeticSign } from '../ast.ts'
import type { Typed } from '../library/class-type.ts'
import { longToFloat, longToInt } from '../number/long-arithmetic.ts'
import {
  DOUBLE,
  FLOAT,
  INT,
  kindOf,
  LONG,
  NOT_A_KIND,
  unboxed,
  valueOfKind,
} from '../number/number-kind.ts'
import { isShift, operationOf } from '../number/operator.ts'
import type { Frame } from './frame.ts'

/** An operator over numbers of one kind without their boxes. */
type AnyOperation = (a: Long, b: Long) => Long

/** The operation of an operator on values. */
export interface DefOperator {
  readonly sign: ArithmeticSign
  /** By kind; null: the kind has none. */
  readonly operations: readonly (AnyOperation | null)[]
}

const OPERATORS = new Map<ArithmeticSign, DefOperator>()

/** The operator of a sign. */
export function defOperator(sign: ArithmeticSign): DefOperator {
  let operator = OPERATORS.get(sign)
  if (operator === undefined) {
    const operations = [0, 1, 2, 3].map(kind => operationOf(sign, kind) as AnyOperation | null)
    operator = { sign, operations }
    OPERATORS.set(sign, operator)
  }
  return operator
}

/**
 * `a sign b`.
 * @throws {ScriptFault} `class_cast_exception`, `arithmetic_exception`
 */
export function operate(
  operator: DefOperator,
  a: ScriptValue,
  b: ScriptValue,
  run: ScriptRun,
): ScriptValue {
  const kindA = kindOf(a)
  const kindB = kindOf(b)
  if (kindA === NOT_A_KIND || kindB === NOT_A_KIND) return operateOnOthers(operator, a, b, run)
  const kind = isShift(operator.sign) ? kindA : Math.max(kindA, kindB)
  return valueOfKind(kind, compute(operator, unboxed(a), kindA, unboxed(b), kindB))
}

/**
 * The same over numbers without their boxes, of which `frame.kind` tells the result's kind.
 * @param kindA `NOT_A_KIND`: `a` is a value; `kindB` alike
 */
export function operateBare(
  operator: DefOperator,
  a: Typed,
  kindA: number,
  b: Typed,
  kindB: number,
  frame: Frame,
): Typed {
  if (kindA === NOT_A_KIND || kindB === NOT_A_KIND) {
    const valueA = kindA === NOT_A_KIND ? (a as ScriptValue) : valueOfKind(kindA, a as Long)
    const valueB = kindB === NOT_A_KIND ? (b as ScriptValue) : valueOfKind(kindB, b as Long)
    frame.kind = NOT_A_KIND
    return operate(operator, valueA, valueB, frame.execution.run)
  }
  frame.kind = isShift(operator.sign) ? kindA : Math.max(kindA, kindB)
  return compute(operator, a as Long, kindA, b as Long, kindB)
}

function compute(operator: DefOperator, a: Long, kindA: number, b: Long, kindB: number): Long {
  const kind = isShift(operator.sign) ? kindA : Math.max(kindA, kindB)
  const operation = operator.operations[kind]!
  if (operation === null || (isShift(operator.sign) && kindB > LONG))
    throw notForKinds(operator.sign, kindA, kindB)
  if (kind > LONG) return operation(promote(a, kind), promote(b, kind))
  return kind === INT && kindB === LONG ? operation(a, longToInt(b)) : operation(a, b)
}

/** A number as a float or a double. */
function promote(number: Long, kind: number): number {
  return kind === FLOAT ? longToFloat(number) : Number(number)
}

const KIND_CLASSES = ['Integer', 'Long', 'Float', 'Double'] as const

/** An operator that numbers of these kinds do not have. */
function notForKinds(sign: string, kindA: number, kindB: number): ScriptFault {
  const names = [kindA, kindB].map(kind => `java.lang.${KIND_CLASSES[kind]}`)
  return new ScriptFault(
    'class_cast_exception',
    'java.lang.ClassCastException',
    `Cannot apply [${sign}] operation to types [${names[0]}] and [${names[1]}].`,
  )
}

function operateOnOthers(
  operator: DefOperator,
  a: ScriptValue,
  b: ScriptValue,
  run: ScriptRun,
): ScriptValue {
  const { sign } = operator
  if (sign === '+' && (typeof a === 'string' || typeof b === 'string')) return concat(a, b, run)
  if (typeof a === 'boolean' && typeof b === 'boolean')
    switch (sign) {
      case '&':
        return a && b
      case '|':
        return a || b
      case '^':
        return a !== b
    }
  throw notApplicable(sign, a, b)
}

/** An operator that the classes of its operands do not have. */
export function notApplicable(sign: string, a: ScriptValue, b: ScriptValue): ScriptFault {
  const names = [a, b].map(value => (value === null ? 'null' : classNameOf(value)))
  const reason = `Cannot apply [${sign}] operation to types [${names[0]}] and [${names[1]}].`
  if (a === null || b === null) return nullPointer(reason)
  return new ScriptFault('class_cast_exception', 'java.lang.ClassCastException', reason)
}

/**
 * The texts of two values as one.
 * @throws {EngineError} `circuit_breaking_exception`: too long
 */
export function concat(a: ScriptValue, b: ScriptValue, run: ScriptRun): string {
  const left = typeof a === 'string' ? a : textOfValue(a, run)
  const right = typeof b === 'string' ? b : textOfValue(b, run)
  chargeText(run, left.length + right.length)
  return left + right
}

/** `a == b`: numbers are equal by value, whatever their classes; others as `equals` says. */
export function equal(a: ScriptValue, b: ScriptValue, run: ScriptRun): boolean {
  const kindA = kindOf(a)
  if (kindA !== NOT_A_KIND) {
    const kindB = kindOf(b)
    if (kindB !== NOT_A_KIND) {
      const left = unboxed(a)
      const right = unboxed(b)
      const kind = Math.max(kindA, kindB)
      return kind > LONG ? promote(left, kind) === promote(right, kind) : left === right
    }
  }
  return typeof a === 'object' && typeof b === 'object' && a !== null && b !== null
    ? valuesEqual(a, b, run)
    : a === b
}

/** `a === b`: the same object; scalars of one class are the same when they are equal. */
export function identical(a: ScriptValue, b: ScriptValue, run: ScriptRun): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  return a === b || (kindOf(a) === DOUBLE && kindOf(b) === DOUBLE && valuesEqual(a, b, run))
}

/**
 * The difference of two numbers' order; not-a-number is below and above nothing.
 * @returns negative, 0, positive, or not-a-number
 * @throws {ScriptFault} `class_cast_exception`, `null_pointer_exception`
 */
export function order(sign: string, a: ScriptValue, b: ScriptValue): number {
  const kindA = kindOf(a)
  const kindB = kindOf(b)
  if (kindA === NOT_A_KIND || kindB === NOT_A_KIND) throw notApplicable(sign, a, b)
  const left = unboxed(a)
  const right = unboxed(b)
  return orderOf(left, right, Math.max(kindA, kindB))
}

/** The order of two numbers that are promoted to a kind; not-a-number has none. */
export function orderOf(a: Long, b: Long, kind: number): number {
  const left = kind > LONG ? promote(a, kind) : a
  const right = kind > LONG ? promote(b, kind) : b
  return left < right ? -1 : left > right ? 1 : left === right ? 0 : Number.NaN
}
