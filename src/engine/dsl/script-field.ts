import type { NumberSource, ValueSource } from '../../aggregation/value-source.ts'
import { givenLength } from '../../schema/knn-vector/read-vector.ts'
import type { ScriptField } from '../../search/script/script-field.ts'
import { decodeUtf8 } from '../../util/bytes.ts'
import { EngineError } from '../../util/errors.ts'
import { type AggregatedField, valuesOf } from './aggregation/field-values.ts'
import { mappedField } from './field/field-searches.ts'
import { maskedField } from './field/masked-field.ts'
import { ID_IS_CLOSED } from './field/metadata/id.ts'
import { unsupportedFielddata } from './field/number-sort.ts'
import type { QueryContext } from './query-context.ts'

/**
 * A field as scripts read it: its values are those that aggregations read, places and bytes apart; null: the
 * index has none of the name.
 */
export function scriptFieldOf(name: string, context: QueryContext): ScriptField | null {
  // No script reads what another one makes.
  if (context.derived.has(name)) return null
  const masked = maskedField(name, context)
  if (masked !== null) {
    const field = readableField(name, masked.field)
    return field.kind === 'text' ? { ...field, mask: masked.mask.plan } : field
  }
  const field = mappedField(name, context)
  return field === null ? null : readableField(name, field)
}

function readableField(name: string, field: AggregatedField): ScriptField {
  if (field.type === '_id')
    return field.isLoadable ? { kind: 'id' } : { kind: 'unreadable', reason: ID_IS_CLOSED }
  if (field.type === 'geo_point') return { kind: 'place', column: field.name }
  if (field.type === 'binary')
    return field.docValues
      ? { kind: 'bytes', column: field.name }
      : { kind: 'unreadable', reason: unsupportedFielddata(field).message }
  if (field.type === 'knn_vector')
    return {
      kind: 'vector',
      column: field.name,
      element: field.element,
      length: givenLength(field),
    }
  let values: ValueSource | null
  try {
    values = valuesOf(field)
  } catch (error) {
    // No values by document: a script fails once it reads the field.
    if (error instanceof EngineError) return { kind: 'unreadable', reason: error.message }
    throw error
  }
  if (values === null)
    return {
      kind: 'unreadable',
      reason: `Fielddata is not supported on field [${name}] of type [${field.type}]`,
    }
  if (values.kind === 'numbers') return { kind: kindOf(values), column: values }
  if (values.kind === 'constant') return { kind: 'constant', value: decodeUtf8(values.value) }
  const kind = values.format.kind === 'ip' ? 'address' : 'text'
  return { kind, column: values.field, fieldData: values.fieldData }
}

type NumberKind = Extract<ScriptField, { readonly column: { readonly scale: number } }>['kind']

function kindOf({ type, format, isNanos }: NumberSource): NumberKind {
  if (format.kind === 'boolean') return 'boolean'
  if (format.kind === 'date') return isNanos ? 'nanos' : 'millis'
  return type
}
