const DIGITS = '0123456789bcdefghjkmnpqrstuvwxyz'

/** Further digits are finer than coordinates are kept, and are passed over. */
export const MAX_GEOHASH_DIGITS = 12

/**
 * The south-western corner of the cell that a geohash names (Niemeyer 2008).
 * @returns degrees; the first symbol that is no digit instead, as text
 */
export function geohashCorner(hash: string): { lat: number; lon: number } | string {
  // Each digit is five bits, which halve the span of longitudes and of latitudes in turn.
  let [lat, lon] = [-90, -180]
  let [latSpan, lonSpan] = [180, 360]
  let isLon = true
  for (const symbol of hash.slice(0, MAX_GEOHASH_DIGITS)) {
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

/**
 * The geohash of the cell that holds a point.
 * @param lat    −90 … 90 degrees
 * @param lon    −180 … 180 degrees
 * @param digits 1 … 12
 */
export function geohashOf(lat: number, lon: number, digits: number): string {
  let [south, latSpan] = [-90, 180]
  let [west, lonSpan] = [-180, 360]
  let hash = ''
  let isLon = true
  while (hash.length < digits) {
    let digit = 0
    for (let bit = 0; bit < 5; bit++) {
      digit *= 2
      if (isLon) {
        lonSpan /= 2
        if (lon >= west + lonSpan) {
          west += lonSpan
          digit++
        }
      } else {
        latSpan /= 2
        if (lat >= south + latSpan) {
          south += latSpan
          digit++
        }
      }
      isLon = !isLon
    }
    hash += DIGITS[digit]
  }
  return hash
}

const EQUATOR_IN_METRES = 2 * Math.PI * 6378137
const MERIDIAN_IN_METRES = Math.PI * 6356752.314245

/** Digits of the geohashes whose cells are as wide as a distance in metres, or a bit wider: 1 … 12. */
export function geohashDigits(metres: number): number {
  return Math.min(wantedGeohashDigits(metres), MAX_GEOHASH_DIGITS)
}

/** The same without the bound above, of the distance or its opposite; of 0 it is 12. */
export function wantedGeohashDigits(metres: number): number {
  if (metres === 0) return MAX_GEOHASH_DIGITS
  const width = Math.abs(metres) / (1 + MERIDIAN_IN_METRES / EQUATOR_IN_METRES)
  const parts = Math.ceil(EQUATOR_IN_METRES / width)
  if (parts <= 1) return 1
  const bits = Math.ceil(Math.log(parts) / Math.log(2))
  const full = Math.floor(bits / 5)
  const left = bits - 5 * full
  return 2 * full + (left > 0 ? 1 : 0) + (left > 3 ? 1 : 0)
}

/** The geohash whose digits are the lowest bits of a number, five each. */
export function geohashOfBits(bits: bigint, digits: number): string {
  let hash = ''
  for (let digit = digits - 1; digit >= 0; digit--)
    hash += DIGITS[Number((bits >> BigInt(5 * digit)) & 31n)]
  return hash
}

/** The diagonal of the cells of geohashes of so many digits, in metres. */
export function geohashCellSize(digits: number): number {
  const odd = Math.floor((digits + 1) / 2)
  const even = Math.floor(digits / 2)
  return Math.hypot(
    EQUATOR_IN_METRES / 2 ** (3 * odd + 2 * even),
    MERIDIAN_IN_METRES / 2 ** (2 * odd + 3 * even),
  )
}
/** The cells around a cell, at most eight: none lies beyond a pole, longitudes go round. */
export function geohashNeighbours(hash: string): readonly string[] {
  const corner = geohashCorner(hash)
  if (typeof corner === 'string') return []
  const bits = 5 * hash.length
  const lonSpan = 360 / 2 ** Math.ceil(bits / 2)
  const latSpan = 180 / 2 ** Math.floor(bits / 2)
  const found = new Set<string>()
  for (const up of [1, 0, -1])
    for (const right of [-1, 0, 1]) {
      const lat = corner.lat + latSpan / 2 + up * latSpan
      const lon = corner.lon + lonSpan / 2 + right * lonSpan
      if ((up === 0 && right === 0) || Math.abs(lat) > 90) continue
      const around = lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon
      found.add(geohashOf(lat, around, hash.length))
    }
  found.delete(hash)
  return [...found]
}
