import { isFieldAlias } from './field-alias.ts'
import { fieldKind } from './field-type/field-types.ts'
import { type FieldType, isObjectType, type ObjectType } from './field-type.ts'
import type { Mapping } from './mapping.ts'

/** Warnings of what a mapping says of its fields that is deprecated. */
export function deprecationWarnings(mapping: Mapping): string[] {
  const deepest = fieldWithNested(mapping)
  const nested =
    deepest === null
      ? []
      : `At least one multi-field, [${deepest}], was encountered that itself contains a ` +
        'multi-field. Defining multi-fields within a multi-field is deprecated and will no longer ' +
        'be supported in 8.0. To resolve the issue, all instances of [fields] that occur within a ' +
        '[fields] block should be removed from the mappings, either by flattening the chained ' +
        '[fields] blocks into a single level, or switching to [copy_to] if appropriate.'
  return boostsIn(mapping.root).concat(nested)
}

/** Last name of the first multi-field that has multi-fields; null without one. */
function fieldWithNested({ leaves }: Mapping): string | null {
  for (const { multiFields } of leaves) {
    const found = multiFields.find(sub => sub.multiFields.length > 0)
    if (found !== undefined) return found.name.slice(found.name.lastIndexOf('.') + 1)
  }
  return null
}

function boostsIn(object: ObjectType): string[] {
  return [...object.children].flatMap(([name, entry]) => {
    if (isObjectType(entry)) return boostsIn(entry)
    return isFieldAlias(entry) ? [] : boostsOf(name, entry)
  })
}

/** @param name of the field within its object, or of the multi-field within its field */
function boostsOf(name: string, field: FieldType): string[] {
  const below = field.multiFields.flatMap(sub =>
    boostsOf(sub.name.slice(field.name.length + 1), sub),
  )
  if (!field.parameters.has('boost')) return below
  const isOwn = fieldKind(field.type).parameters.some(parameter => parameter.name === 'boost')
  const warning = isOwn
    ? `Parameter [boost] on field [${name}] is deprecated and will be removed in 3.0`
    : `Parameter [boost] has no effect on type [${field.type}] and will be removed in future`
  return [warning, ...below]
}
