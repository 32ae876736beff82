/** Numbers on their way between operators without their boxes: nothing is allocated for them. */
import type { Long } from '../../../util/long.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import type { Typed } from '../library/class-type.ts'
import {
  DOUBLE,
  INT,
  kindOf,
  kindOfType,
  LONG,
  NOT_A_KIND,
  unboxed,
  valueOfKind,
} from '../number/number-kind.ts'
import { type Code, type Run, valueRun } from './code.ts'
import { boxingRun } from './convert.ts'
import { type DefOperator, defOperator, operateBare, order, orderOf } from './def-operator.ts'
import { type Frame, located } from './frame.ts'
import { unboxTo } from './unbox.ts'
import type { Unit } from './unit.ts'

const MAX_SAFE = Number.MAX_SAFE_INTEGER

/** An operand: what runs, and the kind of its numbers; null: `frame.kind` tells it after each run. */
interface Bare {
  readonly run: Run
  readonly kind: number | null
}

/** An operand without its box; null: its type is not one of numbers or of `def`. */
function bareOf(code: Code): Bare | null {
  if (code.bare !== undefined) return { run: code.bare, kind: null }
  const kind = kindOfType(code.type)
  if (kind !== NOT_A_KIND) return { run: code.run, kind }
  if (code.type !== 'def') {
    const boxed = boxingRun(code)
    return boxed === null ? null : { run: boxed, kind: NOT_A_KIND }
  }
  const run = valueRun(code)
  return {
    kind: null,
    run: frame => {
      const value = run(frame)
      frame.kind = kindOf(value)
      return frame.kind === NOT_A_KIND ? value : unboxed(value)
    },
  }
}

/** `left + constant` and `left * constant`, with an int or a double. */
function byConstant(sign: '+' | '*', left: Run, constant: number, kind: number, slow: Slow): Run {
  if (sign === '*')
    return frame => {
      const x = left(frame)
      const kindX = frame.kind
      if (typeof x !== 'number' || (kindX !== DOUBLE && (kind !== DOUBLE || kindX < 0)))
        return slow(x, kindX, constant, kind, frame)
      frame.kind = DOUBLE
      return x * constant
    }
  return frame => {
    const x = left(frame)
    const kindX = frame.kind
    if (typeof x !== 'number') return slow(x, kindX, constant, kind, frame)
    const sum = x + constant
    if (kindX === DOUBLE || (kindX >= 0 && kind === DOUBLE)) {
      frame.kind = DOUBLE
      return sum
    }
    // The kind stays: long.
    if (kindX === LONG && sum <= MAX_SAFE && sum >= -MAX_SAFE) return sum
    return slow(x, kindX, constant, kind, frame)
  }
}

/** An int or a double that the source tells, with its kind. */
function constantOf({ constant, type }: Code): [number, number] | null {
  const kind = kindOfType(type)
  return typeof constant === 'number' && (kind === INT || kind === DOUBLE) ? [constant, kind] : null
}

/**
 * The sum of a constant and what comes without its box, as a double; null: there is no such pair.
 * It saves the way through `frame.kind`.
 */
export function bareSum(unit: Unit, left: Code, right: Code, offset: number): Run<number> | null {
  const [constant, other] = left.constant === undefined ? [right, left] : [left, right]
  const found = constantOf(constant)
  const operand = other.bare
  if (found === null || operand === undefined) return null
  const [addend, kind] = found
  const operator = defOperator('+')
  const toDouble = unboxTo(unit.classes, 'double', false) as (value: ScriptValue) => number
  const slow = (x: Typed, frame: Frame): number => {
    try {
      const sum = operateBare(operator, x, frame.kind, addend, kind, frame)
      return frame.kind === NOT_A_KIND ? toDouble(sum as ScriptValue) : Number(sum)
    } catch (error) {
      throw located(error, offset)
    }
  }
  return frame => {
    const x = operand(frame)
    const sum = typeof x === 'number' ? x + addend : Number.NaN
    if (frame.kind === DOUBLE) return sum
    return frame.kind === LONG && sum <= MAX_SAFE && sum >= -MAX_SAFE ? sum : slow(x, frame)
  }
}

/** An operator over any kinds. */
type Slow = (x: Typed, kindA: number, y: Typed, kindB: number, frame: Frame) => Typed

