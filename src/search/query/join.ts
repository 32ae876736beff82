import { assert } from '../../util/assert.ts'
import type { JoinQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** The bound of a join that takes any number of matches. */
export const ANY_NUMBER = 2147483647

/** Documents tied by ids to the matches of another query. */
export const joinQuery: QueryType<JoinQuery> = {
  className(query) {
    if (query.found === null) return 'LateParsingQuery'
    return hasPlainScore(query) ? 'GlobalOrdinalsQuery' : 'GlobalOrdinalsWithScoreQuery'
  },
  text(query, of) {
    const { idField, min, max, found } = query
    if (found === null) return `LateParsingQuery {joinField=${idField}}`
    if (hasPlainScore(query)) return `GlobalOrdinalsQuery{joinField=${idField}}`
    const from = of.text(query.query)
    return `GlobalOrdinalsQuery{joinField=${idField},min=${min},max=${max},fromQuery=${from}}`
  },
  clauseCount: () => 1,
  // Its query has run before the shard's search.
  mapInner: null,
  createWeight(query, builder, id, boost, scored) {
    const { idField, found } = query
    assert(found !== null, 'a join is bound to its shard before it is searched')
    for (const { docs } of found) builder.cost += docs.length
    return { kind: 'join', id, idField, boost, explainsBoost: !hasPlainScore(query), scored, found }
  },
}

/** Whether a match is all that counts: neither how many there are nor their scores. */
function hasPlainScore({ scoreMode, min, max }: JoinQuery): boolean {
  return scoreMode === 'none' && min <= 1 && max === ANY_NUMBER
}
