/** The table of the fields of dates and times. */
import {
  daysInMonth,
  daysOf,
  firstWeek,
  isLeap,
  isoDayOfWeek,
  weekYearOf,
} from '../../../util/date/calendar.ts'
import {
  ChronoField,
  DAY_NANOS,
  dateOfDay,
  dayClipped,
  MAX_YEAR,
  MONTH_NAMES,
} from './chrono-field.ts'
import { dateTimeFault } from './date-faults.ts'

const time = (
  name: string,
  max: number,
  unit: number,
  modulus: number,
  min = 0,
  shift: (value: number) => number = value => value,
): ChronoField =>
  new ChronoField(
    0,
    name,
    false,
    min,
    max,
    (_day, nano) => {
      const value = Math.floor(nano / unit) % modulus
      return min === 1 && value === 0 ? modulus : value
    },
    (day, nano, value) => {
      const before = Math.floor(nano / unit) % modulus
      return [day, nano + (shift(value) - before) * unit]
    },
  )

const date = (
  name: string,
  min: number,
  max: number,
  get: (day: number) => number,
  set: ((day: number, value: number) => number) | null,
): ChronoField =>
  new ChronoField(
    0,
    name,
    true,
    min,
    max,
    get,
    set === null ? null : (day, nano, value) => [set(day, value), nano],
  )

function dayOfYear(day: number): number {
  return day - daysOf(dateOfDay(day).year, 1, 1) + 1
}

function withYear(day: number, year: number): number {
  const at = dateOfDay(day)
  return dayClipped(year, at.month, at.day)
}

function weekYear(day: number): number {
  return weekYearOf(day, dateOfDay(day).year)
}

function withDayOfMonth(day: number, value: number): number {
  const { year, month } = dateOfDay(day)
  if (value > daysInMonth(year, month))
    throw dateTimeFault(
      value === 29
        ? `Invalid date 'February 29' as '${year}' is not a leap year`
        : `Invalid date '${MONTH_NAMES[month - 1]} ${value}'`,
    )
  return daysOf(year, month, value)
}

function withDayOfYear(day: number, value: number): number {
  const { year } = dateOfDay(day)
  if (value === 366 && !isLeap(year))
    throw dateTimeFault(`Invalid date 'DayOfYear 366' as '${year}' is not a leap year`)
  return daysOf(year, 1, 1) + value - 1
}

