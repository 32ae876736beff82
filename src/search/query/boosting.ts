import { floatText } from '../../util/json/float-text.ts'
import type { BoostingQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** One query's documents and scores, demoted where a second query also matches. */
export const boostingQuery: QueryType<BoostingQuery> = {
  className: () => 'FunctionScoreQuery',
  text(query, of) {
    const boost = `queryboost(score(${of.text(query.negative)}))^${floatText(query.negativeBoost)}`
    return `FunctionScoreQuery(${of.text(query.positive)}, scored by boost(${boost}))`
  },
  clauseCount: (query, of) => of.clauseCount(query.positive) + of.clauseCount(query.negative),
  mapInner(query, change) {
    const positive = change(query.positive)
    const negative = change(query.negative)
    if (positive === query.positive && negative === query.negative) return query
    return { ...query, positive, negative }
  },
  rewrite(query, of) {
    const positive = of.rewrite(query.positive)
    if (positive.kind === 'matchNone') return positive
    const negative = of.unscored(of.rewrite(query.negative))
    if (positive === query.positive && negative === query.negative) return query
    return { ...query, positive, negative }
  },
  unscored: (query, of) => of.unscored(query.positive),
  visitTerms: ({ positive }, visitor, of) => of.visitTerms(positive, visitor),
  createWeight(query, builder, id, boost, scored) {
    const positive = builder.child(query.positive, 1, scored, id)
    const negative = builder.child(query.negative, 1, false, id)
    const factor = Math.fround(query.negativeBoost)
    return { kind: 'boosting', id, positive, negative, factor, boost }
  },
}
