import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { metersOf, type Place, parseDistance } from '../../../util/geo-distance.ts'
import type { JsonEntry, JsonNode } from '../../../util/json/json-tree.ts'
import { readPlace } from '../geo-origin.ts'
import { readNumber, readText } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import { checkedPlace, geoQuery, newGeoOptions, readGeoOption } from './geo-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** `geo_distance`: documents with a place no further away than so. */
export const geoDistanceParser: QueryParser = {
  mustBecomesFilter: 'never',
  parse(node, read) {
    const options = newGeoOptions()
    let found: { readonly field: string; readonly point: Partial<Place> } | null = null
    let distance: JsonNode | null = null
    let unit = 1
    const add = (entry: JsonEntry, field: string, point: Partial<Place>): void => {
      if (found !== null && found.field !== field)
        throw parsingError(
          entry,
          `[geo_distance] field name already set to [${found.field}] but found [${field}]`,
        )
      found = { field, point: { ...found?.point, ...point } }
    }
    for (const entry of node.entries) {
      const { key, value } = entry
      if (key === 'distance') distance = value
      else if (key === 'unit') unit = metersPerUnit(readText(value))
      else if (key === 'distance_type') isPlaneDistance(readText(value))
      else if (value.kind !== 'object' && value.kind !== 'array' && readGeoOption(options, entry))
        continue
      else if (value.kind !== 'object' && value.kind !== 'array' && read.option(entry)) continue
      else if (key.endsWith('.lat')) add(entry, key.slice(0, -4), { lat: readNumber(value) })
      else if (key.endsWith('.lon')) add(entry, key.slice(0, -4), { lon: readNumber(value) })
      else add(entry, key.endsWith('.geohash') ? key.slice(0, -8) : key, readPlace(value))
    }
    if (distance === null)
      throw parsingError(node, "geo_distance requires 'distance' to be specified")
    const clause = found as { readonly field: string; readonly point: Partial<Place> } | null
    const { lat, lon } = clause?.point ?? {}
    if (clause === null || lat === undefined || lon === undefined)
      throw new IllegalArgumentError('fieldName must not be null or empty')
    const center = checkedPlace({ lat, lon }, options, 'geo_distance')
    const meters = parseDistance(readText(distance), unit)
    if (!(meters > 0)) throw new IllegalArgumentError('distance must be greater than zero')
    const { field } = clause
    const area = { kind: 'circle', center, meters } as const
    return { field, build: context => geoQuery(field, area, options, context) }
  },
}

/**
 * Meters of a unit.
 * @throws {IllegalArgumentError} there is no such one
 */
export function metersPerUnit(text: string): number {
  const meters = metersOf(text)
  if (meters === null) throw new IllegalArgumentError(`No distance unit match [${text}]`)
  return meters
}

/**
 * Whether a type of distance is measured on a plane. Queries measure both along the arc, as the index of
 * places does there.
 * @throws {EngineError} there is no such type
 */
export function isPlaneDistance(text: string): boolean {
  const type = text.toLowerCase()
  if (type === 'arc' || type === 'plane') return type === 'plane'
  throw new EngineError({
    type: 'illegal_argument_exception',
    reason: `No geo distance for [${text}]`,
  })
}
