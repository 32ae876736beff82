import type { GeoShapeField } from '../../../schema/field-type/geo-shape.ts'
import { shardError } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import { presenceOnly } from './presence-only.ts'

/** Shapes: the query `geo_shape` finds them by more than their presence. */
export const geoShape: FieldSearch<GeoShapeField> = presenceOnly({
  term: ({ name }) =>
    shardError(
      `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${name}]`,
    ),
  sort: "can't sort on geo_shape field",
})
