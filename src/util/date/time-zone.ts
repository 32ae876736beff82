/**
 * Time zones: fixed offsets, and the regions of the time-zone database that the runtime brings.
 * Local times are written as the milliseconds that they would be in UTC.
 */
import { IllegalArgumentError } from '../errors.ts'

/** A time zone. */
export interface TimeZone {
  /** The local time of an instant. */
  toLocal(millis: number): number
  /**
   * The instant of a local time. Of two, which the end of summer time makes, the earlier; one that the
   * start of summer time leaves out moves on by what was left out.
   */
  toUtc(localMillis: number): number
}

/** The zone without an offset. */
export const UTC: TimeZone = fixedZone(0)

const DAY = 86_400_000
const MAX_KEPT = 256
const kept = new Map<string, TimeZone>()

/** A zone that is always so many milliseconds ahead of UTC. */
export function fixedZone(offsetInMillis: number): TimeZone {
  return {
    toLocal: millis => millis + offsetInMillis,
    toUtc: localMillis => localMillis - offsetInMillis,
  }
}

/**
 * The zone of an ID: `Z`, an offset such as `+01:00`, one behind `UTC`, `GMT` or `UT`, or a region
 * such as `Europe/Paris`.
 * @throws {IllegalArgumentError} `Unknown time-zone ID: ⟨id⟩`
 */
export function timeZone(id: string): TimeZone {
  const zone = findTimeZone(id)
  if (zone === null) throw new IllegalArgumentError(`Unknown time-zone ID: ${id.slice(0, 256)}`)
  return zone
}

/** The zone of an ID, null when there is none. */
export function findTimeZone(id: string): TimeZone | null {
  if (/^(Z|UTC|GMT|UT)$/.test(id)) return UTC
  const shape = /^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?$/.exec(id)
  if (shape !== null) {
    const [, sign, hours, minutes = '0', seconds = '0'] = shape
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    if (size > 18 * 3600 || Number(minutes) > 59 || Number(seconds) > 59) return null
    return fixedZone((sign === '-' ? -1000 : 1000) * size)
  }
  if (id.length > 64 || !/^[A-Z][\w.~]*(\/[\w.~+-]+)*$/.test(id)) return null
  const known = kept.get(id)
  if (known !== undefined) return known
  const zone = region(id)
  // IDs come from users: the table holds the usual few and does not grow with what they send.
  if (zone !== null && kept.size < MAX_KEPT) kept.set(id, zone)
  return zone
}

function region(id: string): TimeZone | null {
  let wall: Intl.DateTimeFormat
  try {
    wall = new Intl.DateTimeFormat('en-US', {
      timeZone: id,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
  const toLocal = (millis: number): number => {
    // The runtime's dates end there; the offset does not change by then.
    const at = Math.min(Math.max(millis, -8.64e15), 8.64e15)
    const seconds = Math.floor(at / 1000) * 1000
    const parts = new Map(wall.formatToParts(seconds).map(({ type, value }) => [type, value]))
    const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name))
    const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year')
    const local = new Date(0)
    local.setUTCFullYear(year, part('month') - 1, part('day'))
    local.setUTCHours(part('hour'), part('minute'), part('second'))
    const offset = local.getTime() - seconds
    return millis + (Number.isNaN(offset) ? 0 : offset)
  }
  return {
    toLocal,
    toUtc(localMillis) {
      const before = toLocal(localMillis - DAY) - (localMillis - DAY)
      const early = localMillis - before
      if (toLocal(early) === localMillis) return early
      const after = toLocal(localMillis + DAY) - (localMillis + DAY)
      const late = localMillis - after
      return toLocal(late) === localMillis ? late : early
    },
  }
}
