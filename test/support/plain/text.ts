/** Numbers and dates as texts of answers. */
import type { ValueType } from './row.ts'

/** A double as Java writes it: with few digits, and an exponent where it is very large or small. */
export function doubleText(value: number): string {
  const size = Math.abs(value)
  if (value === 0 || (size >= 1e-3 && size < 1e7))
    return Number.isInteger(value) ? value.toFixed(1) : String(value)
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`
}

const DAY = 86_400_000

/** An instant of any year as `1970-01-01T00:00:00.000Z`. */
export function dateText(millis: number): string {
  const whole = Math.trunc(millis)
  const days = Math.floor(whole / DAY)
  const time = new Date(whole - days * DAY).toISOString().slice(10)
  // Eras of 400 years have as many days each; those of the script's calendar end too early.
  const era = Math.floor(days / 146_097)
  const within = new Date((days - era * 146_097) * DAY)
  const year = within.getUTCFullYear() + 400 * era
  const text = year > 9999 ? `+${year}` : String(year).padStart(4, '0')
  return `${text}${within.toISOString().slice(4, 10)}${time}`
}

/** The text beside a number of a type; undefined: there is none. */
export function shownText(type: ValueType, value: number): string | undefined {
  if (type === 'date') return dateText(value)
  return type === 'boolean' ? String(value !== 0) : undefined
}

/** A number, null for none, with its text where its type has one. */
export function printedValue(
  type: ValueType,
  value: number | null,
): { readonly value: number | null } {
  const text = value === null ? undefined : shownText(type, value)
  return text === undefined ? { value } : { value, ...{ value_as_string: text } }
}