/** By name; the ordinals are those of Java. */
export const CHRONO_FIELDS: ReadonlyMap<string, ChronoField> = new Map(
  [
    time('NANO_OF_SECOND', 999_999_999, 1, 1e9),
    time('NANO_OF_DAY', DAY_NANOS - 1, 1, DAY_NANOS),
    time('MICRO_OF_SECOND', 999_999, 1000, 1e6),
    time('MICRO_OF_DAY', 86_399_999_999, 1000, 86_400_000_000),
    time('MILLI_OF_SECOND', 999, 1e6, 1000),
    time('MILLI_OF_DAY', 86_399_999, 1e6, 86_400_000),
    time('SECOND_OF_MINUTE', 59, 1e9, 60),
    time('SECOND_OF_DAY', 86_399, 1e9, 86_400),
    time('MINUTE_OF_HOUR', 59, 6e10, 60),
    time('MINUTE_OF_DAY', 1439, 6e10, 1440),
    time('HOUR_OF_AMPM', 11, 3.6e12, 12),
    time('CLOCK_HOUR_OF_AMPM', 12, 3.6e12, 12, 1, value => value % 12),
    time('HOUR_OF_DAY', 23, 3.6e12, 24),
    time('CLOCK_HOUR_OF_DAY', 24, 3.6e12, 24, 1, value => value % 24),
    time('AMPM_OF_DAY', 1, 4.32e13, 2),
    date('DAY_OF_WEEK', 1, 7, isoDayOfWeek, (day, value) => day + value - isoDayOfWeek(day)),
    date(
      'ALIGNED_DAY_OF_WEEK_IN_MONTH',
      1,
      7,
      day => ((dateOfDay(day).day - 1) % 7) + 1,
      (day, value) => day + value - (((dateOfDay(day).day - 1) % 7) + 1),
    ),
    date(
      'ALIGNED_DAY_OF_WEEK_IN_YEAR',
      1,
      7,
      day => ((dayOfYear(day) - 1) % 7) + 1,
      (day, value) => day + value - (((dayOfYear(day) - 1) % 7) + 1),
    ),
    date('DAY_OF_MONTH', 1, 31, day => dateOfDay(day).day, withDayOfMonth),
    date('DAY_OF_YEAR', 1, 366, dayOfYear, withDayOfYear),
    date(
      'EPOCH_DAY',
      -1e8,
      1e8,
      day => day,
      (_day, value) => value,
    ),
    date(
      'ALIGNED_WEEK_OF_MONTH',
      1,
      5,
      day => Math.floor((dateOfDay(day).day - 1) / 7) + 1,
      (day, value) => day + 7 * (value - Math.floor((dateOfDay(day).day - 1) / 7) - 1),
    ),
    date(
      'ALIGNED_WEEK_OF_YEAR',
      1,
      53,
      day => Math.floor((dayOfYear(day) - 1) / 7) + 1,
      (day, value) => day + 7 * (value - Math.floor((dayOfYear(day) - 1) / 7) - 1),
    ),
    date(
      'MONTH_OF_YEAR',
      1,
      12,
      day => dateOfDay(day).month,
      (day, value) => {
        const at = dateOfDay(day)
        return dayClipped(at.year, value, at.day)
      },
    ),
    date(
      'PROLEPTIC_MONTH',
      -12 * MAX_YEAR,
      12 * MAX_YEAR + 11,
      day => {
        const at = dateOfDay(day)
        return at.year * 12 + at.month - 1
      },
      (day, value) =>
        dayClipped(
          Math.floor(value / 12),
          value - 12 * Math.floor(value / 12) + 1,
          dateOfDay(day).day,
        ),
    ),
    date(
      'YEAR_OF_ERA',
      1,
      MAX_YEAR,
      day => {
        const { year } = dateOfDay(day)
        return year > 0 ? year : 1 - year
      },
      (day, value) => withYear(day, dateOfDay(day).year > 0 ? value : 1 - value),
    ),
    date('YEAR', -MAX_YEAR, MAX_YEAR, day => dateOfDay(day).year, withYear),
    date(
      'ERA',
      0,
      1,
      day => (dateOfDay(day).year > 0 ? 1 : 0),
      (day, value) => {
        const { year } = dateOfDay(day)
        return (year > 0 ? 1 : 0) === value ? day : withYear(day, 1 - year)
      },
    ),
    new ChronoField(
      0,
      'INSTANT_SECONDS',
      true,
      -8.64e12,
      8.64e12,
      (day, nano) => day * 86_400 + Math.floor(nano / 1e9),
      null,
    ),
    new ChronoField(0, 'OFFSET_SECONDS', true, -64_800, 64_800, () => 0, null),
    date(
      'DAY_OF_QUARTER',
      1,
      92,
      day => {
        const { year, month } = dateOfDay(day)
        return day - daysOf(year, month - ((month - 1) % 3), 1) + 1
      },
      null,
    ),
    date('QUARTER_OF_YEAR', 1, 4, day => Math.floor((dateOfDay(day).month + 2) / 3), null),
    date(
      'WEEK_OF_WEEK_BASED_YEAR',
      1,
      53,
      day => Math.floor((day - firstWeek(weekYear(day))) / 7) + 1,
      null,
    ),
    date('WEEK_BASED_YEAR', -MAX_YEAR, MAX_YEAR, weekYear, null),
  ].map((field, i) => [
    field.name,
    new ChronoField(i, field.name, field.isDate, field.min, field.max, field.get, field.set),
  ]),
)
