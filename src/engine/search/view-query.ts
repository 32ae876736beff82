import type { Query } from '../../search/query/query.ts'
import type { IndexView } from '../metadata/index-view.ts'

/** A query as it runs over a view: narrowed by the filter of its aliases, with the same scores. */
export function queryThrough({ aliasFilter }: Pick<IndexView, 'aliasFilter'>, query: Query): Query {
  if (aliasFilter === null) return query
  return {
    kind: 'boolean',
    clauses: [
      { occur: 'must', query },
      { occur: 'filter', query: aliasFilter },
    ],
    minimumShouldMatch: 0,
  }
}
