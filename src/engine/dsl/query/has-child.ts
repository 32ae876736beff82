import { parentIdsName } from '../../../schema/field-type/join.ts'
import { ANY_NUMBER } from '../../../search/query/join.ts'
import { type JoinScoreMode, matchNone, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonObjectNode } from '../../../util/json/json-tree.ts'
import { isScalar, readBoolean, readInteger, readText } from '../json-scalars.ts'
import { type ParsedQuery, type QueryContext, shardError } from '../query-context.ts'
import { unknownKey } from './field-clause.ts'
import { buildJoin, checkJoining, joinFieldOf, parentOf } from './join-clause.ts'
import type { QueryParser } from './query-parser.ts'
import { readScoreMode } from './score-mode.ts'

/** `has_child`: parents of children that a query matches. */
export const hasChildParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    let type: string | null = null
    let query: ParsedQuery | null = null
    let scoreMode: JoinScoreMode = 'none'
    let min = 1
    let max = ANY_NUMBER
    let ignoresUnmapped = false
    let innerHits: JsonObjectNode | null = null
    for (const entry of node.entries) {
      const { key, value } = entry
      if (read.option(entry)) continue
      if (key === 'query' && value.kind === 'object') query = read.inner(value)
      else if (key === 'inner_hits' && value.kind === 'object') {
        read.noteInnerHits(value)
        innerHits = value
      } else if (!isScalar(value)) throw unknownKey('has_child', entry)
      else if (key === 'type') type = readText(value)
      else if (key === 'score_mode') scoreMode = readScoreMode(readText(value))
      else if (key === 'min_children') min = readInteger(value)
      else if (key === 'max_children') max = readInteger(value)
      else if (key === 'ignore_unmapped') ignoresUnmapped = readBoolean(value)
      else throw unknownKey('has_child', entry)
    }
    if (type === null) throw new IllegalArgumentError("[has_child] requires 'type' field")
    if (query === null) throw new IllegalArgumentError("[has_child] requires 'query' field")
    checkBounds(min, max)
    const asked = { type, query, innerHits, scoreMode, min, max, ignoresUnmapped }
    return { field: null, build: context => buildHasChild(asked, context) }
  },
}

interface HasChildClause {
  readonly type: string
  readonly query: ParsedQuery
  readonly innerHits: JsonObjectNode | null
  readonly scoreMode: JoinScoreMode
  readonly min: number
  readonly max: number
  readonly ignoresUnmapped: boolean
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
  const { type, scoreMode, min, max, ignoresUnmapped } = clause
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
