/** bool, constant_score, dis_max and boosting: the inner queries' parser is passed in. */
import { type BooleanClause, boosted, MATCH_ALL, type Query } from '../../search/query/query.ts'
import type { Occur } from '../../search/weight/weight.ts'
import { didYouMean, findAlike } from '../../util/did-you-mean.ts'
import { EngineError } from '../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { fieldSearch } from './field/field-searches.ts'
import { readBoolean, readBoost, readNumber, readText } from './json-scalars.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import { contentError, fieldError, parsingError } from './parse-error.ts'
import type { ParsedQuery, QueryContext } from './query-context.ts'
import { refuseName, unknownKey } from './term-level.ts'

/** Reads a query object. */
export type ParseQuery = (node: JsonNode) => ParsedQuery

const BOOL_KEYS = [
  'must',
  'filter',
  'should',
  'must_not',
  'minimum_should_match',
  'adjust_pure_negative',
  'boost',
] as const

/** The order in which the real engine adds a bool's clauses. */
const OCCURS: readonly Occur[] = ['must', 'must_not', 'should', 'filter']

export function parseBool(node: JsonObjectNode, parse: ParseQuery): ParsedQuery {
  const clauses = new Map<Occur, ParsedQuery[]>(OCCURS.map(occur => [occur, []]))
  let boost = 1
  let minimum: string | null = null
  let adjusts = true
  for (const entry of node.entries) {
    const { key, value } = entry
    refuseName(entry)
    const list = clauses.get((key === 'mustNot' ? 'must_not' : key) as Occur)
    if (list !== undefined) list.push(...parseClauses(entry, 'bool', parse))
    else if (key === 'minimum_should_match') minimum = readText(value)
    else if (key === 'adjust_pure_negative') adjusts = readBoolean(value)
    else if (key === 'boost') boost = readBoost(value, 'bool')
    else
      throw contentError(
        entry,
        `[bool] unknown field [${key}]${didYouMean(findAlike(key, BOOL_KEYS))}`,
      )
  }
  return {
    name: 'bool',
    field: null,
    build: context => boosted(buildBool(clauses, minimum, adjusts, context), boost),
  }
}

function parseClauses(entry: JsonEntry, parser: string, parse: ParseQuery): ParsedQuery[] {
  const { key, value } = entry
  if (value.kind === 'null') return []
  try {
    return value.kind === 'array' ? value.items.map(parse) : [parse(value)]
  } catch (error) {
    throw fieldError(value, parser, key, error)
  }
}

function buildBool(
  parsed: ReadonlyMap<Occur, readonly ParsedQuery[]>,
  minimum: string | null,
  adjusts: boolean,
  context: QueryContext,
): Query {
  const clauses: BooleanClause[] = []
  for (const occur of OCCURS)
    for (const each of parsed.get(occur) ?? []) {
      const query = each.build(context)
      const becomesFilter = occur === 'must' && scoresNothing(each, context)
      clauses.push({ occur: becomesFilter ? 'filter' : occur, query })
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
  const least = minimum === null ? 0 : minimumShouldMatch(minimum, shoulds)
  return { kind: 'boolean', clauses, minimumShouldMatch: least }
}

/**
 * Whether a must clause is turned into a filter: a range, or a number's term, terms or match, whose
 * constant score would only shift all hits.
 */
function scoresNothing(parsed: ParsedQuery, context: QueryContext): boolean {
  if (parsed.name === 'range') return true
  if (parsed.field === null || !['term', 'terms', 'match'].includes(parsed.name)) return false
  const field = context.mapping.field(parsed.field)
  return field !== null && fieldSearch(field.type).isNumber
}

export function parseConstantScore(node: JsonObjectNode, parse: ParseQuery): ParsedQuery {
  let filter: ParsedQuery | null = null
  let boost = 1
  for (const entry of node.entries) {
    refuseName(entry)
    if (entry.key === 'filter') {
      if (filter !== null || entry.value.kind === 'array')
        throw parsingError(entry, "[constant_score] accepts only one 'filter' element.")
      filter = parse(entry.value)
    } else if (entry.key === 'boost') boost = readBoost(entry.value, 'constant_score')
    else throw unknownKey('constant_score', entry)
  }
  if (filter === null) throw parsingError(node, "[constant_score] requires a 'filter' element")
  const inner = filter
  return {
    name: 'constant_score',
    field: null,
    build: context => boosted({ kind: 'constantScore', query: inner.build(context) }, boost),
  }
}

export function parseDisMax(node: JsonObjectNode, parse: ParseQuery): ParsedQuery {
  let queries: readonly ParsedQuery[] = []
  let tieBreaker = 0
  let boost = 1
  for (const entry of node.entries) {
    const { key, value } = entry
    refuseName(entry)
    if (key === 'queries')
      queries = value.kind === 'array' ? value.items.map(parse) : [parse(value)]
    else if (key === 'tie_breaker') tieBreaker = Math.fround(readNumber(value))
    else if (key === 'boost') boost = readBoost(value, 'dis_max')
    else throw unknownKey('dis_max', entry)
  }
  if (queries.length === 0)
    throw parsingError(node, "[dis_max] requires 'queries' field with at least one clause")
  return {
    name: 'dis_max',
    field: null,
    build: context => {
      const built = queries.map(query => query.build(context))
      return boosted({ kind: 'disMax', queries: built, tieBreaker }, boost)
    },
  }
}

export function parseBoosting(node: JsonObjectNode, parse: ParseQuery): ParsedQuery {
  let positive: ParsedQuery | null = null
  let negative: ParsedQuery | null = null
  let negativeBoost = -1
  let boost = 1
  for (const entry of node.entries) {
    const { key, value } = entry
    refuseName(entry)
    if (key === 'positive') positive = parse(value)
    else if (key === 'negative') negative = parse(value)
    else if (key === 'negative_boost') negativeBoost = readNumber(value)
    else if (key === 'boost') boost = readBoost(value, 'boosting')
    else throw unknownKey('boosting', entry)
  }
  if (positive === null)
    throw parsingError(node, "[boosting] query requires 'positive' query to be set'")
  if (negative === null)
    throw parsingError(node, "[boosting] query requires 'negative' query to be set'")
  if (negativeBoost < 0)
    throw parsingError(
      node,
      "[boosting] query requires 'negative_boost' to be set to be a positive value'",
    )
  const [good, bad] = [positive, negative]
  return {
    name: 'boosting',
    field: null,
    build: context =>
      boosted(
        {
          kind: 'boosting',
          positive: good.build(context),
          negative: bad.build(context),
          negativeBoost,
        },
        boost,
      ),
  }
}
