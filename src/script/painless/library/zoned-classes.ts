/** `ZonedDateTime`, and the dates of documents with the names that Joda gave to their parts. */
import { CHRONO_FIELDS } from '../../value/date/chrono-fields.ts'
import { unparsable } from '../../value/date/date-faults.ts'
import {
  type DateFormatterValue,
  parseIsoDateTime,
  patternFormatter,
} from '../../value/date/date-formatter.ts'
import {
  dayOfDate,
  type InstantValue,
  LocalDateTimeValue,
  LocalDateValue,
  LocalTimeValue,
  nanoOfTime,
} from '../../value/date/local-values.ts'
import type { TemporalValue } from '../../value/date/temporal-value.ts'
import { type ZoneValue, zoneOffset } from '../../value/date/zone-value.ts'
import {
  DocDateValue,
  ZonedDateTimeValue,
  zonedOfInstant,
  zonedOfLocal,
} from '../../value/date/zoned-date-time.ts'
import { classOf } from './class-of.ts'
import type { ClassType, Member } from './class-type.ts'
import { epochMilli } from './instant-class.ts'
import { adjusting, unobtainable } from './local-parts.ts'
import { members } from './members.ts'
import { type CharSequence, textOf } from './string-builder-value.ts'
import {
  DATE_PARTS,
  dateChanges,
  dayOfWeek,
  TIME_PARTS,
  temporalMembers,
  timeChanges,
} from './temporal-members.ts'

const ZONED: ClassType = {
  ...classOf(
    'ZonedDateTime',
    'java.time.ZonedDateTime',
    value => value instanceof ZonedDateTimeValue,
  ),
  supers: ['Temporal', 'TemporalAccessor', 'Comparable', 'Object'],
  methods: {
    ...temporalMembers('ZonedDateTime'),
    ...DATE_PARTS,
    ...TIME_PARTS,
    ...dateChanges('ZonedDateTime'),
    ...timeChanges('ZonedDateTime'),
    ...adjusting('ZonedDateTime'),
    ...members({
      'ZoneOffset getOffset()': (_run, value: ZonedDateTimeValue) => zoneOffset(value.offset),
      'ZoneId getZone()': (_run, value: ZonedDateTimeValue) => value.zone,
      'long toEpochSecond()': (_run, value: ZonedDateTimeValue) => value.epochSecond,
      'Instant toInstant()': (_run, value: ZonedDateTimeValue) => value.instant,
      'LocalDate toLocalDate()': (_run, value: ZonedDateTimeValue) => new LocalDateValue(value.day),
      'LocalDateTime toLocalDateTime()': (_run, value: ZonedDateTimeValue) =>
        new LocalDateTimeValue(value.day, value.nano),
      'LocalTime toLocalTime()': (_run, value: ZonedDateTimeValue) =>
        new LocalTimeValue(value.nano),
      'ZonedDateTime withFixedOffsetZone()': (_run, value: ZonedDateTimeValue) =>
        zonedOfInstant(value.instant, zoneOffset(value.offset)),
      'ZonedDateTime withZoneSameInstant(ZoneId)': (
        _run,
        value: ZonedDateTimeValue,
        zone: ZoneValue,
      ) => zonedOfInstant(value.instant, zone),
      'ZonedDateTime withZoneSameLocal(ZoneId)': (
        _run,
        value: ZonedDateTimeValue,
        zone: ZoneValue,
      ) => zonedOfLocal(value.day, value.nano, zone),
    }),
  },
  statics: members({
    'ZonedDateTime from(TemporalAccessor)': (_run, _, value: TemporalValue) => {
      if (!(value instanceof ZonedDateTimeValue)) throw unobtainable('ZonedDateTime', value)
      return value
    },
    'ZonedDateTime of(LocalDateTime, ZoneId)': (
      _run,
      _,
      local: LocalDateTimeValue,
      zone: ZoneValue,
    ) => zonedOfLocal(local.day, local.nano, zone),
    'ZonedDateTime of(LocalDate, LocalTime, ZoneId)': (
      _run,
      _,
      date: LocalDateValue,
      time: LocalTimeValue,
      zone: ZoneValue,
    ) => zonedOfLocal(date.day, time.nano, zone),
    'ZonedDateTime of(int, int, int, int, int, int, int, ZoneId)': (
      _run,
      _,
      year: number,
      month: number,
      day: number,
      hour: number,
      minute: number,
      second: number,
      nano: number,
      zone: ZoneValue,
    ) => zonedOfLocal(dayOfDate(year, month, day), nanoOfTime(hour, minute, second, nano), zone),
    'ZonedDateTime ofInstant(Instant, ZoneId)': (_run, _, instant: InstantValue, zone: ZoneValue) =>
      zonedOfInstant(instant, zone),
    'ZonedDateTime parse(CharSequence)': (_run, _, text: CharSequence) => {
      const parsed = parseIsoDateTime(textOf(text))
      if (parsed === null || parsed.zone === null) throw unparsable(textOf(text))
      return zonedOfLocal(parsed.local.day, parsed.local.nano, parsed.zone)
    },
    'ZonedDateTime parse(CharSequence, DateTimeFormatter)': (
      _run,
      _,
      text: CharSequence,
      formatter: DateFormatterValue,
    ) => {
      const parsed = formatter.parse(textOf(text))
      if (parsed.zone === null) throw unparsable(textOf(text))
      return zonedOfLocal(parsed.local.day, parsed.local.nano, parsed.zone)
    },
  }),
}

