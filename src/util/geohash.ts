const DIGITS = '0123456789bcdefghjkmnpqrstuvwxyz'

/** Further digits are finer than coordinates are kept, and are passed over. */
const MAX_DIGITS = 12

/**
 * The south-western corner of the cell that a geohash names (Niemeyer 2008).
 * @returns degrees; the first symbol that is no digit instead, as text
 */
export function geohashCorner(hash: string): { lat: number; lon: number } | string {
  // Each digit is five bits, which halve the span of longitudes and of latitudes in turn.
  let [lat, lon] = [-90, -180]
  let [latSpan, lonSpan] = [180, 360]
  let isLon = true
  for (const symbol of hash.slice(0, MAX_DIGITS)) {
    const digit = DIGITS.indexOf(symbol)
    if (digit < 0) return symbol
    for (let bit = 16; bit > 0; bit >>= 1) {
      const isUpper = (digit & bit) !== 0
      if (isLon) {
        lonSpan /= 2
        if (isUpper) lon += lonSpan
      } else {
        latSpan /= 2
        if (isUpper) lat += latSpan
      }
      isLon = !isLon
    }
  }
  return { lat, lon }
}
