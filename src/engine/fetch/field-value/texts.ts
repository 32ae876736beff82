import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { TextField } from '../../../schema/field-type/text-field.ts'
import { fieldSearch } from '../../dsl/field/field-searches.ts'
import { scalarText } from '../../dsl/json-scalars.ts'
import { notSupportedYet } from '../../dsl/parse-error.ts'
import { plainSort } from '../../dsl/sort.ts'
import { type FieldValue, refuseSourceFormat } from './field-value.ts'

/** Values of analysed text. */
export const texts: FieldValue<TextField> = {
  takesLists: false,
  column(field) {
    // A sort by the field refuses it for the same reasons in the same words.
    fieldSearch(field.type).sort(field as never, plainSort(field.name, null))
    throw notSupportedYet(`docvalue_fields of ${field.name}: fielddata`)
  },
  source(field: MappedField, format) {
    refuseSourceFormat(field, format)
    return value => scalarText(value) ?? undefined
  },
}
