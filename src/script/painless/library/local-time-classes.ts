/** `LocalTime` and `LocalDateTime`. */

import type { Long } from '../../../util/long.ts'
import { DAY_NANOS } from '../../value/date/chrono-field.ts'
import { CHRONO_FIELDS } from '../../value/date/chrono-fields.ts'
import { unparsable } from '../../value/date/date-faults.ts'
import {
  type DateFormatterValue,
  parseIsoDateTime,
  parseIsoTime,
} from '../../value/date/date-formatter.ts'
import {
  dayOfDate,
  InstantValue,
  instantOf,
  LocalDateTimeValue,
  LocalDateValue,
  LocalTimeValue,
  nanoOfTime,
} from '../../value/date/local-values.ts'
import type { TemporalValue } from '../../value/date/temporal-value.ts'
import type { ZoneValue } from '../../value/date/zone-value.ts'
import { zonedOfInstant, zonedOfLocal } from '../../value/date/zoned-date-time.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { adjusting, LOCAL_SUPERS, monthOf, type Part, unobtainable } from './local-parts.ts'
import { members } from './members.ts'
import { type CharSequence, textOf } from './string-builder-value.ts'
import {
  DATE_PARTS,
  dateChanges,
  TIME_PARTS,
  temporalMembers,
  timeChanges,
} from './temporal-members.ts'

const LOCAL_TIME: ClassType = {
  ...classOf('LocalTime', 'java.time.LocalTime', value => value instanceof LocalTimeValue),
  supers: LOCAL_SUPERS,
  constants: {
    MAX: { type: 'LocalTime', value: new LocalTimeValue(DAY_NANOS - 1) },
    MIDNIGHT: { type: 'LocalTime', value: new LocalTimeValue(0) },
    MIN: { type: 'LocalTime', value: new LocalTimeValue(0) },
    NOON: { type: 'LocalTime', value: new LocalTimeValue(DAY_NANOS / 2) },
  },
  methods: {
    ...temporalMembers('LocalTime'),
    ...TIME_PARTS,
    ...timeChanges('LocalTime'),
    ...adjusting('LocalTime'),
    ...members({
      'LocalDateTime atDate(LocalDate)': (_run, time: LocalTimeValue, date: LocalDateValue) =>
        new LocalDateTimeValue(date.day, time.nano),
      'long toNanoOfDay()': (_run, time: LocalTimeValue) => time.nano,
      'int toSecondOfDay()': (_run, time: LocalTimeValue) => Math.floor(time.nano / 1e9),
    }),
  },
  statics: members({
    'LocalTime from(TemporalAccessor)': (_run, _, value: TemporalValue) => {
      if (value.nano === null || value instanceof InstantValue)
        throw unobtainable('LocalTime', value)
      return new LocalTimeValue(value.nano)
    },
    ...Object.fromEntries(
      [2, 3, 4].map(count => [
        `LocalTime of(${Array(count).fill('int').join(', ')})`,
        (_run: unknown, _: unknown, h: number, m: number, s?: Part, n?: Part) =>
          new LocalTimeValue(nanoOfTime(h, m, s ?? 0, n ?? 0)),
      ]),
    ),
    'LocalTime ofNanoOfDay(long)': (_run, _, nano: Long) =>
      new LocalTimeValue(CHRONO_FIELDS.get('NANO_OF_DAY')!.check(Number(nano))),
    'LocalTime ofSecondOfDay(long)': (_run, _, second: Long) =>
      new LocalTimeValue(1e9 * CHRONO_FIELDS.get('SECOND_OF_DAY')!.check(Number(second))),
    'LocalTime parse(CharSequence)': (_run, _, text: CharSequence) => {
      const nano = parseIsoTime(textOf(text))
      if (nano === null) throw unparsable(textOf(text))
      return new LocalTimeValue(nano)
    },
    'LocalTime parse(CharSequence, DateTimeFormatter)': (
      _run,
      _,
      text: CharSequence,
      formatter: DateFormatterValue,
    ) => new LocalTimeValue(formatter.parse(textOf(text)).local.nano),
  }),
}

