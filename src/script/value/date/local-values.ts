/** `LocalDate`, `LocalTime`, `LocalDateTime` and `Instant`. */
import { daysInMonth, daysOf } from '../../../util/date/calendar.ts'
import { type ChronoField, DAY_NANOS, dateOfDay, MONTH_NAMES } from './chrono-field.ts'
import { CHRONO_FIELDS } from './chrono-fields.ts'
import { dateTimeFault } from './date-faults.ts'
import type { EnumValue } from './enum-value.ts'
import { checkedDay, TemporalValue } from './temporal-value.ts'

/** A `java.time.LocalDate`. */
export class LocalDateValue extends TemporalValue {
  readonly className: string = 'java.time.LocalDate'
  readonly day: number
  readonly nano = null

  constructor(day: number) {
    super()
    this.day = checkedDay(day)
  }

  override moved(day: number, _nano: number): LocalDateValue {
    return new LocalDateValue(day)
  }

  /** Java's: the difference of the years, else of the months, else of the days. */
  override order(other: TemporalValue): number {
    const a = dateOfDay(this.day)
    const b = dateOfDay(other.day ?? 0)
    return a.year - b.year || a.month - b.month || a.day - b.day
  }

  override text(): string {
    return dateText(this.day)
  }
}

/** A `java.time.LocalTime`. */
export class LocalTimeValue extends TemporalValue {
  readonly className: string = 'java.time.LocalTime'
  readonly day = null
  readonly nano: number

  constructor(nano: number) {
    super()
    this.nano = nano
  }

  /** Times go round at midnight. */
  override moved(_day: number, nano: number): LocalTimeValue {
    return new LocalTimeValue(nano)
  }

  /** Days do not count, however many. */
  override plusNanos(nanos: bigint): LocalTimeValue {
    const whole = BigInt(DAY_NANOS)
    return new LocalTimeValue(Number((((BigInt(this.nano) + nanos) % whole) + whole) % whole))
  }

  override text(): string {
    return timeText(this.nano, false)
  }
}

/** A `java.time.LocalDateTime`. */
export class LocalDateTimeValue extends TemporalValue {
  readonly className: string = 'java.time.LocalDateTime'
  readonly day: number
  readonly nano: number

  constructor(day: number, nano: number) {
    super()
    this.day = checkedDay(day)
    this.nano = nano
  }

  override moved(day: number, nano: number): LocalDateTimeValue {
    return new LocalDateTimeValue(day, nano)
  }

  override text(): string {
    return `${dateText(this.day)}T${timeText(this.nano, false)}`
  }
}

/** Fields that an instant has. */
const INSTANT_FIELDS: ReadonlySet<string> = new Set([
  'INSTANT_SECONDS',
  'MICRO_OF_SECOND',
  'MILLI_OF_SECOND',
  'NANO_OF_SECOND',
])

/** A `java.time.Instant`; day and nanosecond are those in UTC. */
export class InstantValue extends TemporalValue {
  readonly className: string = 'java.time.Instant'
  readonly day: number
  readonly nano: number

  constructor(day: number, nano: number) {
    super()
    this.day = checkedDay(day)
    this.nano = nano
  }

  override get epochSecond(): number {
    return this.day * 86_400 + Math.floor(this.nano / 1e9)
  }

  override moved(day: number, nano: number): InstantValue {
    return new InstantValue(day, nano)
  }

  override has(field: ChronoField): boolean {
    return INSTANT_FIELDS.has(field.name)
  }

  override hasUnit(unit: EnumValue): boolean {
    return unit.name === 'DAYS' || (super.hasUnit(unit) && unit.ordinal < 7)
  }

  override text(): string {
    return `${dateText(this.day)}T${timeText(this.nano, true)}Z`
  }
}

/**
 * An instant out of seconds and nanoseconds that may exceed a second.
 * @throws {ScriptFault} `date_time_exception`: out of range
 */
export function instantOf(epochSecond: number, nanoAdjustment: number): InstantValue {
  const seconds = epochSecond + Math.floor(nanoAdjustment / 1e9)
  const nanos = nanoAdjustment - Math.floor(nanoAdjustment / 1e9) * 1e9
  if (!Number.isSafeInteger(seconds))
    throw dateTimeFault('Instant exceeds minimum or maximum instant')
  const day = Math.floor(seconds / 86_400)
  return new InstantValue(day, (seconds - day * 86_400) * 1e9 + nanos)
}

/** The instant of milliseconds since 1970. */
export function instantOfMillis(millis: number): InstantValue {
  const second = Math.floor(millis / 1000)
  return instantOf(second, (millis - second * 1000) * 1e6)
}

/**
 * The day of a date.
 * @throws {ScriptFault} `date_time_exception`: there is no such date
 */
export function dayOfDate(year: number, month: number, day: number): number {
  CHRONO_FIELDS.get('YEAR')!.check(year)
  CHRONO_FIELDS.get('MONTH_OF_YEAR')!.check(month)
  CHRONO_FIELDS.get('DAY_OF_MONTH')!.check(day)
  if (day > daysInMonth(year, month))
    throw dateTimeFault(
      day === 29
        ? `Invalid date 'February 29' as '${year}' is not a leap year`
        : `Invalid date '${MONTH_NAMES[month - 1]} ${day}'`,
    )
  return daysOf(year, month, day)
}

/**
 * The nanosecond of the day of a time.
 * @throws {ScriptFault} `date_time_exception`: there is no such time
 */
export function nanoOfTime(hour: number, minute: number, second: number, nano: number): number {
  CHRONO_FIELDS.get('HOUR_OF_DAY')!.check(hour)
  CHRONO_FIELDS.get('MINUTE_OF_HOUR')!.check(minute)
  CHRONO_FIELDS.get('SECOND_OF_MINUTE')!.check(second)
  CHRONO_FIELDS.get('NANO_OF_SECOND')!.check(nano)
  return ((hour * 60 + minute) * 60 + second) * 1e9 + nano
}

/** `2020-01-31`; years of more than four digits have a sign. */
export function dateText(epochDay: number): string {
  const { year, month, day } = dateOfDay(epochDay)
  const size = String(Math.abs(year)).padStart(4, '0')
  const sign = year < 0 ? '-' : year > 9999 ? '+' : ''
  return `${sign}${size}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** `10:11`, `10:11:12`, with 3, 6 or 9 digits of a fraction where it has one. */
export function timeText(nanoOfDay: number, withSeconds: boolean): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const nano = nanoOfDay % 1e9
  const second = Math.floor(nanoOfDay / 1e9)
  const head = `${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}`
  if (nano === 0 && second % 60 === 0 && !withSeconds) return head
  const digits = String(nano).padStart(9, '0')
  const fraction =
    nano === 0
      ? ''
      : nano % 1e6 === 0
        ? digits.slice(0, 3)
        : nano % 1000 === 0
          ? digits.slice(0, 6)
          : digits
  return `${head}:${two(second % 60)}${fraction === '' ? '' : `.${fraction}`}`
}
