/** `nested` of a sort: whose values count, read and made for an index. */

import type { Query } from '../../search/query/query.ts'
import type { NestedValues } from '../../search/sort/sort-key.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { ParsedNestedSort } from './field/sort-level.ts'
import { readInteger, readText } from './json-scalars.ts'
import { nestedMatches, nestedPathProblem } from './query/nested.ts'
import { parseQuery } from './query/parse-query.ts'
import { buildQuery, type ParsedQuery, type QueryContext, shardError } from './query-context.ts'
import { unnamedNotes } from './query-notes.ts'

/** @throws {EngineError} 400: it is no such object */
export function parseNestedSort(node: JsonNode): ParsedNestedSort {
  if (node.kind !== 'object')
    throw new IllegalArgumentError('malformed nested sort format, must start with an object')
  let path: string | null = null
  let filter: ParsedQuery | null = null
  let maxChildren = Number.POSITIVE_INFINITY
  let inner: ParsedNestedSort | null = null
  for (const { key, value } of node.entries) {
    const isObject = value.kind === 'object'
    if (key === 'filter' && isObject) filter = parseQuery(value)
    else if (key === 'nested' && isObject) inner = parseNestedSort(value)
    else if (key === 'path' && !isObject) path = readText(value)
    else if (key === 'max_children' && !isObject) maxChildren = readInteger(value)
    else throw new IllegalArgumentError(`malformed nested sort format, unknown field name [${key}]`)
  }
  if (path === null) throw new IllegalArgumentError("[nested] requires 'path' field")
  return { path, filter, maxChildren, inner }
}

/** The queries of a sort's filters. */
export function filtersOf(nested: ParsedNestedSort | null): readonly ParsedQuery[] {
  if (nested === null) return []
  const inner = filtersOf(nested.inner)
  return nested.filter === null ? inner : [nested.filter, ...inner]
}

/** Nested documents of a level around another one: those that an outer level of the sort accepts. */
interface OuterLevel {
  readonly path: string
  readonly query: Query
}

/**
 * The nested documents whose values count, in an index.
 * @throws {EngineError} `query_shard_exception`: it has no such objects
 */
export function nestedValues(nested: ParsedNestedSort, context: QueryContext): NestedValues {
  return valuesWithin(nested, context, null)
}

/** @param outer the level around; null: it accepts all that there are */
function valuesWithin(
  { path, filter, maxChildren, inner }: ParsedNestedSort,
  context: QueryContext,
  outer: OuterLevel | null,
): NestedValues {
  if (inner !== null && maxChildren !== Number.POSITIVE_INFINITY)
    throw shardError('max_children is only supported on last level of nested sort')
  const problem = nestedPathProblem(context.mapping, path)
  if (problem !== null) throw shardError(`[nested] ${problem}`)
  const scope = { ...context.nested, path, depth: context.nested.depth + 1 }
  const within = { ...context, notes: unnamedNotes(context.notes), nested: scope }
  const own = filter === null ? null : buildQuery(filter, within)
  const query = acceptedOf(path, own, outer, context)
  if (inner === null) return { query, maxChildren: Math.max(0, maxChildren) }
  const isFiltered = own !== null || outer !== null
  return valuesWithin(inner, within, isFiltered ? { path, query } : null)
}

/** The documents of a path that its filter and the level around accept. */
function acceptedOf(
  path: string,
  filter: Query | null,
  outer: OuterLevel | null,
  { mapping }: QueryContext,
): Query {
  const all: Query = { kind: 'term', field: '_nested_path', term: path }
  const own = filter === null ? all : nestedMatches(filter, path, mapping)
  if (outer === null) return own
  const around: Query =
    outer.path === path
      ? outer.query
      : { kind: 'nestedWithin', path, outerPath: outer.path, query: outer.query }
  return {
    kind: 'boolean',
    clauses: [
      { occur: 'filter', query: around },
      { occur: 'filter', query: own },
    ],
    minimumShouldMatch: 0,
  }
}
