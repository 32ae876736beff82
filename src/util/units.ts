/**
 * Durations and sizes as the API writes them: a number and a unit. `-1` and `0` need none; `-1`
 * means "off" or "no limit" wherever it is allowed.
 */
import { IllegalArgumentError } from './errors.ts'

/** Longer units before those that are their suffixes. */
const TIME_UNITS: readonly (readonly [unit: string, nanos: number])[] = [
  ['nanos', 1],
  ['micros', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
  ['d', 86_400e9],
]

const SIZE_UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['k', 2 ** 10],
  ['m', 2 ** 20],
  ['g', 2 ** 30],
  ['t', 2 ** 40],
  ['p', 2 ** 50],
])

/**
 * Nanoseconds of a duration such as `30s`; −1 for `-1`. Exact up to 104 days, to the nearest double
 * beyond.
 * @param name of the setting or parameter, for the error
 * @throws {IllegalArgumentError} no number, no unit, a fraction, negative
 */
export function parseDuration(text: string, name: string): number {
  const value = text.trim().toLowerCase()
  if (value === '-1') return -1
  if (/^0+$/.test(value)) return 0
  const fail = (why: string): IllegalArgumentError =>
    new IllegalArgumentError(
      `failed to parse setting [${name}] with value [${text}] as a time value: ${why}`,
    )
  const unit = TIME_UNITS.find(([ending]) => value.endsWith(ending))
  if (unit === undefined) throw fail('unit is missing or unrecognized')
  const number = value.slice(0, -unit[0].length).trim()
  if (/^[+-]?\d+$/.test(number)) {
    if (number === '-1') return -1
    if (number.startsWith('-')) throw fail('negative durations are not supported')
    const nanos = Number(number) * unit[1]
    if (nanos > Number.MAX_SAFE_INTEGER * 1024) throw fail('the duration is too long')
    return nanos
  }
  if (/^[+-]?\d*\.\d+$/.test(number)) {
    throw new IllegalArgumentError(
      `failed to parse [${text}], fractional time values are not supported`,
    )
  }
  throw new IllegalArgumentError(`failed to parse [${text}]`, {
    causedBy: { type: 'number_format_exception', reason: `For input string: "${number}"` },
  })
}

/**
 * Bytes of a size such as `64mb` or `1.5gb`; −1 for `-1`.
 * @param name of the setting or parameter, for the error
 * @throws {IllegalArgumentError} no number, no unit, negative
 */
export function parseSize(text: string, name: string): number {
  const value = text.trim().toLowerCase()
  if (value === '-1') return -1
  if (value === '0') return 0
  const match = /^(\d+(?:\.\d+)?)\s*(?:([kmgtp])b?|b)$/.exec(value)
  const bytes =
    match === null ? NaN : Math.floor(Number(match[1]) * SIZE_UNITS.get(match[2] ?? '')!)
  if (Number.isSafeInteger(bytes)) return bytes
  throw new IllegalArgumentError(
    `failed to parse setting [${name}] with value [${text}] as a size in bytes: ` +
      'unit is missing or unrecognized',
  )
}

/** A size in the largest unit that gives at least 1, with one decimal: `1.5kb`, `12.3mb`. */
export function sizeText(bytes: number): string {
  const units = ['b', 'kb', 'mb', 'gb', 'tb', 'pb']
  let step = 0
  while (step < units.length - 1 && bytes >= 1024 ** (step + 1)) step++
  const tenths = Math.floor((bytes * 10) / 1024 ** step)
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)}${units[step]}`
}

/** A duration in the largest unit that gives at least 1, with one decimal: `1.5s`, `320micros`. */
export function durationText(nanos: number): string {
  if (nanos === 0) return '0s'
  let [unit, size] = TIME_UNITS[0]!
  for (const [nextUnit, nextSize] of TIME_UNITS)
    if (nanos >= nextSize) [unit, size] = [nextUnit, nextSize]
  const tenths = Math.floor((nanos * 10) / size)
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)}${unit}`
}

/** Parses `true` or `false`; any other text is rejected. */
export function parseBoolean(text: string): boolean {
  if (text === 'true') return true
  if (text === 'false') return false
  throw new IllegalArgumentError(
    `Failed to parse value [${text}] as only [true] or [false] are allowed.`,
  )
}
