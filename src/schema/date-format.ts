/**
 * Date formats: the named ones of the API and custom java.time patterns, alternatives parted by
 * `||`, of which the first prints. A pattern is compiled into elements that are matched in order;
 * an `[optional]` part is tried once and left out when it does not match, as java.time does, so
 * matching takes linear time.
 *
 * A date that lacks parts is filled with 1970-01-01T00:00:00.000Z, or, rounding up, with the last
 * millisecond of the smallest part given. The calendar is the proleptic Gregorian one, weeks are
 * ISO weeks, names are English. Zones: `Z`, `UTC`, `GMT` and offsets; region names do not parse.
 */
import { IllegalArgumentError } from '../util/errors.ts'

/** A compiled format. */
export interface DateFormat {
  /** As given. */
  readonly pattern: string
  /**
   * @param roundUp fills missing parts with their last and not their first value
   * @param offsetInMillis of the zone of a text that names none, east positive
   * @returns milliseconds since 1970, or null when no alternative matches
   */
  parse(text: string, roundUp?: boolean, offsetInMillis?: number): number | null
  /** The date as the first alternative writes it, in UTC. */
  print(millis: number): string
}

/** What dates use when their mapping names no format. */
export const DEFAULT_DATE_PATTERN = 'strict_date_optional_time||epoch_millis'

const MAX_PATTERN_LENGTH = 1000
const MAX_GROUP_DEPTH = 16

const YEAR = 0
const MONTH = 1
const DAY = 2
const HOUR = 3
const MINUTE = 4
const SECOND = 5
const NANO = 6
const OFFSET = 7
const DAY_OF_YEAR = 8
const WEEK_YEAR = 9
const WEEK = 10
const DAY_OF_WEEK = 11
const HALF_DAY = 12
const HOUR_OF_HALF_DAY = 13
const FIELD_COUNT = 14

type Element =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'number'
      readonly field: number
      readonly min: number
      readonly max: number
      readonly signed: boolean
      /** Digits that it is printed with at least. */
      readonly width: number
      /** Two digits that stand for 2000–2099. */
      readonly reduced: boolean
    }
  | { readonly kind: 'fraction'; readonly min: number; readonly max: number; point: boolean }
  | { readonly kind: 'zone'; readonly colon: 'yes' | 'no' | 'either'; readonly z: boolean }
  | { readonly kind: 'name'; readonly field: number; readonly names: readonly string[] }
  | { readonly kind: 'optional'; readonly elements: readonly Element[] }

interface Alternative {
  parse(text: string, roundUp: boolean, offsetInMillis: number): number | null
  print(millis: number): string
}

const MONTHS =
  'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const short = (names: readonly string[]): string[] => names.map(name => name.slice(0, 3))

// In the patterns of the named formats F is a fraction of a second with its point, and O a zone
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
  ['strict_date_optional_time_nanos', "yyyy[-MM[-dd]]['T'[HH[:mm[:ss[F]]]][O]]"],
])

const compiled = new Map<string, DateFormat>()

/**
 * Compiles a format; the result is shared by all who ask for the same text.
 * @throws {IllegalArgumentError} `Invalid format: [⟨pattern⟩]: ⟨why⟩`
 */
export function compileDateFormat(pattern: string): DateFormat {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw invalid(`${pattern.slice(0, 64)}…`, `longer than ${MAX_PATTERN_LENGTH} characters`)
  const alternatives = pattern.split('||').map(part => compileAlternative(part, pattern))
  const format: DateFormat = {
    pattern,
    parse(text, roundUp = false, offsetInMillis = 0) {
      for (const alternative of alternatives) {
        const millis = alternative.parse(text, roundUp, offsetInMillis)
        if (millis !== null) return millis
      }
      return null
    },
    print: millis => alternatives[0]!.print(millis),
  }
  // Patterns come from users: the table holds the usual few and does not grow with what they send.
  if (compiled.size < 256) compiled.set(pattern, format)
  return format
}

