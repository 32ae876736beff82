import type { GeoPointField } from '../../../schema/field-type/geo-point.ts'
import { shardError } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import { presenceOnly } from './presence-only.ts'

/** Locations: geo queries find them by more than their presence. */
export const geoPoint: FieldSearch<GeoPointField> = presenceOnly({
  term: ({ name }) =>
    shardError(
      `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${name}]`,
    ),
  sort: "can't sort on geo_point field without using specific sorting feature, like geo_distance",
})
