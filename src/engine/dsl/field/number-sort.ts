/** Levels of a sort by fields of numbers. */

import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import { clampToLong, javaDecimal } from '../../../schema/field-type/number-text.ts'
import {
  encodePoint,
  highHalf,
  lowHalf,
  MAX_LONG,
  MIN_LONG,
} from '../../../search/query/point-value.ts'
import { decodePoint, type PointEncoding } from '../../../search/scorer/point-encoding.ts'
import { nanosOfMillis } from '../../../search/sort/converted-numbers.ts'
import { isBeside, type NumberConversion, type SortValue } from '../../../search/sort/sort-key.ts'
import { assert } from '../../../util/assert.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { Float32, Float64, type JsonValue } from '../../../util/json/json-value.ts'
import {
  afterFloating,
  afterLong,
  afterScaled,
  isInfinite,
  isWhole,
  type NumberAfter,
  notNumber,
  scaledValue,
} from './number-after.ts'
import type { ParsedSort, ResolvedSort } from './sort-level.ts'

/** A field that may keep its values by document. */
type DocValuesField = MappedField & { readonly docValues: boolean }

/** How the numbers of a type are sorted, read and printed. */
interface NumberSort {
  readonly encoding: PointEncoding
  /** Type of the values without `numeric_type`. */
  readonly numericType: 'long' | 'double'
  /** Divisor of a value that is compared with another field's. */
  readonly scale: number
  /** The sortable integers ahead of all values, and behind them. */
  readonly lowest: bigint
  readonly highest: bigint
  /** The sortable integer of a `missing`. */
  readonly missing: (level: ParsedSort) => bigint
  readonly read: (text: string, isNumber: boolean) => NumberAfter
  readonly print: (value: bigint) => JsonValue
  readonly conversion?: NumberConversion
}

/**
 * A level by a field of numbers.
 * @throws {EngineError} the field has no doc values; a `missing` that is no number
 */
export function numberSort(
  field: DocValuesField,
  level: ParsedSort,
  sort: NumberSort,
): ResolvedSort {
  checkDocValues(field)
  return byNumbers(field.name, level, converted(field, level, sort))
}

function byNumbers(name: string, level: ParsedSort, sort: NumberSort): ResolvedSort {
  const descending = level.order === 'desc'
  const { encoding, scale, read, print, conversion, lowest, highest } = sort
  const { missing } = level
  const isHigh = (missing === '_last') === !descending
  const isEnd = missing === '_last' || missing === '_first'
  return {
    key: {
      kind: 'number',
      field: name,
      encoding,
      scale,
      descending,
      missing: isEnd ? (isHigh ? highest : lowest) : sort.missing(level),
      mode: level.mode ?? (descending ? 'max' : 'min'),
      ...(conversion === undefined ? {} : { conversion }),
    },
    read,
    print: value => print(integerOf(value)),
  }
}

/** The sort of a field's numbers as the type that `numeric_type` names. */
function converted(field: MappedField, { numericType }: ParsedSort, sort: NumberSort): NumberSort {
  if (numericType === null) return sort
  const { encoding: from, scale } = sort
  if (numericType === 'double')
    return sort.numericType === 'double' && from !== 'float' && from !== 'halfFloat'
      ? sort
      : { ...DOUBLES, conversion: { to: 'double', from, scale } }
  if (sort.numericType === 'double') return { ...LONGS, conversion: { to: 'long', from, scale } }
  const to = numericType === 'date_nanos' ? 'nanos' : 'millis'
  const isConverted =
    (numericType === 'date_nanos' && field.type === 'date') ||
    (numericType === 'date' && field.type === 'date_nanos')
  if (!isConverted) return sort
  const read = (text: string, isNumber: boolean): NumberAfter => {
    const value = sort.read(text, isNumber)
    if (isNumber || isWhole(text) || isBeside(value)) return value
    return to === 'nanos' ? nanosOfMillis(value) : value / 1_000_000n
  }
  return { ...sort, read, conversion: { to, from, scale } }
}

/** A level by a field whose values are integers. */
export function longSort(field: DocValuesField, level: ParsedSort): ResolvedSort {
  return numberSort(field, level, LONGS)
}

/**
 * A level by a field whose values are integers, and which has a form of its own for them.
 * @param value reads a text of that form
 */
export function formattedSort(
  field: DocValuesField,
  level: ParsedSort,
  value: (text: string) => bigint,
): ResolvedSort {
  // They print as plain longs: dates in milliseconds, booleans as 0 and 1.
  const read = (text: string, isNumber: boolean): NumberAfter =>
    isNumber || isWhole(text) || isInfinite(text) ? afterLong(text) : value(text)
  return numberSort(field, level, { ...LONGS, read })
}

