import type { NumberSource } from '../../aggregation/value-source.ts'
import type { ScriptField } from '../../search/script/script-field.ts'
import { decodeUtf8 } from '../../util/bytes.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { valuesOf } from './aggregation/field-values.ts'
import { searchedField } from './field/field-searches.ts'
import type { QueryContext } from './query-context.ts'

/**
 * A field as scripts read it: its values are those that aggregations read, places and bytes apart; null: the
 * index has none of the name.
 * @throws {EngineError} it keeps no values by document, or none that scripts read
 */
export function scriptFieldOf(name: string, context: QueryContext): ScriptField | null {
  const field = searchedField(name, context)
  if (field === null) return null
  if (field.type === 'geo_point') return { kind: 'place', column: field.name }
  if (field.type === 'binary') return { kind: 'bytes', column: field.name }
  const values = valuesOf(field)
  if (values?.kind === 'numbers') return { kind: kindOf(values), column: values }
  if (values?.kind === 'constant') return { kind: 'constant', value: decodeUtf8(values.value) }
  if (values === null || values.fieldData !== null)
    throw new IllegalArgumentError(
      `[script] of field [${name}] of type [${field.type}] is not supported yet`,
    )
  return { kind: values.format.kind === 'ip' ? 'address' : 'text', column: values.field }
}

type NumberKind = Extract<ScriptField, { readonly column: { readonly scale: number } }>['kind']

function kindOf({ type, format, isNanos }: NumberSource): NumberKind {
  if (format.kind === 'boolean') return 'boolean'
  if (format.kind === 'date') return isNanos ? 'nanos' : 'millis'
  return type
}
