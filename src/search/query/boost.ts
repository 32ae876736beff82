import { floatText } from '../../util/json/float-text.ts'
import { type BoostQuery, boosted, type Query } from './query.ts'
import type { QueryOps, QueryType } from './query-type.ts'

/** The inner query with its scores multiplied. */
export const boostQuery: QueryType<BoostQuery> = {
  className: () => 'BoostQuery',
  text: (query, of) => `(${of.text(query.query)})^${floatText(query.boost)}`,
  clauseCount: (query, of) => of.clauseCount(query.query),
  mapInner(query, change) {
    const inner = change(query.query)
    return inner === query.query ? query : { ...query, query: inner }
  },
  rewrite: rewriteBoost,
  unscored: (query, of) => of.unscored(query.query),
  visitTerms: (query, visitor, of) => of.visitTerms(query.query, visitor.boosted(query.boost)),
  // A boost has no node: its factor is multiplied into the weight below, as in Lucene.
  createWeight: (query, builder, id, boost, scored) =>
    builder.createAs(id, query.query, Math.fround(boost * query.boost), scored),
}

function rewriteBoost(query: BoostQuery, of: QueryOps): Query {
  const { query: inner, boost } = query
  const next = of.rewrite(inner)
  if (next.kind === 'matchNone' || boost === 1) return next
  if (next.kind === 'boost') return boosted(next.query, next.boost * boost)
  if (boost === 0 && next.kind !== 'constantScore')
    return { kind: 'boost', query: { kind: 'constantScore', query: next }, boost }
  return next === inner ? query : { kind: 'boost', query: next, boost }
}
