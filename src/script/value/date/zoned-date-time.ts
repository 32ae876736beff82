/** `ZonedDateTime`, and the kind of it that doc values are. */
import type { Long } from '../../../util/long.ts'
import { wrapLong } from '../java-numbers.ts'
import type { ScriptValue } from '../script-value.ts'
import type { ChronoField } from './chrono-field.ts'
import { dateTimeFault } from './date-faults.ts'
import type { EnumValue } from './enum-value.ts'
import { dateText, type InstantValue, instantOf, timeText } from './local-values.ts'
import { checkedDay, dateUntil, localNanos, nanosOfUnit, TemporalValue } from './temporal-value.ts'
import { offsetText, UTC_OFFSET, type ZoneValue, zoneOffset } from './zone-value.ts'

/** A `java.time.ZonedDateTime`. */
export class ZonedDateTimeValue extends TemporalValue {
  readonly className: string = 'java.time.ZonedDateTime'
  readonly day: number
  readonly nano: number
  readonly zone: ZoneValue
  /** Seconds ahead of UTC. */
  readonly offset: number

  /** A local time with the offset that its zone has there. */
  constructor(day: number, nano: number, zone: ZoneValue, offset: number) {
    super()
    this.day = checkedDay(day)
    this.nano = nano
    this.zone = zone
    this.offset = offset
  }

  override get epochSecond(): number {
    return this.day * 86_400 + Math.floor(this.nano / 1e9) - this.offset
  }

  /** The instant that it names. */
  get instant(): InstantValue {
    return instantOf(this.epochSecond, this.nano % 1e9)
  }

  override moved(day: number, nano: number): ZonedDateTimeValue {
    return zonedOfLocal(day, nano, this.zone)
  }

  override has(field: ChronoField): boolean {
    return field.name === 'OFFSET_SECONDS' || super.has(field)
  }

  override get(field: ChronoField): number {
    if (field.name === 'INSTANT_SECONDS') return this.epochSecond
    return field.name === 'OFFSET_SECONDS' ? this.offset : super.get(field)
  }

  override with(field: ChronoField, value: Long): TemporalValue {
    if (field.name === 'INSTANT_SECONDS')
      return zonedOfInstant(instantOf(field.check(Number(value)), this.nano % 1e9), this.zone)
    return field.name === 'OFFSET_SECONDS' ? this.#withOffset(value) : super.with(field, value)
  }

  /** Of two instants that a local time names the one with an offset; the same where it has not. */
  #withOffset(value: Long): ZonedDateTimeValue {
    const offset = zoneOffset(Number(value)).offset ?? 0
    const moved = zonedOfInstant(
      instantOf(this.epochSecond + this.offset - offset, this.nano % 1e9),
      this.zone,
    )
    return moved.offset === offset ? moved : this
  }

  /** Units of time are added to the instant. */
  override plusNanos(nanos: bigint): ZonedDateTimeValue {
    return zonedOfInstant(this.instant.plusNanos(nanos) as InstantValue, this.zone)
  }

  override until(other: TemporalValue, unit: EnumValue): Long {
    const { epochSecond } = other
    if (epochSecond === null)
      throw dateTimeFault(
        `Unable to obtain ZonedDateTime from TemporalAccessor: ${other.text()} of type ${other.className}`,
      )
    const instant = instantOf(epochSecond, (other.nano ?? 0) % 1e9)
    const nanos = nanosOfUnit(unit)
    if (nanos !== null) return wrapLong((localNanos(instant) - localNanos(this.instant)) / nanos)
    if (!this.hasUnit(unit)) return super.until(other, unit)
    return dateUntil(this, zonedOfInstant(instant, this.zone), unit)
  }

  override order(other: TemporalValue): number {
    return (
      Math.sign(this.epochSecond - (other.epochSecond ?? 0)) ||
      Math.sign((this.nano % 1e9) - ((other.nano ?? 0) % 1e9))
    )
  }

  /** Instants of one class and of the other compare; see `DocDateValue`. */
  override compareTo(other: ScriptValue): number | null {
    return other instanceof ZonedDateTimeValue ? this.order(other) : null
  }

  override text(): string {
    const local = `${dateText(this.day)}T${timeText(this.nano, false)}${offsetText(this.offset)}`
    return this.zone.offset === null ? `${local}[${this.zone.id}]` : local
  }
}

/** A date of a document: a `ZonedDateTime` in UTC that keeps the names of Joda's members. */
export class DocDateValue extends ZonedDateTimeValue {
  override readonly className: string = 'org.opensearch.script.JodaCompatibleZonedDateTime'

  /** @param nanos of the second behind whole milliseconds, 0 … 999,999 */
  constructor(millis: number, nanos = 0) {
    const day = Math.floor(millis / 86_400_000)
    super(day, (millis - day * 86_400_000) * 1e6 + nanos, UTC_OFFSET, 0)
  }

  override equals(other: ScriptValue): boolean {
    return (
      other instanceof ZonedDateTimeValue &&
      other.day === this.day &&
      other.nano === this.nano &&
      other.zone.equals(this.zone)
    )
  }

  /** `2017-01-01T12:22:21.234Z`: with milliseconds, also where they are 0. */
  override text(): string {
    const millis = String(Math.floor((this.nano % 1e9) / 1e6)).padStart(3, '0')
    const nanos = String(this.nano % 1e6)
      .padStart(6, '0')
      .replace(/0+$/, '')
    return `${dateText(this.day)}T${timeText(Math.floor(this.nano / 1e9) * 1e9, true)}.${millis}${nanos}Z`
  }
}

/** The time of an instant in a zone. */
export function zonedOfInstant(instant: InstantValue, zone: ZoneValue): ZonedDateTimeValue {
  const offset = zone.offsetAt(instant.epochSecond)
  const local = instantOf(instant.epochSecond + offset, instant.nano % 1e9)
  return new ZonedDateTimeValue(local.day, local.nano, zone, offset)
}

/** A local time in a zone: of two instants the earlier; one that is left out moves on. */
export function zonedOfLocal(day: number, nano: number, zone: ZoneValue): ZonedDateTimeValue {
  const localSecond = checkedDay(day) * 86_400 + Math.floor(nano / 1e9)
  return zonedOfInstant(instantOf(zone.instantOfLocal(localSecond), nano % 1e9), zone)
}
