import type { GeoPointField } from '../../../schema/field-type/geo-point.ts'
import { javaText } from '../../../schema/field-type/number-text.ts'
import { type GeoPoint, readGeoPoints } from '../../../schema/geo-point.ts'
import { decodedDegrees } from '../../../schema/geo-shape/quantised.ts'
import { nodeToJson } from '../../../schema/json-conversion.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { Float64, type JsonValue } from '../../../util/json/json-value.ts'
import { checkDocValues } from '../../dsl/field/number-sort.ts'
import { numbersOf } from './columns.ts'
import { type FieldValue, refuseFormat } from './field-value.ts'

/** How points of a source print. */
const FORMATS = new Map<string, (point: GeoPoint) => JsonValue>([
  [
    'geojson',
    ({ lat, lon }) =>
      new Map<string, JsonValue>([
        ['type', 'Point'],
        ['coordinates', [new Float64(lon), new Float64(lat)]],
      ]),
  ],
  ['wkt', ({ lat, lon }) => `POINT (${javaText(lon)} ${javaText(lat)})`],
])

/** Values of places: `lat, lon` by document, GeoJSON or WKT of sources. */
export const places: FieldValue<GeoPointField> = {
  takesLists: true,
  column(field, format) {
    checkDocValues(field)
    refuseFormat(field, format)
    return numbersOf(field, values => {
      const lat = decodedDegrees(values.hi() | 0, 180)
      return `${javaText(lat)}, ${javaText(decodedDegrees(values.lo() | 0, 360))}`
    })
  },
  source(field, format) {
    const print = FORMATS.get(format ?? 'geojson')
    if (print === undefined)
      throw new IllegalArgumentError(`Unrecognized geometry format [${format}].`)
    return value => {
      const points = pointsOf(field, value).map(print)
      return points.length > 1 ? points : points[0]
    }
  },
}

/** None for a malformed value, which the document was indexed without. */
function pointsOf({ ignoresZ, nullValue }: GeoPointField, value: JsonNode): GeoPoint[] {
  if (value.kind === 'null') return nullValue === null ? [] : [nullValue]
  try {
    return readGeoPoints(nodeToJson(value), ignoresZ).flatMap(point => point ?? nullValue ?? [])
  } catch (error) {
    if (error instanceof EngineError) return []
    throw error
  }
}
