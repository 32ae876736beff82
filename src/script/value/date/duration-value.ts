/** `Duration` and `Period`. */
import type { Long } from '../../../util/long.ts'
import { arithmetic } from '../../java-faults.ts'
import { ComparableObject } from '../compare.ts'
import { ScriptObject, type ScriptValue } from '../script-value.ts'
import { unparsable } from './date-faults.ts'

const SECOND = 1_000_000_000n
const MAX_NANOS = 2n ** 63n * SECOND

/** A `java.time.Duration`. */
export class DurationValue extends ComparableObject {
  readonly className: string = 'java.time.Duration'
  readonly nanos: bigint

  /** @throws {ScriptFault} `arithmetic_exception`: more seconds than a long holds */
  constructor(nanos: bigint) {
    super()
    if (nanos >= MAX_NANOS || nanos < -MAX_NANOS) throw arithmetic('long overflow')
    this.nanos = nanos
  }

  /** Whole seconds, rounded down. */
  get seconds(): bigint {
    const rest = this.nanos % SECOND
    return (this.nanos - rest) / SECOND - (rest < 0n ? 1n : 0n)
  }

  /** Nanoseconds behind the whole seconds, 0 … 999,999,999. */
  get nanoOfSecond(): number {
    return Number(this.nanos - this.seconds * SECOND)
  }

  override equals(other: ScriptValue): boolean {
    return other instanceof DurationValue && other.nanos === this.nanos
  }

  override compareTo(other: ScriptValue): number | null {
    if (!(other instanceof DurationValue)) return null
    return this.nanos < other.nanos ? -1 : this.nanos > other.nanos ? 1 : 0
  }

  /** `PT8H6M12.345S`. */
  override text(): string {
    if (this.nanos === 0n) return 'PT0S'
    const whole = this.nanos / SECOND
    const fraction = this.nanos % SECOND
    const hours = whole / 3600n
    const minutes = (whole / 60n) % 60n
    const seconds = whole % 60n
    let text = 'PT'
    if (hours !== 0n) text += `${hours}H`
    if (minutes !== 0n) text += `${minutes}M`
    if (seconds === 0n && fraction === 0n) return text
    const sign = this.nanos < 0n ? '-' : ''
    text += `${sign}${seconds < 0n ? -seconds : seconds}`
    if (fraction !== 0n)
      text += `.${String(fraction < 0n ? -fraction : fraction)
        .padStart(9, '0')
        .replace(/0+$/, '')}`
    return `${text}S`
  }
}

/**
 * Reads `PnDTnHnMn.nS`.
 * @throws {ScriptFault} `date_time_parse_exception`, `arithmetic_exception`
 */
export function parseDuration(text: string): DurationValue {
  const shape =
    /^([-+]?)P(?:([-+]?\d{1,18})D)?(T(?:([-+]?\d{1,18})H)?(?:([-+]?\d{1,18})M)?(?:([-+]?\d{1,18})(?:[.,](\d{0,9}))?S)?)?$/i.exec(
      text,
    )
  if (shape === null || shape[3] === 'T' || /^[-+]?P$/i.test(text)) throw unparsable(text)
  const [, sign, days = '0', , hours = '0', minutes = '0', seconds = '0', fraction = ''] = shape
  const whole =
    BigInt(days) * 86_400n + BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)
  const part = BigInt(fraction.padEnd(9, '0')) * (seconds.startsWith('-') ? -1n : 1n)
  const nanos = whole * SECOND + part
  return new DurationValue(sign === '-' ? -nanos : nanos)
}

/** A `java.time.Period`. */
export class PeriodValue extends ScriptObject {
  readonly className: string = 'java.time.Period'
  readonly years: number
  readonly months: number
  readonly days: number

  /** @throws {ScriptFault} `arithmetic_exception`: more than an int holds */
  constructor(years: number, months: number, days: number) {
    super()
    this.years = checkedInt(years)
    this.months = checkedInt(months)
    this.days = checkedInt(days)
  }

  override equals(other: ScriptValue): boolean {
    return other instanceof PeriodValue && other.text() === this.text()
  }

  /** `P1Y2M3D`. */
  override text(): string {
    const { years, months, days } = this
    if (years === 0 && months === 0 && days === 0) return 'P0D'
    const part = (count: number, letter: string): string => (count === 0 ? '' : `${count}${letter}`)
    return `P${part(years, 'Y')}${part(months, 'M')}${part(days, 'D')}`
  }
}

function checkedInt(value: number): number {
  if ((value | 0) !== value && value !== 0) throw arithmetic('integer overflow')
  return value | 0
}

/**
 * Reads `PnYnMnWnD`.
 * @throws {ScriptFault} `date_time_parse_exception`, `arithmetic_exception`
 */
export function parsePeriod(text: string): PeriodValue {
  const shape =
    /^([-+]?)P(?:([-+]?\d{1,10})Y)?(?:([-+]?\d{1,10})M)?(?:([-+]?\d{1,10})W)?(?:([-+]?\d{1,10})D)?$/i.exec(
      text,
    )
  if (shape === null || /^[-+]?P$/i.test(text)) throw unparsable(text)
  const [, sign, years = '0', months = '0', weeks = '0', days = '0'] = shape
  const factor = sign === '-' ? -1 : 1
  return new PeriodValue(
    factor * Number(years),
    factor * Number(months),
    factor * (7 * Number(weeks) + Number(days)),
  )
}

/** Nanoseconds as a duration's parts give them. */
export function durationOf(seconds: Long, nanos: Long): DurationValue {
  return new DurationValue(BigInt(seconds) * SECOND + BigInt(nanos))
}
