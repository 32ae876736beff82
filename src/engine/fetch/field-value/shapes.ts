import type { GeoShapeField } from '../../../schema/field-type/geo-shape.ts'
import type { Geometry } from '../../../schema/geo-shape/geometry.ts'
import { printGeoJson, printWellKnownText } from '../../../schema/geo-shape/print-shape.ts'
import { readShape } from '../../../schema/geo-shape/read-shape.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import { unsupportedFielddata } from '../../dsl/field/number-sort.ts'
import type { FieldValue } from './field-value.ts'

/** How shapes of a source print. */
const FORMATS = new Map<string, (shape: Geometry) => JsonValue>([
  ['geojson', printGeoJson],
  ['wkt', printWellKnownText],
])

/** Shapes of sources, as GeoJSON or well-known text. By document they are kept for queries alone. */
export const shapes: FieldValue<GeoShapeField> = {
  takesLists: false,
  column(field) {
    throw unsupportedFielddata(field)
  },
  source(field, format) {
    const print = FORMATS.get(format ?? 'geojson')
    if (print === undefined)
      throw new IllegalArgumentError(`Unrecognized geometry format [${format}].`)
    return value => {
      if (value.kind === 'null') return undefined
      try {
        return print(readShape(value, field))
      } catch (error) {
        // The document was indexed without the malformed value.
        if (error instanceof EngineError) return undefined
        throw error
      }
    }
  },
}
