import { assert } from '../../util/assert.ts'
import type { NearestQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** The documents of a shard whose vectors are nearest to another one. */
export const nearestQuery: QueryType<NearestQuery> = {
  className: classNameOf,
  text: query => `${classNameOf(query)}[${query.field}, k=${query.k}]`,
  clauseCount: () => 1,
  // Its search has run before the shard's, filter and all.
  mapInner: null,
  createWeight({ query, k, isNested, expandsNested, found }, builder, id, boost, scored) {
    assert(found !== null, 'nearest vectors are bound to their shard before it is searched')
    if (isNested) {
      const own = { ...query, limit: null, bestOfWhole: !expandsNested, within: found }
      return builder.createAs(id, own, boost, scored)
    }
    for (const { docs } of found) builder.cost += docs.length
    const { engine, field, space, element, vector, candidates, oversample } = query
    const search = { engine, field, space, element, candidates, oversample }
    return {
      kind: 'nearest',
      id,
      k,
      boost,
      found,
      search: { ...search, dimension: vector.length },
    }
  },
}

/** The server's class of a query for the nearest, which the engine makes. */
function classNameOf({ query }: NearestQuery): string {
  return query.engine === 'faiss' ? 'NativeEngineKnnVectorQuery' : 'DocAndScoreQuery'
}
