import type { BooleanField } from '../../../schema/field-type/boolean.ts'
import type { Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { FieldSearch } from './field-search.ts'
import { formattedSort, unmappedNumberSort } from './number-sort.ts'
import { pointBetween, within } from './point-queries.ts'
import type { RangeEnd } from './range-end.ts'
import { checkSearchable } from './searchable.ts'
import { boostedBy, termBetween } from './term-queries.ts'
import {
  anyOf,
  existsByDocValues,
  refuseFuzzy,
  refusePattern,
  refusePhrasePrefix,
  refusePrefix,
  wholeMatch,
} from './whole-value.ts'

/** Searches in booleans: the terms `F` and `T`, and doc values 0 and 1; no points. */
export const boolean: FieldSearch<BooleanField> = {
  isNumber: false,
  term,
  terms(field, texts) {
    checkSearchable(field)
    return anyOf(texts, text => term(field, text))
  },
  range(field, lower, upper) {
    checkSearchable(field)
    const from = lower === null ? 0n : within(longOf(lower.text), lower, 1n)
    const to = upper === null ? 1n : within(longOf(upper.text), upper, -1n)
    if (field.docValues) return flagsBetween(field, from, to)
    return termBetween(field.name, termEnd(lower), termEnd(upper))
  },
  exists: existsByDocValues,
  prefix: refusePrefix,
  pattern: refusePattern,
  fuzzy: refuseFuzzy,
  match(field, match, context) {
    refusePhrasePrefix(field, match)
    return wholeMatch(field, match, context, { term, fuzzy: refuseFuzzy })
  },
  sort: (field, level) => formattedSort(field, level, longOf),
  unmappedSort: unmappedNumberSort,
}

function term(field: BooleanField, text: string): Query {
  checkSearchable(field)
  const value = longOf(text)
  if (field.indexed)
    return boostedBy(field.boost, { kind: 'term', field: field.name, term: termOf(value) })
  return flagsBetween(field, value, value)
}

function flagsBetween({ name, docValues }: BooleanField, from: bigint, to: bigint): Query {
  return pointBetween({ name, docValues, indexed: false }, from, to, String)
}

function longOf(text: string): bigint {
  if (text === 'true' || text === 'T') return 1n
  if (text === 'false' || text === 'F' || text === '') return 0n
  throw new IllegalArgumentError(`Can't parse boolean value [${text}], expected [true] or [false]`)
}

function termOf(value: bigint): string {
  return value === 0n ? 'F' : 'T'
}

function termEnd(end: RangeEnd | null): RangeEnd | null {
  return end === null ? null : { ...end, text: termOf(longOf(end.text)) }
}
