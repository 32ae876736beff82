/** Values of metadata fields: none of them stands in a source. */
import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import { decodeUtf8 } from '../../../util/bytes.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { printLong, unsupportedFielddata } from '../../dsl/field/number-sort.ts'
import { longsOf, termsOf } from './columns.ts'
import { type ColumnPrinter, type FieldValue, refuseFormat } from './field-value.ts'

function metadata(
  column: (field: MappedField, index: string) => ColumnPrinter,
): FieldValue<MappedField> {
  return {
    takesLists: false,
    column(field, format, { index }) {
      refuseFormat(field, format)
      return column(field, index)
    },
    source({ name }) {
      throw new IllegalArgumentError(`Cannot fetch values for internal field [${name}].`)
    },
  }
}

/** Values of the engine's own numbers. */
export const ownNumbers: FieldValue<MappedField> = metadata(field => longsOf(field, printLong))

/** Values of `_ignored`. */
export const ownTerms: FieldValue<MappedField> = metadata(field => termsOf(field, decodeUtf8))

/** The value of `_id`. */
export const ownId: FieldValue<MappedField> = metadata(() => (leaf, docId) => [
  decodeUtf8(leaf.ids().id(docId)),
])

/** The value of `_index`. */
export const ownIndex: FieldValue<MappedField> = metadata((_field, index) => () => [index])

/** Metadata that columns do not have. */
export const withoutColumn: FieldValue<MappedField> = metadata(field => {
  throw unsupportedFielddata(field)
})
