/** Queries on fields that hold sortable integers. */
import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import { matchNone, type PointRangeQuery, type Query } from '../../../search/query/query.ts'
import type { RangeEnd } from './range-end.ts'

/** Which structures a field's points can be looked up in; at least one. */
type PointField = Pick<MappedField, 'name' | 'indexed'> & { readonly docValues: boolean }

/**
 * Documents with a value between two, both included.
 * @param print  a value as descriptions print it
 * @param stored the same over doc values; null: alike
 */
export function pointBetween(
  { name, indexed, docValues }: PointField,
  lower: bigint,
  upper: bigint,
  print: (value: bigint) => string,
  stored: ((value: bigint) => string) | null = null,
): Query {
  if (lower > upper) return matchNone('no value lies in the range')
  const query: PointRangeQuery = {
    kind: 'pointRange',
    field: name,
    lower,
    upper,
    lowerText: print(lower),
    upperText: print(upper),
    ...(stored === null ? {} : { storedTexts: [stored(lower), stored(upper)] as const }),
    indexed,
    docValues,
  }
  return query
}

/**
 * Documents with one of several values.
 * @param print a value as descriptions print it
 */
export function pointInSet(
  { name, indexed, docValues }: PointField,
  values: readonly bigint[],
  print: (value: bigint) => string,
): Query {
  if (values.length === 0) return matchNone('Matching no documents because no terms present')
  const sorted = [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const texts = sorted.map(print)
  return { kind: 'pointInSet', field: name, values: sorted, texts, indexed, docValues }
}

/** The first value within an end that lies at `value`; `step` leads inward from it. */
export function within(value: bigint, end: RangeEnd, step: 1n | -1n): bigint {
  return end.isIncluded ? value : value + step
}
