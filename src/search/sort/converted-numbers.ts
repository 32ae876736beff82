import { IllegalArgumentError } from '../../util/errors.ts'
import {
  encodePoint,
  highHalf,
  joinHalves,
  lowHalf,
  MAX_LONG,
  MIN_LONG,
} from '../query/point-value.ts'
import { decodePoint } from '../scorer/point-encoding.ts'
import type { DocNumbers } from './nested-numbers.ts'
import type { NumberConversion } from './sort-key.ts'

const NANOS_PER_MILLI = 1_000_000n

/** A field's numbers as sortable integers of another type. */
export class ConvertedNumbers implements DocNumbers {
  readonly #numbers: DocNumbers
  readonly #conversion: NumberConversion

  constructor(numbers: DocNumbers, conversion: NumberConversion) {
    this.#numbers = numbers
    this.#conversion = conversion
  }

  advanceExact(docId: number): boolean {
    return this.#numbers.advanceExact(docId)
  }

  valueCount(): number {
    return this.#numbers.valueCount()
  }

  select(index: number): void {
    this.#numbers.select(index)
  }

  /** @throws {IllegalArgumentError} nanoseconds do not reach the value */
  hi(): number {
    return highHalf(this.#value())
  }

  /** @throws {IllegalArgumentError} nanoseconds do not reach the value */
  lo(): number {
    return lowHalf(this.#value())
  }

  #value(): bigint {
    const { to, from, scale } = this.#conversion
    const hi = this.#numbers.hi()
    const lo = this.#numbers.lo()
    switch (to) {
      case 'nanos':
        return nanosOfMillis(joinHalves(hi, lo))
      case 'millis':
        return joinHalves(hi, lo) / NANOS_PER_MILLI
      case 'long':
        return truncated(decodePoint(hi, lo, from) / scale)
      case 'float':
      case 'double':
        return encodePoint(decodePoint(hi, lo, from) / scale, to)
    }
  }
}

/** Without its fraction, and within 64 bits. */
function truncated(value: number): bigint {
  if (value >= 2 ** 63) return MAX_LONG
  return value <= -(2 ** 63) ? MIN_LONG : BigInt(Math.trunc(value))
}

/**
 * Nanoseconds since 1970.
 * @throws {IllegalArgumentError} they do not reach it
 */
export function nanosOfMillis(millis: bigint): bigint {
  const nanos = millis * NANOS_PER_MILLI
  if (millis >= 0n && nanos <= MAX_LONG) return nanos
  const side = millis < 0n ? 'before the epoch in 1970' : 'after 2262-04-11T23:47:16.854775807'
  throw new IllegalArgumentError(
    `milliSeconds [${millis}] are ${side} and cannot be processed in nanosecond resolution`,
  )
}
