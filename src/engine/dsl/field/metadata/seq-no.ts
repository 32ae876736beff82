import { MAX_LONG, MIN_LONG } from '../../../../search/query/point-value.ts'
import type { Query } from '../../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import type { FieldSearch } from '../field-search.ts'
import { longSort, unmappedNumberSort } from '../number-sort.ts'
import { pointBetween, pointInSet } from '../point-queries.ts'
import { wholeNumber } from '../whole-number.ts'
import {
  existsByDocValues,
  refuseFuzzy,
  refusePattern,
  refusePhrasePrefix,
  refusePrefix,
} from '../whole-value.ts'
import type { PlainMetadataField } from './metadata-field.ts'

type SeqNoField = PlainMetadataField<'_seq_no'>

/** Searches in `_seq_no`: longs without fractions, in doc values alone. */
export const seqNo: FieldSearch<SeqNoField> = {
  isNumber: false,
  term,
  terms: (field, texts) => pointInSet(field, texts.map(long), String),
  range(field, lower, upper) {
    let from = lower === null ? MIN_LONG : long(lower.text)
    let to = upper === null ? MAX_LONG : long(upper.text)
    if (lower !== null && !lower.isIncluded) from++
    if (upper !== null && !upper.isIncluded) to--
    return pointBetween(field, from, to, String)
  },
  exists: existsByDocValues,
  prefix: refusePrefix,
  pattern: refusePattern,
  fuzzy: refuseFuzzy,
  match(field, match) {
    refusePhrasePrefix(field, match)
    return term(field, match.text)
  },
  sort: longSort,
  unmappedSort: unmappedNumberSort,
}

function term(field: SeqNoField, text: string): Query {
  const value = long(text)
  return pointBetween(field, value, value, String)
}

/** @throws {EngineError} no number, a fraction, or none of 64 bits */
function long(text: string): bigint {
  const { whole, rest } = wholeNumber(text)
  if (whole < MIN_LONG || whole > MAX_LONG)
    throw new IllegalArgumentError(`Value [${text}] is out of range for a long`)
  if (rest !== 0) throw new IllegalArgumentError(`Value [${text}] has a decimal part`)
  return whole
}
