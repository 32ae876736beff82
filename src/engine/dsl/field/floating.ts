import { type FloatingField, heldNumber } from '../../../schema/field-type/floating.ts'
import { javaText } from '../../../schema/field-type/number-text.ts'
import { encodePoint, highHalf, lowHalf } from '../../../search/query/point-value.ts'
import { decodePoint, type PointEncoding } from '../../../search/scorer/point-encoding.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { floatText } from '../../../util/json/float-text.ts'
import { decimalNumber } from './decimal-number.ts'
import type { FieldSearch } from './field-search.ts'
import { floatSort, unmappedDoubleSort } from './number-sort.ts'
import { pointBetween, pointInSet, within } from './point-queries.ts'
import { checkSearchable } from './searchable.ts'
import {
  existsByDocValues,
  refuseFuzzy,
  refusePattern,
  refusePhrasePrefix,
  refusePrefix,
  wholeMatch,
} from './whole-value.ts'

/** Searches in floating-point numbers of one precision. */
export function floatingSearch(
  encoding: Exclude<PointEncoding, 'long' | 'unsignedLong'>,
): FieldSearch<FloatingField> {
  const exact = (field: FloatingField, text: string): bigint => {
    const value = decimalNumber(text)
    const held = heldNumber(field.type, value)
    if (held === null)
      throw new IllegalArgumentError(
        `[${field.type}] supports only finite values, but got [${javaText(value)}]`,
      )
    return encodePoint(held, encoding)
  }
  // Points print as their type, doc values as the sortable integers that they are.
  const print = (value: bigint): string => {
    const decoded = decodePoint(highHalf(value), lowHalf(value), encoding)
    return encoding === 'double' ? javaText(decoded) : floatText(decoded)
  }
  const term: FieldSearch<FloatingField>['term'] = (field, text) => {
    checkSearchable(field)
    const value = exact(field, text)
    return pointBetween(field, value, value, print, String)
  }
  const lowest = encodePoint(Number.NEGATIVE_INFINITY, encoding)
  const highest = encodePoint(Number.POSITIVE_INFINITY, encoding)
  return {
    isNumber: true,
    term,
    terms(field, texts) {
      checkSearchable(field)
      return pointInSet(
        field,
        texts.map(text => exact(field, text)),
        print,
      )
    },
    range(field, lower, upper) {
      checkSearchable(field)
      const from = lower === null ? lowest : within(exact(field, lower.text), lower, 1n)
      const to = upper === null ? highest : within(exact(field, upper.text), upper, -1n)
      return pointBetween(field, from, to, print, String)
    },
    exists: existsByDocValues,
    prefix: refusePrefix,
    pattern: refusePattern,
    fuzzy: refuseFuzzy,
    match(field, match, context) {
      refusePhrasePrefix(field, match)
      return wholeMatch(field, match, context, { term, fuzzy: refuseFuzzy })
    },
    sort: (field, level) => floatSort(field, level, encoding),
    unmappedSort: unmappedDoubleSort,
  }
}
