import { IllegalArgumentError } from '../../../util/errors.ts'
import type { Place } from '../../../util/geo-distance.ts'
import type { JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readPlace } from '../geo-origin.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { unknownKey } from './field-clause.ts'
import { checkedPlace, geoQuery, newGeoOptions, readGeoOption } from './geo-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `geo_polygon`: documents with a place in a polygon. */
export const geoPolygonParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const options = newGeoOptions()
    let found: { readonly field: string; readonly points: readonly Place[] } | null = null
    for (const entry of node.entries) {
      const { key, value } = entry
      if (value.kind === 'object') found = { field: key, points: readPoints(value) }
      else if (!readGeoOption(options, entry) && !read.option(entry))
        throw unknownKey('geo_polygon', entry)
    }
    if (found === null || found.points.length === 0)
      throw parsingError(node, 'no points defined for geo_polygon query')
    const { field } = found
    const points = found.points.map(point => checkedPlace(point, options, 'geo_polygon'))
    const first = points[0]!
    const last = points[points.length - 1]!
    const isClosed = points.length > 1 && first.lat === last.lat && first.lon === last.lon
    const corners = isClosed ? points.slice(0, -1) : points
    if (corners.length < 3)
      throw new IllegalArgumentError('too few points defined for geo_polygon query')
    const area = { kind: 'polygon', corners } as const
    return { field, build: context => geoQuery(field, area, options, context) }
  },
}

function readPoints(node: JsonObjectNode): readonly Place[] {
  const points: Place[] = []
  for (const entry of node.entries) {
    const { key, value } = entry
    if (key !== 'points' || value.kind !== 'array')
      throw parsingError(
        entry,
        key === 'points'
          ? `[geo_polygon] token type [${tokenName(value.kind)}] under [points]`
          : `[geo_polygon] query does not support [${key}]`,
      )
    for (const item of value.items) points.push(readPlace(item))
  }
  return points
}
