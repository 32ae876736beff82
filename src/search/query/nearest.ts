import { assert } from '../../util/assert.ts'
import type { NearestQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** The documents of a shard whose vectors are nearest to another one. */
export const nearestQuery: QueryType<NearestQuery> = {
  className: ({ className }) => className,
  text: ({ className, field, k }) => `${className}[${field}, k=${k}]`,
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
    return { kind: 'nearest', id, k, boost, found }
  },
}
