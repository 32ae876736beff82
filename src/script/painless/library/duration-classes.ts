/** `Duration`, `Period` and `java.util.Date`. */
import type { Long } from '../../../util/long.ts'
import { arithmetic, illegalArgument } from '../../java-faults.ts'
import { ComparableObject } from '../../value/compare.ts'
import { temporalTypeFault, unsupported } from '../../value/date/date-faults.ts'
import {
  DurationValue,
  durationOf,
  PeriodValue,
  parseDuration,
  parsePeriod,
} from '../../value/date/duration-value.ts'
import type { EnumValue } from '../../value/date/enum-value.ts'
import {
  type InstantValue,
  instantOfMillis,
  type LocalDateValue,
} from '../../value/date/local-values.ts'
import type { TemporalValue } from '../../value/date/temporal-value.ts'
import { longHash } from '../../value/hash.ts'
import { wrapLong } from '../../value/java-numbers.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { lengthOf } from './chrono-classes.ts'
import { classOf } from './class-of.ts'
import type { ClassType, Member } from './class-type.ts'
import { epochMilli } from './instant-class.ts'
import { periodBetween } from './local-date-class.ts'
import { constructors, members } from './members.ts'
import { type CharSequence, textOf } from './string-builder-value.ts'
import { shifted, type TemporalAmount, unitNamed } from './temporal-members.ts'

const SECOND = 1_000_000_000n

/** Units in which durations count, by the ends of their members' names. */
const UNITS: Readonly<Record<string, bigint>> = {
  Days: 86_400n * SECOND,
  Hours: 3600n * SECOND,
  Minutes: 60n * SECOND,
  Millis: 1_000_000n,
  Nanos: 1n,
  Seconds: SECOND,
}

/** `plusDays`, `minusDays`, `toDays` and `ofDays` for each unit. */
function unitMembers(isStatic: boolean): Record<string, Member> {
  const table: Record<string, Parameters<typeof members>[0][string]> = {}
  for (const [name, length] of Object.entries(UNITS))
    if (isStatic)
      table[`Duration of${name}(long)`] = (_run, _, amount: Long) =>
        new DurationValue(BigInt(amount) * length)
    else {
      table[`Duration plus${name}(long)`] = (_run, value: DurationValue, amount: Long) =>
        new DurationValue(value.nanos + BigInt(amount) * length)
      table[`Duration minus${name}(long)`] = (_run, value: DurationValue, amount: Long) =>
        new DurationValue(value.nanos - BigInt(amount) * length)
      table[`long to${name}()`] = (_run, value: DurationValue) => {
        // Whole seconds are rounded down before larger units are counted.
        const result = length < SECOND ? value.nanos / length : value.seconds / (length / SECOND)
        if (BigInt.asIntN(64, result) !== result) throw arithmetic('long overflow')
        return wrapLong(result)
      }
    }
  return members(table)
}

/** A unit's fixed length; days have 24 hours. */
function exactLength(unit: EnumValue): bigint {
  if (unit.ordinal > 7) throw temporalTypeFault('Unit must not have an estimated duration')
  return lengthOf(unit)
}

