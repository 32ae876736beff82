import { type GeoPoint, readGeoPoints } from '../../schema/geo-point.ts'
import { nodeToJson } from '../../schema/json-conversion.ts'
import { EngineError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'

/**
 * A place as queries write it: in any form that documents have.
 * @throws {EngineError} `parse_exception`: it is none, or several
 */
export function readPlace(node: JsonNode): GeoPoint {
  const [point = null, ...others] = readGeoPoints(nodeToJson(node), true)
  if (point === null || others.length > 0)
    throw new EngineError({ type: 'parse_exception', reason: 'geo_point expected' })
  return point
}
