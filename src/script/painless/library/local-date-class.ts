import { daysInMonth } from '../../../util/date/calendar.ts'
import type { Long } from '../../../util/long.ts'
import { dateOfDay } from '../../value/date/chrono-field.ts'
import { CHRONO_FIELDS } from '../../value/date/chrono-fields.ts'
import { unparsable } from '../../value/date/date-faults.ts'
import { type DateFormatterValue, parseIsoDate } from '../../value/date/date-formatter.ts'
import { PeriodValue } from '../../value/date/duration-value.ts'
import {
  dayOfDate,
  InstantValue,
  LocalDateTimeValue,
  LocalDateValue,
  type LocalTimeValue,
  nanoOfTime,
} from '../../value/date/local-values.ts'
import { monthsUntil, type TemporalValue } from '../../value/date/temporal-value.ts'
import type { ZoneValue } from '../../value/date/zone-value.ts'
import { zonedOfLocal } from '../../value/date/zoned-date-time.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { adjusting, LOCAL_SUPERS, monthOf, type Part, unobtainable } from './local-parts.ts'
import { members } from './members.ts'
import { type CharSequence, textOf } from './string-builder-value.ts'
import { DATE_PARTS, dateChanges, isLeapYear, temporalMembers } from './temporal-members.ts'
/** `LocalDate`. */
export const LOCAL_DATE: ClassType = {
  ...classOf('LocalDate', 'java.time.LocalDate', value => value instanceof LocalDateValue),
  supers: LOCAL_SUPERS,
  methods: {
    ...temporalMembers('LocalDate'),
    ...DATE_PARTS,
    ...dateChanges('LocalDate'),
    ...adjusting('LocalDate'),
    ...members({
      'LocalDateTime atStartOfDay()': (_run, date: LocalDateValue) =>
        new LocalDateTimeValue(date.day, 0),
      'ZonedDateTime atStartOfDay(ZoneId)': (_run, date: LocalDateValue, zone: ZoneValue) =>
        zonedOfLocal(date.day, 0, zone),
      'LocalDateTime atTime(LocalTime)': (_run, date: LocalDateValue, time: LocalTimeValue) =>
        new LocalDateTimeValue(date.day, time.nano),
      ...Object.fromEntries(
        [2, 3, 4].map(count => [
          `LocalDateTime atTime(${Array(count).fill('int').join(', ')})`,
          (_run: unknown, date: LocalDateValue, h: number, m: number, s?: Part, n?: Part) =>
            new LocalDateTimeValue(date.day, nanoOfTime(h, m, s ?? 0, n ?? 0)),
        ]),
      ),
      'boolean isLeapYear()': (_run, date: LocalDateValue) => isLeapYear(date),
      'int lengthOfMonth()': (_run, date: LocalDateValue) => {
        const { year, month } = dateOfDay(date.day)
        return daysInMonth(year, month)
      },
      'int lengthOfYear()': (_run, date: LocalDateValue) => (isLeapYear(date) ? 366 : 365),
      'long toEpochDay()': (_run, date: LocalDateValue) => date.day,
      'Period until(LocalDate)': (_run, date: LocalDateValue, end: LocalDateValue) =>
        periodBetween(date.day, end.day),
    }),
  },
  statics: members({
    'LocalDate from(TemporalAccessor)': (_run, _, value: TemporalValue) => {
      if (value.day === null || value instanceof InstantValue)
        throw unobtainable('LocalDate', value)
      return new LocalDateValue(value.day)
    },
    'LocalDate of(int, Object, int)': (_run, _, year: number, month: ScriptValue, day: number) =>
      new LocalDateValue(dayOfDate(year, monthOf(month), day)),
    'LocalDate ofEpochDay(long)': (_run, _, day: Long) =>
      new LocalDateValue(CHRONO_FIELDS.get('EPOCH_DAY')!.check(Number(day))),
    'LocalDate ofYearDay(int, int)': (_run, _, year: number, day: number) =>
      new LocalDateValue(dayOfDate(year, 1, 1)).with(CHRONO_FIELDS.get('DAY_OF_YEAR')!, day),
    'LocalDate parse(CharSequence)': (_run, _, text: CharSequence) => {
      const day = parseIsoDate(textOf(text))
      if (day === null) throw unparsable(textOf(text))
      return new LocalDateValue(day)
    },
    'LocalDate parse(CharSequence, DateTimeFormatter)': (
      _run,
      _,
      text: CharSequence,
      formatter: DateFormatterValue,
    ) => new LocalDateValue(formatter.parse(textOf(text)).local.day),
  }),
}

/** Years, months and days between two days. */
export function periodBetween(start: number, end: number): PeriodValue {
  let months = monthsUntil(start, end)
  const from = new LocalDateValue(start)
  const at = from.with(
    CHRONO_FIELDS.get('PROLEPTIC_MONTH')!,
    from.get(CHRONO_FIELDS.get('PROLEPTIC_MONTH')!) + months,
  )
  let days = end - (at.day ?? 0)
  // The day may have been cut to the last of a shorter month.
  if (months > 0 && days < 0) {
    months--
    days =
      end -
      (from.with(
        CHRONO_FIELDS.get('PROLEPTIC_MONTH')!,
        from.get(CHRONO_FIELDS.get('PROLEPTIC_MONTH')!) + months,
      ).day ?? 0)
  }
  return new PeriodValue(Math.trunc(months / 12), months % 12, days)
}
