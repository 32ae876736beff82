/** Shapes as they print: as GeoJSON or as well-known text. */
import { Float64, type JsonValue } from '../../util/json/json-value.ts'
import { javaText } from '../field-type/number-text.ts'
import type { Geometry, Outline, Path, Position } from './geometry.ts'

/** A shape as GeoJSON. */
export function printGeoJson(shape: Geometry): JsonValue {
  const members = new Map<string, JsonValue>([['type', shape.kind]])
  if (shape.kind === 'GeometryCollection')
    members.set('geometries', shape.geometries.map(printGeoJson))
  else {
    if (shape.kind === 'Circle') members.set('radius', `${javaText(shape.meters)}m`)
    members.set('coordinates', coordinatesOf(shape))
  }
  return members
}

function coordinatesOf(shape: Exclude<Geometry, { kind: 'GeometryCollection' }>): JsonValue {
  switch (shape.kind) {
    case 'Point':
      return shape.at === null ? [] : numbersOf(shape.at)
    case 'Circle':
      return numbersOf(shape.center)
    case 'MultiPoint':
      return shape.points.map(numbersOf)
    case 'LineString':
      return shape.path.map(numbersOf)
    case 'MultiLineString':
      return shape.paths.map(path => path.map(numbersOf))
    case 'Polygon':
      return shape.outline === null ? [] : ringsOf(shape.outline)
    case 'MultiPolygon':
      return shape.outlines.map(ringsOf)
    case 'Envelope': {
      const { box } = shape
      if (box === null) return []
      return [
        [new Float64(box.west), new Float64(box.north)],
        [new Float64(box.east), new Float64(box.south)],
      ]
    }
  }
}

function ringsOf({ shell, holes }: Outline): JsonValue[] {
  return [shell, ...holes].map(ring => ring.map(numbersOf))
}

function numbersOf({ lon, lat, z }: Position): JsonValue[] {
  return (z === null ? [lon, lat] : [lon, lat, z]).map(number => new Float64(number))
}

/** A shape as well-known text. */
export function printWellKnownText(shape: Geometry): string {
  const name = shape.kind === 'Envelope' ? 'BBOX' : shape.kind.toUpperCase()
  return `${name} ${bodyOf(shape) ?? 'EMPTY'}`
}

/** Null: there is nothing in it. */
function bodyOf(shape: Geometry): string | null {
  switch (shape.kind) {
    case 'Point':
      return shape.at === null ? null : `(${textOf(shape.at)})`
    case 'Circle': {
      const { lon, lat, z } = shape.center
      const parts = z === null ? [lon, lat, shape.meters] : [lon, lat, shape.meters, z]
      return `(${parts.map(javaText).join(' ')})`
    }
    case 'MultiPoint':
      return shape.points.length === 0 ? null : pathText(shape.points)
    case 'LineString':
      return shape.path.length === 0 ? null : pathText(shape.path)
    case 'MultiLineString':
      return listText(shape.paths.map(pathText))
    case 'Polygon':
      return shape.outline === null ? null : outlineText(shape.outline)
    case 'MultiPolygon':
      return listText(shape.outlines.map(outlineText))
    case 'Envelope': {
      if (shape.box === null) return null
      const { west, east, north, south } = shape.box
      return `(${[west, east, north, south].map(javaText).join(', ')})`
    }
    case 'GeometryCollection':
      return listText(shape.geometries.map(printWellKnownText))
  }
}

function listText(parts: readonly string[]): string | null {
  return parts.length === 0 ? null : `(${parts.join(',')})`
}

function outlineText({ shell, holes }: Outline): string {
  return `(${[shell, ...holes].map(pathText).join(', ')})`
}

function pathText(path: Path): string {
  return `(${path.map(textOf).join(', ')})`
}

function textOf({ lon, lat, z }: Position): string {
  return (z === null ? [lon, lat] : [lon, lat, z]).map(javaText).join(' ')
}