function compileAlternative(given: string, whole: string): Alternative {
  const name = given.trim()
  if (name === '') throw invalid(whole, 'No date pattern provided')
  if (name === 'epoch_millis') return epoch(1)
  if (name === 'epoch_second') return epoch(1000)
  const strict = SINGLE.get(name) ?? (name.startsWith('strict_') ? BOTH.get(name.slice(7)) : null)
  if (strict) return elementsFormat(compilePattern(strict, whole, 'strict'))
  const lenient = BOTH.get(name)
  if (lenient !== undefined) {
    // Digits without breaks between them need their widths.
    const manner = name.startsWith('basic_') ? 'strict' : 'lenient'
    return elementsFormat(compilePattern(lenient, whole, manner))
  }
  // `8` once told java.time patterns from those of an older library.
  const custom = name.startsWith('8') ? name.slice(1) : name
  return elementsFormat(compilePattern(custom, whole, 'custom'))
}

function invalid(pattern: string, why: string): IllegalArgumentError {
  return new IllegalArgumentError(`Invalid format: [${pattern}]: ${why}`)
}

/** A count of units of `unit` milliseconds, with an optional fraction. */
function epoch(unit: number): Alternative {
  const digits = unit === 1 ? 15 : 12
  const shape = new RegExp(`^-?\\d{1,${digits}}(\\.\\d{0,9})?$`)
  return {
    parse: text => (shape.test(text) ? Math.floor(roundedMillis(Number(text) * unit)) : null),
    print(millis) {
      if (unit === 1) return String(millis)
      const rest = ((millis % unit) + unit) % unit
      const whole = String(Math.floor(millis / unit))
      return rest === 0 ? whole : `${whole}.${String(rest).padStart(3, '0').replace(/0+$/, '')}`
    },
  }
}

/** Takes away the error of a decimal fraction times 1000. */
function roundedMillis(value: number): number {
  const nearest = Math.round(value)
  return Math.abs(value - nearest) < 1e-6 ? nearest : value
}

type Manner = 'strict' | 'lenient' | 'custom'

function compilePattern(pattern: string, whole: string, manner: Manner): Element[] {
  const stack: Element[][] = [[]]
  const push = (element: Element): void => {
    stack.at(-1)!.push(element)
  }
  let at = 0
  while (at < pattern.length) {
    const char = pattern[at]!
    if (char === '[') {
      stack.push([])
      if (stack.length > MAX_GROUP_DEPTH) throw invalid(whole, 'too many optional parts')
      at++
    } else if (char === ']') {
      const elements = stack.pop()!
      if (stack.length === 0) {
        throw invalid(whole, 'Pattern invalid as it contains ] without previous [')
      }
      push({ kind: 'optional', elements })
      at++
    } else if (char === "'") {
      let text = ''
      at++
      for (;;) {
        if (at >= pattern.length)
          throw invalid(whole, 'Pattern ends with an incomplete string literal')
        if (pattern[at] === "'") {
          if (pattern[at + 1] !== "'") break
          at++
        }
        text += pattern[at++]
      }
      at++
      push({ kind: 'literal', text: text === '' ? "'" : text })
    } else if (/[A-Za-z]/.test(char)) {
      let end = at + 1
      while (pattern[end] === char) end++
      push(letterElement(char, end - at, whole, manner))
      at = end
    } else if ('{}#'.includes(char)) {
      throw invalid(whole, `Pattern includes reserved character: '${char}'`)
    } else {
      push({ kind: 'literal', text: char })
      at++
    }
  }
  if (stack.length !== 1) {
    // java.time closes the optional parts that are left open.
    while (stack.length > 1) {
      const elements = stack.pop()!
      push({ kind: 'optional', elements })
    }
  }
  return stack[0]!
}

