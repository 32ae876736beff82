import type { NestedWithinQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Nested documents by the nested documents that they lie in. */
export const nestedWithinQuery: QueryType<NestedWithinQuery> = {
  className: () => 'ToChildBlockJoinQuery',
  text: (query, of) => `ToChildBlockJoinQuery (${of.text(query.query)})`,
  clauseCount: (query, of) => of.clauseCount(query.query),
  mapInner(query, change) {
    const inner = change(query.query)
    return inner === query.query ? query : { ...query, query: inner }
  },
  rewrite(query, of) {
    const inner = of.unscored(of.rewrite(query.query))
    return inner === query.query ? query : { ...query, query: inner }
  },
  createWeight({ query, path, outerPath }, builder, id, boost) {
    const { terms } = builder
    const outer = builder.child(query, 1, false, id)
    const termId = terms.termId('_nested_path', path)
    const outerId = terms.termId('_nested_path', outerPath)
    terms.use('_nested_path', 'postings')
    builder.openPostings += 2
    builder.cost += terms.docFreqOf(termId) + terms.docFreqOf(outerId)
    return { kind: 'nestedWithin', id, score: boost, outer, termId, outerId }
  },
}
