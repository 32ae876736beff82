/**
 * What a shard's values make of date ranges: those that no value lies in match nothing, those that
 * all values lie in match what has the field. Decided by the leaves' least and largest values,
 * deleted documents' counted; as the reference does it, for dates alone and for `range` alone.
 */
import type { Leaf } from '../../segment/leaf.ts'
import { joinHalves } from './point-value.ts'
import { type BooleanClause, matchNone, type PointRangeQuery, type Query } from './query.ts'

/**
 * The query with its date ranges decided where they can be; the same object where none can. Depth is
 * that of the request, which its parser has bounded.
 *
 * @param leaves the shard's whole snapshot; numeric values are loaded for the ranges' fields
 */
export function rewriteDates(query: Query, leaves: readonly Leaf[]): Query {
  switch (query.kind) {
    case 'pointRange':
      return query.isDateRange === true ? decided(query, leaves) : query
    case 'boolean': {
      let changed = false
      const clauses = query.clauses.map((clause): BooleanClause => {
        const inner = rewriteDates(clause.query, leaves)
        if (inner === clause.query) return clause
        changed = true
        return { occur: clause.occur, query: inner }
      })
      return changed ? { ...query, clauses } : query
    }
    case 'disMax': {
      const queries = query.queries.map(inner => rewriteDates(inner, leaves))
      return queries.every((inner, i) => inner === query.queries[i]) ? query : { ...query, queries }
    }
    case 'boosting': {
      const positive = rewriteDates(query.positive, leaves)
      const negative = rewriteDates(query.negative, leaves)
      if (positive === query.positive && negative === query.negative) return query
      return { ...query, positive, negative }
    }
    case 'constantScore':
    case 'boost': {
      const inner = rewriteDates(query.query, leaves)
      return inner === query.query ? query : { ...query, query: inner }
    }
    default:
      return query
  }
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
