/** `sort` and `search_after`: read, resolved for an index, and printed. */
import type { FieldType } from '../../schema/field-type.ts'
import type { SortKey, SortMode, SortValue } from '../../search/collector/sort-key.ts'
import {
  decodePoint,
  encodePoint,
  highHalf,
  lowHalf,
  MAX_LONG,
  MIN_LONG,
} from '../../search/query/point-value.ts'
import { decodeUtf8, encodeUtf8 } from '../../util/bytes.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry, JsonNode } from '../../util/json/json-tree.ts'
import { Float32, Float64, type JsonValue } from '../../util/json/json-value.ts'
import { encodingOf, pointValue } from './field-values.ts'
import { readText, scalarText } from './json-scalars.ts'
import { contentError, notSupportedYet, parsingError } from './parse-error.ts'
import { type QueryContext, shardError } from './query-context.ts'

/** One level of a sort as the request gives it. */
export interface ParsedSort {
  readonly field: string
  readonly order: 'asc' | 'desc'
  /** `_first`, `_last` or a value. */
  readonly missing: string
  readonly mode: SortMode | null
  readonly unmappedType: string | null
  readonly numericType: string | null
}

/** One level of a sort for an index: what is collected, and of which field its values are. */
export interface ResolvedSort {
  readonly key: SortKey
  /** Null for `_score`, `_doc` and fields that the index lacks. */
  readonly field: FieldType | null
}

/** Reads `sort`: a name, an object, or a list of them. */
export function parseSort(node: JsonNode): ParsedSort[] {
  if (node.kind === 'array') return node.items.flatMap(parseLevel)
  return parseLevel(node)
}

/** A level without options; `order` null is the field's usual one. */
export function plainSort(field: string, order: 'asc' | 'desc' | null): ParsedSort {
  return {
    field,
    order: order ?? (field === '_score' ? 'desc' : 'asc'),
    missing: '_last',
    mode: null,
    unmappedType: null,
    numericType: null,
  }
}

function parseLevel(node: JsonNode): ParsedSort[] {
  if (node.kind === 'string') return [checked(plainSort(node.value, null))]
  if (node.kind !== 'object')
    throw new IllegalArgumentError(
      'malformed sort format, either start with array, object, or an actual string',
    )
  return node.entries.map(({ key, value }) => {
    if (value.kind === 'string') return checked(plainSort(key, orderOf(value.value)))
    if (value.kind !== 'object')
      throw new IllegalArgumentError(
        'malformed sort format, within the sort array, an object, or an actual string are allowed',
      )
    let level = plainSort(key, null)
    for (const entry of value.entries) level = withOption(level, entry)
    return checked(level)
  })
}

const NOT_YET: ReadonlySet<string> = new Set(['_geo_distance', '_script', '_shard_doc'])

function checked(level: ParsedSort): ParsedSort {
  if (NOT_YET.has(level.field)) throw notSupportedYet(level.field)
  return level
}

function withOption(level: ParsedSort, entry: JsonEntry): ParsedSort {
  const { key, value } = entry
  switch (key) {
    case 'order':
      return { ...level, order: orderOf(readText(value)) }
    case 'missing':
      return { ...level, missing: readText(value) }
    case 'mode':
      return { ...level, mode: modeOf(readText(value)) }
    case 'unmapped_type':
      return { ...level, unmappedType: readText(value) }
    case 'numeric_type': {
      const type = readText(value)
      if (!['long', 'double', 'date', 'date_nanos'].includes(type))
        throw new IllegalArgumentError(
          `invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${type}`,
        )
      return { ...level, numericType: type }
    }
    case 'nested':
    case 'nested_path':
    case 'nested_filter':
      throw notSupportedYet(key)
    default:
      throw contentError(entry, `[field_sort] unknown field [${key}]`)
  }
}

function orderOf(text: string): 'asc' | 'desc' {
  const lower = text.toLowerCase()
  if (lower === 'asc' || lower === 'desc') return lower
  throw new IllegalArgumentError(`Unknown SortOrder [${text}]`)
}

function modeOf(text: string): SortMode {
  const lower = text.toLowerCase()
  if (['min', 'max', 'sum', 'avg', 'median'].includes(lower)) return lower as SortMode
  throw new IllegalArgumentError(`Unknown SortMode [${text}]`)
}

/**
 * The levels for an index; null where hits stand by score alone, which is no sort.
 * @throws {EngineError} fields that cannot be sorted by
 */
export function resolveSort(
  levels: readonly ParsedSort[],
  context: QueryContext,
): readonly ResolvedSort[] | null {
  const [only] = levels
  if (only === undefined) return null
  if (levels.length === 1 && only.field === '_score' && only.order === 'desc') return null
  return levels.map(level => resolveLevel(level, context))
}

