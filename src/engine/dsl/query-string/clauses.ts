/** How clauses of the query-string language are put together: left to right, none binding tighter. */
import {
  type BooleanClause,
  MATCH_ALL,
  type Query,
  withoutSimilarity,
} from '../../../search/query/query.ts'
import type { Conjunction, Sign } from './syntax.ts'

/** The operator between clauses that name none. */
export type DefaultOperator = 'or' | 'and'

/**
 * Adds a clause; `and` makes the one before required too, and under `and` as default, `or` makes it
 * optional.
 * @param query null: what was asked for has no terms
 */
export function addClause(
  clauses: BooleanClause[],
  conjunction: Conjunction,
  sign: Sign,
  query: Query | null,
  operator: DefaultOperator,
): void {
  const before = clauses.at(-1)
  if (before !== undefined && before.occur !== 'must_not') {
    if (conjunction === 'and') clauses[clauses.length - 1] = { ...before, occur: 'must' }
    if (conjunction === 'or' && operator === 'and')
      clauses[clauses.length - 1] = { ...before, occur: 'should' }
  }
  if (query === null) return
  const isRequired =
    operator === 'or' ? sign === 'required' || conjunction === 'and' : conjunction !== 'or'
  const occur = sign === 'prohibited' ? 'must_not' : isRequired ? 'must' : 'should'
  clauses.push({ occur, query })
}

/** Adds neighbours that were analysed together, each term a clause of its own. */
export function addNeighbours(
  clauses: BooleanClause[],
  query: Query | null,
  operator: DefaultOperator,
): void {
  if (query === null) return
  const occur = operator === 'or' ? 'should' : 'must'
  if (query.kind !== 'boolean') clauses.push({ occur, query })
  else if (query.clauses.every(clause => withoutSimilarity(clause.query).kind === 'term'))
    clauses.push(...query.clauses)
  else for (const clause of query.clauses) clauses.push({ occur, query: clause.query })
}

/** The query of the clauses; everything else where all are prohibited. Null: there are none. */
export function clausesQuery(clauses: readonly BooleanClause[]): Query | null {
  if (clauses.length === 0) return null
  const isNegative = clauses.every(clause => clause.occur === 'must_not')
  const all: BooleanClause = { occur: 'filter', query: MATCH_ALL }
  return {
    kind: 'boolean',
    clauses: isNegative ? [...clauses, all] : clauses,
    minimumShouldMatch: 0,
  }
}
