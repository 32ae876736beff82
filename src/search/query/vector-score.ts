import { queryVector } from '../vector/comparison.ts'
import { postingsOfVector } from '../vector/row-comparison.ts'
import type { VectorScoreQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** A query's documents, scored by how near their vectors are to one. */
export const vectorScoreQuery: QueryType<VectorScoreQuery> = {
  className: () => 'ScriptScoreQuery',
  text: ({ query, text }, of) => `script_score (${of.text(query)}, script: {${text}})`,
  clauseCount: ({ query }, of) => of.clauseCount(query),
  mapInner(query, change) {
    const inner = change(query.query)
    return inner === query.query ? query : { ...query, query: inner }
  },
  rewrite(query, of) {
    const inner = of.unscored(of.rewrite(query.query))
    if (inner.kind === 'matchNone') return inner
    return inner === query.query ? query : { ...query, query: inner }
  },
  unscored: (query, of) => (query.minScore === null ? of.unscored(query.query) : query),
  visitTerms: ({ query }, visitor, of) => of.visitTerms(query, visitor),
  createWeight(asked, builder, id, boost, scored) {
    const { query, field, space, element, vector, minScore, text } = asked
    if (!scored && minScore === null) return builder.createAs(id, query, boost, false)
    builder.terms.use(field, 'denseVectors')
    builder.openPostings += postingsOfVector(element, vector.length)
    const child = builder.child(query, 1, false, id)
    const own = queryVector(vector, element)
    return { kind: 'vectorScore', id, child, field, space, vector: own, minScore, boost, text }
  },
}
