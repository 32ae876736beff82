import type { MatchAllQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Every document, each with the score 1. */
export const matchAllQuery: QueryType<MatchAllQuery> = {
  className: () => 'MatchAllDocsQuery',
  text: () => '*:*',
  clauseCount: () => 1,
  mapInner: null,
  createWeight(_query, builder, id, boost) {
    for (const leaf of builder.leaves) builder.cost += leaf.maxDoc
    return { kind: 'all', id, score: boost }
  },
}
