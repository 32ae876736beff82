/**
 * Date maths: `now` or `⟨date⟩||`, then any number of `+n⟨unit⟩`, `-n⟨unit⟩` and `/⟨unit⟩` with the
 * units `y M w d h H m s`. Weeks start on Monday. Days and longer units are counted on the calendar of
 * the zone given, shorter ones on the clock.
 */

import type { ParsedInstant } from '../util/date/resolve-date.ts'
import type { TimeZone } from '../util/date/time-zone.ts'
import { EngineError } from '../util/errors.ts'
import type { DateFormat } from './date-format.ts'

/** How a date expression is read. */
export interface DateMathOptions {
  readonly format: DateFormat
  /** The request's now, the same for every clause. */
  readonly nowInMillis: number
  /** Missing parts and `/` go to the last millisecond of their unit and not to the first. */
  readonly roundUp: boolean
  /** Of dates that name none, and of the rounding. */
  readonly zone: TimeZone
}

const MAX_STEPS = 100

/**
 * Reads a date with maths: milliseconds since 1970 and nanoseconds behind them.
 * @throws {EngineError} `parse_exception`: not a date of the format, or bad maths
 */
export function parseDateMath(text: string, options: DateMathOptions): Readonly<ParsedInstant> {
  const instant: ParsedInstant = { millis: options.nowInMillis, nanos: 0 }
  let math: string
  if (text.startsWith('now')) math = text.slice(3)
  else {
    const bars = text.indexOf('||')
    const date = bars < 0 ? text : text.slice(0, bars)
    math = bars < 0 ? '' : text.slice(bars + 2)
    // Maths that follow do the rounding, and then the date itself is not rounded.
    const roundUp = options.roundUp && math === ''
    if (!options.format.read(date, roundUp, options.zone, instant))
      throw unreadableDate(date, options.format)
  }
  if (math !== '') applyDateMath(math, instant, options.roundUp, options.zone)
  return instant
}

/** The error of a text in a request that is not a date of a format. */
export function unreadableDate(
  text: string,
  { pattern }: Pick<DateFormat, 'pattern'>,
): EngineError {
  if (text.trim() === '')
    return new EngineError({ type: 'parse_exception', reason: 'cannot parse empty date' })
  const reason = `failed to parse date field [${text}] with format [${pattern}]`
  return new EngineError({
    type: 'parse_exception',
    reason: `${reason}: [${reason}]`,
    causedBy: { type: 'illegal_argument_exception', reason },
  })
}

function applyDateMath(
  math: string,
  instant: ParsedInstant,
  roundUp: boolean,
  zone: TimeZone,
): void {
  let at = 0
  for (let steps = 0; at < math.length; steps++) {
    if (steps === MAX_STEPS) throw failure(`more than ${MAX_STEPS} steps of date math [${math}]`)
    const operator = math[at++]!
    if (operator !== '+' && operator !== '-' && operator !== '/')
      throw failure(`operator not supported for date math [${math}]`)
    if (at >= math.length) throw failure(`truncated date math [${math}]`)
    const from = at
    while (at < math.length && math[at]! >= '0' && math[at]! <= '9') at++
    const hasNumber = at > from
    const count = hasNumber ? Number(math.slice(from, at)) : 1
    if (operator === '/' && hasNumber && count !== 1)
      throw failure(`rounding \`/\` can only be used on single unit types [${math}]`)
    if (at >= math.length) throw failure(`truncated date math [${math}]`)
    const unit = math[at++]!
    if (operator === '/') {
      const floor = roundDown(zone.toLocal(instant.millis), unit)
      if (floor === null) throw failure(`unit [${unit}] not supported for date math [${math}]`)
      instant.millis = roundUp ? add(zone.toUtc(floor), unit, 1, zone)! - 1 : zone.toUtc(floor)
      instant.nanos = 0
    } else {
      const moved = add(instant.millis, unit, operator === '-' ? -count : count, zone)
      if (moved === null) throw failure(`unit [${unit}] not supported for date math [${math}]`)
      if (!(Math.abs(moved) <= 8.64e15)) throw failure(`date out of range in date math [${math}]`)
      instant.millis = moved
    }
  }
}

function failure(reason: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason })
}

const DAY = 86_400_000

const FIXED = new Map([
  ['w', 7 * DAY],
  ['d', DAY],
  ['h', 3_600_000],
  ['H', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
])

/** Null for a unit that is none. */
function add(millis: number, unit: string, count: number, zone: TimeZone): number | null {
  const fixed = FIXED.get(unit)
  if (fixed !== undefined && fixed < DAY) return millis + count * fixed
  const moved = addLocal(zone.toLocal(millis), unit, count)
  return moved === null ? null : zone.toUtc(moved)
}

function addLocal(millis: number, unit: string, count: number): number | null {
  const fixed = FIXED.get(unit)
  if (fixed !== undefined) return millis + count * fixed
  if (unit !== 'y' && unit !== 'M') return null
  const date = new Date(millis)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  if (unit === 'y') date.setUTCFullYear(date.getUTCFullYear() + count)
  else date.setUTCMonth(date.getUTCMonth() + count)
  const last = new Date(Date.UTC(2000, 0, 1))
  last.setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)
  date.setUTCDate(Math.min(day, last.getUTCDate()))
  return date.getTime()
}

/** Null for a unit that is none. */
function roundDown(millis: number, unit: string): number | null {
  const date = new Date(millis)
  if (unit === 'y' || unit === 'M') {
    date.setUTCHours(0, 0, 0, 0)
    date.setUTCFullYear(date.getUTCFullYear(), unit === 'y' ? 0 : date.getUTCMonth(), 1)
    return date.getTime()
  }
  const fixed = FIXED.get(unit)
  if (fixed === undefined) return null
  // 1970-01-01 was a Thursday: weeks are counted from the Monday before.
  const origin = unit === 'w' ? -3 * 86_400_000 : 0
  return Math.floor((millis - origin) / fixed) * fixed + origin
}
