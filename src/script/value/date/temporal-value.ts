/** The common base of date and time classes: a local day, a nanosecond of the day, or both. */

import type { Long } from '../../../util/long.ts'
import { ComparableObject } from '../compare.ts'
import { wrapLong } from '../java-numbers.ts'
import type { ScriptValue } from '../script-value.ts'
import { type ChronoField, DAY_NANOS, dateOfDay, dayClipped, MAX_YEAR } from './chrono-field.ts'
import { dateTimeFault, unsupported } from './date-faults.ts'
import type { EnumValue } from './enum-value.ts'

/** Nanoseconds of the units that have a fixed length. */
const UNIT_NANOS: Readonly<Record<string, bigint>> = {
  NANOS: 1n,
  MICROS: 1000n,
  MILLIS: 1_000_000n,
  SECONDS: 1_000_000_000n,
  MINUTES: 60_000_000_000n,
  HOURS: 3_600_000_000_000n,
  HALF_DAYS: 43_200_000_000_000n,
}

const UNIT_DAYS: Readonly<Record<string, number>> = { DAYS: 1, WEEKS: 7 }

const UNIT_MONTHS: Readonly<Record<string, number>> = {
  MONTHS: 1,
  YEARS: 12,
  DECADES: 120,
  CENTURIES: 1200,
  MILLENNIA: 12_000,
}

/** Nanoseconds of a unit of time; null for units of dates. */
export function nanosOfUnit(unit: EnumValue): bigint | null {
  return UNIT_NANOS[unit.name] ?? null
}

/** A date, a time, or both. */
export abstract class TemporalValue extends ComparableObject {
  /** Days since 1970-01-01, of the local date; null: it is a time alone. */
  abstract readonly day: number | null
  /** Nanoseconds of the local day, 0 … 86,399,999,999,999; null: it is a date alone. */
  abstract readonly nano: number | null

  /** The same kind of value at another day or nanosecond. */
  abstract moved(day: number, nano: number): TemporalValue

  /** Seconds since 1970 in UTC; null where no zone says so. */
  get epochSecond(): number | null {
    return null
  }

  override equals(other: ScriptValue): boolean {
    return (
      other instanceof TemporalValue &&
      other.className === this.className &&
      other.text() === this.text()
    )
  }

  override compareTo(other: ScriptValue): number | null {
    if (!(other instanceof TemporalValue) || other.className !== this.className) return null
    return this.order(other)
  }

  /** Negative where this is before another one of the same class. */
  order(other: TemporalValue): number {
    const days = (this.day ?? 0) - (other.day ?? 0)
    return days === 0 ? Math.sign((this.nano ?? 0) - (other.nano ?? 0)) : Math.sign(days)
  }

  /** Whether it has a field. */
  has(field: ChronoField): boolean {
    if (field.name === 'INSTANT_SECONDS') return this.epochSecond !== null
    if (field.name === 'OFFSET_SECONDS') return false
    return field.isDate ? this.day !== null : this.nano !== null
  }

  /** Whether it can be moved by a unit. */
  hasUnit(unit: EnumValue): boolean {
    if (unit.name in UNIT_NANOS) return this.nano !== null
    return this.day !== null && unit.name !== 'FOREVER'
  }

  /**
   * The value of a field.
   * @throws {ScriptFault} `unsupported_temporal_type_exception`
   */
  get(field: ChronoField): number {
    if (!this.has(field)) throw unsupported('field', field.text())
    return field.get(this.day ?? 0, this.nano ?? 0)
  }

  /**
   * A copy with another value of a field.
   * @throws {ScriptFault} `unsupported_temporal_type_exception`, `date_time_exception`: out of range
   */
  with(field: ChronoField, value: Long): TemporalValue {
    if (!this.has(field) || field.set === null) throw unsupported('field', field.text())
    const [day, nano] = field.set(this.day ?? 0, this.nano ?? 0, field.check(Number(value)))
    return this.moved(checkedDay(day), nano)
  }

  /**
   * A copy that is later by so many units.
   * @throws {ScriptFault} `unsupported_temporal_type_exception`, `date_time_exception`: out of range
   */
  plus(amount: Long, unit: EnumValue): TemporalValue {
    if (!this.hasUnit(unit)) throw unsupported('unit', unit.text())
    const nanos = nanosOfUnit(unit)
    if (nanos !== null) return this.plusNanos(BigInt(amount) * nanos)
    return this.moved(dayAfter(this.day ?? 0, amount, unit), this.nano ?? 0)
  }

