/** From a field's given parameters to what it means, defaults filled in. */
import { EngineError } from '../util/errors.ts'
import { Float64, type JsonValue } from '../util/json/json-value.ts'
import { compileDateFormat, DEFAULT_DATE_PATTERN } from './date-format.ts'
import type { FieldParameter } from './field-parameters.ts'
import type { FieldType, FieldTypeName, IndexOptions } from './field-type.ts'
import type { MappingLimits } from './mapping.ts'
import { NumberParser } from './number-parser.ts'

/**
 * A field from its given parameters, the others at their defaults.
 * @param limits hold the index's defaults of `coerce` and `ignore_malformed`
 */
export function buildField(
  name: string,
  type: FieldTypeName,
  known: readonly FieldParameter[],
  given: ReadonlyMap<string, JsonValue>,
  copyTo: readonly string[],
  multiFields: readonly FieldType[],
  limits: MappingLimits,
): FieldType {
  const value = (key: string): JsonValue => {
    const explicit = given.get(key)
    if (explicit !== undefined) return explicit
    return known.find(parameter => parameter.name === key)?.default ?? null
  }
  const text = (key: string): string | null => {
    const found = value(key)
    return typeof found === 'string' ? found : null
  }
  const flag = (key: string): boolean => value(key) === true
  const number = (key: string, otherwise: number): number => {
    const found = value(key)
    if (found instanceof Float64) return found.value
    return typeof found === 'number' ? found : otherwise
  }
  const indexed = flag('index')
  const hasTerms = indexed && (type === 'text' || type === 'keyword' || type === 'boolean')
  const indexOptions = hasTerms ? ((text('index_options') ?? 'docs') as IndexOptions) : 'none'
  const format = type === 'date' ? compileDateFormat(text('format') ?? DEFAULT_DATE_PATTERN) : null
  const coerceGiven = given.get('coerce')
  const malformedGiven = given.get('ignore_malformed')
  const knows = (key: string): boolean => known.some(parameter => parameter.name === key)
  const field: FieldType = {
    name,
    type,
    indexed,
    docValues: flag('doc_values'),
    stored: flag('store'),
    indexOptions,
    norms: hasTerms && flag('norms'),
    analyzer: text('analyzer'),
    searchAnalyzer: text('search_analyzer'),
    searchQuoteAnalyzer: text('search_quote_analyzer'),
    positionIncrementGap: number('position_increment_gap', 100),
    normalizer: text('normalizer'),
    ignoreAbove: number('ignore_above', 2147483647),
    useSimilarity: flag('use_similarity'),
    splitQueriesOnWhitespace: flag('split_queries_on_whitespace'),
    coerce: knows('coerce') && (coerceGiven === undefined ? limits.coerce : coerceGiven === true),
    ignoreMalformed:
      knows('ignore_malformed') &&
      (malformedGiven === undefined ? limits.ignoreMalformed : malformedGiven === true),
    nullValue: null,
    format,
    scalingFactor: number('scaling_factor', 1),
    copyTo,
    multiFields,
    parameters: given,
  }
  return { ...field, nullValue: nullValueText(field, value('null_value')) }
}

/**
 * The null value as it would be written in a document.
 * @throws {EngineError} a number that is none; a bad date is passed over, as in the real server
 */
function nullValueText(field: FieldType, value: JsonValue): string | null {
  if (value === null) return null
  const text = value instanceof Float64 ? javaNumber(value.value) : String(value)
  if (field.type === 'keyword') return text
  const parser = new NumberParser()
  if (field.type === 'date') return parser.parseText({ ...field, coerce: true }, text) ? text : null
  if (!parser.parseText({ ...field, coerce: true }, text))
    throw new EngineError({ type: 'mapper_parsing_exception', reason: parser.problem })
  return text
}

function javaNumber(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}
