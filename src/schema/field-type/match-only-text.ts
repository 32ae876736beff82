/**
 * `match_only_text`: text whose matches all score alike. Positions are kept nevertheless: phrases are
 * then found without a look into sources, which threads that search do not read.
 */
import { mapperParsingError } from '../mapping-errors.ts'
import type { FieldKind } from './field-kind.ts'
import {
  booleanParameter,
  choiceParameter,
  type FieldParameter,
  integerParameter,
} from './field-parameter.ts'
import { boost, checkSimilarity, index, meta, similarity, store } from './shared-parameters.ts'
import { addText, checkAnalyzers, type TextField, textField, tokenStorage } from './text-field.ts'
import { refuseTextObject } from './text-object.ts'
import {
  ANALYZERS,
  fielddataFrequencyFilter,
  indexPrefixes,
  norms,
  termVector,
} from './text-parameters.ts'

/** The field type `match_only_text`. */
export const matchOnlyText: FieldKind<TextField<'match_only_text'>> = {
  parameters: [
    index,
    store,
    choiceParameter('index_options', 'docs', ['docs']),
    neverOn({ ...norms, default: false, updateable: false }, 'Norms', ''),
    termVector,
    ...ANALYZERS,
    similarity,
    integerParameter('position_increment_gap', 100, 0, false),
    booleanParameter('fielddata', false, { updateable: true }),
    fielddataFrequencyFilter,
    booleanParameter('eager_global_ordinals', false, { updateable: true }),
    neverOn(booleanParameter('index_phrases', false), 'Index phrases', '. Use text field instead'),
    neverOn(indexPrefixes, 'Index prefixes', '. Use text field instead'),
    boost,
    meta,
  ],
  rules: [checkAnalyzers, checkSimilarity],
  build(name, values) {
    const field = textField('match_only_text', name, values)
    const indexOptions = field.indexed ? 'positions' : 'none'
    return { ...field, indexOptions, scoresConstant: true, boost: values.number('boost', 1) }
  },
  storage: tokenStorage,
  addValue: addText,
  refuseObject: refuseTextObject,
}

/** A parameter of text that may be named, but only to say that the field is without it. */
function neverOn(parameter: FieldParameter, what: string, advice: string): FieldParameter {
  return {
    ...parameter,
    parse(node, field, type) {
      const value = parameter.parse(node, field, type)
      if (value !== parameter.default)
        throw mapperParsingError(`${what} cannot be enabled on for match_only_text field${advice}`)
      return value
    },
  }
}
