/** Shapes as GeoJSON, with the envelopes and circles that the real API adds to it. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { parseDistance } from '../../util/geo-distance.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import {
  type Geometry,
  type Path,
  type Position,
  type ShapeReading,
  shapeFailure,
} from './geometry.ts'
import { givenBox, outline, path, position, ring } from './shape-parts.ts'

/** The keys of an object of GeoJSON that are read; others are passed over. */
interface Members {
  readonly type: string
  readonly coordinates: JsonNode | null
  readonly geometries: readonly JsonNode[] | null
  /** Whether corners of rings are in the opposite order; null: not given. */
  readonly isLeft: boolean | null
  readonly meters: number | null
}

/** A tree of coordinates: a position, or a list of equals. */
type Coordinates = Position | readonly Coordinates[]

/** The shapes that are made of coordinates, by their names in lower case. */
const BY_COORDINATES: {
  readonly [name: string]: (
    coordinates: Coordinates,
    members: Members,
    reading: ShapeReading,
  ) => Geometry
} = {
  point: at => ({ kind: 'Point', at: single(at) }),
  multipoint: points => ({ kind: 'MultiPoint', points: list(points).map(single) }),
  linestring: points => ({ kind: 'LineString', path: pathOf(points) }),
  multilinestring: paths => ({ kind: 'MultiLineString', paths: list(paths).map(pathOf) }),
  polygon: (rings, members, reading) => ({
    kind: 'Polygon',
    outline: outlineOf(rings, members, reading),
  }),
  multipolygon: (outlines, members, reading) => ({
    kind: 'MultiPolygon',
    outlines: list(outlines).map(rings => outlineOf(rings, members, reading)),
  }),
  envelope: corners => ({ kind: 'Envelope', box: boxOf(corners) }),
  bbox: corners => ({ kind: 'Envelope', box: boxOf(corners) }),
  circle: (center, { meters }) => {
    if (meters === null) throw shapeFailure('radius is not specified')
    return { kind: 'Circle', center: single(center), meters }
  },
}

/** Names of the shapes, as errors list them. */
const TAKE_ORIENTATION: ReadonlySet<string> = new Set(['polygon', 'multipolygon'])

/**
 * Reads a shape.
 * @throws {EngineError} `parse_exception`, `illegal_argument_exception`: it is none
 */
export function readGeoJson(node: JsonObjectNode, reading: ShapeReading): Geometry {
  const members = readMembers(node)
  const { type, coordinates, geometries, isLeft, meters } = members
  const name = type.toLowerCase()
  const refuse = (key: string): never => {
    throw shapeFailure(`parameter ${key} is not supported for type ${type}`)
  }
  if (name === 'geometrycollection') {
    if (geometries === null) throw shapeFailure('geometries not included')
    if (coordinates !== null) refuse('coordinates')
    if (isLeft !== null) refuse('orientation')
    if (meters !== null) refuse('radius')
    return {
      kind: 'GeometryCollection',
      geometries: geometries.map(each => {
        if (each.kind === 'object') return readGeoJson(each, reading)
        throw shapeFailure('geometries must be an array of geojson objects')
      }),
    }
  }
  const make = Object.hasOwn(BY_COORDINATES, name) ? BY_COORDINATES[name] : undefined
  if (make === undefined) throw new IllegalArgumentError(`unknown geo_shape [${type}]`)
  if (coordinates === null) throw shapeFailure('coordinates not included')
  if (geometries !== null) refuse('geometries')
  if (isLeft !== null && !TAKE_ORIENTATION.has(name)) refuse('orientation')
  if (meters !== null && name !== 'circle') refuse('radius')
  return make(readCoordinates(coordinates, reading), members, reading)
}

function readMembers(node: JsonObjectNode): Members {
  let type: string | null = null
  let coordinates: JsonNode | null = null
  let geometries: readonly JsonNode[] | null = null
  let isLeft: boolean | null = null
  let meters: number | null = null
  for (const { key, value } of node.entries) {
    if (value.kind === 'null') continue
    if (key === 'type') {
      if (value.kind !== 'string') throw shapeFailure('shape type not included')
      type = value.value
    } else if (key === 'coordinates') coordinates = value
    else if (key === 'geometries') {
      if (value.kind !== 'array')
        throw shapeFailure('geometries must be an array of geojson objects')
      geometries = value.items
    } else if (key === 'orientation') isLeft = isLeftOrientation(textOf(value, key))
    else if (key === 'radius') meters = parseDistance(textOf(value, key))
  }
  if (type === null) throw shapeFailure('shape type not included')
  return { type, coordinates, geometries, isLeft, meters }
}

