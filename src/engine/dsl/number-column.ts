/** Doc values of fields as functions and filters read them. */
import type { FieldType } from '../../schema/field-type.ts'
import type { NumberColumn } from '../../search/scorer/number-values.ts'
import type { SortKey } from '../../search/sort/sort-key.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { fieldSearch } from './field/field-searches.ts'
import type { MetadataField } from './field/metadata/metadata-field.ts'

/**
 * The doc values of a field, by the key that sorts it.
 * @throws {EngineError} as a sort by the field
 */
export function valuesKey(field: FieldType | MetadataField): SortKey {
  const { name } = field
  const level = { order: 'asc', missing: '_last', isMissingNumber: false, mode: null } as const
  const { key } = fieldSearch(field.type).sort(field, {
    field: name,
    ...level,
    unmappedType: null,
    numericType: null,
    distance: null,
    script: null,
    nested: null,
  })
  return key
}

/**
 * The doc values of a field of numbers.
 * @throws {EngineError} as a sort by the field; or its doc values are no numbers
 */
export function numberColumn(field: FieldType | MetadataField): NumberColumn {
  const key = valuesKey(field)
  if (key.kind === 'number') return { field: key.field, encoding: key.encoding, scale: key.scale }
  throw new IllegalArgumentError(
    `Expected numeric type on field [${field.name}], but got [${field.type}]`,
  )
}
