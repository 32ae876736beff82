/** `keyword`: each value is one term, as it stands or as a normalizer leaves it. */
import type { IndexOptions } from '../field-storage.ts'
import type { FieldKind } from './field-kind.ts'
import {
  booleanParameter,
  choiceParameter,
  integerParameter,
  textParameter,
} from './field-parameter.ts'
import { addKeyword, checkNormalizer, type KeywordField, keywordStorage } from './keyword-field.ts'
import {
  boost,
  checkSimilarity,
  docValues,
  index,
  meta,
  nullValue,
  similarity,
  store,
} from './shared-parameters.ts'
import { refuseTextObject } from './text-object.ts'

/** The field type `keyword`. */
export const keyword: FieldKind<KeywordField<'keyword'>> = {
  parameters: [
    index,
    docValues,
    store,
    nullValue,
    booleanParameter('eager_global_ordinals', false, { updateable: true }),
    integerParameter('ignore_above', 2147483647, 0, true),
    choiceParameter('index_options', 'docs', ['docs', 'freqs']),
    booleanParameter('norms', false),
    similarity,
    booleanParameter('use_similarity', false, { updateable: true }),
    textParameter('normalizer', false),
    booleanParameter('split_queries_on_whitespace', false, { updateable: true }),
    boost,
    meta,
  ],
  rules: [checkNormalizer, checkSimilarity],
  build(name, values) {
    const indexed = values.flag('index')
    const factor = values.number('boost', 1)
    return {
      name,
      type: 'keyword',
      indexed,
      parameters: values.given,
      docValues: values.flag('doc_values'),
      indexOptions: indexed ? (values.text('index_options') as IndexOptions) : 'none',
      norms: indexed && values.flag('norms'),
      normalizer: values.text('normalizer'),
      ignoreAbove: values.number('ignore_above', 2147483647),
      boost: factor,
      // The real server boosts a term twice whose similarity is used.
      termBoost: values.flag('use_similarity') ? Math.fround(factor * factor) : factor,
      scoresConstant: !values.flag('use_similarity'),
      similarity: values.text('similarity'),
      splitsQueries: values.flag('split_queries_on_whitespace'),
      nullValue: values.nullValue,
    }
  },
  storage: keywordStorage,
  addValue: addKeyword,
  refuseObject: refuseTextObject,
}
