/** Emitted values as documents have them, and as answers print them. */
import { compileDateFormat, DEFAULT_DATE_PATTERN } from '../../../schema/date-format.ts'
import { GeoPointValue } from '../../../script/doc/geo-point-value.ts'
import { scalarText } from '../../../script/value/script-value.ts'
import { jsonOfValue } from '../../../script/value/write-value.ts'
import { UTC } from '../../../util/date/time-zone.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { parseAddress, printAddress } from '../../../util/ip-address.ts'
import { Float64, type JsonValue } from '../../../util/json/json-value.ts'
import { castFault, numberFault, placeFault } from './derived-faults.ts'
import type { EmittedValue as Value } from './emit-values.ts'

/**
 * A value as the source of a document would have it.
 * @param type      of the derived field's values
 * @param isMember  whether it stood in an emitted object, where dates may be texts
 * @throws {EngineError} it is none of the type
 */
export function documentJson(value: Value, type: string, isMember: boolean): JsonValue {
  switch (type) {
    case 'keyword':
    case 'text':
      return textOf(value)
    case 'long':
      return longOf(value)
    case 'double':
    case 'float':
      return decimalOf(value)
    case 'boolean':
      return booleanOf(value)
    case 'ip':
      return addressOf(value)
    case 'date':
      return dateOf(value, isMember)
    case 'geo_point':
      if (value instanceof GeoPointValue) return jsonOfValue(value)
      throw placeFault()
  }
  return plainText(value)
}

/** Whether the values of a type are texts for aggregations, and not numbers. */
export function isTextType(type: string): boolean {
  return type === 'keyword' || type === 'text' || type === 'ip' || type === 'object'
}

/**
 * A value as a text: of an address the one that answers print, an object as it was emitted.
 * @throws {EngineError} it is none of the type
 */
export function emittedText(value: Value, type: string, isMember: boolean): string {
  const text = String(documentJson(value, type, isMember))
  return type === 'ip' ? printAddress(parseAddress(text)!) : text
}

/**
 * A value as a number: of dates milliseconds, of booleans 1 and 0.
 * @throws {EngineError} it is none of the type
 */
export function emittedNumber(value: Value, type: string, isMember: boolean): number {
  if (type === 'date') return millisOf(value, isMember)
  const json = documentJson(value, type, isMember)
  if (!(json instanceof Float64)) return Number(json)
  return type === 'float' ? Math.fround(json.value) : json.value
}

const DATES = compileDateFormat(DEFAULT_DATE_PATTERN)

/**
 * A value as answers print it.
 * @param format of dates; null: that of date fields
 * @throws {EngineError} it is no date
 */
export function printedValue(
  value: Value,
  type: string,
  isMember: boolean,
  format: string | null,
): JsonValue {
  if (type !== 'date') return jsonOfValue(value)
  return (format === null ? DATES : compileDateFormat(format)).print(millisOf(value, isMember))
}

function millisOf(value: Value, isMember: boolean): number {
  const date = dateOf(value, isMember)
  const instant = { millis: Number(date), nanos: 0 }
  if (typeof date === 'string' && !DATES.read(date, false, UTC, instant))
    throw new IllegalArgumentError(
      `failed to parse date field [${date.slice(0, 256)}] with format [${DEFAULT_DATE_PATTERN}]`,
    )
  return instant.millis
}

function textOf(value: Value): string {
  if (typeof value !== 'string') throw castFault(value, 'java.lang.String')
  return value
}

const LONG_BITS = 64

function longOf(value: Value): bigint {
  const text = plainText(value)
  if (!/^[+-]?\d{1,19}$/.test(text)) throw numberFault(text)
  const number = BigInt(text)
  if (BigInt.asIntN(LONG_BITS, number) !== number) throw numberFault(text)
  return number
}

function decimalOf(value: Value): Float64 {
  const text = plainText(value).trim()
  const number = text === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(number)) throw numberFault(text)
  return new Float64(number)
}

function booleanOf(value: Value): boolean {
  const text = plainText(value)
  if (text === 'true' || text === 'false') return text === 'true'
  throw new IllegalArgumentError(
    `Failed to parse value [${text.slice(0, 256)}] as only [true] or [false] are allowed.`,
  )
}

function addressOf(value: Value): string {
  const text = plainText(value)
  if (parseAddress(text) !== null) return text
  throw new IllegalArgumentError(`'${text.slice(0, 256)}' is not an IP string literal.`)
}

/** Milliseconds; of a member also a text. */
function dateOf(value: Value, isMember: boolean): bigint | string {
  if (typeof value === 'bigint') return value
  if (isMember && typeof value === 'string') return value
  if (isMember && typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  throw castFault(value, 'java.lang.Long')
}

/** @throws {EngineError} a list or a map */
function plainText(value: Value): string {
  const text = scalarText(value)
  if (text !== null) return text
  throw new IllegalArgumentError('a list or an object is no value of a derived field')
}
