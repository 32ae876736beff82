import { IllegalArgumentError } from '../../util/errors.ts'
import { javaText } from '../field-type/number-text.ts'

/** Corners of a path or of a closed ring, by their longitudes and latitudes in degrees. */
export interface Corners {
  readonly lons: readonly number[]
  readonly lats: readonly number[]
}

/** Points as corners. */
export function cornersOf(
  points: readonly { readonly lon: number; readonly lat: number }[],
): Corners {
  return { lons: points.map(({ lon }) => lon), lats: points.map(({ lat }) => lat) }
}

/** The error of a hole that lies in no shell. */
export function illegalHole({ lons, lats }: Corners): IllegalArgumentError {
  const corners = lons.map((lon, i) => `[${javaText(lon)}, ${javaText(lats[i]!)}]`)
  const text = `[${corners.join(', ')}]`
  const shown = text.length > 100 ? `${text.slice(0, 100)}...` : text
  return new IllegalArgumentError(`Illegal hole detected: ${shown}`)
}
