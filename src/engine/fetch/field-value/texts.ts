import type { MappedField } from '../../../schema/field-type/mapped-field.ts'
import type { TextField } from '../../../schema/field-type/text-field.ts'
import { assert } from '../../../util/assert.ts'
import { decodeUtf8 } from '../../../util/bytes.ts'
import { fieldSearch } from '../../dsl/field/field-searches.ts'
import { scalarText } from '../../dsl/json-scalars.ts'
import { plainSort } from '../../dsl/sort.ts'
import { termsAt } from './columns.ts'
import { type FieldValue, refuseFormat, refuseSourceFormat } from './field-value.ts'

/** Values of analysed text: by document its terms, where fielddata is on. */
export const texts: FieldValue<TextField> = {
  takesLists: false,
  column(field, format) {
    // A sort by the field refuses it for the same reasons in the same words.
    const { key } = fieldSearch(field.type).sort(field as never, plainSort(field.name, null))
    refuseFormat(field, format)
    assert(key.kind === 'keyword' && key.fieldData !== undefined, 'texts are sorted by their terms')
    const { fieldData } = key
    return (leaf, docId) => {
      const ordinals = leaf.uninverted(field.name, fieldData)
      return termsAt(ordinals, leaf.terms(field.name), docId, decodeUtf8)
    }
  },
  source(field: MappedField, format) {
    refuseSourceFormat(field, format)
    return value => scalarText(value) ?? undefined
  },
}
