import { isFieldAlias } from './field-alias.ts'
import { fieldKind } from './field-type/field-types.ts'
import { type FieldType, isObjectType, type ObjectType } from './field-type.ts'
import type { Mapping } from './mapping.ts'

/** A warning for each field whose mapping gives `boost`, which is deprecated. */
export function boostWarnings(mapping: Mapping): string[] {
  return warningsIn(mapping.root)
}

function warningsIn(object: ObjectType): string[] {
  return [...object.children].flatMap(([name, entry]) => {
    if (isObjectType(entry)) return warningsIn(entry)
    return isFieldAlias(entry) ? [] : warningsOf(name, entry)
  })
}

/** @param name of the field within its object, or of the multi-field within its field */
function warningsOf(name: string, field: FieldType): string[] {
  const below = field.multiFields.flatMap(sub =>
    warningsOf(sub.name.slice(field.name.length + 1), sub),
  )
  if (!field.parameters.has('boost')) return below
  const isOwn = fieldKind(field.type).parameters.some(parameter => parameter.name === 'boost')
  const warning = isOwn
    ? `Parameter [boost] on field [${name}] is deprecated and will be removed in 3.0`
    : `Parameter [boost] has no effect on type [${field.type}] and will be removed in future`
  return [warning, ...below]
}
