/** Distances and areas, the plain way. */
import type { GeoArea } from '../../src/search/scorer/geo-area.ts'
import { arcDistance } from '../../src/util/geo-distance.ts'

/** Degrees. */
interface Place {
  readonly lat: number
  readonly lon: number
}

/** Whether a place lies in an area; places on its edge are not asked for. */
export function isWithin(area: GeoArea, { lat, lon }: Place): boolean {
  switch (area.kind) {
    case 'boxes':
      return area.boxes.some(
        ({ south, north, west, east }) =>
          lat >= south && lat <= north && lon >= west && lon <= east,
      )
    case 'circle':
      return arcDistance(area.center, { lat, lon }) <= area.meters
    case 'polygon':
      return isRoundedBy(area.corners, lat, lon)
    case 'polygons':
      return area.polygons.some(rings => {
        const [shell, ...holes] = rings.map(({ lons, lats }) =>
          lons.slice(1).map((each, i) => ({ lon: each, lat: lats[i + 1]! })),
        )
        return isRoundedBy(shell!, lat, lon) && !holes.some(hole => isRoundedBy(hole, lat, lon))
      })
  }
}

/** A ray to the east crosses the edges of what it starts in an odd number of times. */
function isRoundedBy(corners: readonly Place[], lat: number, lon: number): boolean {
  const crossed = corners.filter((a, i) => {
    const b = corners[(i + 1) % corners.length]!
    if (a.lat > lat === b.lat > lat) return false
    return lon < a.lon + ((lat - a.lat) / (b.lat - a.lat)) * (b.lon - a.lon)
  })
  return crossed.length % 2 === 1
}

/** The distance in meters to the nearest of places. */
export function nearest(places: readonly Place[], from: Place): number {
  return Math.min(...places.map(place => arcDistance(place, from)))
}
