/** `constant_keyword`: one value for all documents of an index, which the mapping holds. */
import { EngineError } from '../../util/errors.ts'
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import type { FieldKind } from './field-kind.ts'
import { type FieldParameter, parameter } from './field-parameter.ts'
import type { MappedField } from './mapped-field.ts'
import { meta } from './shared-parameters.ts'
import { refuseTextObject } from './text-object.ts'

/** A field of one value. */
export interface ConstantKeywordField extends MappedField {
  readonly type: 'constant_keyword'
  readonly value: string
}

const value: FieldParameter = parameter('value', null, (node, field) => {
  if (node.kind === 'string') return node.value
  throw new EngineError({
    type: 'parse_exception',
    reason: `Field [${field}] is expected to be a string value`,
  })
})

/** The field type `constant_keyword`. */
export const constantKeyword: FieldKind<ConstantKeywordField> = {
  parameters: [value, meta],
  rules: [checkValue],
  build: (name, values) => ({
    name,
    type: 'constant_keyword',
    indexed: true,
    parameters: values.given,
    value: values.text('value') ?? '',
  }),
  // Nothing is kept of documents: all have the value.
  storage: () => ({
    kind: 'terms',
    indexOptions: 'none',
    hasNorms: false,
    docValues: 'none',
    normalizer: null,
  }),
  addValue(field, _ordinal, token, values) {
    if (token !== JSON_TOKENS.null && values.reader.text() === field.value) return
    throw values.valueError(field, token, {
      type: 'illegal_argument_exception',
      reason: `constant keyword field [${field.name}] must have a value of [${field.value}]`,
    })
  },
  refuseObject: refuseTextObject,
}

function checkValue(name: string, given: ReadonlyMap<string, JsonValue>): void {
  if (!given.has('value'))
    throw new EngineError({
      type: 'parse_exception',
      reason: `Field [${name}] is missing required parameter [value]`,
    })
}
