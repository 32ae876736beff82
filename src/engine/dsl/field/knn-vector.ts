import type { KnnVectorField } from '../../../schema/field-type/knn-vector.ts'
import { shardError } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import { unsupportedFielddata } from './number-sort.ts'
import { presenceOnly } from './presence-only.ts'
import { fieldExists } from './whole-value.ts'

/** Vectors: the query `knn` finds them by more than their presence. */
export const knnVector: FieldSearch<KnnVectorField> = {
  ...presenceOnly({
    term: ({ name }) =>
      shardError(`KNN vector do not support exact searching, use KNN queries instead: [${name}]`),
    sort: '',
  }),
  // Vectors are always kept, whatever `doc_values` says.
  exists: ({ name }) => fieldExists(name, false),
  sort(field) {
    throw unsupportedFielddata(field)
  },
}
