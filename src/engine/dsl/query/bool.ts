import { type BooleanClause, MATCH_ALL, type Query } from '../../../search/query/query.ts'
import type { Occur } from '../../../search/weight/weight-node.ts'
import { EngineError } from '../../../util/errors.ts'
import type { JsonEntry } from '../../../util/json/json-tree.ts'
import { fieldSearch } from '../field/field-searches.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import { minimumShouldMatch } from '../minimum-should-match.ts'
import { fieldError, unknownField } from '../parse-error.ts'
import type { ParsedQuery, QueryContext } from '../query-context.ts'
import { QUERY_OPTIONS, type QueryParser, type QueryReader } from './query-parser.ts'

const BOOL_KEYS = [
  'must',
  'filter',
  'should',
  'must_not',
  'mustNot',
  'minimum_should_match',
  'adjust_pure_negative',
  ...QUERY_OPTIONS,
]

/** The order in which the real engine adds a bool's clauses. */
const OCCURS: readonly Occur[] = ['must', 'must_not', 'should', 'filter']

/** `bool`: clauses of which some must match, some may and some must not. */
export const boolParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const clauses = new Map<Occur, ParsedQuery[]>(OCCURS.map(occur => [occur, []]))
    let minimum: string | null = null
    let adjusts = true
    for (const entry of node.entries) {
      const { key, value } = entry
      if (read.option(entry)) continue
      const list = clauses.get((key === 'mustNot' ? 'must_not' : key) as Occur)
      if (list !== undefined) list.push(...parseClauses(entry, read))
      else if (key === 'minimum_should_match') minimum = readText(value)
      else if (key === 'adjust_pure_negative') adjusts = readBoolean(value)
      else throw unknownField(entry, 'bool', BOOL_KEYS)
    }
    return { field: null, build: context => buildBool(clauses, minimum, adjusts, context) }
  },
}

function parseClauses(entry: JsonEntry, read: QueryReader): ParsedQuery[] {
  const { key, value } = entry
  if (value.kind === 'null') return []
  try {
    return value.kind === 'array' ? value.items.map(read.inner) : [read.inner(value)]
  } catch (error) {
    throw fieldError(value, 'bool', key, error)
  }
}

function buildBool(
  parsed: ReadonlyMap<Occur, readonly ParsedQuery[]>,
  minimum: string | null,
  adjusts: boolean,
  context: QueryContext,
): Query {
  const clauses: BooleanClause[] = []
  // Hits do not match what is prohibited: there is nothing within to show.
  const prohibited = { ...context, notes: { ...context.notes, innerHits: new Map() } }
  for (const occur of OCCURS)
    for (const each of parsed.get(occur) ?? []) {
      const query = each.build(occur === 'must_not' ? prohibited : context)
      const isFilter = occur === 'must' && becomesFilter(each, context)
      clauses.push({ occur: isFilter ? 'filter' : occur, query })
    }
  if (clauses.length === 0) return MATCH_ALL
  if (clauses.length > context.maxClauseCount)
    throw new EngineError({
      type: 'too_many_clauses',
      reason: `maxClauseCount is set to ${context.maxClauseCount}`,
    })
  const shoulds = clauses.filter(clause => clause.occur === 'should').length
  // Nothing but prohibitions: everything else matches, with the score 0.
  if (adjusts && clauses.every(clause => clause.occur === 'must_not'))
    clauses.push({ occur: 'filter', query: MATCH_ALL })
  // Where nothing is required one should must match anyway; the plain form says so by itself.
  const count = minimum === null ? 0 : minimumShouldMatch(minimum, shoulds)
  return { kind: 'boolean', clauses, minimumShouldMatch: count }
}

/** Whether a must clause is turned into a filter, as its constant score would only shift all hits. */
function becomesFilter({ mustBecomesFilter, field }: ParsedQuery, context: QueryContext): boolean {
  if (mustBecomesFilter !== 'onNumbers') return mustBecomesFilter === 'always'
  const type = field === null ? null : context.mapping.field(field)
  return type !== null && fieldSearch(type.type).isNumber
}
