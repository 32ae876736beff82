/** Rounding of instants down to the start of a calendar unit or interval of a time zone. */
import { findTimeZone, type TimeZone, UTC } from '../../util/date/time-zone.ts'

/** Units of the calendar. */
export type CalendarUnit =
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'month'
  | 'quarter'
  | 'year'

/** How instants are rounded: plain data. */
export interface RoundingPlan {
  readonly interval:
    | { readonly kind: 'calendar'; readonly unit: CalendarUnit }
    | { readonly kind: 'fixed'; readonly millis: number }
  /** ID of a time zone; null: UTC. */
  readonly zone: string | null
  /** Milliseconds that bucket starts are moved by. */
  readonly offset: number
}

/** Rounds milliseconds since 1970. */
export interface Rounding {
  /** The start of the bucket that holds an instant. */
  round(millis: number): number
  /** The start of the bucket behind one. */
  next(start: number): number
  /** Whether clocks may be set back behind a start after it, into the bucket before once more. */
  mayFallBack(start: number): boolean
}

const SECOND = 1000
const DAY = 86_400_000
/** 1970-01-01 was a Thursday: weeks are counted from the Monday before. */
const MONDAY = -3 * DAY

/** Lengths of the units that are not longer than an hour. */
const SHORT_UNITS: { readonly [unit: string]: number } = {
  second: SECOND,
  minute: 60 * SECOND,
  hour: 3600 * SECOND,
}

/** The rounding of a plan, its offset included. */
export function roundingOf({ interval, zone, offset }: RoundingPlan): Rounding {
  const made = unshifted(interval, zone === null ? UTC : (findTimeZone(zone) ?? UTC))
  if (offset === 0) return made
  return {
    round: millis => made.round(millis - offset) + offset,
    next: start => made.next(start - offset) + offset,
    mayFallBack: start => made.mayFallBack(start - offset),
  }
}

function unshifted(interval: RoundingPlan['interval'], zone: TimeZone): Rounding {
  if (interval.kind === 'fixed') {
    const { millis: length } = interval
    const floor = (local: number): number => Math.floor(local / length) * length
    return new LocalInterval(zone, floor, true, start => zone.toUtc(zone.toLocal(start) + length))
  }
  const short = SHORT_UNITS[interval.unit]
  if (short === undefined) return midnightRounding(interval.unit, zone)
  const floor = (local: number): number => Math.floor(local / short) * short
  return new LocalInterval(zone, floor, false, start => start + short)
}

function midnightRounding(unit: CalendarUnit, zone: TimeZone): Rounding {
  return {
    round: millis => firstInstant(zone, floorLocal(zone.toLocal(millis), unit)),
    next: start => firstInstant(zone, addLocal(floorLocal(zone.toLocal(start), unit), unit)),
    mayFallBack: start => zone.toLocal(start + DAY) - zone.toLocal(start) < DAY,
  }
}

/** The first instant of a day: where its midnight is left out, that of the change. */
function firstInstant(zone: TimeZone, midnight: number): number {
  const instant = zone.toUtc(midnight)
  if (zone.toLocal(instant) === midnight) return instant
  return changeBetween(zone, instant - 2 * DAY, instant)
}

/** The first instant of the offset that holds at `to`, and not at `from`. */
function changeBetween(zone: TimeZone, from: number, to: number): number {
  const offset = zone.toLocal(to) - to
  let before = from
  let after = to
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (zone.toLocal(middle) - middle === offset) after = middle
    else before = middle
  }
  return after
}

function floorLocal(local: number, unit: CalendarUnit): number {
  if (unit === 'day') return Math.floor(local / DAY) * DAY
  if (unit === 'week') return Math.floor((local - MONDAY) / (7 * DAY)) * 7 * DAY + MONDAY
  const date = new Date(local)
  const month = date.getUTCMonth()
  const first = unit === 'year' ? 0 : unit === 'quarter' ? month - (month % 3) : month
  return monthStart(date.getUTCFullYear(), first)
}

function addLocal(local: number, unit: CalendarUnit): number {
  if (unit === 'day') return local + DAY
  if (unit === 'week') return local + 7 * DAY
  const date = new Date(local)
  const months = unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1
  return monthStart(date.getUTCFullYear(), date.getUTCMonth() + months)
}

/** `Date.UTC` takes years below 100 for those of the twentieth century. */
function monthStart(year: number, month: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 1)
  return date.getTime()
}

/**
 * Intervals of local time that may hold a change of the zone's offset. As the real server, an
 * instant behind a change whose interval began before it falls into the interval that ran up to the
 * change.
 */
class LocalInterval implements Rounding {
  readonly #zone: TimeZone
  readonly #floor: (local: number) => number
  /** Whether an interval that would begin in a gap begins at the change itself. */
  readonly #beginsInGaps: boolean
  readonly #next: (start: number) => number

  constructor(
    zone: TimeZone,
    floor: (local: number) => number,
    beginsInGaps: boolean,
    next: (start: number) => number,
  ) {
    this.#zone = zone
    this.#floor = floor
    this.#beginsInGaps = beginsInGaps
    this.#next = next
  }

  round(millis: number): number {
    const zone = this.#zone
    for (let instant = millis; ; ) {
      const local = zone.toLocal(instant)
      const offset = local - instant
      const floor = this.#floor(local)
      const start = floor - offset
      if (zone.toLocal(start) - start === offset) return start
      const change = changeBetween(zone, start, instant)
      const isInGap = floor >= zone.toLocal(change - 1) + 1 && floor < zone.toLocal(change)
      if (isInGap && this.#beginsInGaps) return change
      instant = change - 1
    }
  }

  next(start: number): number {
    return this.#next(start)
  }

  mayFallBack(): boolean {
    return false
  }
}

const UNIT_DAYS = { day: 1, week: 7, month: 31, quarter: 92, year: 366 } as const

/** The length of the longest buckets, in milliseconds, changes of the zone's offset aside. */
export function maxLength({ interval }: RoundingPlan): number {
  if (interval.kind === 'fixed') return interval.millis
  const { unit } = interval
  return unit in UNIT_DAYS ? UNIT_DAYS[unit as keyof typeof UNIT_DAYS] * DAY : SHORT_UNITS[unit]!
}
