import type { SliceQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** One of several parts of all documents, told apart by a hash. */
export const sliceQuery: QueryType<SliceQuery> = {
  className: ({ column }) => (column === 'ids' ? 'TermsSliceQuery' : 'DocValuesSliceQuery'),
  text: ({ column, field, slice, max }) =>
    `${column === 'ids' ? 'Terms' : 'DocValues'}SliceQuery[field=${field}, id=${slice}, max=${max}]`,
  clauseCount: () => 1,
  mapInner: null,
  createWeight({ column, field, slice, max }, builder, id, boost) {
    builder.terms.use(column === 'ids' ? '' : field, column)
    for (const leaf of builder.leaves) builder.cost += leaf.maxDoc
    return { kind: 'slice', id, score: boost, column, field, slice, max }
  },
}
