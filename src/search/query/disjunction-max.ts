import { floatText } from '../../util/json/float-text.ts'
import { type BooleanQuery, type DisjunctionMaxQuery, matchNone } from './query.ts'
import type { QueryType } from './query-type.ts'

/** The max of several queries' scores, plus a share of the others'. */
export const disjunctionMaxQuery: QueryType<DisjunctionMaxQuery> = {
  className: () => 'DisjunctionMaxQuery',
  text(query, of) {
    const inner = query.queries.map(of.bracketed).join(' | ')
    return `(${inner})${query.tieBreaker === 0 ? '' : `~${floatText(query.tieBreaker)}`}`
  },
  clauseCount: (query, of) => query.queries.reduce((sum, inner) => sum + of.clauseCount(inner), 0),
  mapInner(query, change) {
    const queries = query.queries.map(change)
    return queries.every((inner, i) => inner === query.queries[i]) ? query : { ...query, queries }
  },
  rewrite(query, of) {
    // All scores count in full then, and are summed as those of optional clauses are.
    if (query.tieBreaker === 1 && query.queries.length > 1) return of.rewrite(optional(query, 0))
    const queries = query.queries.map(of.rewrite)
    const matching = queries.filter(inner => inner.kind !== 'matchNone')
    const [only] = matching
    if (only === undefined) return queries[0] ?? matchNone('empty DisjunctionMaxQuery')
    if (matching.length === 1) return only
    const isSame = queries.every((inner, i) => inner === query.queries[i])
    if (matching.length === queries.length && isSame) return query
    return { ...query, queries: matching }
  },
  unscored: query => optional(query, 1),
  visitTerms({ queries }, visitor, of) {
    for (const query of queries) of.visitTerms(query, visitor)
  },
  createWeight(query, builder, id, boost, scored) {
    const children = query.queries.map(inner => builder.child(inner, boost, scored, id))
    return { kind: 'disMax', id, children, tieBreaker: Math.fround(query.tieBreaker), scored }
  },
}

function optional({ queries }: DisjunctionMaxQuery, minimumShouldMatch: number): BooleanQuery {
  const clauses = queries.map(query => ({ occur: 'should' as const, query }))
  return { kind: 'boolean', clauses, minimumShouldMatch }
}
