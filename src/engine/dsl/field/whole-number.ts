import { EngineError } from '../../../util/errors.ts'
import type { RangeEnd } from './range-end.ts'

/**
 * The number that a request writes, in parts.
 * @returns digits ahead of the point, and the sign of the fraction behind it
 * @throws {EngineError} `number_format_exception`
 */
export function wholeNumber(text: string): { whole: bigint; rest: -1 | 0 | 1 } {
  const shape = /^([+-]?)(\d{0,400})(?:\.(\d{0,400}))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text.trim())
  const [, sign = '', digits = '', fraction = '', power = '0'] = shape ?? []
  const exponent = Number(power)
  if (shape === null || digits + fraction === '' || Math.abs(exponent) > 400)
    throw new EngineError({
      type: 'number_format_exception',
      reason: `For input string: "${text}"`,
    })
  const all = digits + fraction
  const point = digits.length + exponent
  const whole = point <= 0 ? '0' : all.slice(0, point).padEnd(point, '0')
  const behind = point < 0 ? all : all.slice(point)
  const value = BigInt(whole === '' ? '0' : whole)
  const hasRest = /[1-9]/.test(behind)
  if (sign === '-') return { whole: -value, rest: hasRest ? -1 : 0 }
  return { whole: value, rest: hasRest ? 1 : 0 }
}

/** The first whole number within an end of a range: fractions move inward. */
export function wholeEnd(
  { whole, rest }: ReturnType<typeof wholeNumber>,
  end: RangeEnd,
  isLower: boolean,
): bigint {
  if (rest === 0) return end.isIncluded ? whole : whole + (isLower ? 1n : -1n)
  if (isLower) return rest > 0 ? whole + 1n : whole
  return rest > 0 ? whole : whole - 1n
}
