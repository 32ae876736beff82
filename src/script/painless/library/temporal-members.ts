/** Members that the date and time classes share, with each class's own name for what they give. */

import { isLeap } from '../../../util/date/calendar.ts'
import type { Long } from '../../../util/long.ts'
import { compareValues } from '../../value/compare.ts'
import { type ChronoField, dateOfDay } from '../../value/date/chrono-field.ts'
import { CHRONO_FIELDS } from '../../value/date/chrono-fields.ts'
import { temporalTypeFault } from '../../value/date/date-faults.ts'
import type { DateFormatterValue } from '../../value/date/date-formatter.ts'
import { DurationValue, type PeriodValue } from '../../value/date/duration-value.ts'
import { CHRONO_UNITS, DAYS_OF_WEEK, type EnumValue, MONTHS } from '../../value/date/enum-value.ts'
import { nanosOfUnit, type TemporalValue } from '../../value/date/temporal-value.ts'
import { toLong } from '../../value/java-numbers.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import type { Member, TypeName } from './class-type.ts'
import { members } from './members.ts'

const field = (name: string): ChronoField => CHRONO_FIELDS.get(name)!

/** A unit by name. */
export function unitNamed(name: string): EnumValue {
  return CHRONO_UNITS.find(unit => unit.name === name)!
}

/** Getters by the name of the field that they read. */
const DATE_GETTERS: Readonly<Record<string, string>> = {
  getDayOfMonth: 'DAY_OF_MONTH',
  getDayOfYear: 'DAY_OF_YEAR',
  getMonthValue: 'MONTH_OF_YEAR',
  getYear: 'YEAR',
}

const TIME_GETTERS: Readonly<Record<string, string>> = {
  getHour: 'HOUR_OF_DAY',
  getMinute: 'MINUTE_OF_HOUR',
  getNano: 'NANO_OF_SECOND',
  getSecond: 'SECOND_OF_MINUTE',
}

function getters(table: Readonly<Record<string, string>>): Record<string, Member> {
  return members(
    Object.fromEntries(
      Object.entries(table).map(([name, of]) => {
        const read = field(of)
        return [`int ${name}()`, (_run: unknown, value: TemporalValue) => value.get(read)]
      }),
    ),
  )
}

/** `getYear`, `getMonth` … of classes with a date. */
export const DATE_PARTS: Readonly<Record<string, Member>> = {
  ...getters(DATE_GETTERS),
  ...members({
    'DayOfWeek getDayOfWeek()': (_run, value: TemporalValue) => dayOfWeek(value),
    'Month getMonth()': (_run, value: TemporalValue) =>
      MONTHS[value.get(field('MONTH_OF_YEAR')) - 1]!,
  }),
}

/** Whether a date's year has 366 days. */
export function isLeapYear(value: TemporalValue): boolean {
  return isLeap(dateOfDay(value.day ?? 0).year)
}

/** A date's day of the week. */
export function dayOfWeek(value: TemporalValue): EnumValue {
  return DAYS_OF_WEEK[value.get(field('DAY_OF_WEEK')) - 1]!
}

/** `getHour`, `getMinute` … of classes with a time. */
export const TIME_PARTS: Readonly<Record<string, Member>> = getters(TIME_GETTERS)

const DATE_UNITS = { Days: 'DAYS', Months: 'MONTHS', Weeks: 'WEEKS', Years: 'YEARS' }
const TIME_UNITS = { Hours: 'HOURS', Minutes: 'MINUTES', Nanos: 'NANOS', Seconds: 'SECONDS' }
const DATE_FIELDS = {
  DayOfMonth: 'DAY_OF_MONTH',
  DayOfYear: 'DAY_OF_YEAR',
  Month: 'MONTH_OF_YEAR',
  Year: 'YEAR',
}
const TIME_FIELDS = {
  Hour: 'HOUR_OF_DAY',
  Minute: 'MINUTE_OF_HOUR',
  Nano: 'NANO_OF_SECOND',
  Second: 'SECOND_OF_MINUTE',
}

/** `plusDays(long)`, `minusDays(long)` and the like, for units by the ends of their names. */
export function shifts(
  type: TypeName,
  units: Readonly<Record<string, string>>,
): Record<string, Member> {
  const table: Record<string, Parameters<typeof members>[0][string]> = {}
  for (const [name, of] of Object.entries(units)) {
    const unit = unitNamed(of)
    table[`${type} plus${name}(long)`] = (_run, value: TemporalValue, amount: Long) =>
      value.plus(amount, unit)
    table[`${type} minus${name}(long)`] = (_run, value: TemporalValue, amount: Long) =>
      value.plus(negated(amount), unit)
  }
  return members(table)
}

function withers(type: TypeName, fields: Readonly<Record<string, string>>): Record<string, Member> {
  return members(
    Object.fromEntries(
      Object.entries(fields).map(([name, of]) => {
        const set = field(of)
        return [
          `${type} with${name}(int)`,
          (_run: unknown, value: TemporalValue, to: number) => value.with(set, to),
        ]
      }),
    ),
  )
}

