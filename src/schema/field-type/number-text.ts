/** Numbers as documents, mappings and requests write them, and as messages print them. */

/** Lowest and highest signed 64-bit integer. */
export const MIN_LONG: bigint = -0x8000000000000000n
export const MAX_LONG: bigint = 0x7fffffffffffffffn

/** Powers of ten that a double holds exactly. */
const EXACT_TENS = Float64Array.from({ length: 23 }, (_, power) => 10 ** power)

const latin1 = new TextDecoder('latin1')

/** The characters of a JSON number, all of them ASCII. */
export function numberText(bytes: Uint8Array, start: number, end: number): string {
  return latin1.decode(bytes.subarray(start, end))
}

/** A finite number as Java prints it in messages; one past 10⁷ as it is here. */
export function javaText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e7 ? `${value}.0` : String(value)
}

/** A type's name with its article. */
export function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

/** The whole number as a signed 64-bit integer; past the range its end. */
export function clampToLong(value: number): bigint {
  if (value >= 2 ** 63) return MAX_LONG
  return value < -(2 ** 63) ? MIN_LONG : BigInt(value)
}

/** At most 15 characters of sign and digits. */
export function smallInteger(bytes: Uint8Array, start: number, end: number): number {
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
export function decimal(bytes: Uint8Array, start: number, end: number, isInteger: boolean): number {
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
  return Number(numberText(bytes, start, end))
}

/** Reads a number as `Double.parseDouble` does; null for any other text. */
export function javaDecimal(text: string): number | null {
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

/** A decimal text cut toward zero. */
export interface IntegerPart {
  /** Null where it is far past every range. */
  readonly value: bigint | null
  /** The double next to it. */
  readonly nearest: number
  /** Whether anything was cut off. */
  readonly hasFraction: boolean
}

/** Cuts a decimal text toward zero; null for what is no number. */
export function integerPart(text: string): IntegerPart | null {
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
