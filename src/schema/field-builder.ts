import type { JsonValue } from '../util/json/json-value.ts'
import { fieldKind } from './field-type/field-types.ts'
import { ParameterValues, type ValueDefaults } from './field-type/parameter-values.ts'
import type { FieldType, FieldTypeName } from './field-type.ts'

/**
 * A field from its given parameters, the others at their defaults.
 * @throws {EngineError} `mapper_parsing_exception`: a `null_value` that is no value of the type
 */
export function buildField(
  name: string,
  type: FieldTypeName,
  given: ReadonlyMap<string, JsonValue>,
  copyTo: readonly string[],
  multiFields: readonly FieldType[],
  defaults: ValueDefaults,
): FieldType {
  const kind = fieldKind(type)
  const field = kind.build(name, new ParameterValues(kind.parameters, given, defaults))
  const derived = (kind.derive?.(field) ?? []).map(hidden => ({
    ...hidden,
    copyTo: [],
    multiFields: [],
    derived: [],
  }))
  const filled = (kind.fills?.(field) ?? []).map(hidden =>
    buildField(hidden, 'keyword', new Map(), [], [], defaults),
  )
  return { ...field, copyTo, multiFields, derived: [...derived, ...filled] }
}
