import { doubleText } from '../../util/json/float-text.ts'
import type { DistanceFeatureQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents with a value, by its distance from an origin. */
export const distanceFeatureQuery: QueryType<DistanceFeatureQuery> = {
  className: ({ origin }) =>
    origin.kind === 'long' ? 'LongDistanceFeatureQuery' : 'LatLonPointDistanceFeatureQuery',
  text({ field, origin, pivot }) {
    if (origin.kind === 'long')
      return (
        `LongDistanceFeatureQuery(field=${field},origin=${origin.text},` + `pivotDistance=${pivot})`
      )
    const { lat, lon } = origin.place
    return (
      `LatLonPointDistanceFeatureQuery(field=${field},originLat=${doubleText(lat)},` +
      `originLon=${doubleText(lon)},pivotDistance=${doubleText(pivot)})`
    )
  },
  clauseCount: () => 1,
  mapInner: null,
  unscored: ({ field }) => ({ kind: 'fieldExists', field, listed: false }),
  createWeight({ field, origin, pivot }, builder, id, boost, scored) {
    builder.terms.use(field, 'numericValues')
    for (const leaf of builder.leaves) builder.cost += leaf.fieldInfo(field)?.docCount ?? 0
    return { kind: 'distanceFeature', id, field, origin, pivot, boost, scored }
  },
}