const DURATION: ClassType = {
  ...classOf('Duration', 'java.time.Duration', value => value instanceof DurationValue),
  supers: ['TemporalAmount', 'Comparable', 'Object'],
  constants: { ZERO: { type: 'Duration', value: new DurationValue(0n) } },
  methods: {
    ...unitMembers(false),
    ...members({
      'Duration abs()': (_run, value: DurationValue) =>
        value.nanos < 0n ? new DurationValue(-value.nanos) : value,
      'Temporal addTo(Temporal)': (_run, value: DurationValue, to: TemporalValue) =>
        shifted(to, value, 1),
      'Duration dividedBy(long)': (_run, value: DurationValue, divisor: Long) => {
        if (BigInt(divisor) === 0n) throw arithmetic('Cannot divide by zero')
        return new DurationValue(value.nanos / BigInt(divisor))
      },
      'long get(TemporalUnit)': (_run, value: DurationValue, unit: EnumValue) => {
        if (unit.name === 'SECONDS') return wrapLong(value.seconds)
        if (unit.name === 'NANOS') return value.nanoOfSecond
        throw unsupported('unit', unit.text())
      },
      'int getNano()': (_run, value: DurationValue) => value.nanoOfSecond,
      'long getSeconds()': (_run, value: DurationValue) => wrapLong(value.seconds),
      'boolean isNegative()': (_run, value: DurationValue) => value.nanos < 0n,
      'boolean isZero()': (_run, value: DurationValue) => value.nanos === 0n,
      'Duration minus(Duration)': (_run, value: DurationValue, other: DurationValue) =>
        new DurationValue(value.nanos - other.nanos),
      'Duration minus(long, TemporalUnit)': (
        _run,
        value: DurationValue,
        amount: Long,
        unit: EnumValue,
      ) => new DurationValue(value.nanos - BigInt(amount) * exactLength(unit)),
      'Duration multipliedBy(long)': (_run, value: DurationValue, factor: Long) =>
        new DurationValue(value.nanos * BigInt(factor)),
      'Duration negated()': (_run, value: DurationValue) => new DurationValue(-value.nanos),
      'Duration plus(Duration)': (_run, value: DurationValue, other: DurationValue) =>
        new DurationValue(value.nanos + other.nanos),
      'Duration plus(long, TemporalUnit)': (
        _run,
        value: DurationValue,
        amount: Long,
        unit: EnumValue,
      ) => new DurationValue(value.nanos + BigInt(amount) * exactLength(unit)),
      'Temporal subtractFrom(Temporal)': (_run, value: DurationValue, from: TemporalValue) =>
        shifted(from, value, -1),
      'Duration withNanos(int)': (_run, value: DurationValue, nanos: number) =>
        durationOf(wrapLong(value.seconds), nanos),
      'Duration withSeconds(long)': (_run, value: DurationValue, seconds: Long) =>
        durationOf(seconds, value.nanoOfSecond),
    }),
  },
  statics: {
    ...unitMembers(true),
    ...members({
      'Duration between(Temporal, Temporal)': (_run, _, from: TemporalValue, to: TemporalValue) =>
        new DurationValue(betweenNanos(from, to)),
      'Duration of(long, TemporalUnit)': (_run, _, amount: Long, unit: EnumValue) =>
        new DurationValue(BigInt(amount) * exactLength(unit)),
      'Duration ofSeconds(long, long)': (_run, _, seconds: Long, nanos: Long) =>
        durationOf(seconds, nanos),
      'Duration parse(CharSequence)': (_run, _, text: CharSequence) => parseDuration(textOf(text)),
    }),
  },
}

/** Seconds where there are some, then the rest: `until` in nanoseconds may exceed a long. */
function betweenNanos(from: TemporalValue, to: TemporalValue): bigint {
  const seconds = BigInt(from.until(to, unitNamed('SECONDS')))
  const moved = from.plusNanos(seconds * SECOND)
  return seconds * SECOND + BigInt(moved.until(to, unitNamed('NANOS')))
}

/** A period with other parts. */
const parts =
  (of: (value: PeriodValue, amount: number) => readonly [number, number, number]) =>
  (_run: unknown, value: PeriodValue, amount: Long): ScriptValue =>
    new PeriodValue(...of(value, Number(amount)))

