import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import { jsonValueOf } from '../../../util/json/json-writer.ts'
import { unsupportedFielddata } from '../../dsl/field/number-sort.ts'
import { type FieldValue, refuseSourceFormat } from './field-value.ts'

/** Values of types without columns, whose sources print as they stand. */
export const rawValues: FieldValue<MappedField> = {
  takesLists: false,
  column(field) {
    throw unsupportedFielddata(field)
  },
  source(field, format) {
    refuseSourceFormat(field, format)
    return value => (value.kind === 'null' ? undefined : jsonValueOf(value))
  },
}
