/**
 * Reads the values of numbers, booleans and dates as their field has them: ranges, coercion and the
 * documented complaints. One instance serves a thread; its fields hold the last result, so that a
 * value costs no object.
 */
import type { ErrorType } from '../util/errors.ts'
import type { FieldType } from './field-type.ts'

/** What of a field decides how its values are read. */
export type NumericField = Pick<FieldType, 'type' | 'coerce' | 'format' | 'scalingFactor'>

const MAX_LONG = 0x7fffffffffffffffn
const MIN_LONG = -0x8000000000000000n

/** Powers of ten that a double holds exactly. */
const EXACT_TENS = Float64Array.from({ length: 23 }, (_, power) => 10 ** power)

const latin1 = new TextDecoder('latin1')

/** A reader of numeric values. Every `parse…` answers whether there is a value. */
export class NumberParser {
  /** Integers, dates in milliseconds, booleans as 0 and 1, scaled floats: hi · 2³² + lo. */
  hi = 0
  lo = 0
  /** double, float (already single precision) and half_float. */
  value = 0
  /** After false: the complaint and its type; an empty complaint means "no value, no error". */
  problem = ''
  problemType: ErrorType = 'illegal_argument_exception'

  /** Reads a JSON number, `bytes[start, end)`; `isInteger`: without fraction and exponent. */
  parseNumber(
    field: NumericField,
    bytes: Uint8Array,
    start: number,
    end: number,
    isInteger: boolean,
  ): boolean {
    switch (field.type) {
      case 'long':
      case 'integer':
      case 'short':
      case 'byte':
        if (isInteger && end - start <= 15) {
          const number = smallInteger(bytes, start, end)
          this.#setLong(number)
          return field.type === 'long' || this.#checkRange(field.type, number, null)
        }
        return this.#integerOf(field, latin1.decode(bytes.subarray(start, end)), false)
      case 'double':
      case 'float':
      case 'half_float':
        return this.#setDouble(field.type, decimal(bytes, start, end, isInteger))
      case 'scaled_float':
        return this.#setScaled(field, decimal(bytes, start, end, isInteger))
      default:
        return this.parseText(field, latin1.decode(bytes.subarray(start, end)))
    }
  }

  /** Reads a value that stands as text. */
  parseText(field: NumericField, text: string): boolean {
    switch (field.type) {
      case 'long':
      case 'integer':
      case 'short':
      case 'byte':
        if (!this.#mayBeText(field, text)) return false
        return this.#integerOf(field, text, true)
      case 'double':
      case 'float':
      case 'half_float':
      case 'scaled_float': {
        if (!this.#mayBeText(field, text)) return false
        const value = javaDecimal(text)
        if (value === null)
          return this.#fail(`For input string: "${text}"`, 'number_format_exception')
        return field.type === 'scaled_float'
          ? this.#setScaled(field, value)
          : this.#setDouble(field.type, value)
      }
      case 'boolean':
        if (text !== 'true' && text !== 'false' && text !== '')
          return this.#fail(
            `Failed to parse value [${text}] as only [true] or [false] are allowed.`,
          )
        return this.parseBoolean(field, text === 'true')
      case 'date': {
        const millis = field.format?.parse(text) ?? null
        if (millis === null)
          return this.#fail(
            text.trim() === ''
              ? 'cannot parse empty date'
              : `failed to parse date field [${text}] with format [${field.format?.pattern}]`,
          )
        this.#setLong(millis)
        return true
      }
      default:
        return this.#fail(`field type [${field.type}] holds no numbers`)
    }
  }

