import { NO_DERIVED_FIELDS } from '../../schema/derived-field.ts'
import type { PriorQuery, Query } from '../../search/query/query.ts'
import { restrictedError } from '../../task/access.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { JsonObjectNode } from '../../util/json/json-tree.ts'
import { parseQuery } from '../dsl/query/parse-query.ts'
import { buildQuery, type ParsedQuery, type QueryContext } from '../dsl/query-context.ts'
import { unnamedNotes } from '../dsl/query-notes.ts'
import type { IndexView } from '../metadata/index-view.ts'
import type { Node } from '../node/node.ts'
import { answersAtOnce } from './answers-at-once.ts'

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
  node: Node,
): Query {
  if (aliasFilters === null && visible === null) return query
  // Names in these filters are none of the request's.
  const unnoted = { ...context, notes: unnamedNotes(context.notes) }
  const narrowed = [
    filterOf(aliasFilters, parseAliasFilter, unnoted),
    roleFilter({ index, visible }, unnoted, node),
  ].flat()
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
  node: Node,
): Query | null {
  const notes = unnamedNotes(context.notes)
  return roleFilter({ index, visible }, { ...context, notes }, node)[0]?.query ?? null
}

/** Queries that find other documents first, which would be to narrow in turn. */
const NEEDS_PRIOR: Readonly<Record<PriorQuery['kind'], string>> = {
  join: 'Joining',
  nearest: 'Finding nearest vectors',
  derived: 'Searching derived fields',
  seen: 'Restricting',
}

/**
 * Terms may stand in a document of any index, which the caller need not be able to read: it is read as it is now, written
 * and not yet refreshed. A field that is hidden may decide on documents, one that a script makes may not; filters of aliases may be
 * the caller's own.
 * @throws {EngineError} 403 `security_exception`: the filter finds other documents first, or does not fit the
 *         index, of which the caller is not told more: the error would quote it
 */
function roleFilter(
  { index, visible }: Omit<FilteredView, 'aliasFilters'>,
  context: QueryContext,
  node: Node,
): ReturnType<typeof filterOf> {
  const { joins } = context.notes
  const before = joins.length
  const { mapping } = index
  const answers = answersAtOnce(node)
  const whole = { ...context, mapping, derived: NO_DERIVED_FIELDS, seen: null, answers }
  const filters = untold(() => filterOf(visible, parseRoleFilter, whole))
  const [prior] = joins.slice(before)
  if (prior !== undefined)
    throw restrictedError(`${NEEDS_PRIOR[prior.kind]} is not supported in document restrictions`)
  return filters
}

function untold<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === 'security_exception') throw error
    throw restrictedError('A document restriction does not fit the index')
  }
}

function filterOf(
  filters: readonly JsonObjectNode[] | null,
  parse: (filter: JsonObjectNode) => ParsedQuery,
  context: QueryContext,
): { readonly occur: 'filter'; readonly query: Query }[] {
  if (filters === null) return []
  return [{ occur: 'filter', query: anyOf(filters.map(each => buildQuery(parse(each), context))) }]
}

/** Lookups are run ahead of a search, by the names in the request alone. */
function parseAliasFilter(filter: JsonObjectNode): ParsedQuery {
  const parsed = parseQuery(filter)
  if (parsed.lookups.length > 0)
    throw new IllegalArgumentError('lookups in filters of an alias are not supported yet')
  return parsed
}

function parseRoleFilter(filter: JsonObjectNode): ParsedQuery {
  const parsed = parseQuery(filter)
  if (parsed.lookups.some(({ inDocument }) => inDocument === null))
    throw restrictedError('Only lookups of terms by id are supported in document restrictions')
  return parsed
}

/** @param queries min one */
function anyOf(queries: readonly Query[]): Query {
  const [only] = queries
  if (queries.length === 1 && only !== undefined) return only
  const clauses = queries.map(query => ({ occur: 'should' as const, query }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 1 }
}
