import {
  flipSign,
  MAX_UNSIGNED,
  type UnsignedLongField,
  unflipSign,
} from '../../../schema/field-type/unsigned-long.ts'
import { MAX_LONG, MIN_LONG } from '../../../search/query/point-value.ts'
import { matchNone, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { FieldSearch } from './field-search.ts'
import { numberSort, printLong, unmappedNumberSort } from './number-sort.ts'
import { pointBetween, pointInSet } from './point-queries.ts'
import type { RangeEnd } from './range-end.ts'
import { checkSearchable } from './searchable.ts'
import { wholeEnd, wholeNumber } from './whole-number.ts'
import { existsByDocValues, refusePhrasePrefix, refusePrefix } from './whole-value.ts'

/** Searches in unsigned numbers: what a request writes is flipped as values are. */
export const unsignedLong: FieldSearch<UnsignedLongField> = {
  isNumber: true,
  takesPhrases: false,
  term,
  terms(field, texts) {
    checkSearchable(field)
    return pointInSet(
      field,
      texts.flatMap(text => exact(text) ?? []),
      print,
    )
  },
  range(field, lower, upper) {
    checkSearchable(field)
    const from = lower === null ? MIN_LONG : endOf(lower, true)
    const to = upper === null ? MAX_LONG : endOf(upper, false)
    return pointBetween(field, from, to, print)
  },
  exists: existsByDocValues,
  prefix: refusePrefix,
  match(field, match) {
    refusePhrasePrefix(field, match)
    return term(field, match.text)
  },
  sort: (field, level) =>
    numberSort(field, level, {
      encoding: 'unsignedLong',
      numericType: 'long',
      scale: 1,
      lowest: MIN_LONG,
      highest: MAX_LONG,
      value: sortable,
      read: sortable,
      print: value => printLong(unflipSign(value)),
    }),
  unmappedSort: unmappedNumberSort,
}

function term(field: UnsignedLongField, text: string): Query {
  checkSearchable(field)
  const value = exact(text)
  if (value === null) return matchNone(`Value [${text}] has a decimal part`)
  return pointBetween(field, value, value, print)
}

/** The signed integer that stands for a number; null for a fraction. */
function exact(text: string): bigint | null {
  const { whole, rest } = wholeNumber(text)
  return rest === 0 ? flipSign(checked(whole, text)) : null
}

function endOf(end: RangeEnd, isLower: boolean): bigint {
  const number = wholeNumber(end.text)
  checked(number.whole, end.text)
  return flipSign(wholeEnd(number, end, isLower))
}

function sortable(text: string): bigint {
  const value = exact(text)
  if (value === null) throw new IllegalArgumentError(`Value [${text}] has a decimal part`)
  return value
}

function checked(value: bigint, text: string): bigint {
  if (value >= 0n && value <= MAX_UNSIGNED) return value
  throw new IllegalArgumentError(`Value [${text}] is out of range for an unsigned long`)
}

function print(value: bigint): string {
  return String(unflipSign(value))
}
