import type { FeatureField } from '../../../schema/field-type/rank-feature.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { FieldSearch } from './field-search.ts'
import { unmappedNumberSort } from './number-sort.ts'
import { fieldExists, refuseFuzzy, refusePattern, refusePrefix } from './whole-value.ts'

/** Searches in `rank_feature` and `rank_features`: whether there is one; scores are made elsewhere. */
export const feature: FieldSearch<FeatureField> = {
  isNumber: false,
  term: refuseQuery,
  terms: refuseQuery,
  range: refuseQuery,
  exists(field) {
    if (field.type === 'rank_features')
      throw new IllegalArgumentError('[rank_features] fields do not support [exists] queries')
    return fieldExists(field.name, true)
  },
  prefix: refusePrefix,
  pattern: refusePattern,
  fuzzy: refuseFuzzy,
  match: refuseQuery,
  sort({ type }) {
    throw new IllegalArgumentError(
      `[${type}] fields do not support sorting, scripting or aggregating`,
    )
  },
  unmappedSort: unmappedNumberSort,
}

function refuseQuery({ type }: FeatureField): never {
  throw new IllegalArgumentError(`Queries on [${type}] fields are not supported`)
}
