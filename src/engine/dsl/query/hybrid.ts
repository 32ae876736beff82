import type { HybridQuery } from '../../../search/query/query.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readInteger, readNumber } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import { type ParsedQuery, type QueryContext, QueryRefusedError } from '../query-context.ts'
import type { QueryParser, QueryReader } from './query-parser.ts'

const MAX_QUERIES = 5

/** `hybrid`: the hits of several queries, listed for each of them and then combined. */
export const hybridParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const queries: ParsedQuery[] = []
    let filter: ParsedQuery | null = null
    let depth: number | null = null
    for (const entry of node.entries) {
      const { key, value } = entry
      if (key === 'boost') checkBoost(value)
      else if (read.option(entry)) continue
      else if (key === 'queries') queries.push(...readQueries(value, read, queries.length))
      else if (key === 'filter') filter = readFilter(value, read)
      else if (key === 'pagination_depth') depth = readInteger(scalar(value))
      else throw unknownField(value)
    }
    if (queries.length === 0)
      throw parsingError(node, "[hybrid] requires 'queries' field with at least one clause")
    return {
      field: null,
      build() {
        throw new QueryRefusedError(
          'hybrid query must be a top level query and cannot be wrapped into other queries. Put ' +
            'its sub-queries into the should clauses of a bool query instead',
        )
      },
      buildOnTop: context => build(queries, filter, depth, context),
    }
  },
}

function build(
  parsed: readonly ParsedQuery[],
  parsedFilter: ParsedQuery | null,
  depth: number | null,
  context: QueryContext,
): HybridQuery {
  if (depth !== null && depth <= 0)
    throw new QueryRefusedError('pagination_depth should be greater than 0')
  if (depth !== null && depth > context.maxResultWindow)
    throw new QueryRefusedError(
      'pagination_depth should be less than or equal to index.max_result_window setting',
    )
  const queries = parsed.map(each => each.build(context))
  const filter = parsedFilter?.build(context) ?? null
  if (filter === null) return { kind: 'hybrid', queries, depth }
  return {
    kind: 'hybrid',
    queries: queries.map(query => ({
      kind: 'boolean',
      clauses: [
        { occur: 'must', query },
        { occur: 'filter', query: filter },
      ],
      minimumShouldMatch: 0,
    })),
    depth,
  }
}

/** Scores of sub-queries are weighed when they are combined. */
function checkBoost(value: JsonNode): void {
  if (Math.fround(readNumber(scalar(value))) !== 1)
    throw parsingError(value, '[hybrid] query does not support [boost]')
}

/** @param before how many queries were read before */
function readQueries(value: JsonNode, read: QueryReader, before: number): ParsedQuery[] {
  if (value.kind === 'object') return [read.inner(value)]
  if (value.kind !== 'array') throw unknownField(value)
  return value.items.map((item, i) => {
    if (before + i === MAX_QUERIES)
      throw parsingError(item, 'Number of sub-queries exceeds maximum supported by [hybrid] query')
    return read.inner(item)
  })
}

function readFilter(value: JsonNode, read: QueryReader): ParsedQuery {
  if (value.kind !== 'object')
    throw parsingError(value, "[hybrid] query's [filter] field must be a query object")
  return read.inner(value)
}

function scalar(value: JsonNode): JsonNode {
  if (value.kind === 'object' || value.kind === 'array') throw unknownField(value)
  return value
}

function unknownField(value: JsonNode): Error {
  return parsingError(value, 'Field is not supported by [hybrid] query')
}
