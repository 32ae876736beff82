/** `== != === !== < <= > >=` and `instanceof`. */

import { ScriptArray } from '../../value/script-array.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import type { BinarySign, Expression } from '../ast.ts'
import { boxOf, isArray, isPrimitive } from '../class-table.ts'
import type { TypeName } from '../library/class-type.ts'
import { kindOfType, NOT_A_KIND } from '../number/number-kind.ts'
import { notApplicable, primitiveOf } from './arithmetic.ts'
import { bareOrder } from './bare.ts'
import { booleanRun, type Code, numberRun, type Run, valueRun } from './code.ts'
import { boxingRun, promoted } from './convert.ts'
import { equal, identical } from './def-operator.ts'
import { located } from './frame.ts'
import type { Scope } from './scope.ts'
import { converted, typeNamed, type Unit } from './unit.ts'

/** Signs that compare. */
export type ComparisonSign = Extract<
  BinarySign,
  '==' | '!=' | '===' | '!==' | '<' | '<=' | '>' | '>='
>

/**
 * `left sign right`.
 * @throws {CompileFault} `class_cast_exception`: the types do not compare
 */
export function comparison(
  unit: Unit,
  sign: ComparisonSign,
  left: Code,
  right: Code,
  offset: number,
): Code {
  const a = primitiveOf(left.type)
  const b = primitiveOf(right.type)
  const kindA = kindOfType(a)
  const kindB = kindOfType(b)
  const isOrder = sign.startsWith('<') || sign.startsWith('>')
  const areBoxed = !isPrimitive(left.type) && !isPrimitive(right.type)
  if (kindA !== NOT_A_KIND && kindB !== NOT_A_KIND && (isOrder || !areBoxed)) {
    const kind = Math.max(kindA, kindB)
    const first = promoted(unit.classes, left, kind, offset)
    const second = promoted(unit.classes, right, kind, offset)
    return { type: 'boolean', run: numbersRun(sign, first, second) }
  }
  if (left.type === 'void' || right.type === 'void')
    throw notApplicable(unit, sign, left, right, offset)
  if (isOrder) {
    if (left.type !== 'def' && right.type !== 'def')
      throw notApplicable(unit, sign, left, right, offset)
    return { type: 'boolean', run: orderRun(sign, bareOrder(sign, left, right, offset)!) }
  }
  if (left.type === 'boolean' && right.type === 'boolean') {
    const isEqual = !sign.startsWith('!')
    const first = booleanRun(left)
    const second = booleanRun(right)
    return { type: 'boolean', run: frame => (first(frame) === second(frame)) === isEqual }
  }
  if (isPrimitive(left.type) !== isPrimitive(right.type))
    checkAgainstPrimitive(unit, sign, left, right, offset)
  else if (isPrimitive(left.type)) throw notApplicable(unit, sign, left, right, offset)
  return { type: 'boolean', run: equalityRun(sign, boxingRun(left)!, boxingRun(right)!, offset) }
}

/** A primitive may be compared with what may hold it. */
function checkAgainstPrimitive(
  unit: Unit,
  sign: string,
  left: Code,
  right: Code,
  offset: number,
): void {
  const [primitive, other] = isPrimitive(left.type) ? [left, right] : [right, left]
  if (other.type === 'def' || unit.classes.isSubclass(boxOf(primitive.type), other.type)) return
  throw notApplicable(unit, sign, left, right, offset)
}

/** Numbers of one kind: longs of either form compare as they are. */
function numbersRun(sign: ComparisonSign, first: Code, second: Code): Run {
  const a = numberRun(first)
  const b = numberRun(second)
  if (second.constant !== undefined) return numbersByConstant(sign, a, second.constant as number)
  switch (sign) {
    case '==':
    case '===':
      return frame => a(frame) === b(frame)
    case '!=':
    case '!==':
      return frame => a(frame) !== b(frame)
    case '<':
      return frame => a(frame) < b(frame)
    case '<=':
      return frame => a(frame) <= b(frame)
    case '>':
      return frame => a(frame) > b(frame)
    case '>=':
      return frame => a(frame) >= b(frame)
  }
}

function numbersByConstant(sign: ComparisonSign, a: Run<number>, b: number): Run {
  switch (sign) {
    case '==':
    case '===':
      return frame => a(frame) === b
    case '!=':
    case '!==':
      return frame => a(frame) !== b
    case '<':
      return frame => a(frame) < b
    case '<=':
      return frame => a(frame) <= b
    case '>':
      return frame => a(frame) > b
    case '>=':
      return frame => a(frame) >= b
  }
}

function orderRun(sign: ComparisonSign, difference: Run<number>): Run {
  switch (sign) {
    case '<':
      return frame => difference(frame) < 0
    case '<=':
      return frame => difference(frame) <= 0
    case '>':
      return frame => difference(frame) > 0
    default:
      return frame => difference(frame) >= 0
  }
}

function equalityRun(
  sign: ComparisonSign,
  a: Run<ScriptValue>,
  b: Run<ScriptValue>,
  offset: number,
): Run {
  const compare = sign.length === 3 ? identical : equal
  const expected = !sign.startsWith('!')
  return frame => {
    const first = a(frame)
    const second = b(frame)
    try {
      return compare(first, second, frame.execution.run) === expected
    } catch (error) {
      throw located(error, offset)
    }
  }
}

/** `operand instanceof T`. */
export function instanceOf(
  unit: Unit,
  node: Extract<Expression, { kind: 'instanceof' }>,
  scope: Scope,
): Code {
  const type = typeNamed(unit, node.type)
  const operand = valueRun(converted(unit, node.operand, scope, 'def'))
  const test = testOf(unit, boxOf(type))
  return {
    type: 'boolean',
    run: frame => {
      const value = operand(frame)
      return value !== null && test(value)
    },
  }
}

function testOf(unit: Unit, type: TypeName): (value: Exclude<ScriptValue, null>) => boolean {
  if (type === 'def') return () => true
  if (isArray(type)) return value => value instanceof ScriptArray && value.className === type
  const owner = unit.classes.classOf(type)
  return value => owner?.isInstance(value) ?? false
}
