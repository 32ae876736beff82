import { withArticle } from '../../../schema/field-type/number-text.ts'
import type { NumericField } from '../../../schema/field-type/numeric-field.ts'
import { MAX_LONG, MIN_LONG } from '../../../search/query/point-value.ts'
import { matchNone } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { FieldSearch } from './field-search.ts'
import { longSort, unmappedNumberSort } from './number-sort.ts'
import { pointBetween, pointInSet } from './point-queries.ts'
import type { RangeEnd } from './range-end.ts'
import { checkSearchable } from './searchable.ts'
import { wholeEnd, wholeNumber } from './whole-number.ts'
import { existsByDocValues, refusePhrasePrefix, refusePrefix } from './whole-value.ts'

/** Types as messages name them, by bits. */
const TYPE_NAMES = { 64: 'long', 32: 'integer', 16: 'short', 8: 'byte' } as const

/** Searches in whole numbers of so many bits. A fraction equals none of them. */
export function integerSearch(bits: keyof typeof TYPE_NAMES): FieldSearch<NumericField> {
  const limit = 2n ** BigInt(bits - 1)
  const named = withArticle(TYPE_NAMES[bits])
  const checkRange = (value: bigint, text: string): bigint => {
    if (value >= -limit && value < limit) return value
    throw new IllegalArgumentError(`Value [${text}] is out of range for ${named}`)
  }
  /** Null for a fraction. */
  const exact = (text: string): bigint | null => {
    const { whole, rest } = wholeNumber(text)
    return rest === 0 ? checkRange(whole, text) : null
  }
  /** An end of a range: fractions move inward. */
  const endOf = (end: RangeEnd, isLower: boolean): bigint => {
    const number = wholeNumber(end.text)
    checkRange(number.whole, end.text)
    return wholeEnd(number, end, isLower)
  }
  const term: FieldSearch<NumericField>['term'] = (field, text) => {
    checkSearchable(field)
    const value = exact(text)
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
        texts.flatMap(text => exact(text) ?? []),
        String,
      )
    },
    range(field, lower, upper) {
      checkSearchable(field)
      const from = lower === null ? MIN_LONG : endOf(lower, true)
      const to = upper === null ? MAX_LONG : endOf(upper, false)
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
        const value = exact(text)
        if (value === null) throw new IllegalArgumentError(`Value [${text}] has a decimal part`)
        return value
      }),
    unmappedSort: unmappedNumberSort,
  }
}
