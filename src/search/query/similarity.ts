import type { SimilarityQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** A query of fields that score by similarities of their own. */
export const similarityQuery: QueryType<SimilarityQuery> = {
  className: ({ query }, of) => of.className(query),
  text: ({ query }, of) => of.text(query),
  clauseCount: ({ query }, of) => of.clauseCount(query),
  mapInner(query, change) {
    const inner = change(query.query)
    return inner === query.query ? query : { ...query, query: inner }
  },
  rewrite(query, of) {
    const inner = of.rewrite(query.query)
    if (inner.kind === 'matchNone') return inner
    return inner === query.query ? query : { ...query, query: inner }
  },
  unscored: ({ query }, of) => of.unscored(query),
  visitTerms: ({ query }, visitor, of) => of.visitTerms(query, visitor),
  // Similarities have no node: the nodes below are bound to them.
  createWeight({ query, similarities }, builder, id, boost, scored) {
    const before = builder.similarities
    builder.similarities = [...similarities, ...before]
    const node = builder.createAs(id, query, boost, scored)
    builder.similarities = before
    return node
  },
}
