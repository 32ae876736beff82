/** The fields of dates and times: `ChronoField` and `IsoFields`. */
import { daysInMonth, daysOf } from '../../../util/date/calendar.ts'
import { dateTimeFault } from './date-faults.ts'
import { EnumValue } from './enum-value.ts'

/** Nanoseconds of a day; exact as a number. */
export const DAY_NANOS = 86_400_000_000_000

/** A date of the proleptic Gregorian calendar. */
export interface YearMonthDay {
  readonly year: number
  /** 1 … 12. */
  readonly month: number
  readonly day: number
}

/** The date of a day since 1970-01-01 (H. Hinnant, "chrono-compatible dates"). */
export function dateOfDay(epochDay: number): YearMonthDay {
  const z = epochDay + 719_468
  const era = Math.floor(z / 146_097)
  const dayOfEra = z - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shifted = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1
  const month = shifted < 10 ? shifted + 3 : shifted - 9
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

/** A field of a date or a time. */
export class ChronoField extends EnumValue {
  readonly isDate: boolean
  readonly min: number
  readonly max: number
  /** Of the day and the nanosecond of the day. */
  readonly get: (day: number, nano: number) => number
  /** The day and the nanosecond of the day with another value; null: it cannot be set alone. */
  readonly set: ((day: number, nano: number, value: number) => readonly [number, number]) | null

  constructor(
    ordinal: number,
    name: string,
    isDate: boolean,
    min: number,
    max: number,
    get: ChronoField['get'],
    set: ChronoField['set'],
  ) {
    const text = name
      .toLowerCase()
      .replace(/(^|_)(.)/g, (_all, _bar, letter: string) => letter.toUpperCase())
    const isIso = /QUARTER|WEEK_BASED/.test(name)
    super(
      isIso ? 'java.time.temporal.IsoFields' : 'java.time.temporal.ChronoField',
      name,
      ordinal,
      text === 'HourOfAmpm' || text === 'ClockHourOfAmpm' || text === 'AmpmOfDay'
        ? text.replace('Ampm', 'AmPm')
        : text,
    )
    this.isDate = isDate
    this.min = min
    this.max = max
    this.get = get
    this.set = set
  }

  /**
   * A value of this field.
   * @throws {ScriptFault} `date_time_exception`: out of range
   */
  check(value: number): number {
    if (!(value >= this.min && value <= this.max))
      throw dateTimeFault(
        `Invalid value for ${this.text()} (valid values ${this.min} - ${this.max}): ${value}`,
      )
    return value
  }
}

/** The last year that dates reach, as far as the runtime's own; the first is as far below. */
export const MAX_YEAR = 271_820

/** A date with another year, month or day; the day is cut to the month's last. */
export function dayClipped(year: number, month: number, day: number): number {
  return daysOf(year, month, Math.min(day, daysInMonth(year, month)))
}

/** Names of months as errors print them. */
export const MONTH_NAMES: readonly string[] =
  'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(' ')
