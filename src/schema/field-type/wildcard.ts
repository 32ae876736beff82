/**
 * `wildcard`: whole values that patterns are asked of. They are kept as those of `keyword` are: the
 * dictionary of terms answers patterns in the order of their fixed beginning.
 */

import type { FieldKind } from './field-kind.ts'
import { booleanParameter, integerParameter, textParameter } from './field-parameter.ts'
import { addKeyword, checkNormalizer, type KeywordField, keywordStorage } from './keyword-field.ts'
import { meta, nullValue } from './shared-parameters.ts'
import { refuseTextObject } from './text-object.ts'

const docValues = booleanParameter('doc_values', true, { printsDefault: true })

/** The field type `wildcard`. */
export const wildcard: FieldKind<KeywordField<'wildcard'>> = {
  parameters: [
    nullValue,
    integerParameter('ignore_above', 2147483647, 0, true),
    textParameter('normalizer', false),
    docValues,
    meta,
  ],
  rules: [checkNormalizer],
  build: (name, values) => ({
    name,
    type: 'wildcard',
    indexed: true,
    // It prints always.
    parameters: new Map([...values.given, ['doc_values', values.flag('doc_values')]]),
    docValues: values.flag('doc_values'),
    indexOptions: 'docs',
    norms: false,
    normalizer: values.text('normalizer'),
    ignoreAbove: values.number('ignore_above', 2147483647),
    boost: 1,
    termBoost: 1,
    scoresConstant: true,
    similarity: null,
    splitsQueries: false,
    nullValue: values.nullValue,
  }),
  storage: keywordStorage,
  addValue: addKeyword,
  refuseObject: refuseTextObject,
}
