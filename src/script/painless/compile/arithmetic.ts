/** `+ - * / %`, shifts and bit operators. */
import type { Long } from '../../../util/long.ts'
import type { ArithmeticSign } from '../ast.ts'
import { unboxedOf } from '../class-table.ts'
import { castFault } from '../compile-fault.ts'
import type { TypeName } from '../library/class-type.ts'
import { KIND_TYPES, kindOfType, LONG, NOT_A_KIND } from '../number/number-kind.ts'
import { isShift, operationOf } from '../number/operator.ts'
import { type Code, constantCode, type Run } from './code.ts'
import { boxingRun, conditionRun, promoted } from './convert.ts'
import { concat } from './def-operator.ts'
import { dynamicArithmetic } from './dynamic-arithmetic.ts'
import { located } from './frame.ts'
import { type AnyOperation, typedRun } from './typed-arithmetic.ts'
import type { Unit } from './unit.ts'

/**
 * `left sign right`.
 * @throws {CompileFault} `class_cast_exception`: the types do not have the operator
 */
export function arithmetic(
  unit: Unit,
  sign: ArithmeticSign,
  left: Code,
  right: Code,
  offset: number,
): Code {
  const code =
    sign === '+' && (left.type === 'String' || right.type === 'String')
      ? concatenation(left, right, offset)
      : left.type === 'def' || right.type === 'def'
        ? dynamicArithmetic(unit, sign, left, right, offset)
        : typedArithmetic(unit, sign, left, right, offset)
  if (code === null) throw notApplicable(unit, sign, left, right, offset)
  return code
}

/** Null: the types do not have the operator. */
function typedArithmetic(
  unit: Unit,
  sign: ArithmeticSign,
  left: Code,
  right: Code,
  offset: number,
): Code | null {
  const a = primitiveOf(left.type)
  const b = primitiveOf(right.type)
  if (a === 'boolean' && b === 'boolean' && '&|^'.includes(sign))
    return booleanBits(unit, sign, left, right, offset)
  const kindA = kindOfType(a)
  const kindB = kindOfType(b)
  if (kindA === NOT_A_KIND || kindB === NOT_A_KIND) return null
  const kind = isShift(sign) ? kindA : Math.max(kindA, kindB)
  const operation = operationOf(sign, kind) as AnyOperation | null
  if (operation === null || (isShift(sign) && kindB > LONG)) return null
  const first = promoted(unit.classes, left, kind, offset)
  const second = isShift(sign)
    ? shiftDistance(unit, right, kind, offset)
    : promoted(unit.classes, right, kind, offset)
  const type = KIND_TYPES[kind]!
  const run = typedRun(sign, kind, first, second, operation, offset)
  const isConstant = first.constant !== undefined && second.constant !== undefined
  if (!isConstant) return { type, run }
  // A division by zero is found when it runs.
  if ((sign === '/' || sign === '%') && Number(second.constant) === 0) return { type, run }
  return constantCode(type, operation(first.constant as Long, second.constant as Long))
}

/** The primitive type that a class stands for in arithmetic; other types stay. */
export function primitiveOf(type: TypeName): TypeName {
  return unboxedOf(type) ?? type
}

/** The distance of a shift, of which an int's takes an int. */
function shiftDistance(unit: Unit, right: Code, kind: number, offset: number): Code {
  const bits = promoted(unit.classes, right, kindOfType(primitiveOf(right.type)), offset)
  if (kind === LONG || bits.type !== 'long') return bits
  const run = bits.run as Run<Long>
  return { type: 'int', run: frame => Number(BigInt(run(frame)) & 31n) }
}

/** An operator that the types of its operands do not have. */
export function notApplicable(
  unit: Unit,
  sign: string,
  left: Code,
  right: Code,
  offset: number,
): Error {
  const names = [left, right].map(({ type }) => unit.classes.nameOf(type))
  return castFault(
    offset,
    `Cannot apply [${sign}] operation to types [${names[0]}] and [${names[1]}].`,
  )
}

function booleanBits(
  unit: Unit,
  sign: ArithmeticSign,
  left: Code,
  right: Code,
  offset: number,
): Code {
  const a = conditionRun(unit.classes, left, offset)
  const b = conditionRun(unit.classes, right, offset)
  const type = 'boolean'
  // Both sides run, whatever the first one gives.
  if (sign === '^') return { type, run: frame => a(frame) !== b(frame) }
  if (sign === '&')
    return {
      type,
      run: frame => {
        const first = a(frame)
        return b(frame) && first
      },
    }
  return {
    type,
    run: frame => {
      const first = a(frame)
      return b(frame) || first
    },
  }
}

/** Null: one of them has no value. */
function concatenation(left: Code, right: Code, offset: number): Code | null {
  const a = boxingRun(left)
  const b = boxingRun(right)
  if (a === null || b === null) return null
  return {
    type: 'String',
    run: frame => {
      const first = a(frame)
      const second = b(frame)
      try {
        return concat(first, second, frame.execution.run)
      } catch (error) {
        throw located(error, offset)
      }
    },
  }
}
