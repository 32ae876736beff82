/** Instants in nanoseconds, from 1970 to as far as 63 bits go. */
import type { ParsedInstant } from '../util/date/resolve-date.ts'

const LAST_MILLIS = 9_223_372_036_854
const LAST_NANOS = 775_807

/** Nanoseconds since 1970 of an instant that `nanoProblem` takes. */
export function nanosOf({ millis, nanos }: Readonly<ParsedInstant>): bigint {
  return BigInt(millis) * 1_000_000n + BigInt(nanos)
}

/** Why an instant cannot be kept in nanoseconds; null where it can. */
export function nanoProblem(instant: Readonly<ParsedInstant>): string | null {
  const { millis, nanos } = instant
  if (millis < 0)
    return (
      `date[${javaInstant(instant)}] is before the epoch in 1970 and cannot be stored in ` +
      'nanosecond resolution'
    )
  if (millis > LAST_MILLIS || (millis === LAST_MILLIS && nanos > LAST_NANOS))
    return (
      `date[${javaInstant(instant)}] is after 2262-04-11T23:47:16.854775807 and cannot be stored ` +
      'in nanosecond resolution'
    )
  return null
}

/** An instant as Java prints it: a fraction of no, three, six or nine digits. */
function javaInstant({ millis, nanos }: Readonly<ParsedInstant>): string {
  const seconds = Math.floor(millis / 1000)
  const fraction = (millis - seconds * 1000) * 1_000_000 + nanos
  const date = new Date(seconds * 1000).toISOString().slice(0, -5)
  if (fraction === 0) return `${date}Z`
  return `${date}.${String(fraction)
    .padStart(9, '0')
    .replace(/(000){1,2}$/, '')}Z`
}
