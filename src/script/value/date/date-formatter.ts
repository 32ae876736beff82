/** `DateTimeFormatter`: patterns and the predefined formats. */

import { dateNames } from '../../../util/date/date-names.ts'
import { type Alternative, compileDatePattern } from '../../../util/date/date-pattern.ts'
import { EngineError } from '../../../util/errors.ts'
import { illegalArgument } from '../../java-faults.ts'
import { ScriptObject } from '../script-value.ts'
import { CHRONO_FIELDS } from './chrono-fields.ts'
import { unparsable, unsupported } from './date-faults.ts'
import { InstantValue, LocalDateTimeValue } from './local-values.ts'
import type { TemporalValue } from './temporal-value.ts'
import { offsetOf, UTC_OFFSET, type ZoneValue, zoneOf, zoneOffset } from './zone-value.ts'
import { ZonedDateTimeValue, zonedOfInstant } from './zoned-date-time.ts'

/** The parsed parts of a text. */
export interface ParsedDate {
  readonly local: LocalDateTimeValue
  /** Of the text, or of the formatter; null without. */
  readonly zone: ZoneValue | null
}

/** A `java.time.format.DateTimeFormatter`. */
export class DateFormatterValue extends ScriptObject {
  readonly className: string = 'java.time.format.DateTimeFormatter'
  readonly #name: string
  readonly #print: (value: TemporalValue) => string
  readonly #parse: (text: string) => ParsedDate | null
  /** The zone into which instants are put before they are printed; null: their own. */
  readonly zone: ZoneValue | null

  constructor(
    name: string,
    print: (value: TemporalValue) => string,
    parse: (text: string) => ParsedDate | null,
    zone: ZoneValue | null,
  ) {
    super()
    this.#name = name
    this.#print = print
    this.#parse = parse
    this.zone = zone
  }

  override text(): string {
    return this.#name
  }

