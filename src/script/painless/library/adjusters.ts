/** `TemporalAdjuster` and `TemporalAdjusters`. */
import { daysInMonth, daysOf, isoDayOfWeek } from '../../../util/date/calendar.ts'
import { dateOfDay } from '../../value/date/chrono-field.ts'
import { CHRONO_FIELDS } from '../../value/date/chrono-fields.ts'
import { unsupported } from '../../value/date/date-faults.ts'
import { EnumValue } from '../../value/date/enum-value.ts'
import {
  LocalDateTimeValue,
  LocalDateValue,
  LocalTimeValue,
} from '../../value/date/local-values.ts'
import type { TemporalValue } from '../../value/date/temporal-value.ts'
import { ScriptObject, type ScriptValue } from '../../value/script-value.ts'
import { classOf, staticClass } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'

/** An adjuster of the days of dates. */
class DayAdjuster extends ScriptObject {
  readonly className: string = 'java.time.temporal.TemporalAdjusters$Adjuster'
  readonly dayFor: (day: number) => number

  constructor(dayFor: (day: number) => number) {
    super()
    this.dayFor = dayFor
  }

  override text(): string {
    return this.className
  }
}

/** Arguments of `with`: an adjuster, a date or time that replaces its parts, a day of the week, a month. */
export type Adjuster = DayAdjuster | TemporalValue | EnumValue

/**
 * A date that an adjuster changed.
 * @throws {ScriptFault} `unsupported_temporal_type_exception`
 */
export function adjusted(value: TemporalValue, by: Adjuster): TemporalValue {
  if (by instanceof DayAdjuster) {
    if (value.day === null) throw unsupported('field', 'EpochDay')
    return value.moved(by.dayFor(value.day), value.nano ?? 0)
  }
  if (by instanceof EnumValue) {
    const name = by.className === 'java.time.Month' ? 'MONTH_OF_YEAR' : 'DAY_OF_WEEK'
    return value.with(CHRONO_FIELDS.get(name)!, by.ordinal + 1)
  }
  if (by.day !== null && value.day === null) throw unsupported('field', 'EpochDay')
  if (by.nano !== null && value.nano === null) throw unsupported('field', 'NanoOfDay')
  return value.moved(by.day ?? value.day ?? 0, by.nano ?? value.nano ?? 0)
}

function isAdjuster(value: ScriptValue): boolean {
  return (
    value instanceof DayAdjuster ||
    value instanceof LocalDateValue ||
    value instanceof LocalTimeValue ||
    value instanceof LocalDateTimeValue ||
    (value instanceof EnumValue &&
      (value.className === 'java.time.Month' || value.className === 'java.time.DayOfWeek'))
  )
}

/** A day of the month or year, by its year and month. */
const ofMonth = (of: (year: number, month: number) => number) => (): ScriptValue =>
  new DayAdjuster(day => {
    const { year, month } = dateOfDay(day)
    return of(year, month)
  })

/** Days to the next or the last day of the week, `min` of them at the nearest. */
const toDayOfWeek =
  (sign: 1 | -1, min: 0 | 1) =>
  (_run: unknown, _receiver: unknown, weekday: EnumValue): ScriptValue =>
    new DayAdjuster(day => {
      const distance = (((sign * (weekday.ordinal + 1 - isoDayOfWeek(day))) % 7) + 7) % 7
      return day + sign * (distance < min ? 7 : distance)
    })

/** `TemporalAdjuster`, `TemporalAdjusters`. */
export const ADJUSTER_CLASSES: readonly ClassType[] = [
  {
    ...classOf('TemporalAdjuster', 'java.time.temporal.TemporalAdjuster', isAdjuster),
    methods: members({
      'Temporal adjustInto(Temporal)': (_run, by: Adjuster, value: TemporalValue) =>
        adjusted(value, by),
    }),
  },
  {
    ...classOf(
      'TemporalAdjusters.Adjuster',
      'java.time.temporal.TemporalAdjusters$Adjuster',
      value => value instanceof DayAdjuster,
    ),
    supers: ['TemporalAdjuster', 'Object'],
  },
  {
    ...staticClass('TemporalAdjusters', 'java.time.temporal.TemporalAdjusters'),
    statics: members({
      'TemporalAdjuster firstDayOfMonth()': ofMonth((year, month) => daysOf(year, month, 1)),
      'TemporalAdjuster firstDayOfNextMonth()': ofMonth(
        (year, month) => daysOf(year, month, 1) + daysInMonth(year, month),
      ),
      'TemporalAdjuster firstDayOfNextYear()': ofMonth(year => daysOf(year + 1, 1, 1)),
      'TemporalAdjuster firstDayOfYear()': ofMonth(year => daysOf(year, 1, 1)),
      'TemporalAdjuster lastDayOfMonth()': ofMonth((year, month) =>
        daysOf(year, month, daysInMonth(year, month)),
      ),
      'TemporalAdjuster lastDayOfYear()': ofMonth(year => daysOf(year, 12, 31)),
      'TemporalAdjuster next(DayOfWeek)': toDayOfWeek(1, 1),
      'TemporalAdjuster nextOrSame(DayOfWeek)': toDayOfWeek(1, 0),
      'TemporalAdjuster previous(DayOfWeek)': toDayOfWeek(-1, 1),
      'TemporalAdjuster previousOrSame(DayOfWeek)': toDayOfWeek(-1, 0),
    }),
  },
]
