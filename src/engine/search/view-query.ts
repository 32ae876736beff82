import { NO_DERIVED_FIELDS } from '../../schema/derived-field.ts'
import type { PriorQuery, Query } from '../../search/query/query.ts'
import { restrictedError } from '../../task/access.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
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
  const narrowed = [filterOf(aliasFilters, unnoted), roleFilter({ index, visible }, unnoted)].flat()
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
  return roleFilter({ index, visible }, { ...context, notes })[0]?.query ?? null
}

/** Queries that find other documents first, which would be to narrow in turn. */
const NEEDS_PRIOR: Readonly<Record<PriorQuery['kind'], string>> = {
  join: 'Joining',
  nearest: 'Finding nearest vectors',
  derived: 'Searching derived fields',
  seen: 'Restricting',
}

/**
 * A field that is hidden may decide on documents, one that a script makes may not; filters of aliases may be
 * the caller's own.
 * @throws {EngineError} 403 `security_exception`: the filter finds other documents first, or does not fit the
 *         index, of which the caller is not told more: the error would quote it
 */
function roleFilter(
  { index, visible }: Omit<FilteredView, 'aliasFilters'>,
  context: QueryContext,
): ReturnType<typeof filterOf> {
  const { joins } = context.notes
  const before = joins.length
  const whole = { ...context, mapping: index.mapping, derived: NO_DERIVED_FIELDS, seen: null }
  const filters = untold(() => filterOf(visible, whole))
  const [prior] = joins.slice(before)
  if (prior !== undefined)
    throw restrictedError(`${NEEDS_PRIOR[prior.kind]} is not supported in document restrictions`)
  return filters
}

function untold<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof EngineError) || error instanceof LookupInFilterError) throw error
    throw restrictedError('A document restriction does not fit the index')
  }
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
  if (parsed.lookups.length > 0) throw new LookupInFilterError()
  return parsed
}

class LookupInFilterError extends IllegalArgumentError {
  constructor() {
    super('lookups in filters of an alias or a role are not supported yet')
  }
}

/** @param queries min one */
function anyOf(queries: readonly Query[]): Query {
  const [only] = queries
  if (queries.length === 1 && only !== undefined) return only
  const clauses = queries.map(query => ({ occur: 'should' as const, query }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 1 }
}
