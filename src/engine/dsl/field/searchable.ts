import { storageOf } from '../../../schema/field-type/field-types.ts'
import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { FieldType } from '../../../schema/field-type.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'

/** Whether terms, points or doc values of the field can be searched in; byte strings cannot. */
export function isSearchable(field: FieldType): boolean {
  const { docValues } = storageOf(field)
  return field.indexed || docValues === 'numeric' || docValues === 'ordinals'
}

/** Refuses a field without terms, which has no doc values either. */
export function checkIndexed(field: MappedField): void {
  if (!field.indexed)
    throw new IllegalArgumentError(
      `Cannot search on field [${field.name}] since it is not indexed.`,
    )
}

/** Refuses a field that neither an index nor doc values can be searched in. */
export function checkSearchable(field: MappedField & { readonly docValues: boolean }): void {
  if (!field.indexed && !field.docValues)
    throw new IllegalArgumentError(
      `Cannot search on field [${field.name}] since it is both not indexed, and does not have ` +
        'doc_values enabled.',
    )
}
