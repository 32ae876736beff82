/** Distances on the Earth, and their units. */
import { IllegalArgumentError } from './errors.ts'

/** A place in degrees. */
export interface Place {
  readonly lat: number
  readonly lon: number
}

/** The Earth's mean radius in meters, as Lucene has it. */
export const EARTH_RADIUS_IN_METERS = 6_371_008.7714

const RADIANS = Math.PI / 180

/** The great-circle distance of two places in meters, by the haversine formula. */
export function arcDistance(a: Place, b: Place): number {
  const x = Math.sin(((a.lat - b.lat) * RADIANS) / 2)
  const y = Math.sin(((a.lon - b.lon) * RADIANS) / 2)
  const h = x * x + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * y * y
  return 2 * EARTH_RADIUS_IN_METERS * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** The distance of two places in meters on a map that is true to scale halfway between them. */
export function planeDistance(a: Place, b: Place): number {
  const x = (b.lon - a.lon) * RADIANS * Math.cos(((b.lat + a.lat) / 2) * RADIANS)
  const y = (b.lat - a.lat) * RADIANS
  return Math.sqrt(x * x + y * y) * EARTH_RADIUS_IN_METERS
}

/** Meters of each unit, by its names. */
const UNITS: readonly (readonly [names: readonly string[], meters: number])[] = [
  [['nmi', 'NM', 'nauticalmiles'], 1852],
  [['in', 'inch'], 0.0254],
  [['yd', 'yards'], 0.9144],
  [['ft', 'feet'], 0.3048],
  [['km', 'kilometers'], 1000],
  [['mi', 'miles'], 1609.344],
  [['mm', 'millimeters'], 0.001],
  [['cm', 'centimeters'], 0.01],
  [['m', 'meters'], 1],
]

/** The meters of a unit; null: there is no such one. */
export function metersOf(unit: string): number | null {
  return UNITS.find(([names]) => names.includes(unit))?.[1] ?? null
}

/**
 * A distance such as `12km`, in meters.
 * @param unit meters of the unit of a text that names none
 * @throws {IllegalArgumentError} it is no distance
 */
export function parseDistance(text: string, unit = 1): number {
  const trimmed = text.trim()
  const name = /[A-Za-z]*$/.exec(trimmed)![0]
  const isExponent = /^[eE]$/.test(name)
  const meters = name === '' || isExponent ? unit : metersOf(name)
  const digits = meters === null ? trimmed : trimmed.slice(0, trimmed.length - name.length).trim()
  if (meters === null || !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(digits))
    throw new IllegalArgumentError(`failed to parse distance [${text}]`)
  return Number(digits) * meters
}
