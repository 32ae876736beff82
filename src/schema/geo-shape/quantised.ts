/** Degrees as signed integers of 32 bits, as Lucene's `GeoEncodingUtils` has them. */

/**
 * Rounded down; the highest degree is the integer below it.
 * @param span 180 for latitudes, 360 for longitudes, around 0
 */
export function quantised(degrees: number, span: number): number {
  return Math.min(Math.floor(degrees / (span / 2 ** 32)), 2147483647)
}

/** The degrees of a quantised coordinate. */
export function decodedDegrees(coordinate: number, span: number): number {
  return coordinate * (span / 2 ** 32)
}
