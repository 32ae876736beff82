/**
 * Date formats: the named ones of the API and custom java.time patterns, alternatives parted by
 * `||`, of which the first prints.
 *
 * A date that lacks parts is filled with 1970-01-01T00:00:00.000Z, or, rounding up, with the last
 * nanosecond of the smallest part given. The calendar is the proleptic Gregorian one, weeks are ISO
 * weeks, names are those of the format's locale. Zones: `Z`, `UTC`, `GMT`, offsets and regions.
 */
import { type DateNames, dateNames } from '../util/date/date-names.ts'
import { type Alternative, compileDatePattern, invalidFormat } from '../util/date/date-pattern.ts'
import type { ParsedInstant } from '../util/date/resolve-date.ts'
import { type TimeZone, UTC } from '../util/date/time-zone.ts'

/** A compiled format. */
export interface DateFormat {
  /** As given. */
  readonly pattern: string
  /**
   * @param roundUp fills missing parts with their last and not their first value
   * @param zone    of a text that names none
   * @returns milliseconds since 1970, or null when no alternative matches
   */
  parse(text: string, roundUp?: boolean, zone?: TimeZone): number | null
  /**
   * Reads a date to the nanosecond.
   * @param zone of a text that names none
   * @returns false when no alternative matches
   */
  read(text: string, roundUp: boolean, zone: TimeZone, into: ParsedInstant): boolean
  /**
   * The date as the first alternative writes it.
   * @param nanos behind the milliseconds, 0 … 999,999; absent: 0
   * @param zone  whose local time it writes; absent: UTC
   */
  print(millis: number, nanos?: number, zone?: TimeZone): string
}

/** The format of dates whose mapping names none. */
export const DEFAULT_DATE_PATTERN = 'strict_date_optional_time||epoch_millis'

const MAX_PATTERN_LENGTH = 1000

// In the patterns of the named formats F is a fraction of a second with its point, FF one that prints
// nanoseconds, and O a zone
// offset with or without its colon, or Z.
const TIME = 'HH:mm:ss'
const DATE = 'yyyy-MM-dd'
const WEEK_DATE = "YYYY-'W'ww-e"

/** The formats that exist with and without `strict_`. */
const BOTH = new Map<string, string>([
  ['date_optional_time', "yyyy[-MM[-dd]]['T'[HH[:mm[:ss[F]]]][O]]"],
  ['date', DATE],
  ['date_time', `${DATE}'T'${TIME}[F]O`],
  ['date_time_no_millis', `${DATE}'T'${TIME}O`],
  ['date_hour', `${DATE}'T'HH`],
  ['date_hour_minute', `${DATE}'T'HH:mm`],
  ['date_hour_minute_second', `${DATE}'T'${TIME}`],
  ['date_hour_minute_second_fraction', `${DATE}'T'${TIME}F`],
  ['date_hour_minute_second_millis', `${DATE}'T'${TIME}F`],
  ['year', 'yyyy'],
  ['year_month', 'yyyy-MM'],
  ['year_month_day', DATE],
  ['time', `${TIME}FO`],
  ['time_no_millis', `${TIME}O`],
  ['hour', 'HH'],
  ['hour_minute', 'HH:mm'],
  ['hour_minute_second', TIME],
  ['hour_minute_second_fraction', `${TIME}F`],
  ['hour_minute_second_millis', `${TIME}F`],
  ['t_time', `'T'${TIME}FO`],
  ['t_time_no_millis', `'T'${TIME}O`],
  ['ordinal_date', 'yyyy-DDD'],
  ['ordinal_date_time', `yyyy-DDD'T'${TIME}[F]O`],
  ['ordinal_date_time_no_millis', `yyyy-DDD'T'${TIME}O`],
  ['week_date', WEEK_DATE],
  ['week_date_time', `${WEEK_DATE}'T'${TIME}FO`],
  ['week_date_time_no_millis', `${WEEK_DATE}'T'${TIME}O`],
  ['weekyear', 'YYYY'],
  ['weekyear_week', "YYYY-'W'ww"],
  ['weekyear_week_day', WEEK_DATE],
  ['basic_week_date', "YYYY'W'wwe"],
  ['basic_week_date_time', "YYYY'W'wwe'T'HHmmssFO"],
  ['basic_week_date_time_no_millis', "YYYY'W'wwe'T'HHmmssO"],
])

/** The formats that exist in one form only; they are strict. */
const SINGLE = new Map<string, string>([
  ['iso8601', "yyyy[-MM[-dd]]['T'[HH[:mm[:ss[F]]]][O]]"],
  ['basic_date', 'yyyyMMdd'],
  ['basic_time', 'HHmmssFO'],
  ['basic_time_no_millis', 'HHmmssO'],
  ['basic_t_time', "'T'HHmmssFO"],
  ['basic_t_time_no_millis', "'T'HHmmssO"],
  ['basic_date_time', "yyyyMMdd'T'HHmmssFO"],
  ['basic_date_time_no_millis', "yyyyMMdd'T'HHmmssO"],
  ['basic_ordinal_date', 'yyyyDDD'],
  ['basic_ordinal_date_time', "yyyyDDD'T'HHmmssFO"],
  ['basic_ordinal_date_time_no_millis', "yyyyDDD'T'HHmmssO"],
  ['strict_date_optional_time_nanos', "yyyy[-MM[-dd]]['T'[HH[:mm[:ss[FF]]]][O]]"],
])

