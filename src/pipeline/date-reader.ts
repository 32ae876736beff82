/** Dates of processors: the four named formats, and patterns of java.time in a zone and a locale. */

import { compileDateFormat } from '../schema/date-format.ts'
import type { TimeZone } from '../util/date/time-zone.ts'
import { IllegalArgumentError } from '../util/errors.ts'

/** Reads a date as milliseconds since 1970. Throws an `EngineError` for any other text. */
export type DateReader = (text: string) => number

/**
 * The reader of a format.
 * @param locale as `parseLocale` answers it
 * @throws {EngineError} `illegal_argument_exception`: a pattern that cannot be
 */
export function dateReader(format: string, zone: TimeZone, locale: string): DateReader {
  switch (format) {
    case 'ISO8601':
      return patternReader('iso8601', zone, locale)
    case 'UNIX':
      return text => Math.trunc(decimal(text) * 1000)
    case 'UNIX_MS':
      return text => {
        if (/^[+-]?\d{1,16}$/.test(text)) return Number(text)
        throw new IllegalArgumentError(`For input string: "${text}"`)
      }
    case 'TAI64N':
      return tai64
    default:
      return patternReader(format, zone, locale)
  }
}

function patternReader(pattern: string, zone: TimeZone, locale: string): DateReader {
  // A date without a year is one of this year.
  const lacksYear = !named(pattern) && !/[uyY]/.test(pattern.replace(/'[^']*'/g, ''))
  const format = compileDateFormat(lacksYear ? `uuuu'~'${pattern}` : pattern, locale)
  return text => {
    const whole = lacksYear ? `${new Date().getUTCFullYear()}~${text}` : text
    const millis = format.parse(whole, false, zone)
    if (millis !== null) return millis
    throw new IllegalArgumentError(`failed to parse date field [${text}] with format [${pattern}]`)
  }
}

/** Whether a format is one that has a name and no letters of its own. */
function named(pattern: string): boolean {
  return /^[a-z][a-z_0-9]{3,}$/.test(pattern)
}

function decimal(text: string): number {
  if (/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(text)) return Number(text)
  throw new IllegalArgumentError(`For input string: "${text}"`)
}

/** An external label of TAI64N: `@`, then seconds and nanoseconds in digits of sixteen. */
function tai64(text: string): number {
  const label = /^@?[\da-fA-F]([\da-fA-F]{15})([\da-fA-F]{8})$/.exec(text)
  if (label === null) throw new IllegalArgumentError(`For input string: "${text}"`)
  const seconds = Number.parseInt(label[1]!, 16)
  return seconds * 1000 - 10_000 + Math.floor(Number.parseInt(label[2]!, 16) / 1e6)
}
