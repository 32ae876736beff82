import { assert } from '../../util/assert.ts'
import type { SeenQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** The documents that the caller may see, whatever lets him: no text tells that. */
export const seenQuery: QueryType<SeenQuery> = {
  className: () => 'SeenDocsQuery',
  text: () => 'SeenDocs',
  clauseCount: () => 1,
  // The restriction is found as a search of its own, ahead of the shard's.
  mapInner: null,
  createWeight({ found }, builder, id, boost) {
    assert(found !== null, 'what the caller sees is bound to its shard before it is searched')
    for (const { docs } of found) builder.cost += docs.length
    return { kind: 'derived', id, score: boost, found }
  },
}
