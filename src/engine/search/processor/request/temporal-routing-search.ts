import { compileDateFormat } from '../../../../schema/date-format.ts'
import { EngineError } from '../../../../util/errors.ts'
import { hashRouting } from '../hash-routing.ts'
import { type NamedQuery, queriesIn, valuesOn } from '../query-leaves.ts'
import type { RequestProcessorType } from '../search-processor.ts'
import { sourceKey } from '../search-source.ts'

/** Buckets of one range that a search is routed to. */
const MAX_BUCKETS = 100
const DAY_IN_MILLIS = 86_400_000

/** How dates are put into buckets: where each begins, the one behind it, and its name. */
interface Granularity {
  start(date: Date): Date
  next(start: Date): Date
  name(start: Date): string
}

const GRANULARITIES: Readonly<Record<string, Granularity>> = {
  hour: {
    start: date => new Date(Math.floor(date.getTime() / 3_600_000) * 3_600_000),
    next: start => new Date(start.getTime() + 3_600_000),
    name: start => `${dayName(start)}T${twoDigits(start.getUTCHours())}`,
  },
  day: { start: dayOf, next: start => daysLater(start, 1), name: dayName },
  week: {
    // Weeks begin on Mondays; JavaScript counts days of the week from Sunday.
    start: date => daysLater(dayOf(date), -((date.getUTCDay() + 6) % 7)),
    next: start => daysLater(start, 7),
    name: weekName,
  },
  month: {
    start: date => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth())),
    next: start => new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)),
    name: monthName,
  },
}

/** `temporal_routing_search`: a search looks at the shards of the times that its query has to match. */
export const TEMPORAL_ROUTING_SEARCH: RequestProcessorType = {
  name: 'temporal_routing_search',
  parse(config) {
    const field = config.text('timestamp_field')
    const name = config.text('granularity')
    const pattern = config.optionalText('format') ?? 'strict_date_optional_time'
    config.flag('enable_auto_detection', true)
    const isHashed = config.flag('hash_bucket', false)
    if (field === '') throw config.fault('timestamp_field', 'cannot be null or empty')
    if (name === '') throw config.fault('granularity', 'cannot be null or empty')
    const granularity = Object.entries(GRANULARITIES).find(
      ([key]) => key === name.toLowerCase(),
    )?.[1]
    if (granularity === undefined)
      throw config.fault(
        'granularity',
        `Invalid granularity: ${name}. Supported values are: hour, day, week, month`,
      )
    const dateOf = dateReader(pattern, reason =>
      config.fault('format', `invalid date format: ${reason}`),
    )
    return call => {
      if (call.options.routing !== undefined) return call
      const queries = queriesIn(sourceKey(call, 'query'), occur => occur === 'must')
      const buckets = Array.from(queries, query =>
        query.name === 'range' ? bucketsOf(query, field, granularity, dateOf) : [],
      ).flat()
      if (buckets.length === 0) return call
      const unique = [...new Set(buckets)]
      const routing = isHashed ? unique.map(hashRouting) : unique
      return { ...call, options: { ...call.options, routing } }
    }
  },
}

/** A date of a text; null: it is none, which leaves a range without routing. */
type ReadDate = (text: string) => Date | null

function dateReader(pattern: string, fault: (reason: string) => EngineError): ReadDate {
  try {
    const format = compileDateFormat(pattern)
    return text => {
      const millis = format.parse(text)
      return millis === null ? null : new Date(millis)
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw fault(error.record.reason)
  }
}

/** The buckets of a range; of one without an end that of the end which it has. */
function bucketsOf(
  query: NamedQuery,
  field: string,
  granularity: Granularity,
  dateOf: ReadDate,
): string[] {
  const end = (...keys: string[]): string | undefined =>
    keys.flatMap(key => valuesOn(query, field, key))[0]
  const texts = [end('gte', 'gt', 'from'), end('lte', 'lt', 'to')].filter(
    text => text !== undefined,
  )
  const dates = texts.map(dateOf)
  const [first, last] = [dates[0], dates.at(-1)]
  if (first === undefined || last === undefined || dates.includes(null)) return []
  const names: string[] = []
  const until = granularity.start(last!)
  let at = granularity.start(first!)
  while (at <= until && names.length < MAX_BUCKETS) {
    names.push(granularity.name(at))
    at = granularity.next(at)
  }
  return names
}

function dayOf(date: Date): Date {
  return new Date(Math.floor(date.getTime() / DAY_IN_MILLIS) * DAY_IN_MILLIS)
}

function daysLater(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_IN_MILLIS)
}

function monthName(date: Date): string {
  return `${date.getUTCFullYear()}-${twoDigits(date.getUTCMonth() + 1)}`
}

function dayName(date: Date): string {
  return `${monthName(date)}-${twoDigits(date.getUTCDate())}`
}

/** A week is of the year that its Thursday is in. */
function weekName(monday: Date): string {
  const thursday = daysLater(monday, 3)
  const year = thursday.getUTCFullYear()
  const days = (thursday.getTime() - Date.UTC(year, 0)) / DAY_IN_MILLIS
  return `${year}-W${twoDigits(1 + Math.floor(days / 7))}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
