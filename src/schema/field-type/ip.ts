/** `ip`: addresses of versions 4 and 6, kept as 16 bytes. */

import { parseAddress } from '../../util/ip-address.ts'
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import { notAnAddress } from '../address-block.ts'
import type { FieldKind } from './field-kind.ts'
import { isKept, type MappedField } from './mapped-field.ts'
import {
  docValues,
  ignoreMalformed,
  index,
  meta,
  nullValue,
  skipList,
  store,
} from './shared-parameters.ts'
import { refuseTextObject } from './text-object.ts'

/** A field of addresses. */
export interface IpField extends MappedField {
  readonly type: 'ip'
  readonly docValues: boolean
  readonly ignoreMalformed: boolean
  /** Stands for an explicit null; null: nothing does. */
  readonly nullValue: Uint8Array | null
}

/** The field type `ip`. */
export const ip: FieldKind<IpField> = {
  parameters: [index, docValues, store, skipList, ignoreMalformed, nullValue, meta],
  rules: [],
  build: (name, values) => ({
    name,
    type: 'ip',
    indexed: values.flag('index'),
    parameters: values.given,
    docValues: values.flag('doc_values'),
    ignoreMalformed: values.ignoreMalformed,
    // One that is no address is passed over, as in the real server.
    nullValue: values.nullValue === null ? null : parseAddress(values.nullValue),
  }),
  storage: field => ({
    kind: 'addresses',
    indexOptions: 'none',
    hasNorms: false,
    docValues: field.docValues ? 'ordinals' : 'none',
    hasPoints: field.indexed,
  }),
  addValue(field, ordinal, token, values) {
    let address = field.nullValue
    if (token !== JSON_TOKENS.null) {
      const text = values.reader.text()
      address = parseAddress(text)
      if (address === null) {
        if (!field.ignoreMalformed)
          throw values.valueError(field, token, {
            type: 'illegal_argument_exception',
            reason: notAnAddress(text),
          })
        values.addIgnored(field.name)
        return
      }
    }
    if (address !== null && isKept(field)) values.addTerm(ordinal, address)
  },
  refuseObject: refuseTextObject,
}
