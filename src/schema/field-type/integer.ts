/** `long`, `integer`, `short` and `byte`: whole numbers of 64 to 8 bits. */
import type { ErrorType } from '../../util/errors.ts'
import type { FieldKind } from './field-kind.ts'
import { longStorage, pushLong } from './long-values.ts'
import {
  type IntegerPart,
  integerPart,
  MAX_LONG,
  MIN_LONG,
  numberText,
  smallInteger,
  withArticle,
} from './number-text.ts'
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

/** The names of the whole numbers. */
type IntegerTypeName = 'long' | 'integer' | 'short' | 'byte'

/** A field of whole numbers. */
export interface IntegerField<T extends IntegerTypeName = IntegerTypeName> extends NumericField {
  readonly type: T
  /** Whether texts stand for numbers, and fractions are cut off. */
  readonly coerce: boolean
}

/** The field type of whole numbers of so many bits. */
export function integerType<T extends IntegerTypeName>(
  type: T,
  bits: number,
): FieldKind<IntegerField<T>> {
  const reader = bits === 64 ? LONG_READER : narrowReader(type, 2 ** (bits - 1))
  return {
    parameters: NUMBER_PARAMETERS,
    rules: [],
    build: (name, values) =>
      withCheckedNull<IntegerField<T>>(reader, {
        ...numericProperties(name, values),
        type,
        coerce: values.coerce,
      }),
    storage: longStorage,
    addValue: (field, ordinal, token, values) => addNumber(reader, field, ordinal, token, values),
    refuseObject: refuseNumberObject,
  }
}

/** Reads whole numbers of 32 or of 64 bits. */
export function integerReader(type: 'integer' | 'long'): NumberReader<IntegerField> {
  return type === 'long' ? LONG_READER : narrowReader(type, 2 ** 31)
}

const LONG_READER: NumberReader<IntegerField> = {
  number(field, bytes, start, end, isInteger, into) {
    if (isInteger && end - start <= 15) {
      into.setInteger(smallInteger(bytes, start, end))
      return true
    }
    const text = numberText(bytes, start, end)
    const whole = wholePart(text, field.coerce, 'illegal_argument_exception', into)
    if (whole === null) return false
    if (setLong(whole.value, into)) return true
    return into.fail(
      `Numeric value (${text}) out of range of long (-9223372036854775808 - 9223372036854775807)`,
      'input_coercion_exception',
    )
  },
  text(field, text, isNullValue, into) {
    const coerces = isNullValue || field.coerce
    if (!mayBeText(coerces, 'Long', text, into)) return false
    const whole = wholePart(text, coerces, 'illegal_argument_exception', into)
    if (whole === null) return false
    if (setLong(whole.value, into)) return true
    return into.fail(`Value [${text}] is out of range for a long`)
  },
  boolean: (_field, value, into) => refuseBoolean(value, into),
  push: pushLong,
}

/** Takes a value of 64 bits; false for one past them, which is null where it is far past. */
function setLong(value: bigint | null, into: ParsedNumber): boolean {
  if (value === null || value > MAX_LONG || value < MIN_LONG) return false
  into.setLong(value)
  return true
}

/** @param limit the type's values lie in [−limit, limit) */
function narrowReader(type: IntegerTypeName, limit: number): NumberReader<IntegerField> {
  const javaName = type.charAt(0).toUpperCase() + type.slice(1)
  const set = (value: number, shown: string, into: ParsedNumber): boolean => {
    if (value < -limit || value >= limit)
      return into.fail(`Value [${shown}] is out of range for ${withArticle(type)}`)
    into.setInteger(value)
    return true
  }
  /** JSON numbers are read as 32 bits first. */
  const setNumber = (value: number, written: string, into: ParsedNumber): boolean =>
    value < -2147483648 || value > 2147483647
      ? into.fail(
          `Numeric value (${written}) out of range of int (-2147483648 - 2147483647)`,
          'input_coercion_exception',
        )
      : set(value, String(value), into)
  return {
    number(field, bytes, start, end, isInteger, into) {
      if (isInteger && end - start <= 15) {
        const value = smallInteger(bytes, start, end)
        return setNumber(value, String(value), into)
      }
      const text = numberText(bytes, start, end)
      const whole = wholePart(text, field.coerce, 'illegal_argument_exception', into)
      return whole !== null && setNumber(whole.nearest, text, into)
    },
    text(field, text, isNullValue, into) {
      const coerces = isNullValue || field.coerce
      if (!mayBeText(coerces, javaName, text, into)) return false
      // The real server reads these by `Double.parseDouble`, longs by itself.
      const whole = wholePart(text, coerces, 'number_format_exception', into)
      return whole !== null && set(whole.nearest, text, into)
    },
    boolean: (_field, value, into) => refuseBoolean(value, into),
    push: pushLong,
  }
}

/** A number's whole part; null, with a complaint, where it is none or has a fraction that counts. */
function wholePart(
  text: string,
  coerces: boolean,
  complaintType: ErrorType,
  into: ParsedNumber,
): IntegerPart | null {
  const whole = integerPart(text)
  if (whole === null) into.fail(`For input string: "${text}"`, complaintType)
  else if (whole.hasFraction && !coerces) into.fail(`Value [${text}] has a decimal part`)
  else return whole
  return null
}
