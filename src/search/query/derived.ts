import { assert } from '../../util/assert.ts'
import type { DerivedQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents for which a script emits values that a query matches. */
export const derivedQuery: QueryType<DerivedQuery> = {
  className: () => 'DerivedFieldQuery',
  text: ({ query }, of) => `DerivedFieldQuery (Query: [ ${of.text(query)}])`,
  clauseCount: () => 1,
  // Its query runs over documents that are made for it, ahead of the shard's search.
  mapInner: null,
  visitTerms: ({ query }, visitor, of) => of.visitTerms(query, visitor),
  createWeight({ found }, builder, id, boost) {
    assert(found !== null, 'a derived field is bound to its shard before it is searched')
    for (const { docs } of found) builder.cost += docs.length
    return { kind: 'derived', id, score: boost, found }
  },
}