  /** A copy that is later by nanoseconds. */
  plusNanos(nanos: bigint): TemporalValue {
    const { day, nano } = splitNanos(localNanos(this) + nanos)
    return this.moved(checkedDay(day), nano)
  }

  /**
   * Whole units from this to another one.
   * @throws {ScriptFault} `unsupported_temporal_type_exception`, `date_time_exception`: another kind
   */
  until(other: TemporalValue, unit: EnumValue): Long {
    if (!this.hasUnit(unit)) throw unsupported('unit', unit.text())
    if ((this.day !== null && other.day === null) || (this.nano !== null && other.nano === null))
      throw dateTimeFault(
        `Unable to obtain ${shortName(this)} from TemporalAccessor: ${other.text()} of type ${other.className}`,
      )
    const nanos = nanosOfUnit(unit)
    if (nanos !== null) return wrapLong((localNanos(other) - localNanos(this)) / nanos)
    return dateUntil(this, other, unit)
  }
}

function shortName(value: TemporalValue): string {
  return value.className.slice(value.className.lastIndexOf('.') + 1)
}

/** Nanoseconds since 1970 of a local time. */
export function localNanos(value: TemporalValue): bigint {
  return BigInt(value.day ?? 0) * BigInt(DAY_NANOS) + BigInt(value.nano ?? 0)
}

/** The day and the nanosecond of the day. */
export function splitNanos(nanos: bigint): { day: number; nano: number } {
  const whole = BigInt(DAY_NANOS)
  const nano = ((nanos % whole) + whole) % whole
  return { day: Number((nanos - nano) / whole), nano: Number(nano) }
}

const MAX_DAY = 99_280_000

/**
 * A day within the years that dates reach.
 * @throws {ScriptFault} `date_time_exception`
 */
export function checkedDay(day: number): number {
  if (!(Math.abs(day) <= MAX_DAY))
    throw dateTimeFault(
      `Invalid value for Year (valid values ${-MAX_YEAR} - ${MAX_YEAR}): ${Math.trunc(day / 365.2425) + 1970}`,
    )
  return day
}

/** A day so many units of dates later. */
function dayAfter(day: number, amount: Long, unit: EnumValue): number {
  const days = UNIT_DAYS[unit.name]
  if (days !== undefined) return checkedDay(day + Number(amount) * days)
  const months = UNIT_MONTHS[unit.name]
  const at = dateOfDay(day)
  if (months === undefined) {
    // Eras: the other one has the same year of its own.
    const count = Number(amount)
    const era = (at.year > 0 ? 1 : 0) + count
    if (era !== 0 && era !== 1)
      throw dateTimeFault(`Invalid value for Era (valid values 0 - 1): ${era}`)
    return count === 0 ? day : dayClipped(1 - at.year, at.month, at.day)
  }
  const total = at.year * 12 + at.month - 1 + Number(amount) * months
  const year = Math.floor(total / 12)
  if (!(Math.abs(year) <= MAX_YEAR))
    throw dateTimeFault(`Invalid value for Year (valid values ${-MAX_YEAR} - ${MAX_YEAR}): ${year}`)
  return dayClipped(year, total - year * 12 + 1, at.day)
}

/** Whole units of dates between two local times. */
export function dateUntil(from: TemporalValue, to: TemporalValue, unit: EnumValue): Long {
  let end = to.day ?? 0
  const start = from.day ?? 0
  const time = (to.nano ?? 0) - (from.nano ?? 0)
  // A day that is not whole does not count.
  if (from.nano !== null) {
    if (end > start && time < 0) end--
    else if (end < start && time > 0) end++
  }
  const days = UNIT_DAYS[unit.name]
  if (days !== undefined) return Math.trunc((end - start) / days) + 0
  const months = UNIT_MONTHS[unit.name]
  if (months === undefined)
    return (dateOfDay(end).year > 0 ? 1 : 0) - (dateOfDay(start).year > 0 ? 1 : 0)
  return Math.trunc(monthsUntil(start, end) / months) + 0
}

/** Whole months from one day to another. */
export function monthsUntil(start: number, end: number): number {
  const a = dateOfDay(start)
  const b = dateOfDay(end)
  const packedA = (a.year * 12 + a.month) * 32 + a.day
  const packedB = (b.year * 12 + b.month) * 32 + b.day
  return Math.trunc((packedB - packedA) / 32) + 0
}
