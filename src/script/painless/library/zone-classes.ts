/** `ZoneId`, `ZoneOffset` and `DateTimeFormatter`. */
import { dateTimeFault, unsupported } from '../../value/date/date-faults.ts'
import {
  DateFormatterValue,
  type ParsedDate,
  parseIsoDate,
  parseIsoDateTime,
  parseIsoTime,
  patternFormatter,
} from '../../value/date/date-formatter.ts'
import {
  dateText,
  InstantValue,
  instantOf,
  LocalDateTimeValue,
  timeText,
} from '../../value/date/local-values.ts'
import type { TemporalValue } from '../../value/date/temporal-value.ts'
import {
  offsetOf,
  offsetText,
  UTC_OFFSET,
  ZoneValue,
  zoneOf,
  zoneOffset,
} from '../../value/date/zone-value.ts'
import { ZonedDateTimeValue, zonedOfLocal } from '../../value/date/zoned-date-time.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'
import { type CharSequence, textOf } from './string-builder-value.ts'

const ZONE_ID: ClassType = {
  ...classOf('ZoneId', 'java.time.ZoneId', value => value instanceof ZoneValue),
  methods: members({
    'String getDisplayName(TextStyle, Locale)': (_run, zone: ZoneValue) => zone.id,
    'String getId()': (_run, zone: ZoneValue) => zone.id,
    'ZoneId normalized()': (_run, zone: ZoneValue) =>
      /^(UTC|GMT|UT)/.test(zone.id) ? zoneOffset(zone.offsetAt(0)) : zone,
  }),
  statics: members({
    'ZoneId of(String)': (_run, _, id: string) => zoneOf(id),
    'ZoneId ofOffset(String, ZoneOffset)': (_run, _, prefix: string, offset: ZoneValue) => {
      if (!/^(UTC|GMT|UT|)$/.test(prefix))
        throw dateTimeFault(`prefix should be GMT, UTC or UT, is: ${prefix.slice(0, 256)}`)
      return zoneOf(prefix + (offset.offset === 0 && prefix !== '' ? '' : offset.id))
    },
    'ZoneId systemDefault()': () => UTC_OFFSET,
  }),
}

const OFFSET_CLASS: ClassType = {
  ...classOf(
    'ZoneOffset',
    'java.time.ZoneOffset',
    value => value instanceof ZoneValue && value.offset !== null,
  ),
  supers: ['ZoneId', 'Comparable', 'Object'],
  constants: {
    MAX: { type: 'ZoneOffset', value: zoneOffset(64_800) },
    MIN: { type: 'ZoneOffset', value: zoneOffset(-64_800) },
    UTC: { type: 'ZoneOffset', value: UTC_OFFSET },
  },
  methods: members({
    'int getTotalSeconds()': (_run, zone: ZoneValue) => zone.offset ?? 0,
  }),
  statics: members({
    'ZoneOffset of(String)': (_run, _, id: string) => offsetOf(id),
    'ZoneOffset ofHours(int)': (_run, _, hours: number) => zoneOffset(hours * 3600),
    'ZoneOffset ofHoursMinutes(int, int)': (_run, _, hours: number, minutes: number) =>
      zoneOffset(hours * 3600 + minutes * 60),
    'ZoneOffset ofTotalSeconds(int)': (_run, _, seconds: number) => zoneOffset(seconds),
  }),
}

/** The local date, time or offset of what is printed, for the predefined formats. */
const date = (value: TemporalValue): string => {
  if (value.day === null || value instanceof InstantValue) throw unsupported('field', 'Year')
  return dateText(value.day)
}
const time = (value: TemporalValue): string => {
  if (value.nano === null || value instanceof InstantValue) throw unsupported('field', 'HourOfDay')
  return timeText(value.nano, true)
}
const offset = (value: TemporalValue): string => {
  if (!(value instanceof ZonedDateTimeValue)) throw unsupported('field', 'OffsetSeconds')
  return offsetText(value.offset)
}
const offsetIfAny = (value: TemporalValue): string =>
  value instanceof ZonedDateTimeValue ? offsetText(value.offset) : ''
const region = (value: TemporalValue): string =>
  value instanceof ZonedDateTimeValue && value.zone.offset === null ? `[${value.zone.id}]` : ''
