/** Java's `parseInt`, `parseLong`, `parseDouble` and the like, with their errors. */
import type { Long } from '../../../util/long.ts'
import { numberFormat } from '../../java-faults.ts'
import { wrapLong } from '../../value/java-numbers.ts'
import { trimmed } from './text-parts.ts'

const MIN_RADIX = 2
const MAX_RADIX = 36
/** Sign and 64 binary digits, with room for leading zeros. */
const MAX_DIGITS = 1024

/**
 * Reads an integer of so many bits with an optional sign.
 * @throws {ScriptFault} `number_format_exception`
 */
export function parseInteger(text: string, radix: number, bits: number): bigint {
  const value = signedDigits(text, radix)
  if (value === null || BigInt.asIntN(bits, value) !== value) throw wrongInput(text, radix)
  return value
}

/**
 * Reads an integer without a sign as the signed one of the same bits.
 * @throws {ScriptFault} `number_format_exception`
 */
export function parseUnsigned(text: string, radix: number, bits: number): bigint {
  const value = text.startsWith('-') ? null : signedDigits(text, radix)
  if (value === null || BigInt.asUintN(bits, value) !== value) throw wrongInput(text, radix)
  return BigInt.asIntN(bits, value)
}

/**
 * Reads an integer in decimal, `0x`, `#` or octal digits, as `Integer.decode`.
 * @throws {ScriptFault} `number_format_exception`
 */
export function decodeInteger(text: string, bits: number): bigint {
  const shape = /^([+-]?)(0[xX]|#|0(?=.))?([^+-].*)$/s.exec(text)
  if (shape === null) throw text === '' ? numberFormat('Zero length string') : wrongInput(text, 10)
  const [, sign = '', prefix, digits = ''] = shape
  return parseInteger(sign + digits, prefix === undefined ? 10 : prefix === '0' ? 8 : 16, bits)
}

/** A `Long` out of an integer of 64 bits. */
export function parseLongText(text: string, radix: number): Long {
  return wrapLong(parseInteger(text, radix, 64))
}

/**
 * Reads a double in decimal or hexadecimal digits; blanks around it and a suffix `f` or `d` are let in.
 * @throws {ScriptFault} `number_format_exception`
 */
export function parseDoubleText(text: string): number {
  const trimmedText = trimmed(text)
  if (trimmedText === '') throw numberFormat('empty String')
  const shape =
    /^([+-]?)(?:(NaN|Infinity)|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFdD]?|0[xX]([\da-fA-F]*)(?:\.([\da-fA-F]*))?[pP]([+-]?\d+)[fFdD]?)$/.exec(
      trimmedText,
    )
  if (shape === null) throw numberFormat(`For input string: "${shown(trimmedText)}"`)
  const [, sign, name, decimal, whole = '', fraction = '', exponent] = shape
  let size: number
  if (name !== undefined) size = name === 'NaN' ? Number.NaN : Infinity
  else if (decimal !== undefined) size = Number(decimal)
  else {
    const digits = whole + fraction
    if (digits === '' || digits.length > MAX_DIGITS)
      throw numberFormat(`For input string: "${shown(trimmedText)}"`)
    size = Number(BigInt(`0x${digits}`)) * 2 ** (Number(exponent) - 4 * fraction.length)
  }
  return sign === '-' ? -size : size
}

/** Digits of an integer in a radix; 10 for one that Java does not know. */
export function digitsIn(value: Long, radix: number): string {
  return BigInt(value).toString(radix < MIN_RADIX || radix > MAX_RADIX ? 10 : radix)
}

/** The value of digits behind an optional sign; null: it is none, or far too long. */
export function signedDigits(text: string, radix: number): bigint | null {
  if (radix < MIN_RADIX) throw numberFormat(`radix ${radix} less than Character.MIN_RADIX`)
  if (radix > MAX_RADIX) throw numberFormat(`radix ${radix} greater than Character.MAX_RADIX`)
  const isSigned = text.startsWith('-') || text.startsWith('+')
  const start = isSigned ? 1 : 0
  if (text.length === start || text.length > MAX_DIGITS) return null
  if (radix === 10) return /^[+-]?\d+$/.test(text) ? BigInt(text.slice(start)) * signOf(text) : null
  let value = 0n
  const base = BigInt(radix)
  for (let i = start; i < text.length; i++) {
    const digit = digitOf(text.charCodeAt(i), radix)
    if (digit < 0) return null
    value = value * base + BigInt(digit)
  }
  return value * signOf(text)
}

/** A unit's value as a digit, −1 if it is none. */
export function digitOf(unit: number, radix: number): number {
  const digit =
    unit >= 48 && unit <= 57
      ? unit - 48
      : (unit | 32) >= 97 && (unit | 32) <= 122
        ? (unit | 32) - 87
        : -1
  return unit < 128 && digit < radix ? digit : -1
}

function signOf(text: string): bigint {
  return text.startsWith('-') ? -1n : 1n
}

function wrongInput(text: string, radix: number): Error {
  const tail = radix === 10 ? '' : ` under radix ${radix}`
  return numberFormat(`For input string: "${shown(text)}"${tail}`)
}

function shown(text: string): string {
  return text.slice(0, MAX_DIGITS)
}