/** `plusDays` …, `withYear` … of a class with a date. */
export function dateChanges(type: TypeName): Record<string, Member> {
  return { ...shifts(type, DATE_UNITS), ...withers(type, DATE_FIELDS) }
}

/** `plusHours` …, `withHour` … of a class with a time. */
export function timeChanges(type: TypeName): Record<string, Member> {
  return {
    ...shifts(type, TIME_UNITS),
    ...withers(type, TIME_FIELDS),
    ...members({
      [`${type} truncatedTo(TemporalUnit)`]: (_run, value: TemporalValue, unit: EnumValue) =>
        truncated(value, unit),
    }),
  }
}

/** Members of `Temporal` and `TemporalAccessor`. */
export function temporalMembers(type: TypeName): Record<string, Member> {
  return members({
    'int get(TemporalField)': (_run, value: TemporalValue, of: ChronoField) => {
      const read = value.get(of)
      if ((read | 0) !== read)
        throw temporalTypeFault(
          `Invalid field '${of.text()}' for get() method, use getLong() instead`,
        )
      return read
    },
    'long getLong(TemporalField)': (_run, value: TemporalValue, of: ChronoField) => value.get(of),
    'boolean isSupported(Object)': (_run, value: TemporalValue, of: ScriptValue) =>
      isField(of) ? value.has(of) : isUnit(of) && value.hasUnit(of),
    [`${type} minus(TemporalAmount)`]: (_run, value: TemporalValue, amount: TemporalAmount) =>
      shifted(value, amount, -1),
    [`${type} minus(long, TemporalUnit)`]: (
      _run,
      value: TemporalValue,
      amount: Long,
      unit: EnumValue,
    ) => value.plus(negated(amount), unit),
    [`${type} plus(TemporalAmount)`]: (_run, value: TemporalValue, amount: TemporalAmount) =>
      shifted(value, amount, 1),
    [`${type} plus(long, TemporalUnit)`]: (
      _run,
      value: TemporalValue,
      amount: Long,
      unit: EnumValue,
    ) => value.plus(amount, unit),
    'long until(Temporal, TemporalUnit)': (
      _run,
      value: TemporalValue,
      other: TemporalValue,
      unit: EnumValue,
    ) => value.until(other, unit),
    [`${type} with(TemporalField, long)`]: (
      _run,
      value: TemporalValue,
      of: ChronoField,
      to: Long,
    ) => value.with(of, to),
    'int compareTo(def)': (_run, value: TemporalValue, other: ScriptValue) =>
      compareValues(value, other),
    'boolean isAfter(Temporal)': (_run, value: TemporalValue, other: TemporalValue) =>
      compareValues(value, other) > 0,
    'boolean isBefore(Temporal)': (_run, value: TemporalValue, other: TemporalValue) =>
      compareValues(value, other) < 0,
    'boolean isEqual(Temporal)': (_run, value: TemporalValue, other: TemporalValue) =>
      compareValues(value, other) === 0,
    'String format(DateTimeFormatter)': (
      _run,
      value: TemporalValue,
      formatter: DateFormatterValue,
    ) => formatter.format(value),
  })
}

/** A `java.time.temporal.TemporalAmount`. */
export type TemporalAmount = DurationValue | PeriodValue

/** A date later or earlier by an amount. */
export function shifted(value: TemporalValue, amount: TemporalAmount, sign: 1 | -1): TemporalValue {
  if (amount instanceof DurationValue) {
    // An amount of time needs a value with a time, also where it is 0.
    const seconds = value.plus(0, unitNamed('SECONDS'))
    return seconds.plusNanos(BigInt(sign) * amount.nanos)
  }
  let result = value
  const months = amount.years * 12 + amount.months
  if (months !== 0) result = result.plus(sign * months, unitNamed('MONTHS'))
  if (amount.days !== 0) result = result.plus(sign * amount.days, unitNamed('DAYS'))
  return result
}

function negated(amount: Long): Long {
  return toLong(-BigInt(amount))!
}

function isField(value: ScriptValue): value is ChronoField {
  return value !== null && typeof value === 'object' && 'isDate' in value
}

function isUnit(value: ScriptValue): value is EnumValue {
  return CHRONO_UNITS.includes(value as EnumValue)
}

/** A time cut down to whole units. */
function truncated(value: TemporalValue, unit: EnumValue): TemporalValue {
  const day = value.day ?? 0
  const nano = value.nano ?? 0
  if (unit.name === 'DAYS') return value.moved(day, 0)
  const nanos = nanosOfUnit(unit)
  if (nanos === null) throw temporalTypeFault('Unit is too large to be used for truncation')
  return value.moved(day, nano - (nano % Number(nanos)))
}
