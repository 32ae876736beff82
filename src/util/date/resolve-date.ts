/** The instant that the fields of a date name, in the proleptic Gregorian calendar and with ISO weeks. */
import { daysInMonth, daysOf, firstWeek, isLeap, isoDayOfWeek, weeksOf } from './calendar.ts'
import {
  DAY,
  DAY_OF_WEEK,
  DAY_OF_YEAR,
  HALF_DAY,
  HOUR,
  HOUR_OF_HALF_DAY,
  MINUTE,
  MONTH,
  NANO,
  OFFSET,
  SECOND,
  WEEK,
  WEEK_YEAR,
  YEAR,
} from './date-elements.ts'
import type { TimeZone } from './time-zone.ts'

/** The runtime's dates end a day behind it. */
const MAX_MILLIS = 8.64e15 - 86_400_000

/** The instant that was read last; an object of the caller's, so that a date costs none. */
export interface ParsedInstant {
  /** Milliseconds since 1970. */
  millis: number
  /** Nanoseconds behind them, 0 … 999,999. */
  nanos: number
}

/**
 * The instant of the fields that matched, filled where parts are missing.
 * @param roundUp with the last value of each and not the first
 * @param zone    of fields without an offset
 * @returns false when they name no real date
 */
export function resolveDate(
  fields: Float64Array,
  roundUp: boolean,
  zone: TimeZone,
  into: ParsedInstant,
): boolean {
  const given = (field: number): boolean => !Number.isNaN(fields[field]!)
  let hour = fields[HOUR]!
  if (given(HOUR_OF_HALF_DAY)) {
    const half = fields[HOUR_OF_HALF_DAY]!
    if (half > 12) return false
    hour = (half % 12) + (fields[HALF_DAY] === 1 ? 12 : 0)
  }
  const minute = fields[MINUTE]!
  const second = fields[SECOND]!
  if (hour > 23 || minute > 59 || second > 59) return false
  const filled = (value: number, last: number): number =>
    Number.isNaN(value) ? (roundUp ? last : 0) : value
  const time =
    filled(hour, 23) * 3_600_000 +
    filled(minute, 59) * 60_000 +
    filled(second, 59) * 1000 +
    (given(NANO) ? Math.floor(fields[NANO]! / 1e6) : roundUp ? 999 : 0)
  const days = resolveDay(fields, given, roundUp)
  if (days === null) return false
  const local = days * 86_400_000 + time
  // Years past those of the runtime's dates could be kept, but not computed with.
  if (!(Math.abs(local) <= MAX_MILLIS)) return false
  into.millis = given(OFFSET) ? local - fields[OFFSET]! : zone.toUtc(local)
  into.nanos = given(NANO) ? fields[NANO]! % 1e6 : roundUp ? 999_999 : 0
  return true
}

/** Days since 1970 of the date fields. */
function resolveDay(
  fields: Float64Array,
  given: (field: number) => boolean,
  roundUp: boolean,
): number | null {
  if (given(WEEK_YEAR)) {
    const year = fields[WEEK_YEAR]!
    const weeks = weeksOf(year)
    const week = given(WEEK) ? fields[WEEK]! : roundUp ? weeks : 1
    const day = given(DAY_OF_WEEK) ? fields[DAY_OF_WEEK]! : roundUp ? 7 : 1
    if (week < 1 || week > weeks || day < 1 || day > 7) return null
    return firstWeek(year) + (week - 1) * 7 + day - 1
  }
  const hasDate = given(YEAR) || given(MONTH) || given(DAY) || given(DAY_OF_YEAR)
  const year = given(YEAR) ? fields[YEAR]! : 1970
  let days: number
  if (given(DAY_OF_YEAR)) {
    const day = fields[DAY_OF_YEAR]!
    if (day < 1 || day > (isLeap(year) ? 366 : 365)) return null
    days = daysOf(year, 1, 1) + day - 1
  } else {
    // A time alone is a time of the first day, rounded up or not.
    const up = roundUp && hasDate
    const month = given(MONTH) ? fields[MONTH]! : up && given(YEAR) ? 12 : 1
    if (month < 1 || month > 12) return null
    const last = daysInMonth(year, month)
    const day = given(DAY) ? fields[DAY]! : up ? last : 1
    if (day < 1 || day > last) return null
    days = daysOf(year, month, day)
  }
  if (given(DAY_OF_WEEK) && isoDayOfWeek(days) !== fields[DAY_OF_WEEK]) return null
  return days
}