  /** Reads `true` or `false`. */
  parseBoolean(field: NumericField, value: boolean): boolean {
    if (field.type === 'date') return this.parseText(field, String(value))
    if (field.type !== 'boolean')
      return this.#fail(
        `Current token (VALUE_${String(value).toUpperCase()}) not numeric, ` +
          'can not use numeric value accessors',
        'json_parse_exception',
      )
    this.hi = 0
    this.lo = value ? 1 : 0
    return true
  }

  #fail(problem: string, type: ErrorType = 'illegal_argument_exception'): boolean {
    this.problem = problem
    this.problemType = type
    return false
  }

  /** Text stands for a number only where the field coerces; an empty one is no value then. */
  #mayBeText(field: NumericField, text: string): boolean {
    if (!field.coerce) return this.#fail(`${javaName(field.type)} value passed as String`)
    return text === '' ? this.#fail('') : true
  }

  #setLong(value: number): void {
    this.hi = Math.floor(value / 4294967296)
    this.lo = value >>> 0
  }

  /** Integers of any length, and decimals for integer fields. */
  #integerOf(field: NumericField, text: string, isText: boolean): boolean {
    const type = field.type as 'long' | 'integer' | 'short' | 'byte'
    const whole = integerPart(text)
    if (whole === null)
      // The real server reads longs by itself and the others by `Double.parseDouble`.
      return this.#fail(
        `For input string: "${text}"`,
        isText && type !== 'long' ? 'number_format_exception' : undefined,
      )
    if (whole.hasFraction && !field.coerce) return this.#fail(`Value [${text}] has a decimal part`)
    if (type !== 'long') return this.#checkRange(type, whole.nearest, isText ? text : null, text)
    const value = whole.value
    if (value === null || value > MAX_LONG || value < MIN_LONG)
      return isText
        ? this.#fail(`Value [${text}] is out of range for a long`)
        : this.#fail(
            `Numeric value (${text}) out of range of long ` +
              '(-9223372036854775808 - 9223372036854775807)',
            'input_coercion_exception',
          )
    this.hi = Number(BigInt.asIntN(32, value >> 32n))
    this.lo = Number(BigInt.asUintN(32, value))
    return true
  }

  #checkRange(
    type: 'integer' | 'short' | 'byte',
    value: number,
    text: string | null,
    written: string = String(value),
  ): boolean {
    if (value < -2147483648 || value > 2147483647) {
      return text !== null
        ? this.#fail(`Value [${text}] is out of range for ${article(type)}`)
        : this.#fail(
            `Numeric value (${written}) out of range of int (-2147483648 - 2147483647)`,
            'input_coercion_exception',
          )
    }
    const limit = type === 'byte' ? 128 : type === 'short' ? 32768 : 2147483648
    if (value < -limit || value >= limit)
      return this.#fail(`Value [${text ?? value}] is out of range for ${article(type)}`)
    this.#setLong(value)
    return true
  }

  #setDouble(type: 'double' | 'float' | 'half_float', value: number): boolean {
    const held = type === 'double' ? value : Math.fround(value)
    // Half precision ends below 65,520, which rounds to infinity.
    const isHeld = Number.isFinite(held) && (type !== 'half_float' || Math.abs(held) < 65520)
    if (!isHeld)
      return this.#fail(`[${type}] supports only finite values, but got [${javaText(value)}]`)
    this.value = held
    return true
  }

  #setScaled(field: NumericField, value: number): boolean {
    if (!Number.isFinite(value))
      return this.#fail(`[scaled_float] only supports finite values, but got [${javaText(value)}]`)
    // Java's Math.round: half up, ends of the range where it goes beyond.
    const scaled = Math.floor(value * field.scalingFactor + 0.5)
    if (Math.abs(scaled) <= Number.MAX_SAFE_INTEGER) this.#setLong(scaled)
    else {
      const clamped = scaled >= 2 ** 63 ? MAX_LONG : scaled < -(2 ** 63) ? MIN_LONG : BigInt(scaled)
      this.hi = Number(BigInt.asIntN(32, clamped >> 32n))
      this.lo = Number(BigInt.asUintN(32, clamped))
    }
    return true
  }
}

function article(type: 'integer' | 'short' | 'byte'): string {
  return type === 'integer' ? 'an integer' : `a ${type}`
}

function javaName(type: string): string {
  return type === 'half_float' || type === 'scaled_float'
    ? 'Float'
    : type.charAt(0).toUpperCase() + type.slice(1)
}

function javaText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e7 ? `${value}.0` : String(value)
}

/** At most 15 characters of sign and digits. */
function smallInteger(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  const isNegative = bytes[at] === 0x2d
  if (isNegative) at++
  let value = 0
  while (at < end) value = value * 10 + bytes[at++]! - 0x30
  return isNegative ? -value : value
}

/**
 * The nearest double of a JSON number. Up to 15 digits and ten to the power of 22 the quotient of
 * two exact doubles is correctly rounded (Clinger 1990, the fast path of every strtod).
 */
function decimal(bytes: Uint8Array, start: number, end: number, isInteger: boolean): number {
  if (end - start <= 16) {
    let at = start
    const isNegative = bytes[at] === 0x2d
    if (isNegative) at++
    let digits = 0
    let fraction = 0
    let inFraction = 0
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (byte === 0x2e) inFraction = 1
      else if (byte <= 0x39 && byte >= 0x30) {
        digits = digits * 10 + byte - 0x30
        fraction += inFraction
      } else break
    }
    if (at === end) {
      const size = isInteger ? digits : digits / EXACT_TENS[fraction]!
      // An integer has no negative zero.
      return isNegative && !(isInteger && digits === 0) ? -size : size
    }
  }
  return Number(latin1.decode(bytes.subarray(start, end)))
}

/** What `Double.parseDouble` takes of what people write, null for the rest. */
function javaDecimal(text: string): number | null {
  const trimmed = text.trim()
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[dDfF]?$/.test(trimmed))
    return Number(trimmed.replace(/[dDfF]$/, ''))
  const word = /^([+-]?)(NaN|Infinity)$/.exec(trimmed)
  if (word === null) return null
  if (word[2] === 'NaN') return Number.NaN
  return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

/** Exponents beyond this make no long, and their powers of ten are not worked out. */
const MAX_EXPONENT = 1000

/** A decimal text cut toward zero; `value` is null where it is far past every range. */
function integerPart(
  text: string,
): { value: bigint | null; nearest: number; hasFraction: boolean } | null {
  const shape = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/.exec(text)
  if (shape === null || text.length > 1100) return null
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = shape
  if (whole === '' && fraction === '') return null
  const exponent = Number(exponentText)
  const digits = whole + fraction
  const nearest = Math.trunc(Number(text))
  // Where the decimal point stands within the digits.
  const point = whole.length + exponent
  if (/^0*$/.test(digits)) return { value: 0n, nearest: 0, hasFraction: false }
  if (point > MAX_EXPONENT) return { value: null, nearest, hasFraction: false }
  if (point <= 0) return { value: 0n, nearest: 0, hasFraction: true }
  const kept = digits.slice(0, point).padEnd(point, '0')
  const hasFraction = /[1-9]/.test(digits.slice(point))
  const size = BigInt(kept)
  return { value: sign === '-' ? -size : size, nearest, hasFraction }
}
