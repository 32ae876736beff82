import type { NumericField } from '../../../schema/field-type/numeric-field.ts'
import { matchNone } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { FieldSearch } from './field-search.ts'
import { unmappedNumberSort } from './number-sort.ts'
import { pointBetween, pointInSet } from './point-queries.ts'
import type { RangeEnd } from './range-end.ts'
import { checkSearchable } from './searchable.ts'
import type { ParsedSort, ResolvedSort } from './sort-level.ts'
import { wholeEnd, wholeNumber } from './whole-number.ts'
import {
  existsByDocValues,
  refuseFuzzy,
  refusePattern,
  refusePhrasePrefix,
  refusePrefix,
  wholeMatch,
} from './whole-value.ts'

/** Properties by which types of whole numbers differ. */
interface WholeNumbers<F extends NumericField> {
  readonly min: bigint
  readonly max: bigint
  /** Ends of a range that is open there, encoded. */
  readonly lowest: bigint
  readonly highest: bigint
  /** The type with its article, for messages: `an integer`. */
  readonly named: string
  /** The signed integer that stands for a number, and rises with it. */
  encode(value: bigint): bigint
  /** A number of a signed integer, as descriptions print it. */
  print(encoded: bigint): string
  /** @param sortable reads a single value; refuses fractions */
  sort(field: F, level: ParsedSort, sortable: (text: string) => bigint): ResolvedSort
}

/** Searches in whole numbers. A fraction equals none of them. */
export function wholeNumberSearch<F extends NumericField>(
  numbers: WholeNumbers<F>,
): FieldSearch<F> {
  const { min, max, named, encode, print } = numbers
  const checked = (value: bigint, text: string): bigint => {
    if (value >= min && value <= max) return value
    throw new IllegalArgumentError(`Value [${text}] is out of range for ${named}`)
  }
  /** Null for a fraction. */
  const exact = (text: string): bigint | null => {
    const { whole, rest } = wholeNumber(text)
    return rest === 0 ? encode(checked(whole, text)) : null
  }
  const endOf = (end: RangeEnd, isLower: boolean): bigint => {
    const number = wholeNumber(end.text)
    checked(number.whole, end.text)
    return encode(wholeEnd(number, end, isLower))
  }
  const sortable = (text: string): bigint => {
    const value = exact(text)
    if (value === null) throw new IllegalArgumentError(`Value [${text}] has a decimal part`)
    return value
  }
  const term: FieldSearch<F>['term'] = (field, text) => {
    checkSearchable(field)
    const value = exact(text)
    if (value === null) return matchNone(`Value [${text}] has a decimal part`)
    return pointBetween(field, value, value, print)
  }
  return {
    isNumber: true,
    term,
    terms(field, texts) {
      checkSearchable(field)
      const values = texts.flatMap(text => exact(text) ?? [])
      return pointInSet(field, values, print)
    },
    range(field, lower, upper) {
      checkSearchable(field)
      const from = lower === null ? numbers.lowest : endOf(lower, true)
      const to = upper === null ? numbers.highest : endOf(upper, false)
      return pointBetween(field, from, to, print)
    },
    exists: existsByDocValues,
    prefix: refusePrefix,
    pattern: refusePattern,
    fuzzy: refuseFuzzy,
    match(field, match, context) {
      refusePhrasePrefix(field, match)
      return wholeMatch(field, match, context, { term, fuzzy: refuseFuzzy })
    },
    sort: (field, level) => numbers.sort(field, level, sortable),
    unmappedSort: unmappedNumberSort,
  }
}
