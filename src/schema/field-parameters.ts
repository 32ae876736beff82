/**
 * The parameters of each field type: their order in print, their default, whether a later mapping
 * may change them, and how they are read. What the real API knows and this build does not holds
 * only its default; anything else answers `[⟨parameter⟩] is not supported yet`.
 */
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import type { JsonNode } from '../util/json/json-tree.ts'
import { Float64, type JsonValue } from '../util/json/json-value.ts'
import { compileDateFormat, DEFAULT_DATE_PATTERN } from './date-format.ts'
import type { FieldTypeName } from './field-type.ts'
import { describeNode, isSameJson, nodeToJson } from './json-conversion.ts'

/** One parameter of a field type. */
export interface FieldParameter {
  readonly name: string
  /** As it prints; null: none, the parameter prints only when it was given. */
  readonly default: JsonValue
  readonly updateable: boolean
  /** Printed when given, even with its default. */
  readonly printsDefault: boolean
  /**
   * @returns the value as it prints
   * @throws {EngineError} not a value of the parameter
   */
  readonly parse: (node: JsonNode, field: string, type: string) => JsonValue
}

/** What field types there are that this build does not have. */
export const TYPES_NOT_SUPPORTED: ReadonlySet<string> = new Set(
  (
    'alias binary completion constant_keyword date_nanos date_range derived double_range ' +
    'flat_object float_range geo_point geo_shape integer_range ip ip_range join knn_vector ' +
    'long_range match_only_text nested percolator rank_feature rank_features search_as_you_type ' +
    'semantic_version token_count unsigned_long version wildcard xy_point xy_shape'
  ).split(' '),
)

function mapperError(reason: string): EngineError {
  return new EngineError({ type: 'mapper_parsing_exception', reason })
}

/** True or false, also as text. */
export function parseBoolean(node: JsonNode, name: string): boolean {
  if (node.kind === 'boolean') return node.value
  const text = describeNode(node)
  if (text === 'true') return true
  if (text === 'false') return false
  throw new IllegalArgumentError(
    `Failed to parse value [${text}] as only [true] or [false] are allowed.`,
    { extra: { parameter: name } },
  )
}

function parseInteger(node: JsonNode): number {
  const text = describeNode(node)
  if (!/^-?\d{1,10}$/.test(text) || Math.abs(Number(text)) > 2147483647)
    throw new EngineError({
      type: 'number_format_exception',
      reason: `For input string: "${text}"`,
    })
  return Number(text)
}

function parameter(
  name: string,
  value: JsonValue,
  parse: FieldParameter['parse'],
  options: { updateable?: boolean; printsDefault?: boolean } = {},
): FieldParameter {
  return {
    name,
    default: value,
    updateable: options.updateable ?? false,
    printsDefault: options.printsDefault ?? false,
    parse,
  }
}

const booleanParameter = (
  name: string,
  value: boolean,
  options: { updateable?: boolean; printsDefault?: boolean } = {},
): FieldParameter => parameter(name, value, node => parseBoolean(node, name), options)

/** Text that is none of the other kinds. */
const textParameter = (name: string, updateable: boolean): FieldParameter =>
  parameter(name, null, node => describeNode(node), { updateable })

const integerParameter = (
  name: string,
  value: number,
  min: number,
  updateable: boolean,
): FieldParameter =>
  parameter(
    name,
    value,
    node => {
      const number = parseInteger(node)
      if (number < min) throw new IllegalArgumentError(`[${name}] must be at least ${min}`)
      return number
    },
    { updateable },
  )

const choiceParameter = (
  name: string,
  value: string,
  choices: readonly string[],
  notYet: readonly string[] = [],
): FieldParameter =>
  parameter(name, value, (node, field) => {
    const text = describeNode(node)
    if (choices.includes(text)) return text
    if (notYet.includes(text)) throw notSupported(`${name}: ${text}`)
    throw mapperError(
      `Unknown value [${text}] for field [${name}] - accepted values are ` +
        `[${[...choices, ...notYet].join(', ')}] (field [${field}])`,
    )
  })

/** A parameter of the real API whose default is all that this build does. */
const defaultOnly = (name: string, value: JsonValue): FieldParameter =>
  parameter(name, value, node => {
    const given = nodeToJson(node)
    if (isSameJson(given, value) || describeNode(node) === String(value)) return value
    throw notSupported(name)
  })

function notSupported(key: string): IllegalArgumentError {
  return new IllegalArgumentError(`[${key}] is not supported yet`)
}

const similarity = parameter('similarity', null, (node, field) => {
  const name = describeNode(node)
  if (name === 'BM25' || name === 'default') return name
  if (name === 'boolean') throw notSupported('similarity: boolean')
  throw mapperError(`Unknown Similarity type [${name}] for field [${field}]`)
})

const boost = parameter('boost', new Float64(1), node => {
  if (Number(describeNode(node)) === 1) return new Float64(1)
  throw notSupported('boost')
})

