import type { BooleanQuery, HybridQuery, Query } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Several queries at the top of a search, the hits of each in a list of its own. */
export const hybridQuery: QueryType<HybridQuery> = {
  className: () => 'HybridQuery',
  text: ({ queries }, of) => `(${queries.map(of.bracketed).join(' | ')})`,
  clauseCount: ({ queries }, of) => queries.reduce((sum, inner) => sum + of.clauseCount(inner), 0),
  mapInner,
  // A sub-query without a match keeps its place: lists are told apart by it.
  rewrite: (query, of) => mapInner(query, of.rewrite),
  visitTerms({ queries }, visitor, of) {
    for (const query of queries) of.visitTerms(query, visitor)
  },
  createWeight({ queries }, builder, id, boost, scored) {
    const children = queries.map(inner => builder.child(inner, boost, scored, id))
    return { kind: 'hybrid', id, children, scored }
  },
}

function mapInner(query: HybridQuery, change: (inner: Query) => Query): HybridQuery {
  const queries = query.queries.map(change)
  return queries.every((inner, i) => inner === query.queries[i]) ? query : { ...query, queries }
}

/** Changes each sub-query of a hybrid query, any other query itself. */
export function mapListed(query: Query, change: (listed: Query) => Query): Query {
  return query.kind === 'hybrid' ? mapInner(query, change) : change(query)
}

/** The documents that any sub-query matches, as a query that may stand anywhere. */
export function unionOf({ queries }: HybridQuery): BooleanQuery {
  const clauses = queries.map(query => ({ occur: 'should' as const, query }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 1 }
}
