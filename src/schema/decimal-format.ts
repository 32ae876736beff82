/**
 * Patterns of decimal numbers, as Java's `DecimalFormat` takes them: `#`, `0`, `,`, `.`, `%`, `‰`, `E0`,
 * quoted literals, and a pattern of negative numbers behind `;`. Numbers are rounded half to even.
 */
import { IllegalArgumentError } from '../util/errors.ts'

/** A compiled pattern: prints a number. */
export type DecimalFormat = (value: number | bigint) => string

interface Shape {
  readonly prefix: string
  readonly suffix: string
  readonly minWhole: number
  /** Digits before the exponent at most, where there is one. */
  readonly maxWhole: number
  readonly minFraction: number
  readonly maxFraction: number
  /** Whether the point stands even without digits behind it. */
  readonly showsPoint: boolean
  /** Digits of a group; 0: none. */
  readonly group: number
  readonly multiplier: 1 | 100 | 1000
  /** Digits of the exponent at least; 0: there is none. */
  readonly minExponent: number
}

/** Longer ones are refused: a pattern is part of a request. */
const MAX_PATTERN_LENGTH = 1000

/**
 * Compiles a pattern.
 * @throws {IllegalArgumentError} it is none
 */
export function compileDecimalFormat(pattern: string): DecimalFormat {
  if (pattern.length > MAX_PATTERN_LENGTH) throw malformed(`${pattern.slice(0, 64)}…`)
  const parts = splitSigns(pattern)
  const shape = parseShape(parts[0] ?? '', pattern)
  // Of the second pattern the text around the number counts alone.
  const negative = parts[1] === undefined ? null : parseShape(parts[1], pattern)
  const [minusPrefix, minusSuffix] =
    negative === null ? [`-${shape.prefix}`, shape.suffix] : [negative.prefix, negative.suffix]
  return value => {
    if (Number.isNaN(value)) return 'NaN'
    const isNegative = value < 0 || Object.is(value, -0)
    const body = digitsOf(value, shape)
    return isNegative
      ? `${minusPrefix}${body}${minusSuffix}`
      : `${shape.prefix}${body}${shape.suffix}`
  }
}

function malformed(pattern: string): IllegalArgumentError {
  return new IllegalArgumentError(`Malformed pattern "${pattern}"`)
}

/** The patterns of positive and of negative numbers. */
function splitSigns(pattern: string): string[] {
  let isQuoted = false
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] === "'") isQuoted = !isQuoted
    else if (pattern[i] === ';' && !isQuoted) return [pattern.slice(0, i), pattern.slice(i + 1)]
  }
  return [pattern]
}

const NUMBER_SIGNS = '#0,.'

