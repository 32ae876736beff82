import { parentIdsName } from '../../../schema/field-type/join.ts'
import { ANY_NUMBER } from '../../../search/query/join.ts'
import { matchNone, type Query } from '../../../search/query/query.ts'
import { readBoolean } from '../json-scalars.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import { type InnerClause, readInnerClause } from './inner-clause.ts'
import { buildJoin, checkJoining, joinFieldOf } from './join-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `has_parent`: children of parents that a query matches. */
export const hasParentParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let isScored = false
    const clause = readInnerClause('has_parent', 'parent_type', node, read, (key, value) => {
      if (key !== 'score') return false
      isScored = readBoolean(value)
      return true
    })
    const asked = { ...clause, isScored }
    return { field: null, build: context => buildHasParent(asked, context) }
  },
}

interface HasParentClause extends InnerClause {
  readonly isScored: boolean
}

function buildHasParent(clause: HasParentClause, context: QueryContext): Query {
  const { target: type, isScored, ignoresUnmapped } = clause
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
