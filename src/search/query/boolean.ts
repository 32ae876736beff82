import { appended } from '../../util/lists.ts'
import type { Occur, WeightNode } from '../weight/weight-node.ts'
import { rewriteBoolean } from './boolean-rules.ts'
import type { BooleanClause, BooleanQuery, Query } from './query.ts'
import type { QueryType } from './query-type.ts'

const OCCUR_SIGNS: Readonly<Record<Occur, string>> = {
  must: '+',
  filter: '#',
  should: '',
  must_not: '-',
}

/** Boolean combination: MUST, FILTER, SHOULD and MUST_NOT clauses. */
export const booleanQuery: QueryType<BooleanQuery> = {
  className: () => 'BooleanQuery',
  text(query, of) {
    const inner = query.clauses
      .map(clause => OCCUR_SIGNS[clause.occur] + of.bracketed(clause.query))
      .join(' ')
    return query.minimumShouldMatch > 0 ? `(${inner})~${query.minimumShouldMatch}` : inner
  },
  clauseCount: (query, of) =>
    query.clauses.reduce((sum, clause) => sum + of.clauseCount(clause.query), 0),
  mapInner(query, change) {
    // Copy on write: usually no clause changes.
    let clauses: BooleanClause[] | null = null
    for (let i = 0; i < query.clauses.length; i++) {
      const clause = query.clauses[i]!
      const inner = change(clause.query)
      if (inner === clause.query) continue
      clauses ??= query.clauses.slice()
      clauses[i] = { occur: clause.occur, query: inner }
    }
    return clauses === null ? query : { ...query, clauses }
  },
  rewrite: rewriteBoolean,
  unscored,
  visitTerms({ clauses }, visitor, of) {
    for (const { occur, query } of clauses) if (occur !== 'must_not') of.visitTerms(query, visitor)
  },
  createWeight({ clauses: queries, minimumShouldMatch }, builder, id, boost, scored) {
    let clauses: { occur: Occur; node: WeightNode }[] = []
    for (const { occur, query } of queries) {
      const needs = scored && (occur === 'must' || occur === 'should')
      const node = builder.child(query, needs ? boost : 1, needs, id)
      clauses = appended(clauses, { occur, node })
    }
    return { kind: 'boolean', id, clauses, minimumShouldMatch, scored }
  },
}

/** Without scores a MUST equals a FILTER, and SHOULD beside required clauses has no effect. */
function unscored(query: BooleanQuery): Query {
  const hasRequired = query.clauses.some(c => c.occur === 'must' || c.occur === 'filter')
  const dropShould = hasRequired && query.minimumShouldMatch === 0
  if (!dropShould && !query.clauses.some(clause => clause.occur === 'must')) return query
  const clauses: BooleanClause[] = []
  for (const clause of query.clauses) {
    if (clause.occur === 'must') clauses.push({ occur: 'filter', query: clause.query })
    else if (clause.occur !== 'should' || !dropShould) clauses.push(clause)
  }
  return clauses.length === query.clauses.length &&
    clauses.every((clause, i) => clause === query.clauses[i])
    ? query
    : { ...query, clauses }
}
