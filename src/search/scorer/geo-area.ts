/** Areas of the Earth and the places within them. */
import type { Corners } from '../../schema/geo-shape/corners.ts'
import { arcDistance, EARTH_RADIUS_IN_METERS, type Place } from '../../util/geo-distance.ts'
import { coverOfCorners } from './shape/cover.ts'
import { PolygonComponent } from './shape/polygon-component.ts'

/** Degrees between two latitudes and two longitudes, all included; `west` ≤ `east`. */
export interface GeoBox {
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

/** An area: boxes, of which there are two where it crosses the antimeridian, a circle or polygons. */
export type GeoArea =
  | { readonly kind: 'boxes'; readonly boxes: readonly GeoBox[] }
  | { readonly kind: 'circle'; readonly center: Place; readonly meters: number }
  /** Its corners, the last joined to the first. */
  | { readonly kind: 'polygon'; readonly corners: readonly Place[] }
  /** Closed rings of each: the shell, then holes. */
  | { readonly kind: 'polygons'; readonly polygons: readonly (readonly Corners[])[] }

const DEGREES = 180 / Math.PI
/** Covers the rounding of bounds; a tenth of a meter. */
const MARGIN = 1e-6

/** Boxes that cover an area. */
export function coverOf(area: GeoArea): readonly GeoBox[] {
  switch (area.kind) {
    case 'boxes':
      return area.boxes
    case 'circle':
      return coverOfCircle(area.center, area.meters)
    case 'polygon': {
      const lats = area.corners.map(({ lat }) => lat)
      const lons = area.corners.map(({ lon }) => lon)
      const [south, north] = [Math.min(...lats), Math.max(...lats)]
      return [{ south, north, west: Math.min(...lons), east: Math.max(...lons) }]
    }
    case 'polygons':
      return area.polygons.map(([shell]) => coverOfCorners(shell!))
  }
}

function coverOfCircle({ lat, lon }: Place, meters: number): readonly GeoBox[] {
  const angle = meters / EARTH_RADIUS_IN_METERS
  const height = angle * DEGREES + MARGIN
  const south = Math.max(-90, lat - height)
  const north = Math.min(90, lat + height)
  const all = { south, north, west: -180, east: 180 }
  if (south === -90 || north === 90 || angle >= Math.PI / 2) return [all]
  const width = Math.asin(Math.min(1, Math.sin(angle) / Math.cos(lat / DEGREES))) * DEGREES + MARGIN
  if (width >= 180) return [all]
  const [west, east] = [lon - width, lon + width]
  if (west < -180)
    return [
      { ...all, east },
      { ...all, west: west + 360 },
    ]
  if (east > 180)
    return [
      { ...all, west },
      { ...all, east: east - 360 },
    ]
  return [{ south, north, west, east }]
}

/** The test whether a place that lies in the area's cover lies in the area. */
export function areaTest(area: GeoArea): (place: Place) => boolean {
  switch (area.kind) {
    case 'boxes':
      return () => true
    case 'circle':
      return place => arcDistance(area.center, place) <= area.meters
    case 'polygon':
      return place => isInPolygon(area.corners, place)
    case 'polygons': {
      const components = area.polygons.map(rings => new PolygonComponent(rings))
      return ({ lat, lon }) => components.some(component => component.has(lon, lat))
    }
  }
}

/** By the crossings of a ray to the east; a place on the border is within. */
function isInPolygon(corners: readonly Place[], { lat, lon }: Place): boolean {
  let isWithin = false
  for (let i = 0; i < corners.length; i++) {
    const a = corners[i]!
    const b = corners[(i + 1) % corners.length]!
    const side = (b.lon - a.lon) * (lat - a.lat) - (b.lat - a.lat) * (lon - a.lon)
    const isBeside =
      lat >= Math.min(a.lat, b.lat) &&
      lat <= Math.max(a.lat, b.lat) &&
      lon >= Math.min(a.lon, b.lon) &&
      lon <= Math.max(a.lon, b.lon)
    if (side === 0 && isBeside) return true
    if (a.lat > lat !== b.lat > lat && side > 0 === b.lat > a.lat) isWithin = !isWithin
  }
  return isWithin
}
