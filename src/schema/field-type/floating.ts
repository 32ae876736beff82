/** `double`, `float` and `half_float`: floating-point numbers of 64 to 16 bits. */
import type { FloatKind } from '../field-storage.ts'
import type { FieldKind } from './field-kind.ts'
import { decimal, javaDecimal, javaText } from './number-text.ts'
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

/** A field of floating-point numbers. */
export interface FloatingField<T extends FloatKind = FloatKind> extends NumericField {
  readonly type: T
  /** Whether texts stand for numbers. */
  readonly coerce: boolean
}

/** A precision. */
interface Precision {
  /** The type as Java's messages name it. */
  readonly javaName: string
  /** The number as it is held; half floats are rounded further where they become integers. */
  readonly round: (value: number) => number
  /** Held numbers lie below it. */
  readonly limit: number
}

const PRECISIONS: { readonly [T in FloatKind]: Precision } = {
  double: { javaName: 'Double', round: value => value, limit: Number.POSITIVE_INFINITY },
  float: { javaName: 'Float', round: Math.fround, limit: Number.POSITIVE_INFINITY },
  // Half precision ends below 65,520, which rounds to infinity.
  half_float: { javaName: 'Float', round: Math.fround, limit: 65520 },
}

/** The number as a type holds it; null for one that is not finite there. */
export function heldNumber(type: FloatKind, value: number): number | null {
  const { round, limit } = PRECISIONS[type]
  const held = round(value)
  return Math.abs(held) < limit ? held : null
}

/** The field type of floating-point numbers of a precision. */
export function floatingType<T extends FloatKind>(type: T): FieldKind<FloatingField<T>> {
  const reader = floatingReader(type)
  return {
    parameters: NUMBER_PARAMETERS,
    rules: [],
    build: (name, values) =>
      withCheckedNull<FloatingField<T>>(reader, {
        ...numericProperties(name, values),
        type,
        coerce: values.coerce,
      }),
    storage: field => ({
      kind: 'floats',
      indexOptions: 'none',
      hasNorms: false,
      docValues: field.docValues ? 'numeric' : 'none',
      hasPoints: field.indexed,
      floatKind: type,
    }),
    addValue: (field, ordinal, token, values) => addNumber(reader, field, ordinal, token, values),
    refuseObject: refuseNumberObject,
  }
}

/** Reads numbers of a precision. */
export function floatingReader(type: FloatKind): NumberReader<FloatingField> {
  const { javaName, round, limit } = PRECISIONS[type]
  const set = (value: number, into: ParsedNumber): boolean => {
    const held = round(value)
    if (!(Math.abs(held) < limit))
      return into.fail(`[${type}] supports only finite values, but got [${javaText(value)}]`)
    into.value = held
    return true
  }
  return {
    number: (_field, bytes, start, end, isInteger, into) =>
      set(decimal(bytes, start, end, isInteger), into),
    text(field, text, isNullValue, into) {
      if (!mayBeText(isNullValue || field.coerce, javaName, text, into)) return false
      const value = javaDecimal(text)
      if (value === null) return into.fail(`For input string: "${text}"`, 'number_format_exception')
      return set(value, into)
    },
    boolean: (_field, value, into) => refuseBoolean(value, into),
    push: (document, ordinal, number) => document.pushDouble(ordinal, number.value),
  }
}
