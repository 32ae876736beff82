import type { Path, Position } from './geometry.ts'
import { foldedCorner, westOf, worldOf } from './worlds.ts'

/**
 * Cuts a path where it crosses the antimeridian.
 * @returns paths from −180 to 180 degrees; none for an empty path
 * @throws {IllegalArgumentError} its degrees are too far outside of the Earth's
 */
export function cutPath(given: Path): Path[] {
  const points = given.map(foldedCorner)
  const parts: Position[][] = []
  let world = Number.NaN
  for (let i = 1; i < points.length; i++)
    for (const [from, to] of pieces(points[i - 1]!, points[i]!)) {
      const own = worldOf((from.lon + to.lon) / 2)
      if (own !== world) parts.push([moved(from, own)])
      world = own
      parts[parts.length - 1]!.push(moved(to, own))
    }
  return parts
}

/** A segment, cut at the borders of worlds. */
function* pieces(from: Position, to: Position): Generator<readonly [Position, Position]> {
  const isEastward = from.lon < to.lon
  const low = Math.min(from.lon, to.lon)
  const high = Math.max(from.lon, to.lon)
  const borders: number[] = []
  for (let world = worldOf(low); westOf(world) < high; world++)
    if (westOf(world) > low) borders.push(westOf(world))
  if (!isEastward) borders.reverse()
  let start = from
  for (const lon of borders) {
    const part = (lon - from.lon) / (to.lon - from.lon)
    const end = { lon, lat: from.lat + part * (to.lat - from.lat), z: null }
    yield [start, end]
    start = end
  }
  yield [start, to]
}

function moved({ lon, lat }: Position, world: number): Position {
  return { lon: lon - 360 * world, lat, z: null }
}
