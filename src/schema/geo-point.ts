/**
 * Places on the Earth as documents and mappings write them: objects of latitude and longitude, lists
 * of longitude and latitude, texts, geohashes, WKT and GeoJSON.
 */
import { EngineError } from '../util/errors.ts'
import { geohashCorner } from '../util/geohash.ts'
import { Float64, type JsonValue } from '../util/json/json-value.ts'
import { javaDecimal, javaText } from './field-type/number-text.ts'

/** Degrees, not yet held against their limits. */
export interface GeoPoint {
  readonly lat: number
  readonly lon: number
}

/**
 * Reads one point, or a list of points.
 * @param ignoresZ whether a third coordinate is passed over
 * @returns null for each null in a list of points
 * @throws {EngineError} `parse_exception`: it is none
 */
export function readGeoPoints(value: JsonValue, ignoresZ: boolean): (GeoPoint | null)[] {
  if (!Array.isArray(value)) return [readGeoPoint(value, ignoresZ)]
  if (numberOf(value[0] ?? null) !== null) return [readPair(value, ignoresZ)]
  return value.map(each => (each === null ? null : readGeoPoint(each, ignoresZ)))
}

function readGeoPoint(value: JsonValue, ignoresZ: boolean): GeoPoint {
  if (typeof value === 'string') return readText(value, ignoresZ)
  if (Array.isArray(value)) return readPair(value, ignoresZ)
  if (value instanceof Map) return readObject(value, ignoresZ)
  throw failure('geo_point expected')
}

/** `[lon, lat]`, and maybe a height. */
function readPair(items: readonly JsonValue[], ignoresZ: boolean): GeoPoint {
  if (items.length > 3) throw failure('[geo_point] field type does not accept more than 3 values')
  const numbers = items.map(item => {
    const number = numberOf(item)
    if (number === null) throw failure('numeric value expected')
    return number
  })
  const [lon, lat, z] = numbers
  if (lon === undefined || lat === undefined)
    throw failure('[geo_point] field type should have at least two dimensions')
  if (z !== undefined) checkZ(z, ignoresZ)
  return { lat, lon }
}

function readText(text: string, ignoresZ: boolean): GeoPoint {
  if (text.toLowerCase().includes('point')) return readWkt(text, ignoresZ)
  if (!text.includes(',')) return readGeohash(text)
  const parts = text.split(',')
  if (parts.length > 3)
    throw failure(
      `failed to parse [${text}], expected 2 or 3 coordinates but found: [${parts.length}]`,
    )
  const [lat, lon, z] = parts.map(javaDecimal)
  if (lat === null || lat === undefined) throw failure('latitude must be a number')
  if (lon === null || lon === undefined) throw failure('longitude must be a number')
  if (z === null) throw failure(`For input string: "${parts[2]?.trim() ?? ''}"`)
  if (z !== undefined) checkZ(z, ignoresZ)
  return { lat, lon }
}

function readGeohash(text: string): GeoPoint {
  if (text === '') throw failure('empty geohash')
  const corner = geohashCorner(text)
  if (typeof corner !== 'string') return corner
  throw failure(`unsupported symbol [${corner}] in geohash [${text}]`)
}

const WKT_NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`
const WKT_POINT = new RegExp(
  String.raw`^\s*point\s*\(\s*(${WKT_NUMBER})\s+(${WKT_NUMBER})(?:\s+(${WKT_NUMBER}))?\s*\)\s*$`,
  'i',
)
/** The other shapes of well-known text in whose names or parts points may stand. */
const WKT_SHAPES =
  /^\s*(multipoint|linestring|multilinestring|polygon|multipolygon|geometrycollection)\b/i

/** `POINT (lon lat)`, and maybe a height. */
function readWkt(text: string, ignoresZ: boolean): GeoPoint {
  const shape = WKT_POINT.exec(text)
  if (shape === null) {
    const other = WKT_SHAPES.exec(text)?.[1]
    throw failure(
      other === undefined
        ? 'Invalid WKT format'
        : `[geo_point] supports only POINT among WKT primitives, but found ${other.toUpperCase()}`,
    )
  }
  const [, lon, lat, z] = shape
  if (z !== undefined) checkZ(Number(z), ignoresZ)
  return { lat: Number(lat), lon: Number(lon) }
}

/** `{lat, lon}`, `{geohash}`, or GeoJSON's `{type, coordinates}`. */
function readObject(object: ReadonlyMap<string, JsonValue>, ignoresZ: boolean): GeoPoint {
  if (object.has('type') || object.has('coordinates')) return readGeoJson(object, ignoresZ)
  for (const key of object.keys())
    if (key !== 'lat' && key !== 'lon' && key !== 'geohash')
      throw failure('field must be either [lat], [lon] or [geohash]')
  const degrees = (key: string, name: string): number | null => {
    const value = object.get(key)
    if (value === undefined) return null
    const number = typeof value === 'string' ? (javaDecimal(value) ?? Number.NaN) : numberOf(value)
    if (number === null) throw failure(`${name} must be a number`)
    return number
  }
  const lat = degrees('lat', 'latitude')
  const lon = degrees('lon', 'longitude')
  const hash = object.get('geohash')
  if (hash !== undefined) {
    if (typeof hash !== 'string') throw failure('geohash must be a string')
    if (lat !== null || lon !== null) throw failure('field must be either lat/lon or geohash')
    return readGeohash(hash)
  }
  if (Number.isNaN(lat) || Number.isNaN(lon))
    throw failure('[lat] and [lon] must be valid double values')
  if (lat === null) throw failure('field [lat] missing')
  if (lon === null) throw failure('field [lon] missing')
  return { lat, lon }
}

function readGeoJson(object: ReadonlyMap<string, JsonValue>, ignoresZ: boolean): GeoPoint {
  for (const key of object.keys())
    if (key !== 'type' && key !== 'coordinates')
      throw failure('field must be either [lat], [lon] or [geohash]')
  const type = object.get('type')
  const coordinates = object.get('coordinates')
  if (type === undefined) throw failure('field [type] missing')
  if (typeof type !== 'string' || type.toLowerCase() !== 'point')
    throw failure('[type] for geo_point can only be Point')
  if (coordinates === undefined) throw failure('field [coordinates] missing')
  if (!Array.isArray(coordinates)) throw failure('[coordinates] must be an array')
  return readPair(coordinates, ignoresZ)
}

function checkZ(z: number, ignoresZ: boolean): void {
  if (!ignoresZ)
    throw failure(`found Z value [${javaText(z)}] but [ignore_z_value] parameter is [false]`)
}

function numberOf(value: JsonValue): number | null {
  if (value instanceof Float64) return value.value
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null
}

function failure(reason: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason })
}