function textOf(value: JsonNode, key: string): string {
  if (value.kind === 'string') return value.value
  if (value.kind === 'number') return value.text
  throw shapeFailure(`[${key}] of a shape must be a text`)
}

/**
 * Whether rings go round their insides clockwise.
 * @throws {IllegalArgumentError} it is no orientation
 */
export function isLeftOrientation(text: string): boolean {
  const name = text.toLowerCase()
  if (name === 'right' || name === 'counterclockwise' || name === 'ccw') return false
  if (name === 'left' || name === 'clockwise' || name === 'cw') return true
  throw new IllegalArgumentError(`Unknown orientation [${text}]`)
}

/** The depth is bounded by that of the JSON. */
function readCoordinates(node: JsonNode, reading: ShapeReading): Coordinates {
  if (node.kind === 'object') throw shapeFailure('coordinates cannot be specified as objects')
  if (node.kind !== 'array') throw shapeFailure('geo coordinates must be numbers')
  const [first] = node.items
  if (first === undefined) return []
  if (first.kind === 'array') {
    const children = node.items.map(item => {
      if (item.kind === 'null')
        throw new IllegalArgumentError('coordinates cannot contain NULL values)')
      return readCoordinates(item, reading)
    })
    const dimensions = dimensionsOf(children[0]!)
    if (children.some(child => dimensionsOf(child) !== dimensions))
      throw shapeFailure('Exception parsing coordinates: number of dimensions do not match')
    return children
  }
  if (first.kind === 'null')
    throw new IllegalArgumentError('coordinates cannot contain NULL values)')
  return readPosition(node.items, reading)
}

function readPosition(items: readonly JsonNode[], reading: ShapeReading): Position {
  const [lon, lat, z, ...more] = items.map(item => {
    if (item.kind !== 'number') throw shapeFailure('geo coordinates must be numbers')
    return item.value
  })
  if (lon === undefined || lat === undefined) throw shapeFailure('geo coordinates must be numbers')
  if (more.length > 0)
    throw shapeFailure('geo coordinates greater than 3 dimensions are not supported')
  return position(lon, lat, z ?? null, reading)
}

function dimensionsOf(coordinates: Coordinates): number {
  let at = coordinates
  while (isList(at)) {
    const [first] = at
    if (first === undefined)
      throw new EngineError({
        type: 'parse_exception',
        reason: 'attempting to get number of dimensions on an empty coordinate node',
      })
    at = first
  }
  return at.z === null ? 2 : 3
}

function isList(coordinates: Coordinates): coordinates is readonly Coordinates[] {
  return Array.isArray(coordinates)
}

function list(coordinates: Coordinates): readonly Coordinates[] {
  if (isList(coordinates)) return coordinates
  throw shapeFailure('expected a list of points but got a point')
}

function single(coordinates: Coordinates): Position {
  if (!isList(coordinates)) return coordinates
  throw shapeFailure('expected a single points but got a list')
}

function pathOf(coordinates: Coordinates): Path {
  const points = list(coordinates).map(single)
  if (points.length < 2) throw shapeFailure('not enough points to build a line')
  return path(points)
}

function outlineOf(
  coordinates: Coordinates,
  { isLeft }: Members,
  reading: ShapeReading,
): ReturnType<typeof outline> {
  const [shell, ...holes] = list(coordinates).map(each => {
    const points = pathOf(each)
    return ring(isLeft === true ? points.toReversed() : points, reading)
  })
  if (shell === undefined) throw shapeFailure('expected a list of points but got a point')
  return outline([shell, ...holes])
}

function boxOf(coordinates: Coordinates): ReturnType<typeof givenBox> {
  const corners = list(coordinates)
  const [upper, lower] = corners
  if (upper === undefined || lower === undefined || corners.length !== 2)
    throw shapeFailure(
      `invalid number of points [${corners.length}] provided for geo_shape [ENVELOPE] when ` +
        'expecting an array of 2 coordinates',
    )
  const [first, last] = [single(upper), single(lower)]
  return givenBox(first.lon, last.lon, first.lat, last.lat)
}
