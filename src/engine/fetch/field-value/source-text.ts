import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { Float32, Float64 } from '../../../util/json/json-value.ts'
import { scalarText } from '../../dsl/json-scalars.ts'

/**
 * The text of a source's scalar, and of null that of the mapping's `null_value`.
 * @returns null where there is none: an object, or a null that stands for nothing
 */
export function textOf(
  { parameters }: Pick<MappedField, 'parameters'>,
  value: JsonNode,
): string | null {
  if (value.kind !== 'null') return scalarText(value)
  const given = parameters.get('null_value') ?? null
  if (given === null) return null
  return String(given instanceof Float64 || given instanceof Float32 ? given.value : given)
}
