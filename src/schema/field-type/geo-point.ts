/** `geo_point`: places on the Earth, each as two quantised coordinates. */
import { EngineError, IllegalArgumentError, toErrorRecord } from '../../util/errors.ts'
import { geohashOf } from '../../util/geohash.ts'
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { type GeoPoint, readGeoPoints } from '../geo-point.ts'
import { quantised } from '../geo-shape/quantised.ts'
import { nodeToJson } from '../json-conversion.ts'
import type { LeafValues } from '../leaf-values.ts'
import { OPERATIONS } from '../parsed-document.ts'
import type { FieldKind } from './field-kind.ts'
import { booleanParameter, parameter } from './field-parameter.ts'
import { isKept, type MappedField } from './mapped-field.ts'
import { javaText } from './number-text.ts'
import { docValues, ignoreMalformed, index, store } from './shared-parameters.ts'

/** A field of places. */
export interface GeoPointField extends MappedField {
  readonly type: 'geo_point'
  readonly docValues: boolean
  /** Also moves points that lie outside the degrees of the Earth into them. */
  readonly ignoreMalformed: boolean
  /** Whether a third coordinate is passed over; else it is refused. */
  readonly ignoresZ: boolean
  /** Stands for an explicit null; null: nothing does. */
  readonly nullValue: GeoPoint | null
}

/** Digits of the geohashes that multi-fields get. */
const GEOHASH_DIGITS = 12

/** The field type `geo_point`. */
export const geoPoint: FieldKind<GeoPointField> = {
  isOldStyle: true,
  parameters: [
    ignoreMalformed,
    booleanParameter('ignore_z_value', true, { updateable: true, printsDefault: true }),
    parameter('null_value', null, node => nodeToJson(node), { updateable: true }),
    index,
    docValues,
    store,
  ],
  rules: [],
  build(name, values) {
    const ignoresMalformed = values.ignoreMalformed
    const ignoresZ = values.flag('ignore_z_value')
    const given = values.value('null_value')
    const [nullValue = null] = given === null ? [] : readGeoPoints(given, ignoresZ)
    return {
      name,
      type: 'geo_point',
      indexed: values.flag('index'),
      parameters: values.given,
      docValues: values.flag('doc_values'),
      ignoreMalformed: ignoresMalformed,
      ignoresZ,
      nullValue: nullValue === null ? null : onEarth(nullValue, ignoresMalformed, ''),
    }
  },
  storage: field => ({
    kind: 'places',
    indexOptions: 'none',
    hasNorms: false,
    docValues: field.docValues ? 'numeric' : 'none',
    hasBoxes: field.indexed,
  }),
  addValue(field, ordinal, token, values) {
    const scalar = (): JsonValue => (token === JSON_TOKENS.string ? values.reader.text() : false)
    if (token === JSON_TOKENS.null) {
      if (field.nullValue !== null) push(field, ordinal, values, field.nullValue)
    } else add(field, ordinal, values, scalar, error => values.valueError(field, token, error))
  },
  addObject: addTree,
  addList: addTree,
  addNode,
  textsOf: geohashes,
}

/** Adds an object or a list, which may be one point or several. */
function addTree(field: GeoPointField, ordinal: number, values: LeafValues): void {
  addNode(field, ordinal, values.takeTree(), values)
}

function addNode(field: GeoPointField, ordinal: number, node: JsonNode, values: LeafValues): void {
  const value = (): JsonValue => nodeToJson(node)
  add(field, ordinal, values, value, error => values.nodeError(field, node, error))
}

/** Multi-fields get the geohashes of places; of malformed ones, nothing. */
function geohashes(field: GeoPointField, node: JsonNode): readonly string[] {
  try {
    return readGeoPoints(nodeToJson(node), field.ignoresZ).flatMap(point => {
      const given = point ?? field.nullValue
      if (given === null) return []
      const { lat, lon } = onEarth(given, field.ignoreMalformed, '')
      return [geohashOf(lat, lon, GEOHASH_DIGITS)]
    })
  } catch (error) {
    if (error instanceof EngineError) return []
    throw error
  }
}

/** Of a list with a malformed point nothing is kept. */
function add(
  field: GeoPointField,
  ordinal: number,
  values: LeafValues,
  value: () => JsonValue,
  errorOf: (problem: ReturnType<typeof toErrorRecord>) => EngineError,
): void {
  const { name, ignoresZ } = field
  let points: readonly GeoPoint[]
  try {
    points = readGeoPoints(value(), ignoresZ).flatMap(point => {
      const given = point ?? field.nullValue
      return given === null ? [] : onEarth(given, field.ignoreMalformed, ` for ${name}`)
    })
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (!field.ignoreMalformed) throw errorOf(toErrorRecord(error))
    values.addIgnored(name)
    return
  }
  for (const point of points) push(field, ordinal, values, point)
}

function push(
  field: GeoPointField,
  ordinal: number,
  { document }: LeafValues,
  { lat, lon }: GeoPoint,
): void {
  if (!isKept(field)) return
  document.push(OPERATIONS.long, ordinal, quantised(lat, 180), quantised(lon, 360) >>> 0)
}

/**
 * The point, within the degrees of the Earth.
 * @param moves whether a point outside is moved into them; else it is refused
 * @param suffix of the message
 * @throws {EngineError} `illegal_argument_exception`
 */
function onEarth(point: GeoPoint, moves: boolean, suffix: string): GeoPoint {
  const { lat, lon } = point
  for (const [name, value] of [
    ['latitude', lat],
    ['longitude', lon],
  ] as const)
    if (!Number.isFinite(value) && (moves || Number.isNaN(value)))
      throw new IllegalArgumentError(`cannot normalize the point - ${name} is not a number`)
  if (moves) return normalisedPlace(point)
  if (Math.abs(lat) > 90)
    throw new IllegalArgumentError(`illegal latitude value [${javaText(lat)}]${suffix}`)
  if (Math.abs(lon) > 180)
    throw new IllegalArgumentError(`illegal longitude value [${javaText(lon)}]${suffix}`)
  return point
}

/** A point past a pole comes down on the other side; longitudes go round. */
export function normalisedPlace({ lat, lon }: GeoPoint): GeoPoint {
  if (Math.abs(lat) <= 90) return { lat, lon: Math.abs(lon) <= 180 ? lon : centred(lon) }
  const around = centred(lat)
  if (Math.abs(around) <= 90) return { lat: around, lon: centred(lon) }
  return { lat: around < 0 ? -180 - around : 180 - around, lon: centred(lon + 180) }
}

/** Degrees in (−180, 180]. */
function centred(degrees: number): number {
  const rest = degrees % 360
  const positive = rest <= 0 ? rest + 360 : rest
  return positive > 180 ? positive - 360 : positive
}

/** A place as its doc values have it: the latitude in the upper half, the longitude's bits in the lower. */
export function quantisedPlace({ lat, lon }: GeoPoint): bigint {
  return (BigInt(quantised(lat, 180)) << 32n) | BigInt(quantised(lon, 360) >>> 0)
}
