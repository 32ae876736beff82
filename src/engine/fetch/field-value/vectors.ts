import type { KnnVectorField } from '../../../schema/field-type/knn-vector.ts'
import { Float32, type JsonValue } from '../../../util/json/json-value.ts'
import { unsupportedFielddata } from '../../dsl/field/number-sort.ts'
import { type FieldValue, refuseFormat } from './field-value.ts'
import { rawValues } from './raw-values.ts'

/** Vectors: those of sources number by number as they stand, those by document each as a list. */
export const vectors: FieldValue<KnnVectorField> = {
  ...rawValues,
  column(field, format) {
    if (!field.docValues) throw unsupportedFielddata(field)
    refuseFormat(field, format)
    return (leaf, docId) => {
      const reader = leaf.denseVectors(field.name)
      const ord = reader === null ? -1 : reader.ordOf(docId)
      if (reader === null || ord < 0) return []
      const print = (value: number): JsonValue =>
        field.element === 'float' ? new Float32(value) : value
      return [reader.numbers(ord).map(print)]
    }
  },
}
