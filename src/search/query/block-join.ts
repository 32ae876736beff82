import { sectionBit } from '../weight/section-use.ts'
import type { BlockJoinQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

const PARENTS = sectionBit('parents')

/** Documents of which a nested document matches. */
export const blockJoinQuery: QueryType<BlockJoinQuery> = {
  className: () => 'OpenSearchToParentBlockJoinQuery',
  text: (query, of) => `ToParentBlockJoinQuery (${of.text(query.query)})`,
  clauseCount: (query, of) => of.clauseCount(query.query),
  mapInner(query, change) {
    const inner = change(query.query)
    return inner === query.query ? query : { ...query, query: inner }
  },
  rewrite(query, of) {
    const rewritten = of.rewrite(query.query)
    const next = query.scoreMode === 'none' ? of.unscored(rewritten) : rewritten
    return next === query.query ? query : { ...query, query: next }
  },
  unscored(query, of) {
    const inner = of.unscored(query.query)
    if (inner === query.query && query.scoreMode === 'none') return query
    return { ...query, query: inner, scoreMode: 'none' }
  },
  visitTerms: (query, visitor, of) => of.visitTerms(query.query, visitor),
  createWeight({ query, parentPath, scoreMode }, builder, id, boost, scored) {
    const { terms } = builder
    const sums = scored && scoreMode !== 'none'
    const child = builder.child(query, boost, sums, id)
    terms.useOf('').kinds |= PARENTS
    let parentId: number | null = null
    if (parentPath !== null) {
      parentId = terms.termId('_nested_path', parentPath)
      terms.use('_nested_path', 'postings')
      builder.openPostings++
      builder.cost += terms.docFreqOf(parentId)
    }
    return {
      kind: 'blockJoin',
      id,
      child,
      parentPath,
      parentId,
      scoreMode: sums ? scoreMode : 'none',
    }
  },
}