const LOCAL_DATE_TIME: ClassType = {
  ...classOf(
    'LocalDateTime',
    'java.time.LocalDateTime',
    value => value instanceof LocalDateTimeValue,
  ),
  supers: LOCAL_SUPERS,
  methods: {
    ...temporalMembers('LocalDateTime'),
    ...DATE_PARTS,
    ...TIME_PARTS,
    ...dateChanges('LocalDateTime'),
    ...timeChanges('LocalDateTime'),
    ...adjusting('LocalDateTime'),
    ...members({
      'ZonedDateTime atZone(ZoneId)': (_run, value: LocalDateTimeValue, zone: ZoneValue) =>
        zonedOfLocal(value.day, value.nano, zone),
      'long toEpochSecond(ZoneOffset)': (_run, value: LocalDateTimeValue, offset: ZoneValue) =>
        epochSecond(value, offset),
      'Instant toInstant(ZoneOffset)': (_run, value: LocalDateTimeValue, offset: ZoneValue) =>
        instantOf(epochSecond(value, offset), value.nano % 1e9),
      'LocalDate toLocalDate()': (_run, value: LocalDateTimeValue) => new LocalDateValue(value.day),
      'LocalTime toLocalTime()': (_run, value: LocalDateTimeValue) =>
        new LocalTimeValue(value.nano),
    }),
  },
  statics: members({
    'LocalDateTime from(TemporalAccessor)': (_run, _, value: TemporalValue) => {
      const { day, nano } = value
      if (day === null || nano === null || value instanceof InstantValue)
        throw unobtainable('LocalDateTime', value)
      return new LocalDateTimeValue(day, nano)
    },
    'LocalDateTime of(LocalDate, LocalTime)': (
      _run,
      _,
      date: LocalDateValue,
      time: LocalTimeValue,
    ) => new LocalDateTimeValue(date.day, time.nano),
    ...Object.fromEntries(
      [2, 3, 4].map(count => [
        `LocalDateTime of(int, Object, int, ${Array(count).fill('int').join(', ')})`,
        (
          _run: unknown,
          _: unknown,
          year: number,
          month: ScriptValue,
          day: number,
          hour: number,
          minute: number,
          second?: Part,
          nano?: Part,
        ) =>
          new LocalDateTimeValue(
            dayOfDate(year, monthOf(month), day),
            nanoOfTime(hour, minute, second ?? 0, nano ?? 0),
          ),
      ]),
    ),
    'LocalDateTime ofEpochSecond(long, int, ZoneOffset)': (
      _run,
      _,
      second: Long,
      nano: number,
      offset: ZoneValue,
    ) => {
      CHRONO_FIELDS.get('NANO_OF_SECOND')!.check(nano)
      const instant = instantOf(Number(second) + (offset.offset ?? 0), nano)
      return new LocalDateTimeValue(instant.day, instant.nano)
    },
    'LocalDateTime ofInstant(Instant, ZoneId)': (
      _run,
      _,
      instant: InstantValue,
      zone: ZoneValue,
    ) => {
      const { day, nano } = zonedOfInstant(instant, zone)
      return new LocalDateTimeValue(day, nano)
    },
    'LocalDateTime parse(CharSequence)': (_run, _, text: CharSequence) => {
      const parsed = parseIsoDateTime(textOf(text))
      if (parsed === null || parsed.zone !== null) throw unparsable(textOf(text))
      return parsed.local
    },
    'LocalDateTime parse(CharSequence, DateTimeFormatter)': (
      _run,
      _,
      text: CharSequence,
      formatter: DateFormatterValue,
    ) => formatter.parse(textOf(text)).local,
  }),
}

function epochSecond(value: LocalDateTimeValue, offset: ZoneValue): number {
  return value.day * 86_400 + Math.floor(value.nano / 1e9) - (offset.offset ?? 0)
}

/** `LocalTime`, `LocalDateTime`. */
export const LOCAL_TIME_CLASSES: readonly ClassType[] = [LOCAL_TIME, LOCAL_DATE_TIME]
