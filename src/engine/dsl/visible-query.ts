import type { Query } from '../../search/query/query.ts'

/**
 * A query of documents that are found beside hits, narrowed to those that the caller may see, with the same scores.
 * @param visible null: he may see all
 */
export function amongVisible(query: Query, visible: Query | null): Query {
  if (visible === null) return query
  return {
    kind: 'boolean',
    clauses: [
      { occur: 'must', query },
      { occur: 'filter', query: visible },
    ],
    minimumShouldMatch: 0,
  }
}