const PERIOD: ClassType = {
  ...classOf('Period', 'java.time.Period', value => value instanceof PeriodValue),
  supers: ['TemporalAmount', 'Object'],
  constants: { ZERO: { type: 'Period', value: new PeriodValue(0, 0, 0) } },
  methods: members({
    'Temporal addTo(Temporal)': (_run, value: PeriodValue, to: TemporalValue) =>
      shifted(to, value, 1),
    'long get(TemporalUnit)': (_run, value: PeriodValue, unit: EnumValue) => {
      if (unit.name === 'YEARS') return value.years
      if (unit.name === 'MONTHS') return value.months
      if (unit.name === 'DAYS') return value.days
      throw unsupported('unit', unit.text())
    },
    'int getDays()': (_run, value: PeriodValue) => value.days,
    'int getMonths()': (_run, value: PeriodValue) => value.months,
    'int getYears()': (_run, value: PeriodValue) => value.years,
    'boolean isNegative()': (_run, value: PeriodValue) =>
      value.years < 0 || value.months < 0 || value.days < 0,
    'boolean isZero()': (_run, value: PeriodValue) =>
      value.years === 0 && value.months === 0 && value.days === 0,
    'Period minus(TemporalAmount)': (_run, value: PeriodValue, other: TemporalAmount) =>
      added(value, other, -1),
    'Period minusDays(long)': parts((p, n) => [p.years, p.months, p.days - n]),
    'Period minusMonths(long)': parts((p, n) => [p.years, p.months - n, p.days]),
    'Period minusYears(long)': parts((p, n) => [p.years - n, p.months, p.days]),
    'Period multipliedBy(int)': parts((p, n) => [p.years * n, p.months * n, p.days * n]),
    'Period negated()': (_run, value: PeriodValue) =>
      new PeriodValue(-value.years, -value.months, -value.days),
    'Period normalized()': (_run, value: PeriodValue) => {
      const months = value.years * 12 + value.months
      return new PeriodValue(Math.trunc(months / 12), months % 12, value.days)
    },
    'Period plus(TemporalAmount)': (_run, value: PeriodValue, other: TemporalAmount) =>
      added(value, other, 1),
    'Period plusDays(long)': parts((p, n) => [p.years, p.months, p.days + n]),
    'Period plusMonths(long)': parts((p, n) => [p.years, p.months + n, p.days]),
    'Period plusYears(long)': parts((p, n) => [p.years + n, p.months, p.days]),
    'Temporal subtractFrom(Temporal)': (_run, value: PeriodValue, from: TemporalValue) =>
      shifted(from, value, -1),
    'long toTotalMonths()': (_run, value: PeriodValue) => value.years * 12 + value.months,
    'Period withDays(int)': parts((p, n) => [p.years, p.months, n]),
    'Period withMonths(int)': parts((p, n) => [p.years, n, p.days]),
    'Period withYears(int)': parts((p, n) => [n, p.months, p.days]),
  }),
  statics: members({
    'Period between(LocalDate, LocalDate)': (_run, _, from: LocalDateValue, to: LocalDateValue) =>
      periodBetween(from.day, to.day),
    'Period of(int, int, int)': (_run, _, years: number, months: number, days: number) =>
      new PeriodValue(years, months, days),
    'Period ofDays(int)': (_run, _, days: number) => new PeriodValue(0, 0, days),
    'Period ofMonths(int)': (_run, _, months: number) => new PeriodValue(0, months, 0),
    'Period ofWeeks(int)': (_run, _, weeks: number) => new PeriodValue(0, 0, 7 * weeks),
    'Period ofYears(int)': (_run, _, years: number) => new PeriodValue(years, 0, 0),
    'Period parse(CharSequence)': (_run, _, text: CharSequence) => parsePeriod(textOf(text)),
  }),
}

function added(value: PeriodValue, other: TemporalAmount, sign: number): PeriodValue {
  if (!(other instanceof PeriodValue))
    throw illegalArgument(`Unable to obtain Period from TemporalAmount: ${other.text()}`)
  return new PeriodValue(
    value.years + sign * other.years,
    value.months + sign * other.months,
    value.days + sign * other.days,
  )
}

/** A `java.util.Date`. */
class DateValue extends ComparableObject {
  readonly className: string = 'java.util.Date'
  millis: Long

  constructor(millis: Long) {
    super()
    this.millis = millis
  }

  override equals(other: ScriptValue): boolean {
    return other instanceof DateValue && other.millis === this.millis
  }

  override hash(): number {
    return longHash(BigInt(this.millis))
  }

  override compareTo(other: ScriptValue): number | null {
    if (!(other instanceof DateValue)) return null
    return this.millis < other.millis ? -1 : this.millis > other.millis ? 1 : 0
  }

  /** `Thu Jan 01 00:00:00 UTC 1970`. */
  override text(): string {
    const date = new Date(Number(this.millis))
    if (Number.isNaN(date.getTime())) return String(this.millis)
    const [weekday, day, month, year, time] = date.toUTCString().replace(',', '').split(' ')
    return `${weekday} ${month} ${day} ${time} UTC ${year}`
  }
}

const DATE: ClassType = {
  ...classOf('Date', 'java.util.Date', value => value instanceof DateValue),
  supers: ['Comparable', 'Object'],
  constructors: constructors('Date', {
    '()': () => new DateValue(Date.now()),
    '(long)': (_run, _, millis: Long) => new DateValue(millis),
  }),
  methods: members({
    'boolean after(Date)': (_run, value: DateValue, other: DateValue) =>
      value.millis > other.millis,
    'boolean before(Date)': (_run, value: DateValue, other: DateValue) =>
      value.millis < other.millis,
    'def clone()': (_run, value: DateValue) => new DateValue(value.millis),
    'long getTime()': (_run, value: DateValue) => value.millis,
    'void setTime(long)': (_run, value: DateValue, millis: Long) => {
      value.millis = millis
    },
    'Instant toInstant()': (_run, value: DateValue) => instantOfMillis(Number(value.millis)),
  }),
  statics: members({
    'Date from(Instant)': (_run, _, instant: InstantValue) => new DateValue(epochMilli(instant)),
  }),
}

/** `Duration`, `Period`, `Date`. */
export const DURATION_CLASSES: readonly ClassType[] = [DURATION, PERIOD, DATE]
