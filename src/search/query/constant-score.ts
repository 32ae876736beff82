import type { ConstantScoreQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** The inner query's documents, each with score 1. */
export const constantScoreQuery: QueryType<ConstantScoreQuery> = {
  className: () => 'ConstantScoreQuery',
  text: (query, of) => `ConstantScore(${of.text(query.query)})`,
  clauseCount: (query, of) => of.clauseCount(query.query),
  mapInner(query, change) {
    const inner = change(query.query)
    return inner === query.query ? query : { ...query, query: inner }
  },
  rewrite(query, of) {
    const next = of.unscored(of.rewrite(query.query))
    if (next.kind === 'matchNone') return next
    return next === query.query ? query : { kind: 'constantScore', query: next }
  },
  unscored: (query, of) => of.unscored(query.query),
  visitTerms: (query, visitor, of) => of.visitTerms(query.query, visitor),
  createWeight(query, builder, id, boost) {
    const child = builder.child(query.query, 1, false, id)
    return { kind: 'constant', id, score: boost, child }
  },
}
