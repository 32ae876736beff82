/** Arithmetic operators over numbers without their boxes, by kind. */
import type { Long } from '../../../util/long.ts'
import type { ArithmeticSign } from '../ast.ts'
import { divideInt, remainderInt } from './int-arithmetic.ts'
import {
  addLong,
  andLong,
  divideLong,
  multiplyLong,
  orLong,
  remainderLong,
  shiftLongLeft,
  shiftLongRight,
  shiftLongRightUnsigned,
  subtractLong,
  xorLong,
} from './long-arithmetic.ts'
import { DOUBLE, FLOAT, INT, LONG } from './number-kind.ts'

/** An operator over two numbers of one kind; the second of a shift of an int is an int too. */
export type Operation = (a: never, b: never) => Long

const INTS: Readonly<Record<ArithmeticSign, (a: number, b: number) => number>> = {
  '+': (a, b) => (a + b) | 0,
  '-': (a, b) => (a - b) | 0,
  '*': Math.imul,
  '/': divideInt,
  '%': remainderInt,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => (a >>> b) | 0,
  '&': (a, b) => a & b,
  '^': (a, b) => a ^ b,
  '|': (a, b) => a | b,
}

const LONGS: Readonly<Record<ArithmeticSign, (a: Long, b: Long) => Long>> = {
  '+': addLong,
  '-': subtractLong,
  '*': multiplyLong,
  '/': divideLong,
  '%': remainderLong,
  '<<': shiftLongLeft,
  '>>': shiftLongRight,
  '>>>': shiftLongRightUnsigned,
  '&': andLong,
  '^': xorLong,
  '|': orLong,
}

const FLOATS: Partial<Record<ArithmeticSign, (a: number, b: number) => number>> = {
  '+': (a, b) => Math.fround(a + b),
  '-': (a, b) => Math.fround(a - b),
  '*': (a, b) => Math.fround(a * b),
  '/': (a, b) => Math.fround(a / b),
  '%': (a, b) => Math.fround(a % b),
}

const DOUBLES: Partial<Record<ArithmeticSign, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
}

/** The operator of a sign for a kind; null: the kind has none. */
export function operationOf(sign: ArithmeticSign, kind: number): Operation | null {
  if (kind === INT) return INTS[sign]
  if (kind === LONG) return LONGS[sign]
  const table = kind === FLOAT ? FLOATS : kind === DOUBLE ? DOUBLES : null
  return table?.[sign] ?? null
}

/** Whether a sign shifts: then the kind of the result is that of the first operand. */
export function isShift(sign: ArithmeticSign): boolean {
  return sign === '<<' || sign === '>>' || sign === '>>>'
}
