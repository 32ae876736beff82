import { parentIdsName } from '../../../schema/field-type/join.ts'
import { ANY_NUMBER } from '../../../search/query/join.ts'
import { matchNone, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonObjectNode } from '../../../util/json/json-tree.ts'
import { isScalar, readBoolean, readText } from '../json-scalars.ts'
import { type ParsedQuery, type QueryContext, shardError } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import { buildJoin, checkJoining, joinFieldOf } from './join-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `has_parent`: children of parents that a query matches. */
export const hasParentParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let type: string | null = null
    let query: ParsedQuery | null = null
    let isScored = false
    let ignoresUnmapped = false
    let innerHits: JsonObjectNode | null = null
    for (const entry of node.entries) {
      const { key, value } = entry
      if (read.option(entry)) continue
      if (key === 'query' && value.kind === 'object') query = read.inner(value)
      else if (key === 'inner_hits' && value.kind === 'object') {
        read.noteInnerHits(value)
        innerHits = value
      } else if (!isScalar(value)) throw unknownKey('has_parent', entry)
      else if (key === 'parent_type') type = readText(value)
      else if (key === 'score') isScored = readBoolean(value)
      else if (key === 'ignore_unmapped') ignoresUnmapped = readBoolean(value)
      else throw unknownKey('has_parent', entry)
    }
    if (type === null) throw new IllegalArgumentError("[has_parent] requires 'parent_type' field")
    if (query === null) throw new IllegalArgumentError("[has_parent] requires 'query' field")
    const asked = { type, query, innerHits, isScored, ignoresUnmapped }
    return { field: null, build: context => buildHasParent(asked, context) }
  },
}

interface HasParentClause {
  readonly type: string
  readonly query: ParsedQuery
  readonly innerHits: JsonObjectNode | null
  readonly isScored: boolean
  readonly ignoresUnmapped: boolean
}

function buildHasParent(clause: HasParentClause, context: QueryContext): Query {
  const { type, isScored, ignoresUnmapped } = clause
  checkJoining(context)
  const field = joinFieldOf(context.mapping)
  const relations = field?.relations.get(type)
  if (field === null || relations === undefined) {
    if (ignoresUnmapped) return matchNone('')
    throw shardError(
      field === null
        ? '[has_parent] no join field has been configured'
        : `[has_parent] join field [${field.name}] doesn't hold [${type}] as a parent`,
    )
  }
  const idField = parentIdsName(field.name, type)
  const ties = { relationField: field.name, idField, relations }
  const scoreMode = isScored ? 'max' : 'none'
  return buildJoin(
    clause,
    { ...ties, finds: 'children', scoreMode, min: 1, max: ANY_NUMBER },
    context,
  )
}
