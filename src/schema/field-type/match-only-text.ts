/**
 * `match_only_text`: text whose matches all score alike. Positions are kept nevertheless: phrases are
 * then found without a look into sources, which threads that search do not read.
 */
import type { FieldKind } from './field-kind.ts'
import { booleanParameter } from './field-parameter.ts'
import { index, meta, store } from './shared-parameters.ts'
import { addText, checkAnalyzers, type TextField, textField, tokenStorage } from './text-field.ts'
import { refuseTextObject } from './text-object.ts'
import { ANALYZERS, fielddataFrequencyFilter } from './text-parameters.ts'

/** The field type `match_only_text`. */
export const matchOnlyText: FieldKind<TextField<'match_only_text'>> = {
  parameters: [
    index,
    store,
    ...ANALYZERS,
    booleanParameter('fielddata', false, { updateable: true }),
    fielddataFrequencyFilter,
    booleanParameter('eager_global_ordinals', false, { updateable: true }),
    meta,
  ],
  rules: [checkAnalyzers],
  build(name, values) {
    const field = textField('match_only_text', name, values)
    const indexOptions = field.indexed ? 'positions' : 'none'
    return { ...field, indexOptions, norms: false, scoresConstant: true }
  },
  storage: tokenStorage,
  addValue: addText,
  refuseObject: refuseTextObject,
}
