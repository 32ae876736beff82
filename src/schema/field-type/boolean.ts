/** `boolean`: true and false. */
import type { FieldKind } from './field-kind.ts'
import { pushLong } from './long-values.ts'
import { numberText } from './number-text.ts'
import {
  addNumber,
  type NumberReader,
  type NumericField,
  numericProperties,
  refuseNumberObject,
  withCheckedNull,
} from './numeric-field.ts'
import type { ParsedNumber } from './parsed-number.ts'
import {
  boost,
  docValues,
  ignoreMalformed,
  index,
  meta,
  nullValue,
  skipList,
  store,
} from './shared-parameters.ts'

/** A field of booleans. */
export interface BooleanField extends NumericField {
  readonly type: 'boolean'
  /** Factor of the scores of whole values. */
  readonly boost: number
}

/** The field type `boolean`. */
export const boolean: FieldKind<BooleanField> = {
  parameters: [index, docValues, store, nullValue, ignoreMalformed, skipList, boost, meta],
  rules: [],
  build: (name, values) =>
    withCheckedNull<BooleanField>(READER, {
      ...numericProperties(name, values),
      type: 'boolean',
      boost: values.number('boost', 1),
    }),
  storage: field => ({
    kind: 'flags',
    indexOptions: field.indexed ? 'docs' : 'none',
    hasNorms: false,
    docValues: field.docValues ? 'numeric' : 'none',
  }),
  addValue: (field, ordinal, token, values) => addNumber(READER, field, ordinal, token, values),
  refuseObject: refuseNumberObject,
}

const READER: NumberReader<BooleanField> = {
  number: (_field, bytes, start, end, _isInteger, into) =>
    readText(numberText(bytes, start, end), into),
  text: (_field, text, _isNullValue, into) => readText(text, into),
  boolean: (_field, value, into) => set(value, into),
  push: pushLong,
}

function readText(text: string, into: ParsedNumber): boolean {
  if (text !== 'true' && text !== 'false' && text !== '')
    return into.fail(`Failed to parse value [${text}] as only [true] or [false] are allowed.`)
  return set(text === 'true', into)
}

function set(value: boolean, into: ParsedNumber): true {
  into.hi = 0
  into.lo = value ? 1 : 0
  return true
}
