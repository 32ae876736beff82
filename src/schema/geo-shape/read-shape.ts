import type { JsonNode } from '../../util/json/json-tree.ts'
import { type Geometry, type ShapeReading, shapeFailure } from './geometry.ts'
import { readGeoJson } from './read-geo-json.ts'
import { readWellKnownText } from './read-well-known-text.ts'

/**
 * Reads a shape as GeoJSON or as well-known text.
 * @throws {EngineError} `parse_exception`, `illegal_argument_exception`: it is none
 */
export function readShape(node: JsonNode, reading: ShapeReading): Geometry {
  if (node.kind === 'object') return readGeoJson(node, reading)
  if (node.kind === 'string') return readWellKnownText(node.value, reading)
  throw shapeFailure('shape must be an object consisting of type and coordinates')
}
