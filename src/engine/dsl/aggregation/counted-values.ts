/** The values of aggregations that count them, of fields that others do not take too. */
import type { ByteSource, CountedSource, NumberSource } from '../../../aggregation/value-source.ts'
import { encodeUtf8 } from '../../../util/bytes.ts'
import { derivedField } from '../derived/derived-field.ts'
import { mappedField } from '../field/field-searches.ts'
import { checkDocValues } from '../field/number-sort.ts'
import type { QueryContext } from '../query-context.ts'
import { bindAnyValues, type TakenValues } from './bind-values.ts'
import type { AggregatedField } from './field-values.ts'
import { missingShape, placeOfText, placesOf } from './place-keys.ts'
import { isRange, missingRange } from './range-values.ts'
import { checkForm } from './value-form.ts'
import type { ValueKeys } from './value-keys.ts'

/**
 * The values of an aggregation in an index, shapes included; null: it has none.
 * @throws {EngineError} it does not take the field
 */
export function bindCounted(
  keys: ValueKeys,
  taken: TakenValues,
  context: QueryContext,
): CountedSource | null {
  const field = plainFieldOf(keys, context)
  if (field?.type === 'geo_shape') {
    checkRaw(field, keys)
    const missing = keys.missing === null ? null : missingShape(keys.missing)
    return { kind: 'shapes', field: field.name, missing }
  }
  return bindHashed(keys, taken, context)
}

/** The same, of values that hashes tell apart: no shapes. */
export function bindHashed(
  keys: ValueKeys,
  taken: TakenValues,
  context: QueryContext,
): Exclude<CountedSource, { kind: 'shapes' }> | null {
  const field = plainFieldOf(keys, context)
  const own = field === null ? null : ownValues(field, keys, taken)
  return own ?? bindAnyValues(keys, taken, context)
}

/** The field whose values no script makes; null: there is none. */
function plainFieldOf({ field, script }: ValueKeys, context: QueryContext): AggregatedField | null {
  if (script !== null || field === null || derivedField(field, context) !== null) return null
  return mappedField(field, context)
}

/** Places and byte strings; null: the field has none. */
function ownValues(
  field: AggregatedField,
  keys: ValueKeys,
  { aggregation }: TakenValues,
): NumberSource | ByteSource | null {
  const { name } = field
  if (field.type === 'geo_point') {
    checkRaw(field, keys)
    checkDocValues(field)
    return placesOf(name, keys.missing === null ? null : placeOfText(keys.missing, aggregation))
  }
  if (field.type === 'binary') {
    checkRaw(field, keys)
    checkDocValues(field)
    const missing = keys.missing === null ? null : encodeUtf8(keys.missing)
    return { kind: 'bytes', field: name, isJoined: false, missing }
  }
  if (!isRange(field)) return null
  checkRaw(field, keys)
  checkDocValues(field)
  if (keys.missing !== null) throw missingRange()
  return { kind: 'bytes', field: name, isJoined: true, missing: null }
}

function checkRaw(field: AggregatedField, keys: ValueKeys): void {
  checkForm(field, { kind: 'constant', format: { kind: 'raw' } }, keys)
}