const digits = (value: TemporalValue): string => date(value).replace(/(?<=\d)-/g, '')

const parseDate = (text: string): ParsedDate | null => {
  const day = parseIsoDate(text)
  return day === null ? null : { local: new LocalDateTimeValue(day, 0), zone: null }
}
const parseTime = (text: string): ParsedDate | null => {
  const nano = parseIsoTime(text)
  return nano === null ? null : { local: new LocalDateTimeValue(0, nano), zone: null }
}
const withoutZone = (text: string): ParsedDate | null => {
  const parsed = parseIsoDateTime(text)
  return parsed?.zone === null ? parsed : null
}
const withZone = (text: string): ParsedDate | null => {
  const parsed = parseIsoDateTime(text)
  return parsed === null || parsed.zone === null ? null : parsed
}

type Format = readonly [(value: TemporalValue) => string, (text: string) => ParsedDate | null]

const PREDEFINED: Readonly<Record<string, Format>> = {
  BASIC_ISO_DATE: [
    value => digits(value) + offsetIfAny(value).replace(':', ''),
    text => parseDate(text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')),
  ],
  ISO_DATE: [value => date(value) + offsetIfAny(value), parseDate],
  ISO_DATE_TIME: [
    value => `${date(value)}T${time(value)}${offsetIfAny(value)}${region(value)}`,
    parseIsoDateTime,
  ],
  ISO_INSTANT: [
    value => {
      if (value.epochSecond === null) throw unsupported('field', 'InstantSeconds')
      return instantOf(value.epochSecond, (value.nano ?? 0) % 1e9).text()
    },
    withZone,
  ],
  ISO_LOCAL_DATE: [date, parseDate],
  ISO_LOCAL_DATE_TIME: [value => `${date(value)}T${time(value)}`, withoutZone],
  ISO_LOCAL_TIME: [time, parseTime],
  ISO_OFFSET_DATE_TIME: [value => `${date(value)}T${time(value)}${offset(value)}`, withZone],
  ISO_TIME: [value => time(value) + offsetIfAny(value), parseTime],
  ISO_ZONED_DATE_TIME: [
    value => `${date(value)}T${time(value)}${offset(value)}${region(value)}`,
    withZone,
  ],
}

const FORMATTER: ClassType = {
  ...classOf(
    'DateTimeFormatter',
    'java.time.format.DateTimeFormatter',
    value => value instanceof DateFormatterValue,
  ),
  constants: Object.fromEntries(
    Object.entries(PREDEFINED).map(([name, [print, parse]]) => [
      name,
      { type: 'DateTimeFormatter', value: new DateFormatterValue(name, print, parse, null) },
    ]),
  ),
  methods: members({
    'String format(TemporalAccessor)': (
      _run,
      formatter: DateFormatterValue,
      value: TemporalValue,
    ) => formatter.format(value),
    'ZoneId getZone()': (_run, formatter: DateFormatterValue) => formatter.zone,
    'TemporalAccessor parse(CharSequence)': (
      _run,
      formatter: DateFormatterValue,
      text: CharSequence,
    ) => {
      const { local, zone } = formatter.parse(textOf(text))
      return zone === null ? local : zonedOfLocal(local.day, local.nano, zone)
    },
    'DateTimeFormatter withLocale(Locale)': (_run, formatter: DateFormatterValue) => formatter,
    'DateTimeFormatter withZone(ZoneId)': (_run, formatter: DateFormatterValue, zone: ZoneValue) =>
      formatter.withZone(zone),
  }),
  statics: members({
    'DateTimeFormatter ofPattern(String)': (_run, _, pattern: string) => patternFormatter(pattern),
    'DateTimeFormatter ofPattern(String, Locale)': (_run, _, pattern: string) =>
      patternFormatter(pattern),
  }),
}

/** A region: `ZoneId` is what scripts call it. */
const REGION: ClassType = {
  ...classOf(
    'ZoneRegion',
    'java.time.ZoneRegion',
    value => value instanceof ZoneValue && value.offset === null,
  ),
  supers: ['ZoneId', 'Object'],
}

/** `ZoneId`, `ZoneOffset`, `DateTimeFormatter`. */
export const ZONE_CLASSES: readonly ClassType[] = [ZONE_ID, REGION, OFFSET_CLASS, FORMATTER]