  /** The same format in a zone. */
  withZone(zone: ZoneValue): DateFormatterValue {
    return new DateFormatterValue(this.#name, this.#print, this.#parse, zone)
  }

  /**
   * A date's text.
   * @throws {ScriptFault} `unsupported_temporal_type_exception`: it lacks a field
   */
  format(value: TemporalValue): string {
    if (this.zone === null) return this.#print(value)
    if (value instanceof ZonedDateTimeValue)
      return this.#print(zonedOfInstant(value.instant, this.zone))
    return this.#print(value instanceof InstantValue ? zonedOfInstant(value, this.zone) : value)
  }

  /**
   * Reads a date.
   * @throws {ScriptFault} `date_time_parse_exception`
   */
  parse(text: string): ParsedDate {
    const parsed = text.length > 256 ? null : this.#parse(text)
    if (parsed === null) throw unparsable(text)
    return parsed.zone === null ? { local: parsed.local, zone: this.zone } : parsed
  }
}

/** Letters of patterns that ask for a time, a date, or a zone. */
const TIME_LETTERS: Readonly<Record<string, string>> = {
  H: 'HOUR_OF_DAY',
  K: 'HOUR_OF_AMPM',
  S: 'NANO_OF_SECOND',
  a: 'AMPM_OF_DAY',
  h: 'CLOCK_HOUR_OF_AMPM',
  k: 'CLOCK_HOUR_OF_DAY',
  m: 'MINUTE_OF_HOUR',
  n: 'NANO_OF_SECOND',
  s: 'SECOND_OF_MINUTE',
}
const DATE_LETTERS: Readonly<Record<string, string>> = {
  D: 'DAY_OF_YEAR',
  E: 'DAY_OF_WEEK',
  L: 'MONTH_OF_YEAR',
  M: 'MONTH_OF_YEAR',
  Y: 'WEEK_BASED_YEAR',
  d: 'DAY_OF_MONTH',
  e: 'DAY_OF_WEEK',
  u: 'YEAR',
  w: 'WEEK_OF_WEEK_BASED_YEAR',
  y: 'YEAR_OF_ERA',
}
const ZONE_LETTERS = 'XxZOVz'

/**
 * A formatter of a pattern.
 * @throws {ScriptFault} `illegal_argument_exception`: the pattern cannot be read
 */
export function patternFormatter(pattern: string): DateFormatterValue {
  if (pattern.length > 256) throw illegalArgument('the pattern is too long')
  let format: Alternative
  try {
    format = compileDatePattern(pattern, pattern, 'custom', dateNames(''))
  } catch (error) {
    if (error instanceof EngineError) throw illegalArgument(error.message)
    throw error
  }
  const letters = [...new Set(pattern.replace(/'[^']*'/g, '').match(/[A-Za-z]/g) ?? [])]
  const hasZone = letters.some(letter => ZONE_LETTERS.includes(letter))
  return new DateFormatterValue(
    pattern,
    value => {
      for (const letter of letters) requireLetter(value, letter)
      return printed(format, value)
    },
    text => parsedBy(format, text, hasZone),
    null,
  )
}

function requireLetter(value: TemporalValue, letter: string): void {
  const name = TIME_LETTERS[letter] ?? DATE_LETTERS[letter]
  const field = name === undefined ? undefined : CHRONO_FIELDS.get(name)
  if (field !== undefined && !value.has(field)) throw unsupported('field', field.text())
  if (ZONE_LETTERS.includes(letter) && !(value instanceof ZonedDateTimeValue))
    throw unsupported('field', 'OffsetSeconds')
}

function printed(format: Alternative, value: TemporalValue): string {
  const nano = value.nano ?? 0
  const localMillis = (value.day ?? 0) * 86_400_000 + Math.floor(nano / 1e6)
  const offset = value instanceof ZonedDateTimeValue ? value.offset : 0
  return format.print(localMillis - offset * 1000, nano % 1e6, zoneOffset(offset).zone)
}

/**
 * A text is read twice in zones that differ: the local time where the text has no zone, and the offset
 * where it has one.
 */
function parsedBy(format: Alternative, text: string, hasZone: boolean): ParsedDate | null {
  const into = { millis: 0, nanos: 0 }
  if (!format.parse(text, false, UTC_OFFSET.zone, into)) return null
  const day = Math.floor(into.millis / 86_400_000)
  const nano = (into.millis - day * 86_400_000) * 1e6 + into.nanos
  const local = new LocalDateTimeValue(day, nano)
  if (!hasZone) return { local, zone: null }
  // The pattern gives an instant: its zone is read off the end of the text.
  const id = /(?:Z|[+-]\d\d(?::?\d\d)?|[A-Z][\w~/+-]*)(?=[\])]*$)/.exec(text)?.[0] ?? 'Z'
  const zone = zoneOf(id)
  const instant = new InstantValue(day, nano)
  const zoned = zonedOfInstant(instant, zone)
  return { local: new LocalDateTimeValue(zoned.day, zoned.nano), zone }
}

const DATE_SHAPE = /^([+-]\d{4,6}|\d{4})-(\d\d)-(\d\d)$/
const TIME_SHAPE = /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/

/** Reads an ISO date: its day, or null. */
export function parseIsoDate(text: string): number | null {
  const shape = DATE_SHAPE.exec(text)
  if (shape === null) return null
  const [year, month, day] = [Number(shape[1]), Number(shape[2]), Number(shape[3])]
  const moved = new Date(0).setUTCFullYear(year, month - 1, day) / 86_400_000
  if (Number.isNaN(moved) || month < 1 || month > 12) return null
  const back = new Date(moved * 86_400_000)
  return back.getUTCDate() === day && back.getUTCMonth() === month - 1 ? moved : null
}

/** Reads an ISO time: its nanosecond of the day, or null. */
export function parseIsoTime(text: string): number | null {
  const shape = TIME_SHAPE.exec(text)
  if (shape === null) return null
  const [, hour, minute, second = '0', fraction = ''] = shape
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  return seconds * 1e9 + Number(fraction.padEnd(9, '0'))
}

/** Reads an ISO date and time, then an offset and a region as far as they are there; null: it is none. */
export function parseIsoDateTime(text: string): ParsedDate | null {
  const shape = /^([^T]*)T([\d:.]*)(Z|[+-][\d:]+)?(?:\[([^\]]+)\])?$/i.exec(text)
  if (shape === null) return null
  const day = parseIsoDate(shape[1]!)
  const nano = parseIsoTime(shape[2]!)
  if (day === null || nano === null) return null
  const local = new LocalDateTimeValue(day, nano)
  const [, , , offset, region] = shape
  if (offset === undefined) return region === undefined ? { local, zone: null } : null
  if (region === undefined) return { local, zone: offsetOf(offset.toUpperCase()) }
  const zone = zoneOf(region)
  const { offset: ahead } = offsetOf(offset.toUpperCase())
  // The region may know another offset at that time: the instant counts.
  const instant = new InstantValue(day, nano).plusNanos(BigInt(-(ahead ?? 0)) * 1_000_000_000n)
  const zoned = zonedOfInstant(instant as InstantValue, zone)
  return { local: new LocalDateTimeValue(zoned.day, zoned.nano), zone }
}
