/** `binary`: byte strings, written as Base64 and searched by nothing but their presence. */
import { decodeBase64 } from '../../util/base64.ts'
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import type { FieldKind } from './field-kind.ts'
import { booleanParameter } from './field-parameter.ts'
import { isKept, type MappedField } from './mapped-field.ts'
import { meta, store } from './shared-parameters.ts'
import { refuseTextObject } from './text-object.ts'

/** A field of byte strings. */
export interface BinaryField extends MappedField {
  readonly type: 'binary'
  readonly indexed: false
  readonly docValues: boolean
}

/** The field type `binary`. */
export const binary: FieldKind<BinaryField> = {
  parameters: [booleanParameter('doc_values', false), store, meta],
  rules: [],
  build: (name, values) => ({
    name,
    type: 'binary',
    indexed: false,
    parameters: values.given,
    docValues: values.flag('doc_values'),
  }),
  storage: field => ({
    kind: 'bytes',
    indexOptions: 'none',
    hasNorms: false,
    docValues: field.docValues ? 'bytes' : 'none',
  }),
  addValue(field, ordinal, token, values) {
    // Values that are kept in `_source` alone are not read, as in the real server.
    if (token === JSON_TOKENS.null || !isKept(field)) return
    if (token !== JSON_TOKENS.string)
      throw values.valueError(field, token, {
        type: 'json_parse_exception',
        reason: 'the value is no VALUE_STRING, it cannot be read as binary',
      })
    const bytes = decodeBase64(values.reader.text())
    if (bytes === null)
      throw values.valueError(field, token, {
        type: 'json_parse_exception',
        reason: 'Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS)',
      })
    values.addByteString(ordinal, bytes)
  },
  refuseObject: refuseTextObject,
}
