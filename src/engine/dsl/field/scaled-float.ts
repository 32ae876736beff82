import { clampToLong, javaText } from '../../../schema/field-type/number-text.ts'
import { type ScaledFloatField, scaledLong } from '../../../schema/field-type/scaled-float.ts'
import { MAX_LONG, MIN_LONG } from '../../../search/query/point-value.ts'
import type { Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { decimalNumber } from './decimal-number.ts'
import type { FieldSearch } from './field-search.ts'
import { scaledSort, unmappedDoubleSort } from './number-sort.ts'
import { pointBetween, pointInSet } from './point-queries.ts'
import { checkSearchable } from './searchable.ts'
import {
  existsByDocValues,
  refuseFuzzy,
  refusePattern,
  refusePhrasePrefix,
  refusePrefix,
  wholeMatch,
} from './whole-value.ts'

/** Searches in scaled numbers: values are rounded to a multiple of one over the factor. */
export const scaledFloat: FieldSearch<ScaledFloatField> = {
  isNumber: true,
  term,
  terms(field, texts) {
    checkSearchable(field)
    return pointInSet(
      field,
      texts.map(text => exact(field, text)),
      String,
    )
  },
  range(field, lower, upper) {
    checkSearchable(field)
    let from = MIN_LONG
    let to = MAX_LONG
    if (lower !== null) {
      const scaled = finite(lower.text) * field.scalingFactor
      from = clampToLong(Math.ceil(scaled))
      if (!lower.isIncluded && Number(from) === scaled) from += 1n
    }
    if (upper !== null) {
      const scaled = finite(upper.text) * field.scalingFactor
      to = clampToLong(Math.floor(scaled))
      if (!upper.isIncluded && Number(to) === scaled) to -= 1n
    }
    return pointBetween(field, from, to, String)
  },
  exists: existsByDocValues,
  prefix: refusePrefix,
  pattern: refusePattern,
  fuzzy: refuseFuzzy,
  match(field, match, context) {
    refusePhrasePrefix(field, match)
    return wholeMatch(field, match, context, { term, fuzzy: refuseFuzzy })
  },
  sort: (field, level) => scaledSort(field, level, field.scalingFactor, text => exact(field, text)),
  unmappedSort: unmappedDoubleSort,
}

function term(field: ScaledFloatField, text: string): Query {
  checkSearchable(field)
  const value = exact(field, text)
  return pointBetween(field, value, value, String)
}

function exact(field: ScaledFloatField, text: string): bigint {
  return scaledLong(field, finite(text))
}

function finite(text: string): number {
  const value = decimalNumber(text)
  if (Number.isFinite(value)) return value
  throw new IllegalArgumentError(
    `[scaled_float] only supports finite values, but got [${javaText(value)}]`,
  )
}
