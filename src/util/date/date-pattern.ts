/**
 * Date patterns of java.time as elements that are matched in order. An `[optional]` part is tried
 * once and left out when it does not match, as java.time does, so matching takes linear time. The
 * named formats use two letters of their own: F, a fraction of a second with its point, and O, a
 * zone offset with or without its colon, or Z.
 */
import { IllegalArgumentError } from '../errors.ts'
import {
  daysInMonth,
  daysOf,
  firstWeek,
  isLeap,
  isoDayOfWeek,
  weeksOf,
  weekYearOf,
} from './calendar.ts'
import type { DateNames } from './date-names.ts'
import { findTimeZone, type TimeZone } from './time-zone.ts'

const MAX_GROUP_DEPTH = 16
/** The runtime's dates end a day behind it. */
const MAX_MILLIS = 8.64e15 - 86_400_000

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
  | {
      readonly kind: 'fraction'
      readonly min: number
      readonly max: number
      point: boolean
      readonly printsNanos: boolean
    }
  | { readonly kind: 'zone'; readonly colon: 'yes' | 'no' | 'either'; readonly z: boolean }
  | { readonly kind: 'name'; readonly field: number; readonly names: readonly string[] }
  | { readonly kind: 'optional'; readonly elements: readonly Element[] }

/** The instant that was read last; an object of the caller's, so that a date costs none. */
export interface ParsedInstant {
  /** Milliseconds since 1970. */
  millis: number
  /** Nanoseconds behind them, 0 … 999,999. */
  nanos: number
}

/** One of a format's alternatives. */
export interface Alternative {
  /** Reads a date; false when it does not match. */
  parse(text: string, roundUp: boolean, zone: TimeZone, into: ParsedInstant): boolean
  /**
   * @param nanos behind the milliseconds
   * @param zone  whose local time it writes
   */
  print(millis: number, nanos: number, zone: TimeZone): string
}

/** How a pattern was given: by a strict or a lenient name, or in its own letters. */
export type Manner = 'strict' | 'lenient' | 'custom'

/**
 * Compiles one pattern.
 * @param whole the format that it is part of, for errors
 * @param names of the locale
 * @throws {IllegalArgumentError} `Invalid format: [⟨whole⟩]: ⟨why⟩`
 */
export function compileDatePattern(
  pattern: string,
  whole: string,
  manner: Manner,
  names: DateNames,
): Alternative {
  return elementsFormat(compilePattern(pattern, whole, manner, names))
}

/** The error of a format that cannot be read. */
export function invalidFormat(pattern: string, why: string): IllegalArgumentError {
  return new IllegalArgumentError(`Invalid format: [${pattern}]: ${why}`)
}

