import { ComparableObject } from '../compare.ts'
import type { ScriptValue } from '../script-value.ts'

/** A constant of an enumeration, of which there is one object. */
export class EnumValue extends ComparableObject {
  readonly className: string
  readonly name: string
  /** Index among the constants. */
  readonly ordinal: number
  readonly #text: string

  constructor(className: string, name: string, ordinal: number, text: string = name) {
    super()
    this.className = className
    this.name = name
    this.ordinal = ordinal
    this.#text = text
  }

  override text(): string {
    return this.#text
  }

  override compareTo(other: ScriptValue): number | null {
    return other instanceof EnumValue && other.className === this.className
      ? this.ordinal - other.ordinal
      : null
  }
}

function enumOf(className: string, names: readonly string[]): readonly EnumValue[] {
  return names.map((name, i) => new EnumValue(className, name, i))
}

/** `java.time.DayOfWeek`, Monday first. */
export const DAYS_OF_WEEK: readonly EnumValue[] = enumOf(
  'java.time.DayOfWeek',
  'MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY SUNDAY'.split(' '),
)

/** `java.time.Month`. */
export const MONTHS: readonly EnumValue[] = enumOf(
  'java.time.Month',
  'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(
    ' ',
  ),
)

/** `java.time.format.TextStyle`. */
export const TEXT_STYLES: readonly EnumValue[] = enumOf(
  'java.time.format.TextStyle',
  'FULL FULL_STANDALONE SHORT SHORT_STANDALONE NARROW NARROW_STANDALONE'.split(' '),
)

const UNITS: readonly (readonly [string, string])[] = [
  ['NANOS', 'Nanos'],
  ['MICROS', 'Micros'],
  ['MILLIS', 'Millis'],
  ['SECONDS', 'Seconds'],
  ['MINUTES', 'Minutes'],
  ['HOURS', 'Hours'],
  ['HALF_DAYS', 'HalfDays'],
  ['DAYS', 'Days'],
  ['WEEKS', 'Weeks'],
  ['MONTHS', 'Months'],
  ['YEARS', 'Years'],
  ['DECADES', 'Decades'],
  ['CENTURIES', 'Centuries'],
  ['MILLENNIA', 'Millennia'],
  ['ERAS', 'Eras'],
  ['FOREVER', 'Forever'],
]

/** `java.time.temporal.ChronoUnit`. */
export const CHRONO_UNITS: readonly EnumValue[] = UNITS.map(
  ([name, text], i) => new EnumValue('java.time.temporal.ChronoUnit', name, i, text),
)
