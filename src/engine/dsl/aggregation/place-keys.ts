/** The keys that say which places an aggregation reads: field and missing. */
import type { NumberSource } from '../../../aggregation/value-source.ts'
import { quantisedPlace } from '../../../schema/field-type/geo-point.ts'
import type { GeoPoint } from '../../../schema/geo-point.ts'
import { derivedField } from '../derived/derived-field.ts'
import { gatheredField } from '../field/masked-field.ts'
import { checkDocValues } from '../field/number-sort.ts'
import { readPlace } from '../geo-origin.ts'
import { checkedPlace, newGeoOptions } from '../query/geo-clause.ts'
import type { QueryContext } from '../query-context.ts'
import { unsupportedField } from './field-values.ts'
import type { FieldReaders } from './object-fields.ts'
import { checkFieldGiven, newValueKeys, placesOfScript, valueReaders } from './value-keys.ts'

/** Places as a request asks for them. */
export interface PlaceKeys {
  readonly readers: FieldReaders
  /** @throws {IllegalArgumentError} no field is named */
  check(): void
  /**
   * The places in an index; null: it has none.
   * @throws {EngineError} the field has no places
   */
  bind(context: QueryContext): NumberSource | null
  /** Places that no document has. */
  none(): NumberSource
}

/** The keys of an aggregation. @param type its name, for errors */
export function placeKeys(type: string): PlaceKeys {
  const keys = newValueKeys()
  let missing: GeoPoint | null = null
  const { field, script, value_type } = valueReaders(keys)
  const source = (name: string): NumberSource => placesOf(name, missing)
  return {
    readers: {
      field: field!,
      script: script!,
      value_type: value_type!,
      missing: value => {
        missing = checkedPlace(readPlace(value), newGeoOptions(), type)
      },
    },
    check: () => checkFieldGiven(keys),
    bind(context) {
      const name = keys.field ?? ''
      if (keys.script !== null) throw placesOfScript()
      const derived = derivedField(name, context)
      if (derived?.valueType === 'geo_point') throw placesOfScript()
      if (derived !== null) throw unsupportedField(derived, type)
      const found = gatheredField(name, context)
      if (found === null) return missing === null ? null : source(name)
      if (found.type !== 'geo_point') throw unsupportedField(found, type)
      checkDocValues(found)
      return source(found.name)
    },
    none: () => source(''),
  }
}

function placesOf(field: string, missing: GeoPoint | null): NumberSource {
  return {
    kind: 'numbers',
    field,
    encoding: 'long',
    scale: 1,
    type: 'long',
    isNanos: false,
    missing: missing === null ? null : quantisedPlace(missing),
    format: { kind: 'raw' },
  }
}
