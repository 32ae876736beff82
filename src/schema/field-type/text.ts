/** `text`: values that an analyzer makes into terms. */
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import type { IndexOptions } from '../field-storage.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import { OPERATIONS } from '../parsed-document.ts'
import type { AnalysisNames, FieldKind } from './field-kind.ts'
import {
  booleanParameter,
  choiceParameter,
  defaultOnly,
  integerParameter,
  notYet,
  textParameter,
} from './field-parameter.ts'
import type { MappedField } from './mapped-field.ts'
import { boost, index, meta, similarity, store } from './shared-parameters.ts'
import { refuseTextObject } from './text-object.ts'

/** A field of analysed text. */
export interface TextField extends MappedField {
  readonly type: 'text'
  /** `none` where it is not indexed. */
  readonly indexOptions: IndexOptions
  readonly norms: boolean
  /** Name of the index analyzer, null for the index default. */
  readonly analyzer: string | null
  /** Those of searches, null for the one above. */
  readonly searchAnalyzer: string | null
  readonly searchQuoteAnalyzer: string | null
  /** Positions between two values of one document. */
  readonly positionIncrementGap: number
}

/** The field type `text`. */
export const text: FieldKind<TextField> = {
  parameters: [
    index,
    store,
    choiceParameter('index_options', 'positions', ['docs', 'freqs', 'positions'], ['offsets']),
    booleanParameter('norms', true, { updateable: true }),
    defaultOnly('term_vector', 'no'),
    textParameter('analyzer', false),
    textParameter('search_analyzer', true),
    textParameter('search_quote_analyzer', true),
    similarity,
    integerParameter('position_increment_gap', 100, 0, false),
    defaultOnly('fielddata', false),
    notYet('fielddata_frequency_filter'),
    booleanParameter('eager_global_ordinals', false, { updateable: true }),
    defaultOnly('index_phrases', false),
    notYet('index_prefixes'),
    boost,
    meta,
  ],
  rules: [checkAnalyzers, checkGap],
  build(name, values) {
    const indexed = values.flag('index')
    return {
      name,
      type: 'text',
      indexed,
      parameters: values.given,
      indexOptions: indexed ? (values.text('index_options') as IndexOptions) : 'none',
      norms: indexed && values.flag('norms'),
      analyzer: values.text('analyzer'),
      searchAnalyzer: values.text('search_analyzer'),
      searchQuoteAnalyzer: values.text('search_quote_analyzer'),
      positionIncrementGap: values.number('position_increment_gap', 100),
    }
  },
  storage: field => ({
    kind: 'tokens',
    indexOptions: field.indexOptions,
    hasNorms: field.norms,
    docValues: 'none',
    analyzer: field.analyzer,
    positionIncrementGap: field.positionIncrementGap,
    isGapGiven: field.parameters.has('position_increment_gap'),
  }),
  addValue(field, ordinal, token, values) {
    if (token !== JSON_TOKENS.null && field.indexed)
      values.addBytes(ordinal, token, OPERATIONS.text, OPERATIONS.scratchText)
  },
  refuseObject: refuseTextObject,
}

function checkAnalyzers(
  name: string,
  given: ReadonlyMap<string, JsonValue>,
  names: AnalysisNames,
): void {
  const analyzer = given.get('analyzer') ?? null
  const searchAnalyzer = given.get('search_analyzer') ?? null
  const quoteAnalyzer = given.get('search_quote_analyzer') ?? null
  if (quoteAnalyzer !== null && (searchAnalyzer === null || analyzer === null))
    throw mapperParsingError(
      `analyzer and search_analyzer on field [${name}] must be set when ` +
        'search_quote_analyzer is set',
    )
  if (searchAnalyzer !== null && analyzer === null)
    throw mapperParsingError(`analyzer on field [${name}] must be set when search_analyzer is set`)
  for (const used of [analyzer, searchAnalyzer, quoteAnalyzer]) {
    if (typeof used === 'string' && !names.hasAnalyzer(used))
      throw mapperParsingError(`analyzer [${used}] has not been configured in mappings`)
  }
}

function checkGap(name: string, given: ReadonlyMap<string, JsonValue>): void {
  if (
    given.has('position_increment_gap') &&
    (given.get('index') === false || (given.get('index_options') ?? 'positions') !== 'positions')
  )
    throw mapperParsingError(
      `Cannot set position_increment_gap on field [${name}] without positions enabled`,
    )
}
