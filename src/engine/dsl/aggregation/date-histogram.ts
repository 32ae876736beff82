import type { CalendarUnit, RoundingPlan } from '../../../aggregation/histogram/rounding.ts'
import type { NumberSource } from '../../../aggregation/value-source.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parseDuration } from '../../../util/units.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import type { QueryContext } from '../query-context.ts'
import type { AggregationParser, ParsedOrders } from './aggregation-parser.ts'
import { type ParsedBounds, readBounds } from './bounds.ts'
import { readMinDocCount } from './counts.ts'
import { readFields } from './object-fields.ts'
import { BY_KEY, bucketOrders, readOrders } from './orders.ts'
import {
  bindNumbers,
  checkFieldGiven,
  newValueKeys,
  noNumbers,
  numberOf,
  overValues,
  valueReaders,
} from './value-keys.ts'

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

/** `date_histogram`. */
export const dateHistogram: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    const intervals = new Intervals()
    let offset = 0
    let minDocCount = 0
    let order: ParsedOrders = BY_KEY
    let keyed = false
    let extended: ParsedBounds | null = null
    let hard: ParsedBounds | null = null
    readFields(node, 'date_histogram', {
      ...valueReaders(keys, { zone: true }),
      calendar_interval: value => intervals.calendar(value),
      fixed_interval: value => intervals.fixed(value),
      interval: value => intervals.either(value),
      offset: value => {
        offset = readOffset(value)
      },
      min_doc_count: value => {
        minDocCount = readMinDocCount(value, 'minDocCount', name)
      },
      order: value => {
        order = readOrders(value)
      },
      keyed: value => {
        keyed = readBoolean(value)
      },
      extended_bounds: value => {
        extended = readBounds(value)
      },
      hard_bounds: value => {
        hard = readBounds(value)
      },
    })
    checkFieldGiven(keys)
    const rounding: RoundingPlan = { interval: intervals.only(), zone: keys.timeZone, offset }
    return {
      order,
      minDocCount,
      bind(context, children) {
        const taken = { aggregation: 'date_histogram', byDefault: 'date' } as const
        const source = bindNumbers(keys, taken, context)
        return overValues(source, noNumbers(keys, 'date'), values => ({
          kind: 'dateHistogram',
          name,
          children,
          values,
          rounding,
          minDocCount,
          order: bucketOrders(order),
          keyed,
          extendedBounds: boundsOf(extended, 'extended_bounds', values, context),
          hardBounds: boundsOf(hard, 'hard_bounds', values, context),
        }))
      },
    }
  },
}

function boundsOf(
  given: ParsedBounds | null,
  key: string,
  values: NumberSource,
  context: QueryContext,
): { readonly min: number | null; readonly max: number | null } | null {
  if (given === null) return null
  const read = (text: string | null): number | null =>
    text === null ? null : /^-?\d{5,}$/.test(text) ? Number(text) : numberOf(values, text, context)
  const min = read(given.min)
  const max = read(given.max)
  if (min !== null && max !== null && min > max)
    throw new IllegalArgumentError(
      `[${key}.min][${given.min}] cannot be greater than [${key}.max][${given.max}] for histogram ` +
        'aggregation',
    )
  return { min, max }
}

/** The one interval of a request. */
class Intervals {
  #given: RoundingPlan['interval'] | null = null

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
    const text = readText(node)
    const unit = unitOf(text)
    this.#given = unit === null ? fixedInterval(text) : { kind: 'calendar', unit }
  }

  /** @throws {IllegalArgumentError} none was given */
  only(): RoundingPlan['interval'] {
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
function readOffset(node: JsonNode): number {
  if (node.kind === 'number') return Math.trunc(node.value)
  const text = readText(node)
  const sign = text.startsWith('-') ? -1 : 1
  const duration = /^[+-]/.test(text) ? text.slice(1) : text
  return sign * Math.trunc(parseDuration(duration, 'date_histogram.offset') / 1e6)
}
