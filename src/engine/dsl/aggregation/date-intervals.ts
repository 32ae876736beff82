/** The intervals of histograms of dates. */
import type { CalendarUnit, RoundingPlan } from '../../../aggregation/histogram/rounding.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parseDuration } from '../../../util/units.ts'
import { readText } from '../json-scalars.ts'

const CALENDAR_UNITS: { readonly [name: string]: CalendarUnit } = {
  year: 'year',
  '1y': 'year',
  quarter: 'quarter',
  '1q': 'quarter',
  month: 'month',
  '1M': 'month',
  week: 'week',
  '1w': 'week',
  day: 'day',
  '1d': 'day',
  hour: 'hour',
  '1h': 'hour',
  minute: 'minute',
  '1m': 'minute',
  second: 'second',
  '1s': 'second',
}

const OLD_KEY_WARNING =
  '[interval] on [date_histogram] is deprecated, use [fixed_interval] or [calendar_interval] in the future.'

/** The one interval of a request. */
export class Intervals {
  #given: RoundingPlan['interval'] | null = null
  #isOldKey = false

  /** The deprecation notice of the key that the interval came under. */
  get warnings(): readonly string[] {
    return this.#isOldKey ? [OLD_KEY_WARNING] : []
  }

  calendar(node: JsonNode): void {
    this.#refuse('calendar', 'calendar_interval')
    const text = readText(node)
    const unit = unitOf(text)
    if (unit === null)
      throw new IllegalArgumentError(
        `The supplied interval [${text}] could not be parsed as a calendar interval.`,
      )
    this.#given = { kind: 'calendar', unit }
  }

  fixed(node: JsonNode): void {
    this.#refuse('fixed', 'fixed_interval')
    this.#given = fixedInterval(readText(node))
  }

  either(node: JsonNode): void {
    this.#isOldKey = true
    const text = readText(node)
    const unit = unitOf(text)
    this.#given = unit === null ? fixedInterval(text) : { kind: 'calendar', unit }
  }

  /** @throws {IllegalArgumentError} none was given */
  chosen(): RoundingPlan['interval'] {
    if (this.#given !== null) return this.#given
    throw new IllegalArgumentError('Invalid interval specified, must be non-null and non-empty')
  }

  #refuse(kind: 'calendar' | 'fixed', key: string): void {
    if (this.#given === null || this.#given.kind === kind) return
    const other = this.#given.kind === 'fixed' ? 'fixed_interval' : 'calendar_interval'
    throw new IllegalArgumentError(`Cannot use [${key}] with [${other}] configuration option.`)
  }
}

function unitOf(text: string): CalendarUnit | null {
  return Object.hasOwn(CALENDAR_UNITS, text) ? CALENDAR_UNITS[text]! : null
}

function fixedInterval(text: string): RoundingPlan['interval'] {
  const millis = Math.trunc(parseDuration(text, 'date_histogram.fixedInterval') / 1e6)
  if (millis < 1) throw new IllegalArgumentError('Zero or negative time interval not supported')
  return { kind: 'fixed', millis }
}

/** `+6h`, `-1d`, or milliseconds. */
export function readOffset(node: JsonNode): number {
  if (node.kind === 'number') return Math.trunc(node.value)
  const text = readText(node)
  const sign = text.startsWith('-') ? -1 : 1
  const duration = /^[+-]/.test(text) ? text.slice(1) : text
  return sign * Math.trunc(parseDuration(duration, 'date_histogram.offset') / 1e6)
}
