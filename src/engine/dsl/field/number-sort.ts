/** Levels of a sort by fields of numbers. */

import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { SortValue } from '../../../search/collector/sort-key.ts'
import {
  encodePoint,
  highHalf,
  lowHalf,
  MAX_LONG,
  MIN_LONG,
} from '../../../search/query/point-value.ts'
import { decodePoint, type PointEncoding } from '../../../search/scorer/point-encoding.ts'
import { assert } from '../../../util/assert.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { Float64, type JsonValue } from '../../../util/json/json-value.ts'
import { notSupportedYet } from '../parse-error.ts'
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
  /** The sortable integer of a single value. */
  readonly value: (text: string) => bigint
  readonly read: (text: string) => bigint
  readonly print: (value: bigint) => JsonValue
}

/**
 * A level by a field of numbers.
 * @throws {EngineError} the field has no doc values; a `missing` that is no value of it
 */
export function numberSort(
  field: DocValuesField,
  level: ParsedSort,
  sort: NumberSort,
): ResolvedSort {
  checkDocValues(field)
  const { numericType } = level
  if (numericType !== null && numericType !== sort.numericType && numericType !== field.type)
    throw notSupportedYet('numeric_type')
  const descending = level.order === 'desc'
  const { encoding, scale, read, print } = sort
  return {
    key: {
      kind: 'number',
      field: field.name,
      encoding,
      scale,
      descending,
      missing: missingNumber(level, sort),
      mode: level.mode ?? (descending ? 'max' : 'min'),
    },
    read,
    print: value => print(integerOf(value)),
  }
}

/** A level by a field whose values are integers; a date's value may be written as a date. */
export function longSort(
  field: DocValuesField,
  level: ParsedSort,
  value: (text: string) => bigint,
): ResolvedSort {
  return numberSort(field, level, {
    encoding: 'long',
    numericType: 'long',
    scale: 1,
    lowest: MIN_LONG,
    highest: MAX_LONG,
    value,
    // They print as plain longs: dates in milliseconds, booleans as 0 and 1.
    read: text => (isLong(text) ? longOf(text) : value(text)),
    print: printLong,
  })
}

/** A level by a field of floating-point numbers. */
export function floatSort(
  field: DocValuesField,
  level: ParsedSort,
  encoding: PointEncoding,
  value: (text: string) => bigint,
): ResolvedSort {
  return numberSort(field, level, {
    encoding,
    numericType: 'double',
    scale: 1,
    lowest: encodePoint(Number.NEGATIVE_INFINITY, encoding),
    highest: encodePoint(Number.POSITIVE_INFINITY, encoding),
    value,
    read: text =>
      /^[+-]?Infinity$/.test(text) ? encodePoint(Number(text), encoding) : value(text),
    print(bits) {
      const number = decodePoint(highHalf(bits), lowHalf(bits), encoding)
      if (Number.isFinite(number)) return new Float64(number)
      return number > 0 ? 'Infinity' : '-Infinity'
    },
  })
}

/** A level by a field that the index lacks, as if it were one of longs. */
export function unmappedNumberSort(level: ParsedSort): ResolvedSort {
  const descending = level.order === 'desc'
  const isHigh = (level.missing !== '_first') === !descending
  return {
    key: {
      kind: 'number',
      field: level.field,
      encoding: 'long',
      scale: 1,
      descending,
      missing: isHigh ? MAX_LONG : MIN_LONG,
      mode: 'min',
    },
    read(text) {
      if (isLong(text)) return longOf(text)
      throw new IllegalArgumentError(`For input string: "${text}"`)
    },
    print: value => printLong(integerOf(value)),
  }
}

/** A sortable double of `search_after`. */
export function readDouble(text: string): bigint {
  if (/^[+-]?Infinity$/.test(text)) return encodePoint(Number(text), 'double')
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return encodePoint(value, 'double')
  throw new IllegalArgumentError(`For input string: "${text}"`)
}

/** A sortable double as it prints. */
export function printDouble(value: SortValue): JsonValue {
  const bits = integerOf(value)
  return finiteOrName(decodePoint(highHalf(bits), lowHalf(bits), 'double'))
}

function finiteOrName(number: number): JsonValue {
  if (Number.isFinite(number)) return new Float64(number)
  return number > 0 ? 'Infinity' : '-Infinity'
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

function missingNumber(level: ParsedSort, { lowest, highest, value }: NumberSort): bigint {
  const isLast = level.missing === '_last'
  if (!isLast && level.missing !== '_first') return value(level.missing)
  return isLast === (level.order === 'asc') ? highest : lowest
}

function integerOf(value: SortValue): bigint {
  assert(typeof value === 'bigint', 'a level by numbers has sortable integers')
  return value
}

/**
 * A whole number of 64 bits.
 * @throws {IllegalArgumentError} it has more
 */
function longOf(text: string): bigint {
  const value = BigInt(text)
  if (value >= MIN_LONG && value <= MAX_LONG) return value
  throw new IllegalArgumentError(`Value [${text}] is out of range for a long`)
}

function isLong(text: string): boolean {
  return /^[+-]?\d+$/.test(text)
}

/** A whole number as it prints. */
export function printLong(value: bigint): JsonValue {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
