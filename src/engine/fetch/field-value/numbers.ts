/** Values of fields of numbers. A format is a pattern of decimals, whose numbers print as text. */
import { compileDecimalFormat } from '../../../schema/decimal-format.ts'
import type { FloatingField } from '../../../schema/field-type/floating.ts'
import { integerPart, javaDecimal } from '../../../schema/field-type/number-text.ts'
import type { NumericField } from '../../../schema/field-type/numeric-field.ts'
import type { ScaledFloatField } from '../../../schema/field-type/scaled-float.ts'
import type { TokenCountField } from '../../../schema/field-type/token-count.ts'
import { unflipSign } from '../../../schema/field-type/unsigned-long.ts'
import { decodePoint, type PointEncoding } from '../../../search/scorer/point-encoding.ts'
import { Float32, Float64, type JsonValue } from '../../../util/json/json-value.ts'
import { checkDocValues, printLong } from '../../dsl/field/number-sort.ts'
import { longsOf, numbersOf } from './columns.ts'
import { type FieldValue, refuseSourceFormat, type SourcePrinter } from './field-value.ts'
import { textOf } from './source-text.ts'

/** Prints whole numbers: as they are, or by a pattern. */
function longPrinter(format: string | null): (value: bigint) => JsonValue {
  if (format === null) return printLong
  const pattern = compileDecimalFormat(format)
  return value => pattern(value)
}

function doublePrinter(format: string | null): (value: number) => JsonValue {
  if (format === null) return value => new Float64(value)
  return compileDecimalFormat(format)
}

/** Whole numbers as sources have them: cut toward zero. */
const wholeSource = (field: NumericField, format: string | null): SourcePrinter => {
  refuseSourceFormat(field, format)
  return value => {
    const text = textOf(field, value)
    const whole = text === null ? null : integerPart(text.trim())
    return whole === null || whole.value === null ? undefined : printLong(whole.value)
  }
}

/** Values of signed whole numbers. */
export const wholeNumber: FieldValue<NumericField> = {
  takesLists: false,
  column(field, format) {
    checkDocValues(field)
    return longsOf(field, longPrinter(format))
  },
  source: wholeSource,
}

/** Values of unsigned whole numbers. */
export const unsignedLong: FieldValue<NumericField> = {
  takesLists: false,
  column(field, format) {
    checkDocValues(field)
    const print = longPrinter(format)
    return longsOf(field, value => print(unflipSign(value)))
  },
  source: wholeSource,
}

/** Values of counts of tokens, which stand in columns alone. */
export const tokenCount: FieldValue<TokenCountField> = {
  ...wholeNumber,
  source(field, format) {
    refuseSourceFormat(field, format)
    return () => undefined
  },
}

/** Values of floating-point numbers: columns hold them as doubles, and print so. */
export function floating(
  encoding: Exclude<PointEncoding, 'long' | 'unsignedLong'>,
): FieldValue<FloatingField> {
  return {
    takesLists: false,
    column(field, format) {
      checkDocValues(field)
      const print = doublePrinter(format)
      return numbersOf(field, values => print(decodePoint(values.hi(), values.lo(), encoding)))
    },
    source(field, format) {
      refuseSourceFormat(field, format)
      return value => {
        const number = decimalOf(field, value)
        if (number === null) return undefined
        return encoding === 'double' ? new Float64(number) : new Float32(number)
      }
    },
  }
}

/** Values of scaled numbers, as their factor leaves them. */
export const scaledFloat: FieldValue<ScaledFloatField> = {
  takesLists: false,
  column(field, format) {
    checkDocValues(field)
    const print = doublePrinter(format)
    return longsOf(field, value => print(Number(value) / field.scalingFactor))
  },
  source(field, format) {
    refuseSourceFormat(field, format)
    const { scalingFactor } = field
    return value => {
      const number = decimalOf(field, value)
      if (number === null) return undefined
      return new Float64(Math.floor(number * scalingFactor + 0.5) / scalingFactor)
    }
  },
}

function decimalOf(field: NumericField, value: Parameters<SourcePrinter>[0]): number | null {
  const text = textOf(field, value)
  return text === null ? null : javaDecimal(text)
}
