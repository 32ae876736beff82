import type { Query } from '../../search/query/query.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonObjectNode } from '../../util/json/json-tree.ts'
import { parseQuery } from '../dsl/query/parse-query.ts'
import { buildQuery, type ParsedQuery, type QueryContext } from '../dsl/query-context.ts'
import { unnamedNotes } from '../dsl/query-notes.ts'
import type { IndexView } from '../metadata/index-view.ts'

/**
 * A query as it runs over a view: narrowed by the filters of its aliases and to what the caller may see, with
 * the same scores.
 */
export function queryThrough(
  { aliasFilters, visible }: Pick<IndexView, 'aliasFilters' | 'visible'>,
  query: Query,
  context: QueryContext,
): Query {
  if (aliasFilters === null && visible === null) return query
  // Names in these filters are none of the request's.
  const unnoted = { ...context, notes: unnamedNotes(context.notes) }
  const narrowed = [aliasFilters, visible].flatMap(filters => {
    if (filters === null) return []
    const queries = filters.map(filter => buildQuery(parseFilter(filter), unnoted))
    return [{ occur: 'filter' as const, query: anyOf(queries) }]
  })
  return {
    kind: 'boolean',
    clauses: [{ occur: 'must', query }, ...narrowed],
    minimumShouldMatch: 0,
  }
}

/** Lookups are run ahead of a search, by the names in the request alone. */
function parseFilter(filter: JsonObjectNode): ParsedQuery {
  const parsed = parseQuery(filter)
  if (parsed.lookups.length > 0)
    throw new IllegalArgumentError('lookups in filters of an alias or a role are not supported yet')
  return parsed
}

/** @param queries min one */
function anyOf(queries: readonly Query[]): Query {
  const [only] = queries
  if (queries.length === 1 && only !== undefined) return only
  const clauses = queries.map(query => ({ occur: 'should' as const, query }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 1 }
}
