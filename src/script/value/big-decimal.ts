import { arithmetic } from '../java-faults.ts'
import { NumberObject } from './java-numbers.ts'
import { doubleValue, type ScriptValue, textHash } from './script-value.ts'

/** Digits of one number. */
export const MAX_DIGITS = 10_000

/** The modes of `java.math.RoundingMode`, in its order. */
export const ROUNDING_MODES = [
  'UP',
  'DOWN',
  'CEILING',
  'FLOOR',
  'HALF_UP',
  'HALF_DOWN',
  'HALF_EVEN',
  'UNNECESSARY',
] as const

/** A mode of `java.math.RoundingMode`. */
export type RoundingMode = (typeof ROUNDING_MODES)[number]

/** A `java.math.BigDecimal`: `unscaled` · 10^−`scale`. */
export class BigDecimalValue extends NumberObject {
  readonly className: string = 'java.math.BigDecimal'
  readonly unscaled: bigint
  readonly scale: number

  /** @throws {ScriptFault} `arithmetic_exception`: too many digits, or a scale out of range */
  constructor(unscaled: bigint, scale: number) {
    super()
    if (!(Math.abs(scale) <= MAX_DIGITS)) throw arithmetic(scale > 0 ? 'Underflow' : 'Overflow')
    if (exceedsDigits(unscaled)) throw arithmetic('the number has too many digits')
    this.unscaled = unscaled
    this.scale = scale
  }

  /** Decimal digits. */
  get precision(): number {
    return digitsOf(this.unscaled).length
  }

  override toDouble(): number {
    return Number(`${this.unscaled}e${-this.scale}`)
  }

  override toBigInt(): bigint {
    return this.scale <= 0
      ? this.unscaled * power10(-this.scale)
      : this.unscaled / power10(this.scale)
  }

  /** `1.0` and `1.00` differ. */
  override equals(other: ScriptValue): boolean {
    return (
      other instanceof BigDecimalValue &&
      other.unscaled === this.unscaled &&
      other.scale === this.scale
    )
  }

  override hash(): number {
    return textHash(this.text())
  }

  override compareTo(other: ScriptValue): number | null {
    return other instanceof BigDecimalValue ? Math.sign(compare(this, other)) : null
  }

  /** With an exponent where the scale is negative or the number very small. */
  override text(): string {
    const digits = digitsOf(this.unscaled)
    const sign = this.unscaled < 0n ? '-' : ''
    if (this.scale === 0) return sign + digits
    const exponent = digits.length - 1 - this.scale
    if (this.scale > 0 && exponent >= -6) return this.plainText()
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : ''
    const shown = exponent === 0 ? '' : `E${exponent > 0 ? '+' : ''}${exponent}`
    return `${sign}${digits[0]}${fraction}${shown}`
  }

  /** `toPlainString`. */
  plainText(): string {
    const digits = digitsOf(this.unscaled)
    const sign = this.unscaled < 0n ? '-' : ''
    if (this.scale <= 0)
      return sign + (this.unscaled === 0n ? '0' : digits + '0'.repeat(-this.scale))
    const padded = digits.padStart(this.scale + 1, '0')
    return `${sign}${padded.slice(0, -this.scale)}.${padded.slice(-this.scale)}`
  }

  override plain(): ScriptValue {
    return doubleValue(this.toDouble())
  }

  /**
   * With another scale, rounded where it gets smaller.
   * @throws {ScriptFault} `arithmetic_exception`: rounding is necessary where it must not be
   */
  withScale(scale: number, mode: RoundingMode): BigDecimalValue {
    if (!(Math.abs(scale) <= MAX_DIGITS)) throw arithmetic(scale > 0 ? 'Underflow' : 'Overflow')
    if (scale >= this.scale)
      return new BigDecimalValue(this.unscaled * power10(scale - this.scale), scale)
    return new BigDecimalValue(divided(this.unscaled, power10(this.scale - scale), mode), scale)
  }

  /** Rounded to so many digits; 0: all. */
  rounded(precision: number, mode: RoundingMode): BigDecimalValue {
    if (precision === 0) return this
    const drop = this.precision - precision
    if (drop <= 0) return this
    const result = this.withScale(this.scale - drop, mode)
    // Rounding up may have made one digit more.
    return result.precision > precision ? result.withScale(result.scale - 1, mode) : result
  }

  /** Without zeros at its end. */
  stripped(): BigDecimalValue {
    if (this.unscaled === 0n) return new BigDecimalValue(0n, 0)
    const digits = digitsOf(this.unscaled)
    const zeros = digits.length - digits.replace(/0+$/, '').length
    return new BigDecimalValue(this.unscaled / power10(zeros), this.scale - zeros)
  }
}

/** 10^exponent. */
export function power10(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}

/** Whether an integer has more digits than numbers may have. */
export function exceedsDigits(value: bigint): boolean {
  // A digit is 3.3 bits; hexadecimal text is made in linear time.
  return value.toString(16).length > MAX_DIGITS * 0.8305 + 2
}

function digitsOf(value: bigint): string {
  return String(value < 0n ? -value : value)
}

function compare(a: BigDecimalValue, b: BigDecimalValue): number {
  const scale = Math.max(a.scale, b.scale)
  const left = a.unscaled * power10(scale - a.scale)
  const right = b.unscaled * power10(scale - b.scale)
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * A quotient rounded to an integer.
 * @throws {ScriptFault} `arithmetic_exception`
 */
export function divided(dividend: bigint, divisor: bigint, mode: RoundingMode): bigint {
  if (divisor === 0n) throw arithmetic(dividend === 0n ? 'Division undefined' : 'Division by zero')
  const quotient = dividend / divisor
  const rest = dividend % divisor
  if (rest === 0n) return quotient
  const sign = dividend < 0n === divisor < 0n ? 1n : -1n
  const twice = 2n * (rest < 0n ? -rest : rest)
  const size = divisor < 0n ? -divisor : divisor
  return awayFromZero(mode, sign, twice > size ? 1 : twice < size ? -1 : 0, quotient)
    ? quotient + sign
    : quotient
}

/** @param half the rest against a half: −1 below, 1 above */
function awayFromZero(mode: RoundingMode, sign: bigint, half: number, quotient: bigint): boolean {
  switch (mode) {
    case 'UP':
      return true
    case 'DOWN':
      return false
    case 'CEILING':
      return sign > 0n
    case 'FLOOR':
      return sign < 0n
    case 'HALF_UP':
      return half >= 0
    case 'HALF_DOWN':
      return half > 0
    case 'HALF_EVEN':
      return half > 0 || (half === 0 && quotient % 2n !== 0n)
    case 'UNNECESSARY':
      throw arithmetic('Rounding necessary')
  }
}
