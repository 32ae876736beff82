/** `token_count`: how many tokens an analyzer finds in a text. */
import { JSON_TOKENS } from '../../util/json/json-reader.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import { OPERATIONS } from '../parsed-document.ts'
import type { AnalysisNames, FieldKind } from './field-kind.ts'
import {
  booleanParameter,
  type FieldParameter,
  parameter,
  parseInteger,
  textParameter,
} from './field-parameter.ts'
import { isKept } from './mapped-field.ts'
import type { NumericField } from './numeric-field.ts'
import { docValues, index, meta, store } from './shared-parameters.ts'
import { refuseTextObject } from './text-object.ts'

/** A field of counts of tokens. */
export interface TokenCountField extends NumericField {
  readonly type: 'token_count'
  readonly analyzer: string
  /** Whether positions that the analyzer leaves empty count too. */
  readonly countsPositions: boolean
}

const nullCount: FieldParameter = parameter('null_value', null, node => parseInteger(node))

/** The field type `token_count`. */
export const tokenCount: FieldKind<TokenCountField> = {
  parameters: [
    index,
    docValues,
    store,
    nullCount,
    booleanParameter('enable_position_increments', true),
    textParameter('analyzer', false),
    meta,
  ],
  rules: [checkAnalyzer],
  build: (name, values) => ({
    name,
    type: 'token_count',
    indexed: values.flag('index'),
    parameters: values.given,
    docValues: values.flag('doc_values'),
    ignoreMalformed: false,
    nullValue: values.nullValue,
    analyzer: values.text('analyzer') ?? '',
    countsPositions: values.flag('enable_position_increments'),
  }),
  storage: field => ({
    kind: 'counts',
    indexOptions: 'none',
    hasNorms: false,
    docValues: field.docValues ? 'numeric' : 'none',
    hasPoints: field.indexed,
    analyzer: field.analyzer,
    countsPositions: field.countsPositions,
  }),
  addValue(field, ordinal, token, values) {
    if (!isKept(field)) return
    if (token !== JSON_TOKENS.null) {
      values.addBytes(ordinal, token, OPERATIONS.text, OPERATIONS.scratchText)
      return
    }
    if (field.nullValue === null) return
    values.number.setInteger(Number(field.nullValue))
    values.document.push(OPERATIONS.long, ordinal, values.number.hi, values.number.lo)
  },
  refuseObject: refuseTextObject,
}

function checkAnalyzer(
  name: string,
  given: ReadonlyMap<string, JsonValue>,
  names: AnalysisNames,
): void {
  const analyzer = given.get('analyzer')
  if (typeof analyzer !== 'string')
    throw mapperParsingError(`Analyzer must be set for field [${name}] but wasn't.`)
  if (!names.hasAnalyzer(analyzer))
    throw mapperParsingError(`analyzer [${analyzer}] has not been configured in mappings`)
}