function letterElement(letter: string, count: number, whole: string, manner: Manner): Element {
  const number = (field: number, min: number, max: number, signed = false): Element => ({
    kind: 'number',
    field,
    min: manner === 'lenient' ? 1 : min,
    max,
    signed,
    width: min,
    reduced: false,
  })
  const two = (field: number): Element => {
    if (count > 2) throw invalid(whole, `Too many pattern letters: ${letter}`)
    return number(field, count, 2)
  }
  const named = manner !== 'custom'
  switch (letter) {
    case 'y':
    case 'u':
    case 'Y': {
      const field = letter === 'Y' ? WEEK_YEAR : YEAR
      if (count === 2 && !named)
        return { kind: 'number', field, min: 2, max: 2, signed: false, width: 2, reduced: true }
      return number(field, Math.min(count, 9), named ? (manner === 'lenient' ? 5 : 9) : 9, true)
    }
    case 'M':
    case 'L':
      if (count === 3) return { kind: 'name', field: MONTH, names: short(MONTHS) }
      if (count === 4) return { kind: 'name', field: MONTH, names: MONTHS }
      return two(MONTH)
    case 'd':
      return two(DAY)
    case 'D':
      if (count > 3) throw invalid(whole, 'Too many pattern letters: D')
      return number(DAY_OF_YEAR, count, 3)
    case 'E':
      if (count === 4) return { kind: 'name', field: DAY_OF_WEEK, names: DAYS }
      if (count > 4) throw invalid(whole, 'Too many pattern letters: E')
      return { kind: 'name', field: DAY_OF_WEEK, names: short(DAYS) }
    case 'e':
      if (count > 1) throw invalid(whole, 'Too many pattern letters: e')
      return number(DAY_OF_WEEK, 1, 1)
    case 'w':
      return two(WEEK)
    case 'a':
      return { kind: 'name', field: HALF_DAY, names: ['AM', 'PM'] }
    case 'h':
    case 'K':
      return two(HOUR_OF_HALF_DAY)
    case 'H':
    case 'k':
      return two(HOUR)
    case 'm':
      return two(MINUTE)
    case 's':
      return two(SECOND)
    case 'S':
      if (count > 9) throw invalid(whole, 'Too many pattern letters: S')
      return { kind: 'fraction', min: count, max: count, point: false }
    case 'n':
      return number(NANO, 1, 9)
    case 'X':
    case 'x':
    case 'Z': {
      const z = letter === 'X' || (letter === 'Z' && count === 5)
      const colon = count === 3 || count === 5 ? 'yes' : 'no'
      return { kind: 'zone', colon, z }
    }
    case 'V':
    case 'z':
      return { kind: 'zone', colon: 'either', z: true }
    case 'F':
      if (named) return { kind: 'fraction', min: 1, max: 9, point: true }
      break
    case 'O':
      if (named) return { kind: 'zone', colon: 'either', z: true }
      break
    default:
  }
  throw invalid(whole, `Unknown pattern letter: ${letter}`)
}

function elementsFormat(elements: readonly Element[]): Alternative {
  const fields = new Float64Array(FIELD_COUNT)
  return {
    parse(text, roundUp, offsetInMillis) {
      fields.fill(Number.NaN)
      if (text.length > 256) return null
      return match(elements, text, 0, fields) === text.length
        ? resolve(fields, roundUp, offsetInMillis)
        : null
    },
    print: millis => print(elements, new Date(millis)),
  }
}

/** Matches elements from `at` on; the place behind them, −1 when they do not match. */
function match(elements: readonly Element[], text: string, at: number, out: Float64Array): number {
  let place = at
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i]!
    switch (element.kind) {
      case 'literal':
        if (!text.startsWith(element.text, place)) return -1
        place += element.text.length
        break
      case 'number': {
        place = matchNumber(element, reservedDigits(elements, i), text, place, out)
        if (place < 0) return -1
        break
      }
      case 'fraction': {
        if (element.point) {
          if (text[place] !== '.' && text[place] !== ',') return -1
          place++
        }
        const digits = digitsAt(text, place, element.max)
        if (digits < element.min) return -1
        out[NANO] = Number(text.slice(place, place + digits).padEnd(9, '0'))
        place += digits
        break
      }
      case 'zone': {
        place = matchZone(element.colon, element.z, text, place, out)
        if (place < 0) return -1
        break
      }
      case 'name': {
        const found = element.names.findIndex(name => text.startsWith(name, place))
        if (found < 0) return -1
        out[element.field] = element.field === HALF_DAY ? found : found + 1
        place += element.names[found]!.length
        break
      }
      case 'optional': {
        const saved = out.slice()
        const behind = match(element.elements, text, place, out)
        if (behind >= 0) place = behind
        else out.set(saved)
      }
    }
  }
  return place
}

/** How many digits the fixed-width numbers take that follow a number without a break. */
function reservedDigits(elements: readonly Element[], index: number): number {
  let digits = 0
  for (let i = index + 1; i < elements.length; i++) {
    const element = elements[i]!
    if (element.kind === 'number' && element.min === element.max) digits += element.min
    else if (element.kind === 'fraction' && !element.point) digits += element.min
    else break
  }
  return digits
}

