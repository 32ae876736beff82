import type { FieldType } from '../../schema/field-type.ts'
import type { NumberColumn } from '../../search/scorer/number-values.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { fieldSearch } from './field/field-searches.ts'

/**
 * The doc values of a field of numbers.
 * @throws {EngineError} as a sort by the field; or its doc values are no numbers
 */
export function numberColumn(field: FieldType): NumberColumn {
  const { name } = field
  const { key } = fieldSearch(field.type).sort(field, {
    field: name,
    order: 'asc',
    missing: '_last',
    mode: null,
    unmappedType: null,
    numericType: null,
  })
  if (key.kind === 'number') return { field: key.field, encoding: key.encoding, scale: key.scale }
  throw new IllegalArgumentError(
    `Expected numeric type on field [${name}], but got [${field.type}]`,
  )
}