const compiled = new Map<string, DateFormat>()

/**
 * Compiles a format; the result is shared by all who ask for the same text.
 * @param locale as `parseLocale` answers it
 * @throws {IllegalArgumentError} `Invalid format: [⟨pattern⟩]: ⟨why⟩`
 */
export function compileDateFormat(pattern: string, locale = ''): DateFormat {
  const key = locale === '' ? pattern : `${locale} ${pattern}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw invalidFormat(`${pattern.slice(0, 64)}…`, `longer than ${MAX_PATTERN_LENGTH} characters`)
  const names = dateNames(locale)
  const alternatives = pattern.split('||').map(part => compileAlternative(part, pattern, names))
  const instant: ParsedInstant = { millis: 0, nanos: 0 }
  const read: DateFormat['read'] = (text, roundUp, zone, into) => {
    for (const alternative of alternatives)
      if (alternative.parse(text, roundUp, zone, into)) return true
    return false
  }
  const format: DateFormat = {
    pattern,
    parse: (text, roundUp = false, zone = UTC) =>
      read(text, roundUp, zone, instant) ? instant.millis : null,
    read,
    print: (millis, nanos = 0, zone = UTC) => alternatives[0]!.print(millis, nanos, zone),
  }
  // Patterns come from users: the table holds the usual few and does not grow with what they send.
  if (compiled.size < 256) compiled.set(key, format)
  return format
}

function compileAlternative(given: string, whole: string, names: DateNames): Alternative {
  const name = given.trim()
  if (name === '') throw invalidFormat(whole, 'No date pattern provided')
  if (name === 'epoch_millis') return epoch(1)
  if (name === 'epoch_second') return epoch(1000)
  if (name === 'rfc3339_lenient') return rfc3339(whole, names)
  const strict = SINGLE.get(name) ?? (name.startsWith('strict_') ? BOTH.get(name.slice(7)) : null)
  if (strict) return compileDatePattern(strict, whole, 'strict', names)
  const lenient = BOTH.get(name)
  if (lenient !== undefined) {
    // Digits without breaks between them need their widths.
    const manner = name.startsWith('basic_') ? 'strict' : 'lenient'
    return compileDatePattern(lenient, whole, manner, names)
  }
  // `8` once told java.time patterns from those of an older library.
  const custom = name.startsWith('8') ? name.slice(1) : name
  return compileDatePattern(custom, whole, 'custom', names)
}

const RFC3339 =
  /^\d{4}(?:-\d\d(?:-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d))?)?)?$/

/**
 * RFC 3339 with parts left out: the date from its end, the time with its zone, or its seconds.
 * Prints as `strict_date_optional_time` does.
 */
function rfc3339(whole: string, names: DateNames): Alternative {
  const plain = compileDatePattern(BOTH.get('date_optional_time')!, whole, 'strict', names)
  return {
    parse(text, roundUp, zone, into) {
      // A zone of -00:00 says that the zone is not known.
      if (!RFC3339.test(text) || text.endsWith('-00:00')) return false
      const upper = text.toUpperCase().replace(' ', 'T').replace(',', '.')
      return plain.parse(upper, roundUp, zone, into)
    },
    print: plain.print,
  }
}

/** A count of units of `unit` milliseconds, with an optional fraction. */
function epoch(unit: number): Alternative {
  const digits = unit === 1 ? 15 : 12
  const shape = new RegExp(`^(-?\\d{1,${digits}})(?:\\.(\\d{0,9}))?$`)
  return {
    parse(text, roundUp, _zone, into) {
      const parts = shape.exec(text)
      if (parts === null) return false
      const fraction = parts[2] ?? ''
      into.millis = Number(parts[1]) * unit
      into.nanos = 0
      if (fraction !== '') {
        // Whole nanoseconds of a fraction, which counts downward from a negative number.
        const digits = unit === 1 ? 6 : 9
        const size = Number(fraction.padEnd(digits, '0').slice(0, digits))
        const nanos = text.startsWith('-') ? -size : size
        const behind = Math.floor(nanos / 1e6)
        into.millis += behind
        into.nanos = nanos - behind * 1e6
      } else if (roundUp) {
        into.millis += unit - 1
        into.nanos = 999_999
      }
      return true
    },
    print(millis, nanos) {
      const rest = ((millis % unit) + unit) % unit
      const whole = String(Math.floor(millis / unit))
      if (rest === 0 && nanos === 0) return whole
      const fraction = unit === 1 ? '' : String(rest).padStart(3, '0')
      return `${whole}.${(fraction + String(nanos).padStart(6, '0')).replace(/0+$/, '')}`
    },
  }
}
