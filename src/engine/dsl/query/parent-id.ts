import { parentIdsName } from '../../../schema/field-type/join.ts'
import { matchNone, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { isScalar, readBoolean, readText } from '../json-scalars.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import { checkJoining, joinFieldOf, parentOf, withRelation } from './join-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `parent_id`: the children of one relation that one parent has. */
export const parentIdParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let type: string | null = null
    let id: string | null = null
    let ignoresUnmapped = false
    for (const entry of node.entries) {
      const { key, value } = entry
      if (read.option(entry)) continue
      if (!isScalar(value)) throw unknownKey('parent_id', entry)
      if (key === 'type') type = readText(value)
      else if (key === 'id') id = readText(value)
      else if (key === 'ignore_unmapped') ignoresUnmapped = readBoolean(value)
      else throw unknownKey('parent_id', entry)
    }
    if (type === null) throw new IllegalArgumentError("[parent_id] requires 'type' field")
    if (id === null) throw new IllegalArgumentError("[parent_id] requires 'id' field")
    const asked = { type, id, ignoresUnmapped }
    return { field: null, build: context => buildParentId(asked, context) }
  },
}

interface ParentIdClause {
  readonly type: string
  readonly id: string
  readonly ignoresUnmapped: boolean
}

function buildParentId(
  { type, id, ignoresUnmapped }: ParentIdClause,
  context: QueryContext,
): Query {
  checkJoining(context)
  const field = joinFieldOf(context.mapping)
  const parent = field === null ? null : parentOf(field, type)
  if (field === null || parent === null) {
    if (ignoresUnmapped) return matchNone('')
    throw shardError(
      field === null
        ? `[parent_id] no join field found for index [${context.index}]`
        : `[parent_id] no relation found for child [${type}]`,
    )
  }
  return {
    kind: 'boolean',
    clauses: [
      {
        occur: 'must',
        query: { kind: 'term', field: parentIdsName(field.name, parent), term: id },
      },
      { occur: 'filter', query: withRelation(field, type) },
    ],
    minimumShouldMatch: 0,
  }
}
