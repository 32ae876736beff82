import type { Query } from '../../search/query/query.ts'
import { parseQuery } from '../dsl/query/parse-query.ts'
import { buildQuery, type QueryContext } from '../dsl/query-context.ts'
import { unnamedNotes } from '../dsl/query-notes.ts'
import type { IndexView } from '../metadata/index-view.ts'

/** A query as it runs over a view: narrowed by the filters of its aliases, with the same scores. */
export function queryThrough(
  { aliasFilters }: Pick<IndexView, 'aliasFilters'>,
  query: Query,
  context: QueryContext,
): Query {
  if (aliasFilters === null) return query
  // Names in an alias's filter are none of the request's.
  const unnoted = { ...context, notes: unnamedNotes(context.notes) }
  const filters = aliasFilters.map(filter => buildQuery(parseQuery(filter), unnoted))
  return {
    kind: 'boolean',
    clauses: [
      { occur: 'must', query },
      { occur: 'filter', query: anyOf(filters) },
    ],
    minimumShouldMatch: 0,
  }
}

/** @param queries min one */
function anyOf(queries: readonly Query[]): Query {
  const [only] = queries
  if (queries.length === 1 && only !== undefined) return only
  const clauses = queries.map(query => ({ occur: 'should' as const, query }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 1 }
}
