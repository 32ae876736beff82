/**
 * Longitudes beyond the antimeridian: the plane goes on there, world after world of 360 degrees. World 0 is
 * the one from −180 to 180.
 */
import { IllegalArgumentError } from '../../util/errors.ts'
import { javaText } from '../field-type/number-text.ts'
import type { Position } from './geometry.ts'

/** Longitudes of paths and rings go this far in both directions: three worlds. */
const MAX_LON = 540

/** The world of a longitude; the border is that of the world to its east. */
export function worldOf(lon: number): number {
  return Math.floor((lon + 180) / 360)
}

/** The longitude at which a world begins. */
export function westOf(world: number): number {
  return 360 * world - 180
}

/**
 * A corner with its latitude within those of the Earth: past a pole it comes down on the other side.
 * @throws {IllegalArgumentError} not a number, or a longitude too far away
 */
export function foldedCorner({ lon, lat }: Position): Position {
  if (!Number.isFinite(lat))
    throw new IllegalArgumentError(
      `invalid latitude ${javaText(lat)}; must be between -90.0 and 90.0`,
    )
  if (!(Math.abs(lon) <= MAX_LON))
    throw new IllegalArgumentError(
      `invalid longitude ${javaText(lon)}; must be between -${MAX_LON}.0 and ${MAX_LON}.0`,
    )
  if (Math.abs(lat) <= 90) return { lon, lat, z: null }
  const rest = ((lat % 360) + 360) % 360
  const around = rest > 180 ? rest - 360 : rest
  if (Math.abs(around) <= 90) return { lon, lat: around, z: null }
  const folded = around < 0 ? -180 - around : 180 - around
  return { lon: lon + (lon > 0 ? -180 : 180), lat: folded, z: null }
}
