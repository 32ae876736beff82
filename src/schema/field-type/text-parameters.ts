/** Parameters that the types of analysed text share. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { type JsonNode, jsonEntry } from '../../util/json/json-tree.ts'
import { Float64, type JsonValue } from '../../util/json/json-value.ts'
import { describeNode } from '../json-conversion.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import {
  booleanParameter,
  choiceParameter,
  type FieldParameter,
  parameter,
  parseInteger,
  textParameter,
} from './field-parameter.ts'

/** How much postings keep; offsets are kept by document, beside positions in them. */
export const indexOptions: FieldParameter = choiceParameter('index_options', 'positions', [
  'docs',
  'freqs',
  'positions',
  'offsets',
])
/** Whether lengths of texts count in scores. */
export const norms: FieldParameter = booleanParameter('norms', true, { updateable: true })
/** Vectors of terms by document. */
export const termVector: FieldParameter = choiceParameter('term_vector', 'no', [
  'no',
  'yes',
  'with_offsets',
  'with_positions',
  'with_positions_offsets',
  'with_positions_payloads',
  'with_positions_offsets_payloads',
])
/** The analyzers of a field: of its values, of searches, and of phrases. */
export const ANALYZERS: readonly FieldParameter[] = [
  textParameter('analyzer', false),
  textParameter('search_analyzer', true),
  textParameter('search_quote_analyzer', true),
]

/** Terms that sorts and aggregations would load, by share or number of documents. */
export const fielddataFrequencyFilter: FieldParameter = parameter(
  'fielddata_frequency_filter',
  null,
  node => {
    const name = 'fielddata_frequency_filter'
    checkKeys(node, name, ['min', 'max', 'min_segment_size'])
    const number = (key: string, otherwise: number): Float64 => {
      const value = jsonEntry(node, key)?.value
      const text = value === undefined ? String(otherwise) : describeNode(value)
      const number = Number(text)
      if (text.trim() === '' || !Number.isFinite(number))
        throw new EngineError({
          type: 'number_format_exception',
          reason: `For input string: "${text}"`,
        })
      return new Float64(number)
    }
    const size = jsonEntry(node, 'min_segment_size')?.value
    return new Map<string, JsonValue>([
      ['min', number('min', 0)],
      ['max', number('max', 2147483647)],
      ['min_segment_size', size === undefined ? 0 : parseInteger(size)],
    ])
  },
  { updateable: true },
)

/** Whether beginnings of words are terms of a field of their own, and how long they are. */
export const indexPrefixes: FieldParameter = parameter('index_prefixes', null, node => {
  checkKeys(node, 'index_prefixes', ['min_chars', 'max_chars'])
  const chars = (key: string, otherwise: number): number => {
    const value = jsonEntry(node, key)?.value
    return value === undefined ? otherwise : parseInteger(value)
  }
  const min = chars('min_chars', 2)
  const max = chars('max_chars', 5)
  if (min < 1) throw new IllegalArgumentError(`min_chars [${min}] must be greater than zero`)
  if (max >= 20) throw new IllegalArgumentError(`max_chars [${max}] must be less than 20`)
  if (min > max)
    throw new IllegalArgumentError(`min_chars [${min}] must be less than max_chars [${max}]`)
  return new Map([
    ['min_chars', min],
    ['max_chars', max],
  ])
})

function checkKeys(
  node: JsonNode,
  name: string,
  keys: readonly string[],
): asserts node is Extract<JsonNode, { kind: 'object' }> {
  if (node.kind !== 'object') throw mapperParsingError(`[${name}] must be an object`)
  const unknown = node.entries.filter(({ key }) => !keys.includes(key))
  if (unknown.length > 0)
    throw mapperParsingError(
      `Mapping definition for [${name}] has unsupported parameters:  ` +
        unknown.map(({ key, value }) => `[${key} : ${describeNode(value)}]`).join(' '),
    )
}
