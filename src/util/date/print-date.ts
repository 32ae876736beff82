/** Prints dates by the elements of a pattern. */
import { daysOf, firstWeek, isoDayOfWeek, weekYearOf } from './calendar.ts'
import {
  DAY,
  DAY_OF_WEEK,
  DAY_OF_YEAR,
  type DateElement,
  HOUR,
  HOUR_OF_HALF_DAY,
  MINUTE,
  MONTH,
  SECOND,
  WEEK,
  WEEK_YEAR,
  YEAR,
} from './date-elements.ts'
import type { TimeZone } from './time-zone.ts'

/** Years that ISO 8601 writes in four digits: 0 to 9999. */
const FIRST_ISO_MILLIS = -62_167_219_200_000
const END_OF_ISO_MILLIS = 253_402_300_800_000

/** @returns prints milliseconds since 1970 and nanoseconds behind them in the local time of a zone */
export function datePrinter(
  elements: readonly DateElement[],
): (millis: number, nanos: number, zone: TimeZone) => string {
  const isIso = spelling(elements) === ISO_SPELLING
  return (millis, nanos, zone) => {
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
  }
}

/** How elements print a date of four digits in UTC: each number by its field and width, the rest as it stands. */
function spelling(elements: readonly DateElement[]): string {
  return elements.map(spellingOf).join('')
}

function spellingOf(element: DateElement): string {
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

/** @param offset of the local time that `date` holds, milliseconds ahead of UTC */
function print(
  elements: readonly DateElement[],
  date: Date,
  nanos: number,
  offset: number,
): string {
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

function printNumber(element: Extract<DateElement, { kind: 'number' }>, date: Date): string {
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