const meta = parameter(
  'meta',
  null,
  (node, field) => {
    if (node.kind !== 'object')
      throw mapperError(`[meta] must be an object, got ${javaKind(node)} for field [${field}]`)
    if (node.entries.length > 5)
      throw mapperError(
        `[meta] can't have more than 5 entries, but got ${node.entries.length} on field [${field}]`,
      )
    for (const { key, value } of node.entries) {
      if (key.length > 20)
        throw mapperError(
          `[meta] keys can't be longer than 20 chars, but got [${key}] for field [${field}]`,
        )
      if (value.kind !== 'string')
        throw mapperError(
          `[meta] values can only be strings, but got ${javaKind(value)}[${describeNode(value)}] ` +
            `for field [${field}]`,
        )
      if (value.value.length > 50)
        throw mapperError(
          `[meta] values can't be longer than 50 chars, but got [${value.value}] ` +
            `for field [${field}]`,
        )
    }
    return nodeToJson(node, true)
  },
  { updateable: true },
)

function javaKind(node: JsonNode): string {
  return node.kind === 'number' ? 'Number' : node.kind.charAt(0).toUpperCase() + node.kind.slice(1)
}

const nullValue = parameter('null_value', null, node => {
  if (node.kind === 'object' || node.kind === 'array')
    throw mapperError(`[null_value] must be a single value, got [${describeNode(node)}]`)
  return nodeToJson(node)
})

const index = booleanParameter('index', true)
const docValues = booleanParameter('doc_values', true)
const store = defaultOnly('store', false)
const ignoreMalformed = booleanParameter('ignore_malformed', false, {
  updateable: true,
  printsDefault: true,
})
const coerce = booleanParameter('coerce', true, { updateable: true, printsDefault: true })
const skipList = booleanParameter('skip_list', false)

const KEYWORD: readonly FieldParameter[] = [
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
]

const TEXT: readonly FieldParameter[] = [
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
  parameter('fielddata_frequency_filter', null, () => {
    throw notSupported('fielddata_frequency_filter')
  }),
  booleanParameter('eager_global_ordinals', false, { updateable: true }),
  defaultOnly('index_phrases', false),
  parameter('index_prefixes', null, () => {
    throw notSupported('index_prefixes')
  }),
  boost,
  meta,
]

const NUMBER: readonly FieldParameter[] = [
  index,
  docValues,
  store,
  skipList,
  ignoreMalformed,
  coerce,
  nullValue,
  boost,
  meta,
]

const SCALED_FLOAT: readonly FieldParameter[] = [
  index,
  docValues,
  store,
  skipList,
  ignoreMalformed,
  nullValue,
  meta,
  parameter('scaling_factor', null, node => {
    const text = describeNode(node)
    const value = Number(text)
    if (text.trim() === '' || Number.isNaN(value))
      throw new EngineError({
        type: 'number_format_exception',
        reason: `For input string: "${text}"`,
      })
    if (!(value > 0) || !Number.isFinite(value))
      throw new IllegalArgumentError(
        `[scaling_factor] must be a positive number, got [${javaDouble(value)}]`,
      )
    return new Float64(value)
  }),
  parameter('coerce', true, node => parseBoolean(node, 'coerce'), {
    updateable: true,
    printsDefault: true,
  }),
  boost,
]

const BOOLEAN: readonly FieldParameter[] = [
  index,
  docValues,
  store,
  nullValue,
  ignoreMalformed,
  skipList,
  boost,
  meta,
]

const DATE: readonly FieldParameter[] = [
  index,
  docValues,
  store,
  skipList,
  parameter('format', DEFAULT_DATE_PATTERN, (node, field) => {
    const pattern = describeNode(node)
    try {
      compileDateFormat(pattern)
    } catch (error) {
      const reason = error instanceof EngineError ? error.message : String(error)
      throw mapperError(`Error parsing [format] on field [${field}]: ${reason}`)
    }
    return pattern
  }),
  parameter('print_format', null, () => {
    throw notSupported('print_format')
  }),
  parameter('locale', null, node => {
    const locale = describeNode(node)
    if (/^(root|en([_-]US)?)?$/i.test(locale)) return locale
    throw notSupported(`locale: ${locale}`)
  }),
  nullValue,
  ignoreMalformed,
  boost,
  meta,
]

const PARAMETERS: ReadonlyMap<string, readonly FieldParameter[]> = new Map([
  ['text', TEXT],
  ['keyword', KEYWORD],
  ...['long', 'integer', 'short', 'byte', 'double', 'float', 'half_float'].map(
    type => [type, NUMBER] as const,
  ),
  ['scaled_float', SCALED_FLOAT],
  ['boolean', BOOLEAN],
  ['date', DATE],
])

/** The type's parameters in print order, null when there is no such type. */
export function fieldParameters(type: string): readonly FieldParameter[] | null {
  return PARAMETERS.get(type) ?? null
}

/** Narrows a type's name once it is known to have parameters. */
export function isFieldTypeName(type: string): type is FieldTypeName {
  return PARAMETERS.has(type)
}

/** A double as Java prints it in messages. */
function javaDouble(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}
