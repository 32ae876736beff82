import type { Leaf } from '../../segment/leaf.ts'
import { joinHalves } from './point-value.ts'
import { eitherText, interval, pointWeight } from './point-weight.ts'
import { matchNone, type PointRangeQuery, type Query } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents that have a number in a closed interval. */
export const pointRangeQuery: QueryType<PointRangeQuery> = {
  className(query) {
    if (query.indexed && query.docValues) return 'IndexOrDocValuesQuery'
    return query.indexed ? 'PointRangeQuery' : 'SortedNumericDocValuesRangeQuery'
  },
  text(query) {
    const { field, lowerText, upperText, storedTexts = [lowerText, upperText] } = query
    const values = `${field}:[${storedTexts.join(' TO ')}]`
    return eitherText(query, `${field}:[${lowerText} TO ${upperText}]`, values)
  },
  clauseCount: () => 1,
  mapInner: null,
  onShard: (query, leaves) => (query.isDateRange === true ? decideByValues(query, leaves) : query),
  createWeight: (query, builder, id, boost) =>
    pointWeight(builder, query, id, boost, [interval(query.lower, query.upper)]),
}

/**
 * Rewrites to match-none if no value of the shard lies in the range, and to field-exists if all do.
 * Decided by the leaves' min and max values, deleted documents included; only for `range` queries
 * on dates, as in the reference.
 */
function decideByValues(query: PointRangeQuery, leaves: readonly Leaf[]): Query {
  let min: bigint | null = null
  let max: bigint | null = null
  for (const leaf of leaves) {
    if (leaf.fieldInfo(query.field) === null) continue
    const values = leaf.numericValues(query.field)
    if (values === null) return query
    if (values.docCount === 0) continue
    const leafMin = joinHalves(values.minHi, values.minLo)
    const leafMax = joinHalves(values.maxHi, values.maxLo)
    if (min === null || leafMin < min) min = leafMin
    if (max === null || leafMax > max) max = leafMax
  }
  if (min === null || max === null || max < query.lower || min > query.upper)
    return matchNone('User requested "match_none" query.')
  const covers = min >= query.lower && max <= query.upper
  return covers ? { kind: 'fieldExists', field: query.field, listed: false } : query
}
