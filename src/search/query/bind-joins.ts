import type { JoinedDocs } from '../weight/weight-node.ts'
import type { PriorQuery, Query, VectorsQuery } from './query.ts'
import { typeOf } from './query-types.ts'

/** The documents that the joins of a request have found in one shard. */
export type FoundJoins = ReadonlyMap<PriorQuery, readonly JoinedDocs[]>

/** Of requests without joins. */
export const NO_JOINS: FoundJoins = new Map()

/** A query whose joins have their documents; the same object where it has none. */
export function bindJoins(query: Query, found: FoundJoins): Query {
  return found.size === 0 ? query : bound(query, found)
}

/** Depth is that of the query. */
function bound(query: Query, found: FoundJoins): Query {
  if (query.kind === 'join')
    return { ...query, query: bound(query.query, found), found: found.get(query) ?? query.found }
  if (query.kind === 'nearest')
    return {
      ...query,
      query: withFilter(query.query, found),
      found: found.get(query) ?? query.found,
    }
  if (query.kind === 'derived' || query.kind === 'seen')
    return { ...query, found: found.get(query) ?? query.found }
  const { mapInner } = typeOf(query)
  return mapInner === null ? query : mapInner(query, inner => bound(inner, found))
}

function withFilter(query: VectorsQuery, found: FoundJoins): VectorsQuery {
  return query.filter === null ? query : { ...query, filter: bound(query.filter, found) }
}
