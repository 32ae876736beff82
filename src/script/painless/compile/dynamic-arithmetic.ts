/** Arithmetic of values whose kinds run time knows. */
import type { ScriptValue } from '../../value/script-value.ts'
import type { ArithmeticSign } from '../ast.ts'
import { bareArithmetic, bareSum } from './bare.ts'
import type { Code, Run } from './code.ts'
import { boxingRun } from './convert.ts'
import { type DefOperator, defOperator, operate } from './def-operator.ts'
import { type Frame, located } from './frame.ts'
import type { Unit } from './unit.ts'

/**
 * `left sign right`, where one of the types is `def`; null: the other one has no values.
 */
export function dynamicArithmetic(
  unit: Unit,
  sign: ArithmeticSign,
  left: Code,
  right: Code,
  offset: number,
): Code | null {
  const a = boxingRun(left)
  const b = boxingRun(right)
  if (a === null || b === null) return null
  const operator = defOperator(sign)
  const code: Code = { type: 'def', run: dynamicRun(operator, a, b, offset) }
  const bare = bareArithmetic(operator, left, right, offset)
  if (bare === null) return code
  const double = sign === '+' ? bareSum(unit, left, right, offset) : null
  return double === null ? { ...code, bare } : { ...code, bare, double }
}

/** The operator over values; two ints, which is what counters are, take the short way. */
function dynamicRun(
  operator: DefOperator,
  a: Run<ScriptValue>,
  b: Run<ScriptValue>,
  offset: number,
): Run {
  const slow = (first: ScriptValue, second: ScriptValue, frame: Frame): ScriptValue => {
    try {
      return operate(operator, first, second, frame.execution.run)
    } catch (error) {
      throw located(error, offset)
    }
  }
  switch (operator.sign) {
    case '+':
      return frame => {
        const first = a(frame)
        const second = b(frame)
        return isInt(first) && isInt(second) ? (first + second) | 0 : slow(first, second, frame)
      }
    case '-':
      return frame => {
        const first = a(frame)
        const second = b(frame)
        return isInt(first) && isInt(second) ? (first - second) | 0 : slow(first, second, frame)
      }
    default:
      return frame => {
        const first = a(frame)
        return slow(first, b(frame), frame)
      }
  }
}

function isInt(value: ScriptValue): value is number {
  return typeof value === 'number' && (value | 0) === value
}