/** `left sign right` of which run time knows the kinds, without boxes in between. */
export function bareArithmetic(
  operator: DefOperator,
  left: Code,
  right: Code,
  offset: number,
): Run | null {
  const first = bareOf(left)
  const second = bareOf(right)
  if (first === null || second === null) return null
  const { run: a, kind: knownA } = first
  const { run: b, kind: knownB } = second
  const slow: Slow = (x, kindA, y, kindB, frame) => {
    try {
      return operateBare(operator, x, kindA, y, kindB, frame)
    } catch (error) {
      throw located(error, offset)
    }
  }
  const { sign } = operator
  if (sign === '+' || sign === '*') {
    const constantB = constantOf(right)
    if (constantB !== null && knownA === null) return byConstant(sign, a, ...constantB, slow)
    // Both operators commute over numbers; texts keep their order.
    const constantA = constantOf(left)
    if (constantA !== null && knownB === null)
      return byConstant(sign, b, ...constantA, (x, kindX, y, kindY, frame) =>
        slow(y, kindY, x, kindX, frame),
      )
  }
  switch (sign) {
    case '+':
      return frame => {
        const x = a(frame)
        const kindA = knownA ?? frame.kind
        const y = b(frame)
        const kindB = knownB ?? frame.kind
        if (typeof x === 'number' && typeof y === 'number') {
          const kind = Math.max(kindA, kindB)
          const sum = x + y
          if (kind === DOUBLE || (kind === LONG && sum <= MAX_SAFE && sum >= -MAX_SAFE)) {
            frame.kind = kind
            return sum
          }
        }
        return slow(x, kindA, y, kindB, frame)
      }
    case '-':
      return frame => {
        const x = a(frame)
        const kindA = knownA ?? frame.kind
        const y = b(frame)
        const kindB = knownB ?? frame.kind
        if (typeof x === 'number' && typeof y === 'number') {
          const kind = Math.max(kindA, kindB)
          const difference = x - y
          if (
            kind === DOUBLE ||
            (kind === LONG && difference <= MAX_SAFE && difference >= -MAX_SAFE)
          ) {
            frame.kind = kind
            return difference
          }
        }
        return slow(x, kindA, y, kindB, frame)
      }
    case '*':
      return frame => {
        const x = a(frame)
        const kindA = knownA ?? frame.kind
        const y = b(frame)
        const kindB = knownB ?? frame.kind
        if (typeof x === 'number' && typeof y === 'number') {
          const kind = Math.max(kindA, kindB)
          if (kind === DOUBLE) {
            frame.kind = DOUBLE
            return x * y
          }
        }
        return slow(x, kindA, y, kindB, frame)
      }
    case '/':
      return frame => {
        const x = a(frame)
        const kindA = knownA ?? frame.kind
        const y = b(frame)
        const kindB = knownB ?? frame.kind
        if (
          typeof x === 'number' &&
          typeof y === 'number' &&
          (kindA === DOUBLE || kindB === DOUBLE)
        ) {
          frame.kind = DOUBLE
          return x / y
        }
        return slow(x, kindA, y, kindB, frame)
      }
    default:
      return frame => {
        const x = a(frame)
        const kindA = knownA ?? frame.kind
        const y = b(frame)
        return slow(x, kindA, y, knownB ?? frame.kind, frame)
      }
  }
}

/**
 * The order of two operands of which run time knows the kinds: negative, 0, positive, or
 * not-a-number.
 */
export function bareOrder(
  sign: string,
  left: Code,
  right: Code,
  offset: number,
): Run<number> | null {
  const first = bareOf(left)
  const second = bareOf(right)
  if (first === null || second === null) return null
  const { run: a, kind: knownA } = first
  const { run: b, kind: knownB } = second
  return frame => {
    const x = a(frame)
    const kindA = knownA ?? frame.kind
    const y = b(frame)
    const kindB = knownB ?? frame.kind
    if (kindA !== NOT_A_KIND && kindB !== NOT_A_KIND)
      return orderOf(x as Long, y as Long, Math.max(kindA, kindB))
    try {
      return order(sign, valueOfBare(kindA, x), valueOfBare(kindB, y))
    } catch (error) {
      throw located(error, offset)
    }
  }
}

function valueOfBare(kind: number, number: Typed): ScriptValue {
  return kind === NOT_A_KIND ? (number as ScriptValue) : valueOfKind(kind, number as Long)
}
