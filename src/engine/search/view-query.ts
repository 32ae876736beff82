import { NO_DERIVED_FIELDS } from '../../schema/derived-field.ts'
import type { Query } from '../../search/query/query.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonObjectNode } from '../../util/json/json-tree.ts'
import { parseQuery } from '../dsl/query/parse-query.ts'
import { buildQuery, type ParsedQuery, type QueryContext } from '../dsl/query-context.ts'
import { unnamedNotes } from '../dsl/query-notes.ts'
import type { IndexView } from '../metadata/index-view.ts'

/** The part of a view that decides on documents. */
type FilteredView = Pick<IndexView, 'aliasFilters' | 'visible'> & {
  readonly index: Pick<IndexView['index'], 'mapping'>
}

/**
 * A query as it runs over a view: narrowed by the filters of its aliases and to what the caller may see, with
 * the same scores.
 */
export function queryThrough(
  { index, aliasFilters, visible }: FilteredView,
  query: Query,
  context: QueryContext,
): Query {
  if (aliasFilters === null && visible === null) return query
  // Names in these filters are none of the request's.
  const unnoted = { ...context, notes: unnamedNotes(context.notes) }
  // A field that is hidden may decide on documents, one that a script makes may not; filters of aliases may be
  // the caller's own.
  const whole = { ...unnoted, mapping: index.mapping, derived: NO_DERIVED_FIELDS }
  const narrowed = [filterOf(aliasFilters, unnoted), filterOf(visible, whole)].flat()
  return {
    kind: 'boolean',
    clauses: [{ occur: 'must', query }, ...narrowed],
    minimumShouldMatch: 0,
  }
}

/** The documents that the caller may see, as roles restrict them; null: all. */
export function visibleQuery(
  { index, visible }: Omit<FilteredView, 'aliasFilters'>,
  context: QueryContext,
): Query | null {
  const notes = unnamedNotes(context.notes)
  const whole = { ...context, notes, mapping: index.mapping, derived: NO_DERIVED_FIELDS }
  return filterOf(visible, whole)[0]?.query ?? null
}

function filterOf(
  filters: readonly JsonObjectNode[] | null,
  context: QueryContext,
): { readonly occur: 'filter'; readonly query: Query }[] {
  if (filters === null) return []
  return [
    { occur: 'filter', query: anyOf(filters.map(each => buildQuery(parseFilter(each), context))) },
  ]
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
