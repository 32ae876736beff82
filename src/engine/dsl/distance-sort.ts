/** `_geo_distance`: a sort by how far places are, read and made for an index. */
import { normalisedPlace } from '../../schema/field-type/geo-point.ts'
import { readGeoPoints } from '../../schema/geo-point.ts'
import { nodeToJson } from '../../schema/json-conversion.ts'
import { encodePoint } from '../../search/query/point-value.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import type { Place } from '../../util/geo-distance.ts'
import { doubleText } from '../../util/json/float-text.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { checkDocValues, printDouble, readDouble } from './field/number-sort.ts'
import type { ParsedDistance, ParsedSort, ResolvedSort } from './field/sort-level.ts'
import { readPlace } from './geo-origin.ts'
import { readText } from './json-scalars.ts'
import { parsingError } from './parse-error.ts'
import { type GeoOptions, newGeoOptions, readGeoOption } from './query/geo-clause.ts'
import { isPlaneDistance, metersPerUnit } from './query/geo-distance.ts'
import { type QueryContext, shardError } from './query-context.ts'

/** Keys of a level by distance that any level may have. */
export const DISTANCE_OPTIONS: ReadonlySet<string> = new Set([
  'order',
  'mode',
  'nested',
  'nested_path',
  'nested_filter',
])

/** The keys of a distance while they are read. */
interface DistanceDraft {
  field: string | null
  places: Place[]
  metersPerUnit: number
  isPlane: boolean
  readonly options: GeoOptions
}

/**
 * Reads the distance of a level; its order, mode and nested objects are the level's.
 * @throws {EngineError} 400: it is none
 */
export function parseDistanceSort(node: JsonObjectNode): ParsedDistance {
  const draft: DistanceDraft = {
    field: null,
    places: [],
    metersPerUnit: 1,
    isPlane: false,
    options: newGeoOptions(),
  }
  for (const entry of node.entries) if (!DISTANCE_OPTIONS.has(entry.key)) readKey(draft, entry)
  const { field, places, options } = draft
  if (field === null) throw new IllegalArgumentError('fieldName must not be null')
  if (places.length === 0)
    throw new IllegalArgumentError('Geo distance sorting needs at least one point.')
  const { metersPerUnit: meters, isPlane } = draft
  return { field, places, metersPerUnit: meters, isPlane, ...options }
}

function readKey(draft: DistanceDraft, entry: JsonEntry): void {
  const { key, value } = entry
  if (value.kind === 'array') {
    draft.field = key
    draft.places.push(...placesOf(value))
  } else if (value.kind === 'object') addPlace(draft, entry)
  else if (key === 'unit') draft.metersPerUnit = metersPerUnit(readText(value))
  else if (key === 'distance_type') draft.isPlane = isPlaneDistance(readText(value))
  else if (readGeoOption(draft.options, entry)) return
  else if (value.kind === 'string') addPlace(draft, entry)
  else if (draft.field === key)
    throw parsingError(entry, `Only geohashes of type string supported for field [${key}]`)
  else throw parsingError(entry, `[_geo_distance] does not support [${key}]`)
}

function placesOf(node: JsonNode): readonly Place[] {
  return readGeoPoints(nodeToJson(node), true).map(point => {
    if (point !== null) return point
    throw new EngineError({ type: 'parse_exception', reason: 'geo_point expected' })
  })
}

function addPlace(draft: DistanceDraft, entry: JsonEntry): void {
  const { key, value } = entry
  if (draft.field !== null && draft.field !== key)
    throw parsingError(
      entry,
      `Trying to reset fieldName to [${key}], already set to [${draft.field}].`,
    )
  draft.field = key
  draft.places.push(readPlace(value))
}

/**
 * A level by distance, in an index. Documents without a place are infinitely far.
 * @throws {EngineError} places outside the degrees of the Earth; the field has no places
 */
export function distanceSort(
  level: ParsedSort,
  distance: ParsedDistance,
  { mapping, absentName }: QueryContext,
): ResolvedSort {
  const field = mapping.field(distance.field)
  const places = distance.places.map(place => checkedPlace(place, distance))
  if (field === null && !distance.ignoresUnmapped)
    throw new IllegalArgumentError(
      `failed to find mapper for [${distance.field}] for geo distance based sort`,
    )
  if (field !== null) {
    if (field.type !== 'geo_point')
      throw shardError(`field [${distance.field}] is not a geo_point field`)
    checkDocValues(field)
  }
  const { mode } = level
  if (mode === 'sum')
    throw new IllegalArgumentError("sort_mode [sum] isn't supported for sorting by geo distance")
  const descending = level.order === 'desc'
  return {
    key: {
      kind: 'distance',
      field: field?.name ?? absentName(distance.field),
      places,
      metersPerUnit: distance.metersPerUnit,
      isPlane: distance.isPlane,
      descending,
      encoding: 'double',
      missing: encodePoint(Number.POSITIVE_INFINITY, 'double'),
      mode: mode ?? (descending ? 'max' : 'min'),
    },
    read: readDouble,
    print: printDouble,
  }
}

/** A place within the degrees of the Earth, unless the level lets others be. */
function checkedPlace(place: Place, { field, validation }: ParsedDistance): Place {
  const { lat, lon } = place
  if (validation === 'COERCE') return normalisedPlace(place)
  if (validation === 'IGNORE_MALFORMED') return place
  if (!(Math.abs(lat) <= 90)) throw illegal('latitude', lat, field)
  if (!(Math.abs(lon) <= 180)) throw illegal('longitude', lon, field)
  return place
}

function illegal(name: string, degrees: number, field: string): EngineError {
  return new EngineError({
    type: 'parse_exception',
    reason: `illegal ${name} value [${doubleText(degrees)}] for [GeoDistanceSort] for field [${field}].`,
  })
}
