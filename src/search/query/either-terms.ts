import type { EitherTermsQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/**
 * Documents with one of many terms of a field that has an index and doc values. It runs over the index: the
 * other half is what it prints.
 */
export const eitherTermsQuery: QueryType<EitherTermsQuery> = {
  className: () => 'IndexOrDocValuesQuery',
  text({ query, values, isRewritten }, of) {
    const printed = isRewritten ? `ConstantScore(${values})` : values
    return `IndexOrDocValuesQuery(indexQuery=${of.text(query)}, dvQuery=${printed})`
  },
  clauseCount: ({ query }, of) => of.clauseCount(query),
  mapInner(query, change) {
    const inner = change(query.query)
    return inner === query.query ? query : { ...query, query: inner }
  },
  rewrite(query, of) {
    const inner = of.rewrite(query.query)
    if (inner.kind === 'matchNone') return inner
    return inner === query.query && query.isRewritten
      ? query
      : { ...query, query: inner, isRewritten: true }
  },
  visitTerms: ({ query }, visitor, of) => of.visitTerms(query, visitor),
  // It has no node of its own, as in Lucene.
  createWeight: ({ query }, builder, id, boost, scored) =>
    builder.createAs(id, query, boost, scored),
}
