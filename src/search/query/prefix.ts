import { multiTermWeight, termsOfRuns } from './multi-term-weight.ts'
import type { PrefixQuery } from './query.ts'
import type { QueryType } from './query-type.ts'
import { prefixRun } from './term-runs.ts'

/** Documents with a term that starts with a prefix. */
export const prefixQuery: QueryType<PrefixQuery> = {
  className: () => 'MultiTermQueryConstantScoreBlendedWrapper',
  text: query => `${query.field}:${query.prefix}*`,
  clauseCount: () => 1,
  mapInner: null,
  visitTerms(query, visitor, of) {
    const { field, prefix } = query
    visitor.termsLike(field, of.text(query), term => term.startsWith(prefix))
  },
  createWeight: (query, builder, id, boost) =>
    multiTermWeight(builder, query.field, id, boost, termsOfRuns([prefixRun(query.prefix)])),
}
