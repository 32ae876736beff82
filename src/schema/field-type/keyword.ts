/** `keyword`: each value is one term, as it stands or as a normalizer leaves it. */
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import type { IndexOptions } from '../field-storage.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import { OPERATIONS } from '../parsed-document.ts'
import type { AnalysisNames, FieldKind } from './field-kind.ts'
import {
  booleanParameter,
  choiceParameter,
  integerParameter,
  textParameter,
} from './field-parameter.ts'
import { isKept, type MappedField } from './mapped-field.ts'
import { boost, docValues, index, meta, nullValue, similarity, store } from './shared-parameters.ts'
import { refuseTextObject } from './text-object.ts'

/** A field of whole values. */
export interface KeywordField extends MappedField {
  readonly type: 'keyword'
  readonly docValues: boolean
  /** `none` where it is not indexed. */
  readonly indexOptions: IndexOptions
  readonly norms: boolean
  /** Null keeps values as they are. */
  readonly normalizer: string | null
  /** Longest value in UTF-16 units that is indexed. */
  readonly ignoreAbove: number
  /** Whether each match of `term` scores 1, and not by BM25. */
  readonly scoresConstant: boolean
  /** Whether the words of a `match` are values of their own. */
  readonly splitsQueries: boolean
  /** Stands for an explicit null; null: nothing does. */
  readonly nullValue: string | null
}

/** The field type `keyword`. */
export const keyword: FieldKind<KeywordField> = {
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
  rules: [checkNormalizer],
  build(name, values) {
    const indexed = values.flag('index')
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
      scoresConstant: !values.flag('use_similarity') || values.text('similarity') === 'boolean',
      splitsQueries: values.flag('split_queries_on_whitespace'),
      nullValue: values.nullValue,
    }
  },
  storage: field => ({
    kind: 'terms',
    indexOptions: field.indexOptions,
    hasNorms: field.norms,
    docValues: field.docValues ? 'ordinals' : 'none',
    normalizer: field.normalizer,
  }),
  addValue(field, ordinal, token, values) {
    if (!isKept(field)) return
    const { nullValue, ignoreAbove } = field
    if (token === JSON_TOKENS.null) {
      if (nullValue !== null && nullValue.length <= ignoreAbove)
        values.addKeyword(ordinal, nullValue)
      return
    }
    values.addBytes(ordinal, token, OPERATIONS.keyword, OPERATIONS.scratchKeyword)
    const { document } = values
    const last = document.count - 1
    const from = document.a[last]!
    const to = document.b[last]!
    // A byte is never less than a UTF-16 unit, so most values need no count.
    if (to - from > ignoreAbove) {
      const isSource = document.kinds[last] === OPERATIONS.keyword
      const bytes = isSource ? document.source : document.scratch
      if (utf16Length(bytes, from, to) > ignoreAbove) document.count = last
    }
  },
  refuseObject: refuseTextObject,
}

function checkNormalizer(
  name: string,
  given: ReadonlyMap<string, JsonValue>,
  names: AnalysisNames,
): void {
  const normalizer = given.get('normalizer')
  if (typeof normalizer === 'string' && !names.hasNormalizer(normalizer))
    throw mapperParsingError(`normalizer [${normalizer}] not found for field [${name}]`)
}

/** UTF-16 units of valid UTF-8: one for each sequence, two for one of four bytes. */
function utf16Length(bytes: Uint8Array, start: number, end: number): number {
  let length = 0
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    if ((byte & 0xc0) !== 0x80) length += byte >= 0xf0 ? 2 : 1
  }
  return length
}
