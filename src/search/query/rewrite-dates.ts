/**
 * What a shard's values make of date ranges: those that no value lies in match nothing, those that
 * all values lie in match what has the field. Decided by the leaves' least and largest values,
 * deleted documents' counted; as the reference does it, for dates alone and for `range` alone.
 */
import type { Leaf } from '../../segment/leaf.ts'
import { mapInnermost } from './map-query.ts'
import { joinHalves } from './point-value.ts'
import { matchNone, type PointRangeQuery, type Query } from './query.ts'

/**
 * The query with its date ranges decided where they can be; the same object where none can.
 *
 * @param leaves the shard's whole snapshot; numeric values are loaded for the ranges' fields
 */
export function rewriteDates(query: Query, leaves: readonly Leaf[]): Query {
  return mapInnermost(query, each =>
    each.kind === 'pointRange' && each.isDateRange === true ? decided(each, leaves) : each,
  )
}

function decided(query: PointRangeQuery, leaves: readonly Leaf[]): Query {
  let least: bigint | null = null
  let largest: bigint | null = null
  for (const leaf of leaves) {
    if (leaf.fieldInfo(query.field) === null) continue
    const values = leaf.numericValues(query.field)
    if (values === null) return query
    if (values.docCount === 0) continue
    const from = joinHalves(values.minHi, values.minLo)
    const to = joinHalves(values.maxHi, values.maxLo)
    if (least === null || from < least) least = from
    if (largest === null || to > largest) largest = to
  }
  if (least === null || largest === null || largest < query.lower || least > query.upper)
    return matchNone('User requested "match_none" query.')
  const covers = least >= query.lower && largest <= query.upper
  return covers ? { kind: 'fieldExists', field: query.field, listed: false } : query
}