/** Joda's names of parts, by the field that they read. */
const JODA_PARTS: Readonly<Record<string, string>> = {
  getHourOfDay: 'HOUR_OF_DAY',
  getMillisOfDay: 'MILLI_OF_DAY',
  getMillisOfSecond: 'MILLI_OF_SECOND',
  getMinuteOfDay: 'MINUTE_OF_DAY',
  getMinuteOfHour: 'MINUTE_OF_HOUR',
  getMonthOfYear: 'MONTH_OF_YEAR',
  getSecondOfDay: 'SECOND_OF_DAY',
  getSecondOfMinute: 'SECOND_OF_MINUTE',
  getWeekOfWeekyear: 'WEEK_OF_WEEK_BASED_YEAR',
  getWeekyear: 'WEEK_BASED_YEAR',
  getYearOfEra: 'YEAR_OF_ERA',
}

function jodaParts(): Record<string, Member> {
  return members(
    Object.fromEntries(
      Object.entries(JODA_PARTS).map(([name, of]) => {
        const field = CHRONO_FIELDS.get(of)!
        return [`int ${name}()`, (_run: unknown, value: DocDateValue) => value.get(field)]
      }),
    ),
  )
}

/** The year counted from the common era's begin. */
function yearOfEra(value: DocDateValue): number {
  return value.get(CHRONO_FIELDS.get('YEAR_OF_ERA')!)
}

const DOC_DATE: ClassType = {
  ...classOf(
    'JodaCompatibleZonedDateTime',
    'org.opensearch.script.JodaCompatibleZonedDateTime',
    value => value instanceof DocDateValue,
  ),
  supers: ['ZonedDateTime', 'Temporal', 'TemporalAccessor', 'Comparable', 'Object'],
  methods: {
    ...jodaParts(),
    ...members({
      'int getCenturyOfEra()': (_run, value: DocDateValue) => Math.floor(yearOfEra(value) / 100),
      'int getDayOfWeek()': (_run, value: DocDateValue) => dayOfWeek(value).ordinal + 1,
      'DayOfWeek getDayOfWeekEnum()': (_run, value: DocDateValue) => dayOfWeek(value),
      'int getEra()': (_run, value: DocDateValue) => value.get(CHRONO_FIELDS.get('ERA')!),
      'long getMillis()': (_run, value: DocDateValue) => epochMilli(value.instant),
      'int getYearOfCentury()': (_run, value: DocDateValue) => yearOfEra(value) % 100,
      'String toString(String)': (_run, value: DocDateValue, pattern: string) =>
        patternFormatter(pattern).format(value),
      'String toString(String, Locale)': (_run, value: DocDateValue, pattern: string) =>
        patternFormatter(pattern).format(value),
    }),
  },
}

/** `ZonedDateTime`, `JodaCompatibleZonedDateTime`. */
export const ZONED_CLASSES: readonly ClassType[] = [ZONED, DOC_DATE]
