/** Walks over queries that are made of queries. */
import type { BooleanClause, Query } from './query.ts'

/**
 * The query with those that are made of no others put through a function; the same object where
 * nothing changes. Depth is that of the request, which its parser has bounded.
 */
export function mapInnermost(query: Query, change: (query: Query) => Query): Query {
  switch (query.kind) {
    case 'boolean': {
      // Most often nothing changes: a list is made once something does.
      let clauses: BooleanClause[] | null = null
      for (let i = 0; i < query.clauses.length; i++) {
        const clause = query.clauses[i]!
        const inner = mapInnermost(clause.query, change)
        if (inner === clause.query) continue
        clauses ??= query.clauses.slice()
        clauses[i] = { occur: clause.occur, query: inner }
      }
      return clauses === null ? query : { ...query, clauses }
    }
    case 'disMax': {
      const queries = query.queries.map(inner => mapInnermost(inner, change))
      return queries.every((inner, i) => inner === query.queries[i]) ? query : { ...query, queries }
    }
    case 'boosting': {
      const positive = mapInnermost(query.positive, change)
      const negative = mapInnermost(query.negative, change)
      if (positive === query.positive && negative === query.negative) return query
      return { ...query, positive, negative }
    }
    case 'constantScore':
    case 'boost': {
      const inner = mapInnermost(query.query, change)
      return inner === query.query ? query : { ...query, query: inner }
    }
    default:
      return change(query)
  }
}
