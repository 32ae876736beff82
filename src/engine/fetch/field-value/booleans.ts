import type { BooleanField } from '../../../schema/field-type/boolean.ts'
import { checkDocValues } from '../../dsl/field/number-sort.ts'
import { numbersOf } from './columns.ts'
import { type FieldValue, refuseFormat, refuseSourceFormat } from './field-value.ts'
import { textOf } from './source-text.ts'

/** Values of booleans; an empty text is false. */
export const booleans: FieldValue<BooleanField> = {
  takesLists: false,
  column(field, format) {
    checkDocValues(field)
    refuseFormat(field, format)
    return numbersOf(field, values => values.lo() !== 0)
  },
  source(field, format) {
    refuseSourceFormat(field, format)
    return value => {
      const text = textOf(field, value)
      if (text === 'true') return true
      return text === 'false' || text === '' ? false : undefined
    }
  },
}
