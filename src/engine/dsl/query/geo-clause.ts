/** Shared by queries on places: field, options, and the limits of degrees. */

import { normalisedPlace } from '../../../schema/field-type/geo-point.ts'
import type { FieldType } from '../../../schema/field-type.ts'
import { matchNone, type Query } from '../../../search/query/query.ts'
import type { GeoArea } from '../../../search/scorer/geo-area.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { Place } from '../../../util/geo-distance.ts'
import { doubleText } from '../../../util/json/float-text.ts'
import type { JsonEntry } from '../../../util/json/json-tree.ts'
import { onDerived } from '../field/derived.ts'
import { searchedField } from '../field/field-searches.ts'
import { checkSearchable } from '../field/searchable.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import { type QueryContext, shardError } from '../query-context.ts'

/** Options of queries on places. */
export interface GeoOptions {
  /** How places outside the degrees of the Earth are taken. */
  validation: 'STRICT' | 'COERCE' | 'IGNORE_MALFORMED'
  ignoresUnmapped: boolean
}

/** Options not given. */
export function newGeoOptions(): GeoOptions {
  return { validation: 'STRICT', ignoresUnmapped: false }
}

/** Reads an option; false for another key. */
export function readGeoOption(options: GeoOptions, { key, value }: JsonEntry): boolean {
  if (key === 'ignore_unmapped') options.ignoresUnmapped = readBoolean(value)
  else if (key === 'validation_method') {
    const text = readText(value)
    const method = (['STRICT', 'COERCE', 'IGNORE_MALFORMED'] as const).find(
      each => each === text.toUpperCase(),
    )
    if (method === undefined)
      throw new IllegalArgumentError(
        `No enum constant org.opensearch.index.query.GeoValidationMethod.${text}`,
      )
    options.validation = method
  } else return false
  return true
}

/**
 * A place within the degrees of the Earth.
 * @throws {IllegalArgumentError} it lies outside of them, and options do not let it
 */
export function checkedPlace(place: Place, { validation }: GeoOptions, query: string): Place {
  if (validation === 'COERCE') return normalisedPlace(place)
  if (validation === 'STRICT') {
    if (!(Math.abs(place.lat) <= 90))
      throw new IllegalArgumentError(
        `illegal latitude value [${doubleText(place.lat)}] for [${query}]`,
      )
    if (!(Math.abs(place.lon) <= 180))
      throw new IllegalArgumentError(
        `illegal longitude value [${doubleText(place.lon)}] for [${query}]`,
      )
  }
  return place
}

/**
 * The query on a field of places.
 * @throws {EngineError} `query_shard_exception`: there is no such field
 */
export function geoQuery(
  name: string,
  area: GeoArea,
  { ignoresUnmapped }: GeoOptions,
  context: QueryContext,
): Query {
  const found = searchedField(name, context)
  if (found?.type === 'derived') {
    const { inner } = found
    return onDerived(found, context, areaOnField(name, inner, area), null)
  }
  const field = context.mapping.field(name)
  if (field === null) {
    if (ignoresUnmapped) return matchNone('')
    throw shardError(`failed to find geo_point field [${name}]`)
  }
  return areaOnField(name, field, area)
}

/** @throws {EngineError} the field has no places */
function areaOnField(name: string, field: FieldType, area: GeoArea): Query {
  if (field.type !== 'geo_point') throw shardError(`field [${name}] is not a geo_point field`)
  checkSearchable(field)
  const { indexed, docValues } = field
  return { kind: 'geoArea', field: field.name, area, indexed, docValues }
}
