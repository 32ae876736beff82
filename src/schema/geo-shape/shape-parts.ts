/** Parts of shapes, checked as they are read; the same for GeoJSON and well-known text. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { javaText } from '../field-type/number-text.ts'
import type { GivenBox, Outline, Path, Position, Ring, ShapeReading } from './geometry.ts'

const MIN_RING = 4

/**
 * A position.
 * @param z null: none was given
 * @throws {IllegalArgumentError} a height where none is taken
 */
export function position(
  lon: number,
  lat: number,
  z: number | null,
  { ignoresZ }: ShapeReading,
): Position {
  if (z !== null && !ignoresZ)
    throw new IllegalArgumentError(
      `found Z value [${javaText(z)}] but [ignore_z_value] parameter is [false]`,
    )
  return { lon, lat, z }
}

/** @throws {IllegalArgumentError} fewer than two points */
export function path(points: Path): Path {
  if (points.length < 2)
    throw new IllegalArgumentError('at least two points in the line is required')
  return points
}

/**
 * A ring, closed where that is asked for.
 * @throws {IllegalArgumentError} it is open, or too short
 */
export function ring(points: Path, { coerce }: ShapeReading): Ring {
  const first = points[0]
  const last = points[points.length - 1]
  if (first === undefined || last === undefined || points.length < 2)
    throw new IllegalArgumentError('at least two points in the line is required')
  const isClosed = first.lon === last.lon && first.lat === last.lat && first.z === last.z
  if (!isClosed && !coerce) throw openRing(points)
  const closed = isClosed ? points : [...points, first]
  if (closed.length < MIN_RING) throw new IllegalArgumentError('at least 4 polygon points required')
  return closed
}

function openRing(points: Path): IllegalArgumentError {
  const end = points.length - 1
  const of = (name: string, value: (point: Position) => number): string =>
    ` ${name}[0]=${javaText(value(points[0]!))} ${name}[${end}]=${javaText(value(points[end]!))}`
  const ends = of('x', point => point.lon) + of('y', point => point.lat)
  const heights = points[0]!.z === null ? '' : of('z', point => point.z ?? Number.NaN)
  return new IllegalArgumentError(
    'first and last points of the linear ring must be the same (it must close itself):' +
      ends +
      heights,
  )
}

/** An outline of its rings, the first of which is the shell. */
export function outline([shell, ...holes]: readonly [Ring, ...Ring[]]): Outline {
  const hasHeights = shell[0]!.z !== null
  if (holes.some(hole => (hole[0]!.z !== null) !== hasHeights))
    throw new IllegalArgumentError('holes must have the same number of dimensions as the polygon')
  return { shell, holes }
}

/** @throws {IllegalArgumentError} the north is below the south */
export function givenBox(west: number, east: number, north: number, south: number): GivenBox {
  if (north < south) throw new IllegalArgumentError('max y cannot be less than min x')
  return { west, east, north, south }
}
