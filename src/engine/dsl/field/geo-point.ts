import type { GeoPointField } from '../../../schema/field-type/geo-point.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { shardError } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import { checkDocValues, unmappedNumberSort } from './number-sort.ts'
import { existsByDocValues, refusePhrasePrefix, refusePrefix } from './whole-value.ts'

/** Places are found by geo queries, and by their presence. */
export const geoPoint: FieldSearch<GeoPointField> = {
  isNumber: false,
  takesPhrases: false,
  term: refuseTerm,
  terms: refuseTerm,
  range(field) {
    throw new IllegalArgumentError(
      `Field [${field.name}] of type [${field.type}] does not support range queries`,
    )
  },
  exists: existsByDocValues,
  prefix: refusePrefix,
  match(field, match) {
    refusePhrasePrefix(field, match)
    return refuseTerm(field)
  },
  sort(field) {
    checkDocValues(field)
    throw new IllegalArgumentError(
      "can't sort on geo_point field without using specific sorting feature, like geo_distance",
    )
  },
  unmappedSort: unmappedNumberSort,
}

function refuseTerm(field: GeoPointField): never {
  throw shardError(
    'Geo fields do not support exact searching, use dedicated geo queries instead: ' +
      `[${field.name}]`,
  )
}
