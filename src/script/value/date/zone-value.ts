import { findTimeZone, fixedZone, type TimeZone } from '../../../util/date/time-zone.ts'
import { ComparableObject } from '../compare.ts'
import type { ScriptValue } from '../script-value.ts'
import { dateTimeFault, unknownZone } from './date-faults.ts'

/** A `java.time.ZoneId`, or a `ZoneOffset` where it is an offset alone. */
export class ZoneValue extends ComparableObject {
  readonly className: string
  /** `Z`, `+01:00`, `UTC`, `Europe/Paris`. */
  readonly id: string
  readonly zone: TimeZone
  /** Seconds ahead of UTC; null for a region. */
  readonly offset: number | null

  constructor(id: string, zone: TimeZone, offset: number | null) {
    super()
    this.className = offset === null ? 'java.time.ZoneRegion' : 'java.time.ZoneOffset'
    this.id = id
    this.zone = zone
    this.offset = offset
  }

  /** Seconds ahead of UTC at an instant. */
  offsetAt(epochSecond: number): number {
    const millis = epochSecond * 1000
    return this.offset ?? Math.round((this.zone.toLocal(millis) - millis) / 1000)
  }

  /**
   * The instant of a local time: of two the earlier; one that is left out moves on.
   * @param localSecond seconds since 1970 that the local time would be in UTC
   */
  instantOfLocal(localSecond: number): number {
    return this.offset === null
      ? Math.round(this.zone.toUtc(localSecond * 1000) / 1000)
      : localSecond - this.offset
  }

  override text(): string {
    return this.id
  }

  override equals(other: ScriptValue): boolean {
    return other instanceof ZoneValue && other.id === this.id && other.className === this.className
  }

  /** Offsets alone have an order: the farthest ahead comes first. */
  override compareTo(other: ScriptValue): number | null {
    if (!(other instanceof ZoneValue) || this.offset === null || other.offset === null) return null
    return other.offset - this.offset
  }
}

/**
 * An offset.
 * @throws {ScriptFault} `date_time_exception`: past 18 hours
 */
export function zoneOffset(seconds: number): ZoneValue {
  if (!(Math.abs(seconds) <= 64_800))
    throw dateTimeFault('Zone offset not in valid range: -18:00 to +18:00')
  return new ZoneValue(offsetText(seconds), fixedZone(seconds * 1000), seconds)
}

/** `Z`, `+01:00`, `-00:00:30`. */
export function offsetText(seconds: number): string {
  if (seconds === 0) return 'Z'
  const size = Math.abs(seconds)
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60]
  const shown = parts[2] === 0 ? parts.slice(0, 2) : parts
  return (seconds < 0 ? '-' : '+') + shown.map(part => String(part).padStart(2, '0')).join(':')
}

/** The offset 0, `Z`. */
export const UTC_OFFSET: ZoneValue = zoneOffset(0)

/**
 * The zone of an ID.
 * @throws {ScriptFault} `zone_rules_exception`: a region that is unknown, `date_time_exception`: no ID
 */
export function zoneOf(id: string): ZoneValue {
  if (id === 'Z') return UTC_OFFSET
  if (/^[+-]/.test(id)) return offsetOf(id)
  const prefixed = /^(UTC|GMT|UT)([+-].*)?$/.exec(id)
  if (prefixed !== null) {
    const offset = prefixed[2] === undefined ? UTC_OFFSET : offsetOf(prefixed[2])
    const tail = offset.offset === 0 ? '' : offset.id
    return new ZoneValue(prefixed[1] + tail, offset.zone, null)
  }
  if (id.length > 64 || !/^[A-Za-z][A-Za-z0-9~/._+-]+$/.test(id))
    throw dateTimeFault(`Invalid ID for region-based ZoneId, invalid format: ${id.slice(0, 256)}`)
  const zone = findTimeZone(id)
  if (zone === null) throw unknownZone(id)
  return new ZoneValue(id, zone, null)
}

/**
 * The offset of an ID: `Z`, `+h`, `+hh`, `+hh:mm`, `+hhmm`, `+hh:mm:ss`, `+hhmmss`.
 * @throws {ScriptFault} `date_time_exception`
 */
export function offsetOf(id: string): ZoneValue {
  if (id === 'Z') return UTC_OFFSET
  const shape = /^([+-])(\d{1,2})(?::(\d{2})(?::(\d{2}))?|(\d{2})(\d{2})?)?$/.exec(id)
  if (shape === null)
    throw dateTimeFault(`Invalid ID for ZoneOffset, invalid format: ${id.slice(0, 256)}`)
  const [, sign, hours, m1, s1, m2, s2] = shape
  const minutes = Number(m1 ?? m2 ?? 0)
  const seconds = Number(s1 ?? s2 ?? 0)
  if (minutes > 59 || seconds > 59)
    throw dateTimeFault(
      `Zone offset ${minutes > 59 ? 'minutes' : 'seconds'} not in valid range: value ${minutes > 59 ? minutes : seconds} is not in the range -59 to 59`,
    )
  const size = Number(hours) * 3600 + minutes * 60 + seconds
  return zoneOffset(sign === '-' ? -size : size)
}
