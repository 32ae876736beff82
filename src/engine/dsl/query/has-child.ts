import { parentIdsName } from '../../../schema/field-type/join.ts'
import { ANY_NUMBER } from '../../../search/query/join.ts'
import { type JoinScoreMode, matchNone, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { readInteger, readText } from '../json-scalars.ts'
import { type QueryContext, shardError } from '../query-context.ts'
import { type InnerClause, readInnerClause } from './inner-clause.ts'
import { buildJoin, checkJoining, joinFieldOf, parentOf } from './join-clause.ts'
import type { QueryParser } from './query-parser.ts'
import { readScoreMode } from './score-mode.ts'

/** `has_child`: parents of children that a query matches. */
export const hasChildParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let scoreMode: JoinScoreMode = 'none'
    let min = 1
    let max = ANY_NUMBER
    const clause = readInnerClause('has_child', 'type', node, read, (key, value) => {
      if (key === 'score_mode') scoreMode = readScoreMode(readText(value))
      else if (key === 'min_children') min = readInteger(value)
      else if (key === 'max_children') max = readInteger(value)
      else return false
      return true
    })
    checkBounds(min, max)
    const asked = { ...clause, scoreMode, min, max }
    return { field: null, build: context => buildHasChild(asked, context) }
  },
}

interface HasChildClause extends InnerClause {
  readonly scoreMode: JoinScoreMode
  readonly min: number
  readonly max: number
}

function checkBounds(min: number, max: number): void {
  for (const [name, value] of [
    ['min_children', min],
    ['max_children', max],
  ] as const)
    if (value < 0)
      throw new IllegalArgumentError(`[has_child] requires non-negative '${name}' field`)
  if (max < min)
    throw new IllegalArgumentError("[has_child] 'max_children' is less than 'min_children'")
}

function buildHasChild(clause: HasChildClause, context: QueryContext): Query {
  const { target: type, scoreMode, min, max, ignoresUnmapped } = clause
  checkJoining(context)
  const field = joinFieldOf(context.mapping)
  const parent = field === null ? null : parentOf(field, type)
  if (field === null || parent === null) {
    if (ignoresUnmapped) return matchNone('')
    throw shardError(
      field === null
        ? '[has_child] no join field has been configured'
        : `[has_child] join field [${field.name}] doesn't hold [${type}] as a child`,
    )
  }
  const idField = parentIdsName(field.name, parent)
  const ties = { relationField: field.name, idField, relations: [parent] }
  return buildJoin(clause, { ...ties, finds: 'parents', scoreMode, min, max }, context)
}
