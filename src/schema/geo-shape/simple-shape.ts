/** Shapes in the form that is indexed and asked for: flat, and cut where they cross the antimeridian. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { normalisedPlace } from '../field-type/geo-point.ts'
import { javaText } from '../field-type/number-text.ts'
import { type Corners, cornersOf } from './corners.ts'
import { cutOutline } from './cut-outline.ts'
import { cutPath } from './cut-path.ts'
import type { Geometry, GivenBox, Position } from './geometry.ts'

/** A shape within the degrees of the Earth that does not cross the antimeridian, but for boxes and circles. */
export type SimpleShape =
  | { readonly kind: 'point'; readonly lon: number; readonly lat: number }
  | { readonly kind: 'line'; readonly path: Corners }
  /** Closed rings: the shell, then holes. */
  | { readonly kind: 'polygon'; readonly rings: readonly Corners[] }
  | { readonly kind: 'box'; readonly box: GivenBox }
  | {
      readonly kind: 'circle'
      readonly lon: number
      readonly lat: number
      readonly meters: number
    }

/**
 * The parts of a shape.
 * @param isLeft whether shells go round their insides clockwise; one wider than half the Earth that goes
 *   round the other way crosses the antimeridian
 * @throws {EngineError} `illegal_argument_exception`, `invalid_shape_exception`: it is no shape on the Earth
 */
export function simpleShapes(shape: Geometry, isLeft: boolean): SimpleShape[] {
  switch (shape.kind) {
    case 'Point':
      return shape.at === null ? [] : [pointOf(shape.at)]
    case 'MultiPoint':
      return shape.points.map(pointOf)
    case 'LineString':
      return linesOf(shape.path)
    case 'MultiLineString':
      return shape.paths.flatMap(linesOf)
    case 'Polygon':
      return shape.outline === null ? [] : cutOutline(shape.outline, isLeft).map(polygonOf)
    case 'MultiPolygon':
      return shape.outlines.flatMap(each => cutOutline(each, isLeft).map(polygonOf))
    case 'Envelope':
      return shape.box === null ? [] : [{ kind: 'box', box: boxOf(shape.box) }]
    case 'Circle': {
      const { lon, lat } = shape.center
      checkDegrees(lat, lon)
      if (!(shape.meters > 0 && Number.isFinite(shape.meters)))
        throw new IllegalArgumentError(
          `radiusMeters: '${javaText(shape.meters)}' is invalid; must be finite and positive`,
        )
      return [{ kind: 'circle', lon, lat, meters: shape.meters }]
    }
    case 'GeometryCollection':
      return shape.geometries.flatMap(each => simpleShapes(each, isLeft))
  }
}

function pointOf({ lon, lat }: Position): SimpleShape {
  for (const [name, degrees] of [
    ['latitude', lat],
    ['longitude', lon],
  ] as const)
    if (!Number.isFinite(degrees))
      throw new IllegalArgumentError(`cannot normalize the point - ${name} is not a number`)
  return { kind: 'point', ...normalisedPlace({ lon, lat }) }
}

function linesOf(path: readonly Position[]): SimpleShape[] {
  return cutPath(path).map(part => ({ kind: 'line', path: cornersOf(part) }))
}

function polygonOf(rings: readonly (readonly Position[])[]): SimpleShape {
  return { kind: 'polygon', rings: rings.map(cornersOf) }
}

function boxOf(box: GivenBox): GivenBox {
  checkDegrees(box.south, box.west)
  checkDegrees(box.north, box.east)
  return box
}

/** @throws {IllegalArgumentError} one lies outside of the Earth's */
function checkDegrees(lat: number, lon: number): void {
  for (const [name, degrees, limit] of [
    ['latitude', lat, 90],
    ['longitude', lon, 180],
  ] as const)
    if (!(Math.abs(degrees) <= limit)) throw outOfRange(name, degrees, limit)
}

function outOfRange(name: string, degrees: number, limit: number): IllegalArgumentError {
  return new IllegalArgumentError(
    `invalid ${name} ${javaText(degrees)}; must be between -${limit}.0 and ${limit}.0`,
  )
}
