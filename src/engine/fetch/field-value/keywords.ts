/** Values of fields whose terms are whole values. */
import type { ConstantKeywordField } from '../../../schema/field-type/constant-keyword.ts'
import type { FlatObjectField } from '../../../schema/field-type/flat-object.ts'
import type { IpField } from '../../../schema/field-type/ip.ts'
import type { KeywordField } from '../../../schema/field-type/keyword-field.ts'
import { decodeUtf8 } from '../../../util/bytes.ts'
import { parseAddress, printAddress } from '../../../util/ip-address.ts'
import { jsonValueOf } from '../../../util/json/json-writer.ts'
import { checkDocValues } from '../../dsl/field/number-sort.ts'
import { termsOf } from './columns.ts'
import { type FieldValue, refuseFormat, refuseSourceFormat } from './field-value.ts'
import { textOf } from './source-text.ts'

/** Values of `keyword` and `wildcard`, as their normalizer leaves them; those that are too long are none. */
export const keywords: FieldValue<KeywordField> = {
  takesLists: false,
  column(field, format) {
    checkDocValues(field)
    refuseFormat(field, format)
    return termsOf(field, decodeUtf8)
  },
  source(field, format, context) {
    refuseSourceFormat(field, format)
    return value => {
      const text = textOf(field, value)
      if (text === null || text.length > field.ignoreAbove) return undefined
      return context.normalize(field, text)
    }
  },
}

/** Values of `ip`. */
export const addresses: FieldValue<IpField> = {
  takesLists: false,
  column(field, format) {
    checkDocValues(field)
    refuseFormat(field, format)
    return termsOf(field, printAddress)
  },
  source(field, format) {
    refuseSourceFormat(field, format)
    return value => {
      const text = textOf(field, value)
      const address = text === null ? null : parseAddress(text)
      return address === null ? undefined : printAddress(address)
    }
  },
}

/** The value of all documents. */
export const constants: FieldValue<ConstantKeywordField> = {
  takesLists: false,
  column(field, format) {
    refuseFormat(field, format)
    return () => [field.value]
  },
  source(field, format) {
    refuseSourceFormat(field, format)
    return () => field.value
  },
}

/** Values of `flat_object`: its leaves by document, or the object as it was given. */
export const flatObjects: FieldValue<FlatObjectField> = {
  takesLists: false,
  column(field, format) {
    refuseFormat(field, format)
    const { name, path, pathsField } = field
    if (path === null) return termsOf({ name }, decodeUtf8)
    const start = `${path}=`
    const pairs = termsOf({ name: pathsField }, decodeUtf8)
    return (leaf, docId) =>
      pairs(leaf, docId).flatMap(pair =>
        typeof pair === 'string' && pair.startsWith(start) ? [pair.slice(start.length)] : [],
      )
  },
  source(field, format) {
    refuseSourceFormat(field, format)
    return value => (value.kind === 'null' ? undefined : jsonValueOf(value))
  },
}
