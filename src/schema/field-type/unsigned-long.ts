/** `unsigned_long`: whole numbers from 0 to 2⁶⁴ − 1, kept with the sign bit flipped. */
import type { FieldKind } from './field-kind.ts'
import { longStorage, pushLong } from './long-values.ts'
import { integerPart, MIN_LONG, numberText, smallInteger } from './number-text.ts'
import {
  addNumber,
  mayBeText,
  type NumberReader,
  type NumericField,
  numericProperties,
  refuseBoolean,
  refuseNumberObject,
  withCheckedNull,
} from './numeric-field.ts'
import type { ParsedNumber } from './parsed-number.ts'
import { NUMBER_PARAMETERS } from './shared-parameters.ts'

/** Highest unsigned 64-bit integer. */
export const MAX_UNSIGNED: bigint = 0xffffffffffffffffn

/** A field of unsigned numbers. */
export interface UnsignedLongField extends NumericField {
  readonly type: 'unsigned_long'
  /** Whether texts stand for numbers, and fractions are cut off. */
  readonly coerce: boolean
}

/** The field type `unsigned_long`. */
export const unsignedLong: FieldKind<UnsignedLongField> = {
  parameters: NUMBER_PARAMETERS,
  rules: [],
  build: (name, values) =>
    withCheckedNull<UnsignedLongField>(READER, {
      ...numericProperties(name, values),
      type: 'unsigned_long',
      coerce: values.coerce,
    }),
  storage: longStorage,
  addValue: (field, ordinal, token, values) => addNumber(READER, field, ordinal, token, values),
  refuseObject: refuseNumberObject,
}

/** The signed integer that stands for an unsigned one: its order is that of the unsigned ones. */
export function flipSign(unsigned: bigint): bigint {
  return unsigned + MIN_LONG
}

/** The unsigned integer that a signed one stands for. */
export function unflipSign(signed: bigint): bigint {
  return signed - MIN_LONG
}

const READER: NumberReader<UnsignedLongField> = {
  number(field, bytes, start, end, isInteger, into) {
    if (isInteger && end - start <= 15 && bytes[start] !== 0x2d) {
      into.setInteger(smallInteger(bytes, start, end))
      into.hi ^= 0x80000000
      return true
    }
    return readText(numberText(bytes, start, end), field.coerce, into)
  },
  text(field, text, isNullValue, into) {
    const coerces = isNullValue || field.coerce
    if (!mayBeText(coerces, 'BigInteger', text, into)) return false
    return readText(text, coerces, into)
  },
  boolean: (_field, value, into) => refuseBoolean(value, into),
  push: pushLong,
}

function readText(text: string, coerces: boolean, into: ParsedNumber): boolean {
  const whole = integerPart(text)
  if (whole === null) return into.fail(`For input string: "${text}"`, 'number_format_exception')
  if (whole.hasFraction && !coerces) return into.fail(`Value [${text}] has a decimal part`)
  const { value } = whole
  if (value === null || value < 0n || value > MAX_UNSIGNED)
    return into.fail(`Value [${text}] is out of range for an unsigned long`)
  into.setLong(flipSign(value))
  return true
}