function resolveLevel(level: ParsedSort, context: QueryContext): ResolvedSort {
  const descending = level.order === 'desc'
  if (level.field === '_score') return { key: { kind: 'score', descending }, field: null }
  if (level.field === '_doc') return { key: { kind: 'doc', descending }, field: null }
  const field = context.mapping.field(level.field)
  if (field === null) {
    if (level.unmappedType === null)
      throw shardError(`No mapping found for [${level.field}] in order to sort on`)
    return unmappedLevel(level, level.unmappedType)
  }
  if (field.type === 'text')
    throw new IllegalArgumentError(
      'Text fields are not optimised for operations that require per-document field data like ' +
        'aggregations and sorting, so these operations are disabled by default. Please use a ' +
        `keyword field instead. Alternatively, set fielddata=true on [${field.name}] in order to ` +
        'load field data by uninverting the inverted index. Note that this can use significant ' +
        'memory.',
    )
  if (!field.docValues)
    throw new IllegalArgumentError(
      `Can't load fielddata on [${field.name}] because fielddata is unsupported on fields of type ` +
        `[${field.type}]. Use doc values instead.`,
    )
  if (field.type === 'keyword') return { key: keywordKey(level, field), field }
  const encoding = encodingOf(field) ?? 'long'
  const natural = encoding === 'long' && field.type !== 'scaled_float' ? 'long' : 'double'
  if (
    level.numericType !== null &&
    level.numericType !== natural &&
    level.numericType !== field.type
  )
    throw notSupportedYet('numeric_type')
  const mode = level.mode ?? (descending ? 'max' : 'min')
  const missing = missingNumber(level, field)
  const { name, scalingFactor: scale } = field
  return {
    key: { kind: 'number', field: name, encoding, scale, descending, missing, mode },
    field,
  }
}

function keywordKey(level: ParsedSort, field: FieldType): SortKey {
  const { mode, missing } = level
  const descending = level.order === 'desc'
  if (level.numericType !== null)
    throw shardError(
      `[numeric_type] option cannot be set on a non-numeric field, got ${field.type}`,
    )
  if (mode !== null && mode !== 'min' && mode !== 'max')
    throw shardError('we only support AVG, MEDIAN and SUM on number based fields')
  return {
    kind: 'keyword',
    field: field.name,
    descending,
    missing: missing === '_first' ? 'first' : missing === '_last' ? 'last' : encodeUtf8(missing),
    mode: mode ?? (descending ? 'max' : 'min'),
  }
}

function missingNumber(level: ParsedSort, field: FieldType): bigint {
  const isLast = level.missing === '_last'
  if (!isLast && level.missing !== '_first') return pointValue(field, level.missing)
  const isHigh = isLast === (level.order === 'asc')
  const encoding = encodingOf(field) ?? 'long'
  if (encoding === 'long') return isHigh ? MAX_LONG : MIN_LONG
  return encodePoint(isHigh ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY, encoding)
}

function unmappedLevel(level: ParsedSort, type: string): ResolvedSort {
  const descending = level.order === 'desc'
  if (type === 'keyword') {
    const missing = level.missing === '_first' ? 'first' : 'last'
    const key: SortKey = { kind: 'keyword', field: level.field, descending, missing, mode: 'min' }
    return { key, field: null }
  }
  const isHigh = (level.missing !== '_first') === !descending
  const missing = isHigh ? MAX_LONG : MIN_LONG
  const { field } = level
  return {
    key: { kind: 'number', field, encoding: 'long', scale: 1, descending, missing, mode: 'min' },
    field: null,
  }
}

/**
 * The values of `search_after` for an index's sort.
 * @throws {IllegalArgumentError} their number or a value does not fit
 */
export function resolveSearchAfter(
  values: readonly JsonNode[],
  levels: readonly ParsedSort[],
  sort: readonly ResolvedSort[] | null,
): SortValue[] {
  if (levels.length === 0) throw new IllegalArgumentError('Sort must contain at least one field.')
  if (values.length !== levels.length)
    throw new IllegalArgumentError(
      `search_after has ${values.length} value(s) but sort has ${levels.length}.`,
    )
  return values.map((value, i) => {
    const name = levels[i]?.field ?? ''
    const level = sort?.[i] ?? { key: { kind: 'score', descending: true } as const, field: null }
    try {
      return afterValue(value, level)
    } catch (error) {
      throw new IllegalArgumentError(`Failed to parse search_after value for field [${name}].`, {
        causedBy: { type: 'illegal_argument_exception', reason: String(error) },
      })
    }
  })
}

function afterValue(node: JsonNode, { key, field }: ResolvedSort): SortValue {
  if (node.kind === 'null') return null
  const text = scalarText(node)
  if (text === null) throw parsingError(node, 'Expected a value in [search_after]')
  switch (key.kind) {
    case 'score':
      return Math.fround(finite(text))
    case 'doc':
      return finite(text)
    case 'keyword':
      return encodeUtf8(text)
    case 'number':
      if (/^[+-]?Infinity$/.test(text) && key.encoding !== 'long')
        return encodePoint(Number(text), key.encoding)
      if (field?.type === 'scaled_float' && /Infinity$/.test(text))
        return text.startsWith('-') ? MIN_LONG : MAX_LONG
      // Sort values print as plain longs: dates in milliseconds, booleans as 0 and 1.
      if (key.encoding === 'long' && field?.type !== 'scaled_float' && /^[+-]?\d+$/.test(text))
        return BigInt(text)
      if (field === null) throw new IllegalArgumentError(`For input string: "${text}"`)
      return pointValue(field, text)
  }
}

function finite(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value))
    throw new IllegalArgumentError(`For input string: "${text}"`)
  return value
}

/** A hit's sort value as it prints. */
export function printSortValue(value: SortValue, { key, field }: ResolvedSort): JsonValue {
  if (value === null) return null
  if (value instanceof Uint8Array) return decodeUtf8(value)
  if (typeof value === 'number') return key.kind === 'score' ? new Float32(value) : value
  if (key.kind !== 'number') return Number(value)
  if (field?.type === 'scaled_float') {
    if (value === MAX_LONG) return 'Infinity'
    return value === MIN_LONG ? '-Infinity' : new Float64(Number(value) / field.scalingFactor)
  }
  if (key.encoding === 'long') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value
  }
  const number = decodePoint(highHalf(value), lowHalf(value), key.encoding)
  if (Number.isFinite(number)) return new Float64(number)
  return number > 0 ? 'Infinity' : '-Infinity'
}
