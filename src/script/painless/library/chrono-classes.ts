/** Fields, units and names of `java.time`: enumerations and the interfaces over them. */

import { daysInMonth } from '../../../util/date/calendar.ts'
import { dateNames } from '../../../util/date/date-names.ts'
import type { Long } from '../../../util/long.ts'
import { ChronoField } from '../../value/date/chrono-field.ts'
import { CHRONO_FIELDS } from '../../value/date/chrono-fields.ts'
import { dateTimeFault } from '../../value/date/date-faults.ts'
import { DurationValue, PeriodValue } from '../../value/date/duration-value.ts'
import {
  CHRONO_UNITS,
  DAYS_OF_WEEK,
  EnumValue,
  MONTHS,
  TEXT_STYLES,
} from '../../value/date/enum-value.ts'
import { nanosOfUnit, TemporalValue } from '../../value/date/temporal-value.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { classOf, staticClass } from './class-of.ts'
import type { ClassType, Member } from './class-type.ts'
import { enumClass } from './enum-class.ts'
import { members } from './members.ts'
import { temporalMembers } from './temporal-members.ts'

const NAMES = dateNames('')

/** A constant's name in a style of `TextStyle`. */
function displayName(
  full: readonly string[],
  short: readonly string[],
  value: EnumValue,
  style: EnumValue,
): string {
  if (style.name.startsWith('NARROW')) return full[value.ordinal]!.slice(0, 1)
  return (style.name.startsWith('SHORT') ? short : full)[value.ordinal]!
}

/** The constant that is so many steps behind, in a circle. */
function rotated(constants: readonly EnumValue[], value: EnumValue, steps: bigint): EnumValue {
  const count = BigInt(constants.length)
  return constants[Number((((BigInt(value.ordinal) + steps) % count) + count) % count)]!
}

function circle(name: string, constants: readonly EnumValue[]): Record<string, Member> {
  return members({
    'int getValue()': (_run, value: EnumValue) => value.ordinal + 1,
    [`${name} minus(long)`]: (_run, value: EnumValue, steps: Long) =>
      rotated(constants, value, -BigInt(steps)),
    [`${name} plus(long)`]: (_run, value: EnumValue, steps: Long) =>
      rotated(constants, value, BigInt(steps)),
  })
}

const DAY_OF_WEEK_BASE = enumClass('DayOfWeek', 'java.time.DayOfWeek', DAYS_OF_WEEK, [])

const DAY_OF_WEEK: ClassType = {
  ...DAY_OF_WEEK_BASE,
  methods: {
    ...circle('DayOfWeek', DAYS_OF_WEEK),
    ...members({
      'String getDisplayName(TextStyle, Locale)': (_run, value: EnumValue, style: EnumValue) =>
        displayName(NAMES.days, NAMES.shortDays, value, style),
    }),
  },
  statics: {
    ...DAY_OF_WEEK_BASE.statics,
    ...members({
      'DayOfWeek from(TemporalAccessor)': (_run, _, date: TemporalValue) =>
        DAYS_OF_WEEK[date.get(CHRONO_FIELDS.get('DAY_OF_WEEK')!) - 1]!,
      'DayOfWeek of(int)': (_run, _, value: number) => {
        const day = DAYS_OF_WEEK[value - 1]
        if (day === undefined) throw dateTimeFault(`Invalid value for DayOfWeek: ${value}`)
        return day
      },
    }),
  },
}

const MONTH_BASE = enumClass('Month', 'java.time.Month', MONTHS, [])

const MONTH: ClassType = {
  ...MONTH_BASE,
  methods: {
    ...circle('Month', MONTHS),
    ...members({
      'Month firstMonthOfQuarter()': (_run, value: EnumValue) =>
        MONTHS[value.ordinal - (value.ordinal % 3)]!,
      'String getDisplayName(TextStyle, Locale)': (_run, value: EnumValue, style: EnumValue) =>
        displayName(NAMES.months, NAMES.shortMonths, value, style),
      'int length(boolean)': (_run, value: EnumValue, leapYear: boolean) =>
        daysInMonth(leapYear ? 2000 : 2001, value.ordinal + 1),
      'int maxLength()': (_run, value: EnumValue) => daysInMonth(2000, value.ordinal + 1),
      'int minLength()': (_run, value: EnumValue) => daysInMonth(2001, value.ordinal + 1),
    }),
  },
  statics: {
    ...MONTH_BASE.statics,
    ...members({
      'Month from(TemporalAccessor)': (_run, _, date: TemporalValue) =>
        MONTHS[date.get(CHRONO_FIELDS.get('MONTH_OF_YEAR')!) - 1]!,
      'Month of(int)': (_run, _, value: number) => {
        const month = MONTHS[value - 1]
        if (month === undefined) throw dateTimeFault(`Invalid value for MonthOfYear: ${value}`)
        return month
      },
    }),
  },
}

const isUnit = (value: ScriptValue): value is EnumValue =>
  value instanceof EnumValue && value.className === 'java.time.temporal.ChronoUnit'

const isDateUnit = (unit: EnumValue): boolean => unit.ordinal >= 7 && unit.name !== 'FOREVER'