function matchNumber(
  element: Extract<Element, { kind: 'number' }>,
  reserved: number,
  text: string,
  start: number,
  out: Float64Array,
): number {
  let at = start
  let sign = 1
  if (element.signed && (text[at] === '-' || text[at] === '+')) {
    sign = text[at] === '-' ? -1 : 1
    at++
  }
  const run = digitsAt(text, at, element.max + reserved)
  const digits = Math.min(element.max, Math.max(element.min, run - reserved))
  if (run < digits || digits < element.min) return -1
  // A year of more digits than its letters must carry its sign, as java.time has it.
  if (element.signed && element.min === 4 && digits > 4 && at === start) return -1
  let value = sign * Number(text.slice(at, at + digits))
  if (element.reduced) value += 2000
  if (!Number.isNaN(out[element.field]!) && out[element.field] !== value) return -1
  out[element.field] = value
  return at + digits
}

function matchZone(
  colon: 'yes' | 'no' | 'either',
  z: boolean,
  text: string,
  at: number,
  out: Float64Array,
): number {
  if (z && text[at] === 'Z') {
    out[OFFSET] = 0
    return at + 1
  }
  let place = at
  if (colon === 'either' && /^(UTC|GMT)/.test(text.slice(at, at + 3))) {
    place += 3
    out[OFFSET] = 0
    if (text[place] !== '+' && text[place] !== '-') return place
  }
  const sign = text[place] === '-' ? -1 : text[place] === '+' ? 1 : 0
  if (sign === 0 || digitsAt(text, place + 1, 2) < 2) return -1
  const hours = Number(text.slice(place + 1, place + 3))
  let behind = place + 3
  let minutes = 0
  const hasColon = text[behind] === ':'
  if (hasColon ? colon !== 'no' : colon !== 'yes') {
    const from = hasColon ? behind + 1 : behind
    if (digitsAt(text, from, 2) === 2) {
      minutes = Number(text.slice(from, from + 2))
      behind = from + 2
    }
  } else if (colon === 'yes') return -1
  if (hours > 18 || minutes > 59) return -1
  out[OFFSET] = sign * (hours * 60 + minutes) * 60_000
  return behind
}

function digitsAt(text: string, at: number, max: number): number {
  let count = 0
  while (count < max) {
    const unit = text.charCodeAt(at + count)
    if (!(unit >= 0x30 && unit <= 0x39)) break
    count++
  }
  return count
}

/** Milliseconds of the fields that matched, null when they name no real date. */
function resolve(fields: Float64Array, roundUp: boolean, offsetInMillis: number): number | null {
  const given = (field: number): boolean => !Number.isNaN(fields[field]!)
  let hour = fields[HOUR]!
  if (given(HOUR_OF_HALF_DAY)) {
    const half = fields[HOUR_OF_HALF_DAY]!
    if (half > 12) return null
    hour = (half % 12) + (fields[HALF_DAY] === 1 ? 12 : 0)
  }
  const minute = fields[MINUTE]!
  const second = fields[SECOND]!
  if (hour > 23 || minute > 59 || second > 59) return null
  const filled = (value: number, last: number): number =>
    Number.isNaN(value) ? (roundUp ? last : 0) : value
  const time =
    filled(hour, 23) * 3_600_000 +
    filled(minute, 59) * 60_000 +
    filled(second, 59) * 1000 +
    (given(NANO) ? Math.floor(fields[NANO]! / 1e6) : roundUp ? 999 : 0)
  const days = resolveDay(fields, given, roundUp)
  if (days === null) return null
  const offset = given(OFFSET) ? fields[OFFSET]! : offsetInMillis
  return days * 86_400_000 + time - offset
}

