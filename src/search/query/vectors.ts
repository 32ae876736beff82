import { queryVector } from '../vector/comparison.ts'
import { postingsOfVector } from '../vector/row-comparison.ts'
import { stepsOfVector } from '../vector/scan-vectors.ts'
import { comparedOf, mayBeWalked, postingsOfWalk } from '../vector/walk-vectors.ts'
import { sectionBit } from '../weight/section-use.ts'
import type { VectorsQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

const PARENTS = sectionBit('parents')

/** Documents whose vectors are near to another one. */
export const vectorsQuery: QueryType<VectorsQuery> = {
  className: () => 'KNNQuery',
  text: ({ field }) => field,
  clauseCount: ({ filter }, of) => 1 + (filter === null ? 0 : of.clauseCount(filter)),
  mapInner(query, change) {
    if (query.filter === null) return query
    const filter = change(query.filter)
    return filter === query.filter ? query : { ...query, filter }
  },
  rewrite(query, of) {
    if (query.filter === null) return query
    const filter = of.unscored(of.rewrite(query.filter))
    return filter === query.filter ? query : { ...query, filter }
  },
  createWeight(query, builder, id, boost) {
    const { field, space, element, vector, limit, candidates, minScore, filter, filtersWhole } =
      query
    const { terms } = builder
    terms.use(field, 'denseVectors')
    terms.useOf('').kinds |= PARENTS
    builder.openPostings += postingsOfVector(element, vector.length)
    const maxDoc = builder.leaves.reduce((most, leaf) => Math.max(most, leaf.maxDoc), 0)
    if (candidates !== null && mayBeWalked(maxDoc, vector.length, candidates)) {
      terms.use(field, 'vectorGraph')
      builder.openPostings += postingsOfWalk(
        maxDoc,
        candidates,
        element,
        vector.length,
        query.bestOfWhole,
      )
    }
    for (const leaf of builder.leaves)
      if (leaf.fieldInfo(field) !== null)
        builder.cost +=
          comparedOf(leaf.maxDoc, vector.length, candidates) * stepsOfVector(vector.length)
    return {
      kind: 'vectors',
      id,
      engine: query.engine,
      field,
      space,
      element,
      vector: queryVector(vector, element),
      boost,
      limit,
      candidates,
      minScore,
      filter: filter === null ? null : builder.child(filter, 1, false, id),
      filtersWhole,
      bestOfWhole: query.bestOfWhole,
      within: query.within,
    }
  },
}