function parseShape(pattern: string, whole: string): Shape {
  let prefix = ''
  let suffix = ''
  let number = ''
  let minExponent = 0
  let multiplier: Shape['multiplier'] = 1
  for (let i = 0; i < pattern.length; i++) {
    const sign = pattern[i]!
    const isBehind = number !== ''
    if (NUMBER_SIGNS.includes(sign) && suffix === '' && minExponent === 0) {
      number += sign
      continue
    }
    if (sign === 'E' && isBehind && suffix === '') {
      const zeros = /^0+/.exec(pattern.slice(i + 1))?.[0].length ?? 0
      if (zeros === 0) throw malformed(whole)
      minExponent = zeros
      i += zeros
      continue
    }
    if (NUMBER_SIGNS.includes(sign)) throw malformed(whole)
    let literal = sign
    if (sign === "'") {
      const end = pattern.indexOf("'", i + 1)
      if (end < 0) throw malformed(whole)
      literal = end === i + 1 ? "'" : pattern.slice(i + 1, end)
      i = end
    } else if (sign === '%') multiplier = 100
    else if (sign === '\u2030') multiplier = 1000
    if (isBehind) suffix += literal
    else prefix += literal
  }
  if (!/^[#,]*[0,]*(?:\.0*#*)?$/.test(number) || !/[#0]/.test(number)) throw malformed(whole)
  const [integer = '', decimals] = number.split('.')
  if (integer.endsWith(',') || (minExponent > 0 && integer.includes(','))) throw malformed(whole)
  const lastComma = integer.lastIndexOf(',')
  const plainInteger = integer.replaceAll(',', '')
  let minWhole = plainInteger.replaceAll('#', '').length
  let minFraction = decimals?.replaceAll('#', '').length ?? 0
  // Without a zero, the digit next to the point is one.
  if (decimals !== undefined && minWhole + minFraction === 0) {
    if (plainInteger === '') minFraction = 1
    else minWhole = 1
  }
  return {
    prefix,
    suffix,
    minWhole,
    maxWhole: plainInteger.length,
    minFraction,
    maxFraction: decimals?.length ?? 0,
    showsPoint: decimals === '',
    group: lastComma < 0 ? 0 : integer.length - lastComma - 1,
    multiplier,
    minExponent,
  }
}

/** A decimal number above zero: `0.⟨digits⟩ · 10^point`, without zeros at either end. */
interface Decimal {
  readonly digits: string
  readonly point: number
}

function digitsOf(value: number | bigint, shape: Shape): string {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return '∞'
  const { multiplier } = shape
  const scaled = typeof value === 'bigint' ? value * BigInt(multiplier) : value * multiplier
  return shape.minExponent > 0 ? withExponent(scaled, shape) : plain(scaled, shape)
}

function plain(value: number | bigint, shape: Shape): string {
  const { digits, point } = rounded(value, shape.maxFraction, null)
  const whole = point <= 0 ? '' : digits.slice(0, point).padEnd(point, '0')
  const zeros = digits === '' ? 0 : Math.max(0, -point)
  const fraction = '0'.repeat(zeros) + digits.slice(Math.max(0, point))
  const shown = fraction.padEnd(shape.minFraction, '0')
  const grouped = inGroups(whole.padStart(shape.minWhole, '0'), shape.group)
  const before = grouped === '' && shown === '' ? '0' : grouped
  return shown === '' && !shape.showsPoint ? before : `${before}.${shown}`
}

/** With more digits before the point than it needs, the exponent is a multiple of their max. */
function withExponent(value: number | bigint, shape: Shape): string {
  const { minWhole, maxWhole, minFraction, maxFraction, minExponent } = shape
  const { digits, point } = rounded(value, 0, maxWhole + maxFraction)
  const repeats = maxWhole > 1 && maxWhole > minWhole
  let exponent = 0
  if (digits !== '')
    exponent = repeats ? Math.floor((point - 1) / maxWhole) * maxWhole : point - minWhole
  const whole = digits === '' ? (repeats ? 1 : minWhole) : point - exponent
  const all = digits.padEnd(Math.max(minWhole + minFraction, whole), '0')
  const behind = all.slice(whole)
  const number = behind === '' && !shape.showsPoint ? all : `${all.slice(0, whole)}.${behind}`
  const power = String(Math.abs(exponent)).padStart(minExponent, '0')
  return `${number}E${exponent < 0 ? '-' : ''}${power}`
}

/** The shortest decimal that stands for the number. */
function decimalOf(value: number | bigint): Decimal {
  if (typeof value === 'bigint') return trimmed(String(value < 0n ? -value : value), null)
  if (value === 0) return { digits: '', point: 0 }
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e')
  return trimmed(mantissa.replace('.', ''), Number(exponent) + 1)
}

function trimmed(digits: string, point: number | null): Decimal {
  const significant = digits.replace(/0+$/, '')
  if (/^0*$/.test(significant)) return { digits: '', point: 0 }
  return { digits: significant, point: point ?? digits.length }
}

/**
 * The number's decimal, rounded half to even; a tie is one of the exact value.
 * @param fraction    digits behind the point
 * @param significant digits in all, which count instead; null: they do not
 */
function rounded(value: number | bigint, fraction: number, significant: number | null): Decimal {
  const decimal = decimalOf(value)
  const kept = significant ?? decimal.point + fraction
  if (kept >= decimal.digits.length) return decimal
  if (kept < 0) return { digits: '', point: 0 }
  const rest = decimal.digits.slice(kept)
  const isOdd = kept > 0 && Number(decimal.digits[kept - 1]) % 2 === 1
  const order = rest === '5' ? -sideOfTie(value, decimal, kept) : rest >= '5' ? 1 : -1
  return cut(decimal, kept, order > 0 || (order === 0 && isOdd))
}

function cut({ digits, point }: Decimal, kept: number, up: boolean): Decimal {
  const head = digits.slice(0, kept)
  if (!up) return trimmed(head, point)
  const next = String(BigInt(head === '' ? '0' : head) + 1n).padStart(kept, '0')
  return trimmed(next, point + next.length - kept)
}

/** Whether the decimal, whose last digit is the 5 of a tie, lies above (1), at or below the exact value. */
function sideOfTie(value: number | bigint, { digits, point }: Decimal, kept: number): number {
  if (typeof value === 'bigint') return 0
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, Math.abs(value))
  const bits = view.getBigUint64(0)
  const exponent = Number(bits >> 52n) - 1075
  const mantissa = (bits & 0xfffffffffffffn) | (exponent === -1075 ? 0n : 1n << 52n)
  const shift = exponent === -1075 ? -1074 : exponent
  // Both sides over 2^−shift · 10^scale.
  const scale = BigInt(Math.max(0, kept + 1 - point))
  const shown = BigInt(digits.slice(0, kept + 1).padEnd(point, '0'))
  const left = shift < 0 ? shown << BigInt(-shift) : shown
  const right = mantissa * 10n ** scale * (shift > 0 ? 1n << BigInt(shift) : 1n)
  return left > right ? 1 : left < right ? -1 : 0
}

function inGroups(digits: string, group: number): string {
  if (group === 0) return digits
  let text = digits
  for (let i = digits.length - group; i > 0; i -= group)
    text = `${text.slice(0, i)},${text.slice(i)}`
  return text
}
