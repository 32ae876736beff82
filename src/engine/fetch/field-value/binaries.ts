import type { BinaryField } from '../../../schema/field-type/binary.ts'
import { checkDocValues } from '../../dsl/field/number-sort.ts'
import { scalarText } from '../../dsl/json-scalars.ts'
import { bytesOf } from './columns.ts'
import { type FieldValue, refuseFormat, refuseSourceFormat } from './field-value.ts'

/** Values of byte strings, in Base64. */
export const binaries: FieldValue<BinaryField> = {
  takesLists: false,
  column(field, format) {
    checkDocValues(field)
    refuseFormat(field, format)
    return bytesOf(field, bytes => Buffer.from(bytes).toString('base64'))
  },
  source(field, format) {
    refuseSourceFormat(field, format)
    return value => scalarText(value) ?? undefined
  },
}
