/** The keys that say which places an aggregation reads: field and missing. */
import type { NumberSource, ShapeSource } from '../../../aggregation/value-source.ts'
import { quantisedPlace } from '../../../schema/field-type/geo-point.ts'
import type { GeoPoint } from '../../../schema/geo-point.ts'
import { readWellKnownText } from '../../../schema/geo-shape/read-well-known-text.ts'
import { listTriangles } from '../../../schema/geo-shape/shape-triangles.ts'
import { simpleShapes } from '../../../schema/geo-shape/simple-shape.ts'
import { assert } from '../../../util/assert.ts'
import { EngineError, toErrorRecord } from '../../../util/errors.ts'
import { derivedField } from '../derived/derived-field.ts'
import { gatheredField } from '../field/masked-field.ts'
import { checkDocValues } from '../field/number-sort.ts'
import { readPlace } from '../geo-origin.ts'
import { checkedPlace, newGeoOptions } from '../query/geo-clause.ts'
import type { QueryContext } from '../query-context.ts'
import { placesOfScript } from './bind-values.ts'
import { unsupportedField } from './field-values.ts'
import type { FieldReaders } from './object-fields.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

/** Places, or the shapes that some aggregations take in their place. */
export type PlaceSource = NumberSource | ShapeSource

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
  /** The same, where fields of shapes are taken too. */
  bindAny(context: QueryContext): PlaceSource | null
  /** Places that no document has. */
  none(): NumberSource
}

/** The keys of an aggregation. @param type its name, for errors */
export function placeKeys(type: string): PlaceKeys {
  const keys = newValueKeys()
  let missing: GeoPoint | null = null
  /** A `missing` that may be a shape, and why it is no place. */
  let text: { readonly value: string; readonly fault: EngineError | null } | null = null
  const { field, script, value_type } = valueReaders(keys)
  const source = (name: string): NumberSource => {
    if (text !== null && text.fault !== null) throw text.fault
    return placesOf(name, missing)
  }
  const bindField = (context: QueryContext, takesShapes: boolean): PlaceSource | null => {
    const name = keys.field ?? ''
    if (keys.script !== null) throw placesOfScript()
    const derived = derivedField(name, context)
    if (derived?.valueType === 'geo_point') throw placesOfScript()
    if (derived !== null) throw unsupportedField(derived, type)
    const found = gatheredField(name, context)
    if (found === null) return missing === null && text === null ? null : source(name)
    if (takesShapes && found.type === 'geo_shape')
      return {
        kind: 'shapes',
        field: found.name,
        missing: text === null ? null : missingShape(text.value),
      }
    if (found.type !== 'geo_point') throw unsupportedField(found, type)
    checkDocValues(found)
    return source(found.name)
  }
  return {
    readers: {
      field: field!,
      script: script!,
      value_type: value_type!,
      missing: value => {
        try {
          missing = checkedPlace(readPlace(value), newGeoOptions(), type)
          text = value.kind === 'string' ? { value: value.value, fault: null } : null
        } catch (error) {
          if (value.kind !== 'string' || !(error instanceof EngineError)) throw error
          text = { value: value.value, fault: error }
        }
      },
    },
    check: () => checkFieldGiven(keys),
    bind(context) {
      const places = bindField(context, false)
      assert(places?.kind !== 'shapes', 'fields of shapes are refused here')
      return places
    },
    bindAny: context => bindField(context, true),
    none: () => placesOf('', null),
  }
}

/**
 * The place that a text stands for.
 * @param type of the aggregation, for errors
 * @throws {EngineError} it is none
 */
export function placeOfText(text: string, type: string): GeoPoint {
  const value = { kind: 'string', value: text, line: 0, col: 0 } as const
  return checkedPlace(readPlace(value), newGeoOptions(), type)
}

/**
 * The triangles of a shape in well-known text.
 * @throws {EngineError} `parse_exception`: it is none
 */
export function missingShape(text: string): Uint32Array {
  const words: number[] = []
  try {
    const shape = readWellKnownText(text, { coerce: false, ignoresZ: true })
    listTriangles(simpleShapes(shape, false), bytes => {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      for (let at = 0; at < bytes.length; at += 4) words.push(view.getUint32(at))
    })
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new EngineError({
      type: 'parse_exception',
      reason: `Unable to parse the missing value [${text}] provided in the input.`,
      causedBy: toErrorRecord(error),
    })
  }
  return Uint32Array.from(words)
}

/** Places of a field. @param missing the place that documents without one have */
export function placesOf(field: string, missing: GeoPoint | null): NumberSource {
  return {
    kind: 'numbers',
    field,
    encoding: 'long',
    scale: 1,
    type: 'long',
    isNanos: false,
    isPlace: true,
    missing: missing === null ? null : quantisedPlace(missing),
    format: { kind: 'raw' },
  }
}
