import { encodePoint, MAX_LONG, MIN_LONG } from '../search/query/point-value.ts'
import type { NumberSource } from './value-source.ts'

/** The sortable integer of a number of a source: whole ones drop fractions and end at 64 bits. */
export function sortableOf({ encoding, scale, isNanos }: NumberSource, value: number): bigint {
  if (encoding === 'unsignedLong') return encodePoint(Math.trunc(value), encoding)
  if (encoding !== 'long') return encodePoint(value, encoding)
  const scaled = Math.trunc(value * scale)
  if (scaled >= 2 ** 63) return MAX_LONG
  if (scaled < -(2 ** 63)) return MIN_LONG
  const whole = BigInt(scaled) * (isNanos ? 1_000_000n : 1n)
  return whole > MAX_LONG ? MAX_LONG : whole < MIN_LONG ? MIN_LONG : whole
}