/** A level by a field of floating-point numbers. */
export function floatSort(
  field: DocValuesField,
  level: ParsedSort,
  encoding: Exclude<PointEncoding, 'long' | 'unsignedLong'>,
): ResolvedSort {
  if (encoding !== 'halfFloat') return numberSort(field, level, floating(encoding))
  // The average or sum of half floats, and a custom `missing`, are floats.
  const conversion = { to: 'float', from: encoding, scale: 1 } as const
  return numberSort(
    field,
    level,
    isOfValues(level) ? floating(encoding) : { ...floating('float'), conversion },
  )
}

/** A level by a field of doubles that are kept as multiples of one over a factor. */
export function scaledSort(
  field: DocValuesField,
  level: ParsedSort,
  factor: number,
  read: (text: string) => bigint,
): ResolvedSort {
  if (!isOfValues(level)) {
    const conversion = { to: 'double', from: 'long', scale: factor } as const
    return numberSort(field, level, { ...DOUBLES, conversion })
  }
  return numberSort(field, level, {
    encoding: 'long',
    numericType: 'double',
    scale: factor,
    lowest: MIN_LONG,
    highest: MAX_LONG,
    missing: missingLong,
    read(text) {
      if (!text.endsWith('Infinity')) return afterScaled(read(text), factor, text)
      return text.startsWith('-') ? MIN_LONG : MAX_LONG
    },
    print(value) {
      const number = scaledValue(value, factor)
      if (Number.isFinite(number)) return new Float64(number)
      return number > 0 ? 'Infinity' : '-Infinity'
    },
  })
}

/** Whether all that a level compares are values of the field, or behind them all. */
function isOfValues({ mode, missing }: ParsedSort): boolean {
  const isEnd = missing === '_first' || missing === '_last'
  return isEnd && (mode === null || mode === 'min' || mode === 'max')
}

/** A level by a field that the index lacks, as if it were one of longs. */
export function unmappedNumberSort(level: ParsedSort): ResolvedSort {
  return byNumbers(level.field, level, LONGS)
}

/** A level by a field that the index lacks, as if it were one of doubles. */
export function unmappedDoubleSort(level: ParsedSort): ResolvedSort {
  return byNumbers(level.field, level, DOUBLES)
}

const LONGS: NumberSort = {
  encoding: 'long',
  numericType: 'long',
  scale: 1,
  lowest: MIN_LONG,
  highest: MAX_LONG,
  missing: missingLong,
  read: afterLong,
  print: printLong,
}

const DOUBLES: NumberSort = floating('double')

/** Numbers of a precision; half floats print as floats. */
function floating(encoding: Exclude<PointEncoding, 'long' | 'unsignedLong'>): NumberSort {
  return {
    encoding,
    numericType: 'double',
    scale: 1,
    lowest: encodePoint(Number.NEGATIVE_INFINITY, encoding),
    highest: encodePoint(Number.POSITIVE_INFINITY, encoding),
    missing: level => encodePoint(missingDouble(level), encoding),
    read: text => afterFloating(text, encoding),
    print: bits => printFloating(bits, encoding),
  }
}

function printFloating(bits: bigint, encoding: PointEncoding): JsonValue {
  const number = decodePoint(highHalf(bits), lowHalf(bits), encoding)
  if (!Number.isFinite(number)) return number > 0 ? 'Infinity' : '-Infinity'
  return encoding === 'double' ? new Float64(number) : new Float32(number)
}

/** A `missing` among longs: numbers lose their fraction, texts have none. */
function missingLong({ missing, isMissingNumber }: ParsedSort): bigint {
  if (isWhole(missing) && isMissingNumber) return BigInt.asIntN(64, BigInt(missing))
  if (isMissingNumber) return clampToLong(Math.trunc(Number(missing)))
  const value = isWhole(missing) ? BigInt(missing) : null
  if (value !== null && value >= MIN_LONG && value <= MAX_LONG) return value
  throw notNumber(missing)
}

function missingDouble({ missing, isMissingNumber }: ParsedSort): number {
  if (isMissingNumber) return Number(missing)
  const value = javaDecimal(missing)
  if (value === null) throw notNumber(missing)
  return value
}

/** A sortable double of `search_after`, or the place next to one. */
export function readDouble(text: string): NumberAfter {
  return afterFloating(text, 'double')
}

/** A sortable double as it prints. */
export function printDouble(value: SortValue): JsonValue {
  return printFloating(integerOf(value), 'double')
}

/** Refuses a field without doc values. */
export function checkDocValues(field: DocValuesField): void {
  if (!field.docValues) throw unsupportedFielddata(field)
}

/** The error of a field whose values no sort can load. */
export function unsupportedFielddata({ name, type }: MappedField): IllegalArgumentError {
  return new IllegalArgumentError(
    `Can't load fielddata on [${name}] because fielddata is unsupported on fields of type ` +
      `[${type}]. Use doc values instead.`,
  )
}

function integerOf(value: SortValue): bigint {
  assert(typeof value === 'bigint', 'a level by numbers has sortable integers')
  return value
}

/** A whole number as it prints. */
export function printLong(value: bigint): JsonValue {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
