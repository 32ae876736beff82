/**
 * Signed 64-bit integers of documents' versions and of requests: a number where it is exact, a bigint
 * beyond. An integer has one form, so that equal ones are `===`; `<` and `>` compare across forms.
 */
export type Long = number | bigint

const MAX_LONG = 2n ** 63n - 1n

/** The integer hi · 2³² + lo. */
export function longOfHalves(hi: number, lo: number): Long {
  const value = hi * 4294967296 + lo
  return Number.isSafeInteger(value) ? value : (BigInt(hi) << 32n) | BigInt(lo)
}

/** The signed upper 32 bits. */
export function highHalf(value: Long): number {
  return typeof value === 'number' ? Math.floor(value / 4294967296) : Number(value >> 32n)
}

/** The lower 32 bits, unsigned. */
export function lowHalf(value: Long): number {
  return typeof value === 'number' ? value >>> 0 : Number(BigInt.asUintN(32, value))
}

/** The form that an integer of 64 bits has here. */
export function longOf(value: bigint): Long {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** The next integer; null behind the last one, 2⁶³ − 1. */
export function nextLong(value: Long): Long | null {
  if (value === MAX_LONG) return null
  const next = Number(value) + 1
  return Number.isSafeInteger(next) ? next : BigInt(value) + 1n
}

/** Reads decimal digits with a sign; null for any other text, and outside of 64 bits. */
export function parseLong(text: string): Long | null {
  if (!/^[+-]?\d{1,24}$/.test(text)) return null
  const number = Number(text)
  if (Number.isSafeInteger(number)) return number === 0 ? 0 : number
  const value = BigInt(text)
  return value >= -MAX_LONG - 1n && value <= MAX_LONG ? value : null
}
