import type { IntegerField } from '../../../schema/field-type/integer.ts'
import { withArticle } from '../../../schema/field-type/number-text.ts'
import { MAX_LONG, MIN_LONG } from '../../../search/query/point-value.ts'
import { matchNone } from '../../../search/query/query.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { FieldSearch } from './field-search.ts'
import { longSort, unmappedNumberSort } from './number-sort.ts'
import { pointBetween, pointInSet } from './point-queries.ts'
import type { RangeEnd } from './range-end.ts'
import { checkSearchable } from './searchable.ts'
import { existsByDocValues, refusePhrasePrefix, refusePrefix } from './whole-value.ts'

/** Searches in whole numbers of so many bits. A fraction equals none of them. */
export function integerSearch(bits: number): FieldSearch<IntegerField> {
  const limit = 2n ** BigInt(bits - 1)
  const checkRange = (field: IntegerField, value: bigint, text: string): bigint => {
    if (value >= -limit && value < limit) return value
    throw new IllegalArgumentError(`Value [${text}] is out of range for ${withArticle(field.type)}`)
  }
  /** Null for a fraction. */
  const exact = (field: IntegerField, text: string): bigint | null => {
    const { whole, rest } = decimalOf(text)
    return rest === 0 ? checkRange(field, whole, text) : null
  }
  /** An end of a range: fractions move inward. */
  const endOf = (field: IntegerField, end: RangeEnd, isLower: boolean): bigint => {
    const { whole, rest } = decimalOf(end.text)
    checkRange(field, whole, end.text)
    if (rest === 0) return end.isIncluded ? whole : whole + (isLower ? 1n : -1n)
    if (isLower) return rest > 0 ? whole + 1n : whole
    return rest > 0 ? whole : whole - 1n
  }
  const term: FieldSearch<IntegerField>['term'] = (field, text) => {
    checkSearchable(field)
    const value = exact(field, text)
    if (value === null) return matchNone(`Value [${text}] has a decimal part`)
    return pointBetween(field, value, value, String)
  }
  return {
    isNumber: true,
    takesPhrases: false,
    term,
    terms(field, texts) {
      checkSearchable(field)
      return pointInSet(
        field,
        texts.flatMap(text => exact(field, text) ?? []),
        String,
      )
    },
    range(field, lower, upper) {
      checkSearchable(field)
      const from = lower === null ? MIN_LONG : endOf(field, lower, true)
      const to = upper === null ? MAX_LONG : endOf(field, upper, false)
      return pointBetween(field, from, to, String)
    },
    exists: existsByDocValues,
    prefix: refusePrefix,
    match(field, match, context) {
      refusePhrasePrefix(field, match)
      return term(field, match.text, context)
    },
    sort: (field, level) =>
      longSort(field, level, text => {
        const value = exact(field, text)
        if (value === null) throw new IllegalArgumentError(`Value [${text}] has a decimal part`)
        return value
      }),
    unmappedSort: unmappedNumberSort,
  }
}

/** Digits ahead of the point, and the sign of what is behind it. */
function decimalOf(text: string): { whole: bigint; rest: -1 | 0 | 1 } {
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