function compilePattern(
  pattern: string,
  whole: string,
  manner: Manner,
  names: DateNames,
): Element[] {
  const stack: Element[][] = [[]]
  const push = (element: Element): void => {
    stack.at(-1)!.push(element)
  }
  let at = 0
  while (at < pattern.length) {
    const char = pattern[at]!
    if (char === '[') {
      stack.push([])
      if (stack.length > MAX_GROUP_DEPTH) throw invalidFormat(whole, 'too many optional parts')
      at++
    } else if (char === ']') {
      const elements = stack.pop()!
      if (stack.length === 0) {
        throw invalidFormat(whole, 'Pattern invalid as it contains ] without previous [')
      }
      push({ kind: 'optional', elements })
      at++
    } else if (char === "'") {
      let text = ''
      at++
      for (;;) {
        if (at >= pattern.length)
          throw invalidFormat(whole, 'Pattern ends with an incomplete string literal')
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
      push(letterElement(char, end - at, whole, manner, names))
      at = end
    } else if ('{}#'.includes(char)) {
      throw invalidFormat(whole, `Pattern includes reserved character: '${char}'`)
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

function letterElement(
  letter: string,
  count: number,
  whole: string,
  manner: Manner,
  names: DateNames,
): Element {
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
    if (count > 2) throw invalidFormat(whole, `Too many pattern letters: ${letter}`)
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
      if (count === 3) return { kind: 'name', field: MONTH, names: names.shortMonths }
      if (count === 4) return { kind: 'name', field: MONTH, names: names.months }
      return two(MONTH)
    case 'd':
      return two(DAY)
    case 'D':
      if (count > 3) throw invalidFormat(whole, 'Too many pattern letters: D')
      return number(DAY_OF_YEAR, count, 3)
    case 'E':
      if (count === 4) return { kind: 'name', field: DAY_OF_WEEK, names: names.days }
      if (count > 4) throw invalidFormat(whole, 'Too many pattern letters: E')
      return { kind: 'name', field: DAY_OF_WEEK, names: names.shortDays }
    case 'e':
      if (count > 1) throw invalidFormat(whole, 'Too many pattern letters: e')
      return number(DAY_OF_WEEK, 1, 1)
    case 'w':
      return two(WEEK)
    case 'a':
      return { kind: 'name', field: HALF_DAY, names: names.halfDays }
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
      if (count > 9) throw invalidFormat(whole, 'Too many pattern letters: S')
      return { kind: 'fraction', min: count, max: count, point: false, printsNanos: true }
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
      // `FF` prints nanoseconds too.
      if (named) return { kind: 'fraction', min: 1, max: 9, point: true, printsNanos: count > 1 }
      break
    case 'O':
      if (named) return { kind: 'zone', colon: 'either', z: true }
      break
    default:
  }
  throw invalidFormat(whole, `Unknown pattern letter: ${letter}`)
}

/** Years that ISO 8601 writes in four digits: 0 to 9999. */
const FIRST_ISO_MILLIS = -62_167_219_200_000
const END_OF_ISO_MILLIS = 253_402_300_800_000

function elementsFormat(elements: readonly Element[]): Alternative {
  const fields = new Float64Array(FIELD_COUNT)
  const isIso = spelling(elements) === ISO_SPELLING
  return {
    parse(text, roundUp, zone, into) {
      fields.fill(Number.NaN)
      regionInText = null
      if (text.length > 256) return false
      if (match(elements, text, 0, fields) !== text.length) return false
      return resolve(fields, roundUp, regionInText ?? zone, into)
    },
    print(millis, nanos, zone) {
      const local = zone.toLocal(millis)
      // The runtime writes this form several times as fast, which histograms of many buckets print.
      if (
        isIso &&
        local === millis &&
        nanos === 0 &&
        millis >= FIRST_ISO_MILLIS &&
        millis < END_OF_ISO_MILLIS
      )
        return new Date(millis).toISOString()
      return print(elements, new Date(local), nanos, local - millis)
    },
  }
}

/** How elements print a date of four digits in UTC: each number by its field and width, the rest as it stands. */
function spelling(elements: readonly Element[]): string {
  return elements.map(spellingOf).join('')
}

function spellingOf(element: Element): string {
  switch (element.kind) {
    case 'literal':
      return element.text
    case 'number':
      return element.reduced ? '?' : `{${element.field}:${element.width}}`
    case 'fraction':
      if (!element.point) return element.max === 3 ? 'F' : '?'
      return element.printsNanos ? '?' : '.F'
    case 'zone':
      return element.z ? 'Z' : '?'
    case 'name':
      return '?'
    case 'optional':
      return spelling(element.elements)
  }
}

const ISO_SPELLING = `{${YEAR}:4}-{${MONTH}:2}-{${DAY}:2}T{${HOUR}:2}:{${MINUTE}:2}:{${SECOND}:2}.FZ`

/** The region that the text being matched names; null without. */
let regionInText: TimeZone | null = null

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
        const savedRegion = regionInText
        const behind = match(element.elements, text, place, out)
        if (behind >= 0) place = behind
        else {
          out.set(saved)
          regionInText = savedRegion
        }
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
  let value = sign * numberAt(text, at, digits)
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
  if (sign === 0 && colon === 'either') return matchRegion(text, at)
  if (sign === 0 || digitsAt(text, place + 1, 2) < 2) return -1
  const hours = numberAt(text, place + 1, 2)
  let behind = place + 3
  let minutes = 0
  const hasColon = text[behind] === ':'
  if (hasColon ? colon !== 'no' : colon !== 'yes') {
    const from = hasColon ? behind + 1 : behind
    if (digitsAt(text, from, 2) === 2) {
      minutes = numberAt(text, from, 2)
      behind = from + 2
    }
  } else if (colon === 'yes') return -1
  if (hours > 18 || minutes > 59) return -1
  out[OFFSET] = sign * (hours * 60 + minutes) * 60_000
  return behind
}

/** A region's ID, as far as characters of IDs go. */
function matchRegion(text: string, at: number): number {
  const id = /^[A-Z][\w.~]*(\/[\w.~+-]+)*/.exec(text.slice(at))?.[0] ?? ''
  regionInText = findTimeZone(id)
  return regionInText === null ? -1 : at + id.length
}

/** The number of digits that stand at a place, max nine. */
function numberAt(text: string, at: number, digits: number): number {
  let value = 0
  for (let i = 0; i < digits; i++) value = 10 * value + text.charCodeAt(at + i) - 0x30
  return value
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

/**
 * The instant of the fields that matched; false when they name no real date.
 * @param zone of a text without an offset
 */
function resolve(
  fields: Float64Array,
  roundUp: boolean,
  zone: TimeZone,
  into: ParsedInstant,
): boolean {
  const given = (field: number): boolean => !Number.isNaN(fields[field]!)
  let hour = fields[HOUR]!
  if (given(HOUR_OF_HALF_DAY)) {
    const half = fields[HOUR_OF_HALF_DAY]!
    if (half > 12) return false
    hour = (half % 12) + (fields[HALF_DAY] === 1 ? 12 : 0)
  }
  const minute = fields[MINUTE]!
  const second = fields[SECOND]!
  if (hour > 23 || minute > 59 || second > 59) return false
  const filled = (value: number, last: number): number =>
    Number.isNaN(value) ? (roundUp ? last : 0) : value
  const time =
    filled(hour, 23) * 3_600_000 +
    filled(minute, 59) * 60_000 +
    filled(second, 59) * 1000 +
    (given(NANO) ? Math.floor(fields[NANO]! / 1e6) : roundUp ? 999 : 0)
  const days = resolveDay(fields, given, roundUp)
  if (days === null) return false
  const local = days * 86_400_000 + time
  // Years past those of the runtime's dates could be kept, but not computed with.
  if (!(Math.abs(local) <= MAX_MILLIS)) return false
  into.millis = given(OFFSET) ? local - fields[OFFSET]! : zone.toUtc(local)
  into.nanos = given(NANO) ? fields[NANO]! % 1e6 : roundUp ? 999_999 : 0
  return true
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

/** @param offset of the local time that `date` holds, milliseconds ahead of UTC */
function print(elements: readonly Element[], date: Date, nanos: number, offset: number): string {
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
        const fraction = millis + String(nanos).padStart(6, '0')
        if (!element.point) text += fraction.slice(0, element.max)
        else if (element.printsNanos) text += `.${millis}${fraction.slice(3).replace(/0+$/, '')}`
        else text += `.${millis}`
        break
      }
      case 'zone':
        text += element.z && offset === 0 ? 'Z' : printOffset(offset, element.colon !== 'no')
        break
      case 'name':
        if (element.field === MONTH) text += element.names[date.getUTCMonth()]
        else if (element.field === DAY_OF_WEEK) text += element.names[(date.getUTCDay() + 6) % 7]
        else text += element.names[date.getUTCHours() < 12 ? 0 : 1]
        break
      case 'optional':
        text += print(element.elements, date, nanos, offset)
    }
  }
  return text
}

/** Hours and minutes ahead of UTC, and seconds where there are some. */
function printOffset(offset: number, colon: boolean): string {
  const seconds = Math.abs(offset) / 1000
  const parts = [seconds / 3600, (seconds / 60) % 60]
  if (seconds % 60 !== 0) parts.push(seconds % 60)
  const digits = parts.map(part => String(Math.floor(part)).padStart(2, '0'))
  return (offset < 0 ? '-' : '+') + digits.join(colon ? ':' : '')
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
  const digits = String(Math.abs(value)).padStart(element.width, '0')
  // A year of four digits or more has a sign where it needs another one, as java.time prints it.
  const exceeds = element.field === YEAR && element.width >= 4 && digits.length > element.width
  return (value < 0 ? '-' : exceeds ? '+' : '') + digits
}
