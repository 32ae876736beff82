/**
 * Values of `search_after` on levels by numbers. A page may follow on a hit of another index, whose type
 * has numbers that this level lacks: such a number is the place next to an integer of the level, so that
 * hits of all indices go on where the page before has ended.
 */
import {
  clampToLong,
  javaDecimal,
  MAX_LONG,
  MIN_LONG,
} from '../../../schema/field-type/number-text.ts'
import { encodePoint } from '../../../search/query/point-value.ts'
import type { PointEncoding } from '../../../search/scorer/point-encoding.ts'
import { compareNumbers, printedNumber } from '../../../search/sort/printed-numbers.ts'
import type { Beside } from '../../../search/sort/sort-key.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { wholeNumber } from './whole-number.ts'

/** A sortable integer, or the place of a number that has none. */
export type NumberAfter = bigint | Beside

/** Whether a text is a whole number without a point or an exponent. */
export function isWhole(text: string): boolean {
  return /^[+-]?\d+$/.test(text)
}

/** Whether a text is the value with which hits of a floating-point field stand in for none. */
export function isInfinite(text: string): boolean {
  return text === 'Infinity' || text === '-Infinity'
}

/**
 * A number among longs; fractions and doubles past 64 bits lie beside one.
 * @throws {EngineError} no number; a whole number past 64 bits
 */
export function afterLong(text: string): NumberAfter {
  if (isWhole(text) && !isMinusZero(text)) return checkedLong(text)
  const number = javaDecimal(text)
  if (number === null || Number.isNaN(number)) throw notNumber(text)
  const near = clampToLong(Math.trunc(number))
  return placeOf(near, near, number)
}

/**
 * A number among unsigned longs.
 * @param encode the sortable integer of a whole number
 * @throws {EngineError} no number, or none of 64 bits
 */
export function afterUnsigned(text: string, encode: (text: string) => bigint): NumberAfter {
  const { whole, rest } = wholeNumber(text)
  if (rest === 0) return encode(text)
  return { near: encode(String(whole)), side: rest }
}

/**
 * A number among those of a precision.
 * @throws {EngineError} no number
 */
export function afterFloating(
  text: string,
  encoding: Exclude<PointEncoding, 'long' | 'unsignedLong'>,
): NumberAfter {
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) throw notNumber(text)
  const near = encodePoint(number, encoding)
  const asked = isWhole(text) && !isMinusZero(text) ? BigInt(text) : number
  return placeOf(near, printedNumber(near, encoding), asked)
}

/**
 * A number among multiples of one over a factor, whose ends stand for infinities.
 * @param near the multiple next to it
 */
export function afterScaled(near: bigint, factor: number, text: string): NumberAfter {
  return placeOf(near, scaledValue(near, factor), Number(text))
}

/** The number of a multiple of one over a factor. */
export function scaledValue(multiple: bigint, factor: number): number {
  if (multiple === MAX_LONG) return Number.POSITIVE_INFINITY
  if (multiple === MIN_LONG) return Number.NEGATIVE_INFINITY
  return Number(multiple) / factor
}

/**
 * @param value the number that `near` stands for
 * @param asked finite, or an infinity
 */
function placeOf(near: bigint, value: bigint | number, asked: bigint | number): NumberAfter {
  const order = compareNumbers(asked, value)
  return order === 0 ? near : { near, side: order < 0 ? -1 : 1 }
}

/** Whether a text is how clients write -0.0 that print no fraction. */
function isMinusZero(text: string): boolean {
  return Object.is(Number(text), -0)
}

function checkedLong(text: string): bigint {
  const value = BigInt(text)
  if (value >= MIN_LONG && value <= MAX_LONG) return value
  throw new IllegalArgumentError(`Value [${text}] is out of range for a long`)
}

/** The error of a text that is no number. */
export function notNumber(text: string): EngineError {
  return new EngineError({
    type: 'number_format_exception',
    reason: text === '' ? 'empty String' : `For input string: "${text}"`,
  })
}