const TEMPORAL_UNIT: ClassType = {
  ...classOf('TemporalUnit', 'java.time.temporal.TemporalUnit', isUnit),
  methods: members({
    'Temporal addTo(Temporal, long)': (_run, unit: EnumValue, value: TemporalValue, amount: Long) =>
      value.plus(amount, unit),
    'long between(Temporal, Temporal)': (
      _run,
      unit: EnumValue,
      from: TemporalValue,
      to: TemporalValue,
    ) => from.until(to, unit),
    'Duration getDuration()': (_run, unit: EnumValue) => new DurationValue(lengthOf(unit)),
    'boolean isDateBased()': (_run, unit: EnumValue) => isDateUnit(unit),
    'boolean isDurationEstimated()': (_run, unit: EnumValue) => unit.ordinal >= 7,
    'boolean isSupportedBy(Temporal)': (_run, unit: EnumValue, value: TemporalValue) =>
      value.hasUnit(unit),
    'boolean isTimeBased()': (_run, unit: EnumValue) => unit.ordinal < 7,
  }),
}

const DAY_SECONDS = 86_400n
/** Seconds of a year of the Gregorian calendar on average. */
const YEAR_SECONDS = 31_556_952n
const SECOND = 1_000_000_000n

/** Nanoseconds of a unit, where those of dates are estimates. */
export function lengthOf(unit: EnumValue): bigint {
  const seconds: Readonly<Record<string, bigint>> = {
    DAYS: DAY_SECONDS,
    WEEKS: 7n * DAY_SECONDS,
    MONTHS: YEAR_SECONDS / 12n,
    YEARS: YEAR_SECONDS,
    DECADES: 10n * YEAR_SECONDS,
    CENTURIES: 100n * YEAR_SECONDS,
    MILLENNIA: 1000n * YEAR_SECONDS,
    ERAS: 1_000_000_000n * YEAR_SECONDS,
    FOREVER: 2n ** 63n - 1n,
  }
  return nanosOfUnit(unit) ?? seconds[unit.name]! * SECOND
}

const TEMPORAL_FIELD: ClassType = {
  ...classOf(
    'TemporalField',
    'java.time.temporal.TemporalField',
    value => value instanceof ChronoField,
  ),
  methods: members({
    'Temporal adjustInto(Temporal, long)': (
      _run,
      of: ChronoField,
      value: TemporalValue,
      to: Long,
    ) => value.with(of, to),
    'String getDisplayName(Locale)': (_run, of: ChronoField) => of.text(),
    'long getFrom(TemporalAccessor)': (_run, of: ChronoField, value: TemporalValue) =>
      value.get(of),
    'boolean isDateBased()': (_run, of: ChronoField) =>
      of.isDate && !/^(INSTANT|OFFSET)_SECONDS$/.test(of.name),
    'boolean isSupportedBy(TemporalAccessor)': (_run, of: ChronoField, value: TemporalValue) =>
      value.has(of),
    'boolean isTimeBased()': (_run, of: ChronoField) => !of.isDate,
    'int checkValidIntValue(long)': (_run, of: ChronoField, value: Long) =>
      Number(of.check(Number(value))) | 0,
    'long checkValidValue(long)': (_run, of: ChronoField, value: Long) => of.check(Number(value)),
  }),
}

const FIELDS = [...CHRONO_FIELDS.values()]
const ISO_NAME = 'java.time.temporal.IsoFields'

const ISO_FIELDS: ClassType = {
  ...staticClass('IsoFields', 'java.time.temporal.IsoFields.Fields'),
  constants: Object.fromEntries(
    FIELDS.filter(of => of.className === ISO_NAME).map(value => [
      value.name,
      { type: 'TemporalField', value },
    ]),
  ),
}

/** The enumerations of `java.time` and what they implement. */
export const CHRONO_CLASSES: readonly ClassType[] = [
  DAY_OF_WEEK,
  MONTH,
  TEMPORAL_UNIT,
  enumClass('ChronoUnit', 'java.time.temporal.ChronoUnit', CHRONO_UNITS, ['TemporalUnit']),
  TEMPORAL_FIELD,
  enumClass(
    'ChronoField',
    'java.time.temporal.ChronoField',
    FIELDS.filter(of => of.className !== ISO_NAME),
    ['TemporalField'],
  ),
  {
    ...classOf(
      'IsoFields.Field',
      ISO_NAME,
      value => value instanceof ChronoField && value.className === ISO_NAME,
    ),
    supers: ['TemporalField', 'Enum', 'Comparable', 'Object'],
  },
  ISO_FIELDS,
  enumClass('TextStyle', 'java.time.format.TextStyle', TEXT_STYLES, []),
  {
    ...classOf(
      'TemporalAccessor',
      'java.time.temporal.TemporalAccessor',
      value => value instanceof TemporalValue,
    ),
    methods: temporalMembers('Temporal'),
  },
  {
    ...classOf('Temporal', 'java.time.temporal.Temporal', value => value instanceof TemporalValue),
    supers: ['TemporalAccessor', 'Object'],
  },
  classOf(
    'TemporalAmount',
    'java.time.temporal.TemporalAmount',
    value => value instanceof DurationValue || value instanceof PeriodValue,
  ),
]
