/** Arithmetic of numbers whose kinds the compiler knows: closures that return bare numbers. */
import type { Long } from '../../../util/long.ts'
import type { ArithmeticSign } from '../ast.ts'
import { divideInt, remainderInt } from '../number/int-arithmetic.ts'
import { DOUBLE, FLOAT, INT } from '../number/number-kind.ts'
import { type Code, numberRun, type Run } from './code.ts'
import { located } from './frame.ts'

/** An operator over numbers of one kind. */
export type AnyOperation = (a: Long, b: Long) => Long

/** Each sign has a closure of its own, which the engine compiles for it alone. */
export function typedRun(
  sign: ArithmeticSign,
  kind: number,
  first: Code,
  second: Code,
  operation: AnyOperation,
  offset: number,
): Run {
  const a = numberRun(first)
  const b = numberRun(second)
  if (kind === INT)
    return second.constant === undefined
      ? intRun(sign, a, b, offset)
      : intByConstant(sign, a, second.constant as number, offset)
  if (kind === DOUBLE) {
    if (second.constant !== undefined) return doubleByConstant(sign, a, second.constant as number)
    if (first.constant !== undefined) return doubleOfConstant(sign, first.constant as number, b)
    if (sign === '*' && second.variable?.isDirect) return timesVariable(a, second.variable.slot)
    return doubleRun(sign, a, b)
  }
  if (kind === FLOAT) return floatRun(operation, a, b)
  return longRun(sign, operation, a as Run<Long>, b as Run<Long>, offset)
}

function floatRun(operation: AnyOperation, a: Run<number>, b: Run<number>): Run {
  return frame => operation(a(frame), b(frame))
}

function longRun(
  sign: ArithmeticSign,
  operation: AnyOperation,
  a: Run<Long>,
  b: Run<Long>,
  offset: number,
): Run {
  if (sign !== '/' && sign !== '%') return frame => operation(a(frame), b(frame))
  return frame => {
    const left = a(frame)
    const right = b(frame)
    try {
      return operation(left, right)
    } catch (error) {
      throw located(error, offset)
    }
  }
}

function intRun(sign: ArithmeticSign, a: Run<number>, b: Run<number>, offset: number): Run {
  switch (sign) {
    case '+':
      return frame => (a(frame) + b(frame)) | 0
    case '-':
      return frame => (a(frame) - b(frame)) | 0
    case '*':
      return frame => Math.imul(a(frame), b(frame))
    case '/':
    case '%': {
      const divide = sign === '/' ? divideInt : remainderInt
      return frame => {
        const left = a(frame)
        const right = b(frame)
        try {
          return divide(left, right)
        } catch (error) {
          throw located(error, offset)
        }
      }
    }
    case '<<':
      return frame => a(frame) << b(frame)
    case '>>':
      return frame => a(frame) >> b(frame)
    case '>>>':
      return frame => (a(frame) >>> b(frame)) | 0
    case '&':
      return frame => a(frame) & b(frame)
    case '^':
      return frame => a(frame) ^ b(frame)
    case '|':
      return frame => a(frame) | b(frame)
  }
}

function intByConstant(sign: ArithmeticSign, a: Run<number>, b: number, offset: number): Run {
  switch (sign) {
    case '+':
      return frame => (a(frame) + b) | 0
    case '-':
      return frame => (a(frame) - b) | 0
    case '*':
      return frame => Math.imul(a(frame), b)
    case '/':
      return b === 0 ? intRun(sign, a, () => b, offset) : frame => (a(frame) / b) | 0
    case '%':
      return b === 0 ? intRun(sign, a, () => b, offset) : frame => (a(frame) % b) | 0
    default:
      return intRun(sign, a, () => b, offset)
  }
}

/** Signs that doubles have. */
function doubleRun(sign: ArithmeticSign, a: Run<number>, b: Run<number>): Run {
  switch (sign) {
    case '+':
      return frame => a(frame) + b(frame)
    case '-':
      return frame => a(frame) - b(frame)
    case '*':
      return frame => a(frame) * b(frame)
    case '/':
      return frame => a(frame) / b(frame)
    default:
      return frame => a(frame) % b(frame)
  }
}

/** A product with a variable of the context, which the score is. */
function timesVariable(a: Run<number>, index: number): Run {
  return frame => a(frame) * (frame.variables[index] as number)
}

function doubleByConstant(sign: ArithmeticSign, a: Run<number>, b: number): Run {
  switch (sign) {
    case '+':
      return frame => a(frame) + b
    case '-':
      return frame => a(frame) - b
    case '*':
      return frame => a(frame) * b
    case '/':
      return frame => a(frame) / b
    default:
      return frame => a(frame) % b
  }
}

function doubleOfConstant(sign: ArithmeticSign, a: number, b: Run<number>): Run {
  switch (sign) {
    case '+':
      return frame => a + b(frame)
    case '-':
      return frame => a - b(frame)
    case '*':
      return frame => a * b(frame)
    case '/':
      return frame => a / b(frame)
    default:
      return frame => a % b(frame)
  }
}