/** Days since 1970 of the date fields. */
function resolveDay(
  fields: Float64Array,
  given: (field: number) => boolean,
  roundUp: boolean,
): number | null {
  if (given(WEEK_YEAR)) {
    const year = fields[WEEK_YEAR]!
    const weeks = weeksOf(year)
    const week = given(WEEK) ? fields[WEEK]! : roundUp ? weeks : 1
    const day = given(DAY_OF_WEEK) ? fields[DAY_OF_WEEK]! : roundUp ? 7 : 1
    if (week < 1 || week > weeks || day < 1 || day > 7) return null
    return firstWeek(year) + (week - 1) * 7 + day - 1
  }
  const hasDate = given(YEAR) || given(MONTH) || given(DAY) || given(DAY_OF_YEAR)
  const year = given(YEAR) ? fields[YEAR]! : 1970
  let days: number
  if (given(DAY_OF_YEAR)) {
    const day = fields[DAY_OF_YEAR]!
    if (day < 1 || day > (isLeap(year) ? 366 : 365)) return null
    days = daysOf(year, 1, 1) + day - 1
  } else {
    // A time alone is a time of the first day, rounded up or not.
    const up = roundUp && hasDate
    const month = given(MONTH) ? fields[MONTH]! : up && given(YEAR) ? 12 : 1
    if (month < 1 || month > 12) return null
    const last = daysInMonth(year, month)
    const day = given(DAY) ? fields[DAY]! : up ? last : 1
    if (day < 1 || day > last) return null
    days = daysOf(year, month, day)
  }
  if (given(DAY_OF_WEEK) && isoDayOfWeek(days) !== fields[DAY_OF_WEEK]) return null
  return days
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function daysInMonth(year: number, month: number): number {
  return month === 2 ? (isLeap(year) ? 29 : 28) : 30 + ((month + (month >> 3)) & 1)
}

/** Days from 1970-01-01 to a date; years of any size (H. Hinnant, "chrono-compatible dates"). */
function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** 1 for Monday … 7 for Sunday. */
function isoDayOfWeek(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1
}

/** The Monday of an ISO year's first week, the one that holds January 4th. */
function firstWeek(year: number): number {
  const january4 = daysOf(year, 1, 4)
  return january4 - isoDayOfWeek(january4) + 1
}

function weeksOf(year: number): number {
  return (firstWeek(year + 1) - firstWeek(year)) / 7
}

function print(elements: readonly Element[], date: Date): string {
  let text = ''
  for (const element of elements) {
    switch (element.kind) {
      case 'literal':
        text += element.text
        break
      case 'number':
        text += printNumber(element, date)
        break
      case 'fraction': {
        const millis = String(date.getUTCMilliseconds()).padStart(3, '0')
        text += element.point ? `.${millis}` : millis.padEnd(9, '0').slice(0, element.max)
        break
      }
      case 'zone':
        text += element.z ? 'Z' : element.colon === 'yes' ? '+00:00' : '+0000'
        break
      case 'name':
        if (element.field === MONTH) text += element.names[date.getUTCMonth()]
        else if (element.field === DAY_OF_WEEK) text += element.names[(date.getUTCDay() + 6) % 7]
        else text += element.names[date.getUTCHours() < 12 ? 0 : 1]
        break
      case 'optional':
        text += print(element.elements, date)
    }
  }
  return text
}

function printNumber(element: Extract<Element, { kind: 'number' }>, date: Date): string {
  const days = Math.floor(date.getTime() / 86_400_000)
  const year = date.getUTCFullYear()
  let value: number
  switch (element.field) {
    case YEAR:
      value = element.reduced ? ((year % 100) + 100) % 100 : year
      break
    case MONTH:
      value = date.getUTCMonth() + 1
      break
    case DAY:
      value = date.getUTCDate()
      break
    case HOUR:
      value = date.getUTCHours()
      break
    case HOUR_OF_HALF_DAY:
      value = date.getUTCHours() % 12 || 12
      break
    case MINUTE:
      value = date.getUTCMinutes()
      break
    case SECOND:
      value = date.getUTCSeconds()
      break
    case DAY_OF_YEAR:
      value = days - daysOf(year, 1, 1) + 1
      break
    case DAY_OF_WEEK:
      value = isoDayOfWeek(days)
      break
    case WEEK:
    case WEEK_YEAR: {
      const weekYear = weekYearOf(days, year)
      value =
        element.field === WEEK_YEAR ? weekYear : Math.floor((days - firstWeek(weekYear)) / 7) + 1
      break
    }
    default:
      value = date.getUTCMilliseconds() * 1e6
  }
  return (value < 0 ? '-' : '') + String(Math.abs(value)).padStart(element.width, '0')
}

function weekYearOf(days: number, year: number): number {
  if (days < firstWeek(year)) return year - 1
  return days >= firstWeek(year + 1) ? year + 1 : year
}
