/** `sort` and `search_after`: read, resolved for an index, and printed. */
import { isFieldTypeName } from '../../schema/field-type/field-types.ts'
import type { AfterValue, SortKey, SortMode } from '../../search/sort/sort-key.ts'
import { assert } from '../../util/assert.ts'
import { IllegalArgumentError, toErrorRecord } from '../../util/errors.ts'
import {
  type JsonEntry,
  type JsonNode,
  type JsonObjectNode,
  jsonEntry,
} from '../../util/json/json-tree.ts'
import { Float32 } from '../../util/json/json-value.ts'
import { DISTANCE_OPTIONS, distanceSort, parseDistanceSort } from './distance-sort.ts'
import { fieldSearch, searchedField } from './field/field-searches.ts'
import { maskedField } from './field/masked-field.ts'
import { notNumber } from './field/number-after.ts'
import type { ParsedNestedSort, ParsedSort, ResolvedSort } from './field/sort-level.ts'
import { readText } from './json-scalars.ts'
import { nestedValues, parseNestedSort } from './nested-sort.ts'
import { fieldError, unknownField } from './parse-error.ts'
import { parseQuery } from './query/parse-query.ts'
import { type QueryContext, shardError } from './query-context.ts'
import { parseScriptSort, SCRIPT_SORT_OPTIONS, scriptSort } from './script-sort.ts'

/** Reads `sort`: a name, an object, or a list of them. */
export function parseSort(node: JsonNode): ParsedSort[] {
  if (node.kind === 'array') return node.items.flatMap(item => parseLevel(item, IN_ARRAY))
  return parseLevel(node, 'either start with array, object, or an actual string')
}

/** What stands in a list of levels. */
const IN_ARRAY = 'within the sort array, an object, or an actual string are allowed'

/** A level without options; `order` null is the field's usual one. */
export function plainSort(field: string, order: 'asc' | 'desc' | null): ParsedSort {
  return {
    field,
    order: order ?? (field === '_score' ? 'desc' : 'asc'),
    missing: '_last',
    isMissingNumber: false,
    mode: null,
    unmappedType: null,
    numericType: null,
    distance: null,
    script: null,
    nested: null,
  }
}

/** @param allowed what may stand there, for the error */
function parseLevel(node: JsonNode, allowed: string): ParsedSort[] {
  if (node.kind === 'string') return [plainSort(node.value, null)]
  if (node.kind !== 'object') throw new IllegalArgumentError(`malformed sort format, ${allowed}`)
  return node.entries.map(({ key, value }) => {
    if (value.kind === 'string') return plainSort(key, orderOf(value.value))
    if (value.kind !== 'object')
      throw new IllegalArgumentError(`malformed sort format, ${IN_ARRAY}`)
    const distance = DISTANCE_KEYS.has(key) ? parseDistanceSort(value) : null
    const script = key === '_script' ? parseScriptSort(value) : null
    let level = plainSort(key, null)
    for (const entry of value.entries)
      if (isOption(entry.key, distance, script)) level = withOption(level, entry, distance !== null)
    const older = oldNested(value)
    const nested = level.nested ?? older
    return { ...level, distance, script, nested }
  })
}

const DISTANCE_KEYS: ReadonlySet<string> = new Set(['_geo_distance', '_geoDistance'])

/** Whether a key is one of any level, and none of a distance or a script. */
function isOption(
  key: string,
  distance: ParsedSort['distance'],
  script: ParsedSort['script'],
): boolean {
  if (distance !== null) return DISTANCE_OPTIONS.has(key)
  return script === null || SCRIPT_SORT_OPTIONS.has(key)
}

/** The options of a level, each with what reads it; an `EngineError` of 400 where it is no such value. */
export const SORT_OPTIONS: {
  readonly [key: string]: (level: ParsedSort, value: JsonNode) => ParsedSort
} = {
  order: (level, value) => ({ ...level, order: orderOf(readText(value)) }),
  missing: (level, value) => ({
    ...level,
    missing: readText(value),
    isMissingNumber: value.kind === 'number',
  }),
  mode: (level, value) => ({ ...level, mode: modeOf(readText(value)) }),
  unmapped_type: (level, value) => ({ ...level, unmappedType: readText(value) }),
  numeric_type: (level, value) => ({ ...level, numericType: numericTypeOf(readText(value)) }),
  nested: (level, value) => ({ ...level, nested: parseNestedSort(value) }),
  // The two make one value, which `oldNested` reads.
  nested_path: level => level,
  nested_filter: level => level,
}

/** Distances alone are not read by a declarative parser, which wraps an error in the name of its option. */
function withOption(level: ParsedSort, entry: JsonEntry, isDistance: boolean): ParsedSort {
  const { key, value } = entry
  const parser = PARSERS.get(level.field) ?? FIELD_PARSER
  if (!parser.options.includes(key)) {
    throw unknownField(entry, parser.name, parser.options)
  }
  const read = SORT_OPTIONS[key]!
  if (isDistance) return read(level, value)
  try {
    return read(level, value)
  } catch (error) {
    throw fieldError(value, parser.name, key, error)
  }
}

/** What reads the options of a level. */
interface LevelParser {
  readonly name: string
  readonly options: readonly string[]
}

const FIELD_PARSER: LevelParser = { name: 'field_sort', options: Object.keys(SORT_OPTIONS) }

/** By the name of the level. */
const PARSERS: ReadonlyMap<string, LevelParser> = new Map([
  ['_score', { name: '_score', options: ['order'] }],
  ['_shard_doc', { name: '_shard_doc', options: ['order'] }],
  ['_script', { name: '_script', options: Object.keys(SORT_OPTIONS) }],
])

function numericTypeOf(text: string): string {
  const type = text.toLowerCase()
  if (['long', 'double', 'date', 'date_nanos'].includes(type)) return type
  throw new IllegalArgumentError(
    `invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${type}`,
  )
}

/** The older form of `nested`, as keys of the level; a filter without a path says nothing. */
function oldNested(node: JsonObjectNode): ParsedNestedSort | null {
  const path = jsonEntry(node, 'nested_path')?.value ?? null
  const filter = jsonEntry(node, 'nested_filter')?.value ?? null
  if (path === null && filter === null) return null
  if ((jsonEntry(node, 'nested') ?? null) !== null)
    throw new IllegalArgumentError('Setting both nested_path/nested_filter and nested not allowed')
  const parsed = filter === null ? null : parseQuery(filter)
  if (path === null) return null
  return { path: readText(path), filter: parsed, maxChildren: Infinity, inner: null }
}

function orderOf(text: string): 'asc' | 'desc' {
  const lower = text.toLowerCase()
  if (lower === 'asc' || lower === 'desc') return lower
  throw new IllegalArgumentError(
    `No enum constant org.opensearch.search.sort.SortOrder.${text.toUpperCase()}`,
  )
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

type ResolveLevel = (level: ParsedSort, context: QueryContext) => ResolvedSort

/** Levels that are by no field of their name, by that name. */
export const NAMED_SORTS: ReadonlyMap<string, ResolveLevel> = new Map<string, ResolveLevel>([
  ['_score', ({ order }) => scoreLevel(order === 'desc')],
  ['_doc', ({ order }) => docLevel({ kind: 'doc', descending: order === 'desc' })],
  // Each shard's search adds its own base.
  ['_shard_doc', ({ order }) => docLevel({ kind: 'doc', descending: order === 'desc', base: 0 })],
  ['_script', byScript],
  ['_geo_distance', byDistance],
  ['_geoDistance', byDistance],
])

function resolveLevel(level: ParsedSort, context: QueryContext): ResolvedSort {
  return (NAMED_SORTS.get(level.field) ?? byField)(level, context)
}

function byScript(level: ParsedSort, context: QueryContext): ResolvedSort {
  const { script, nested } = level
  // The name alone is that of a field, which no index has.
  if (script === null) return byField(level, context)
  const resolved = scriptSort(level, script, context)
  return nested === null ? resolved : withNested(resolved, level, nested, context)
}

function byDistance(level: ParsedSort, context: QueryContext): ResolvedSort {
  const { distance, nested } = level
  if (distance === null) return byField(level, context)
  const resolved = distanceSort(level, distance, context)
  return nested === null ? resolved : withNested(resolved, level, nested, context)
}

function byField(level: ParsedSort, context: QueryContext): ResolvedSort {
  const { nested } = level
  const field = searchedField(level.field, context)
  if (field === null) {
    const masked = maskedSort(level, context)
    if (masked !== null) return masked
    if (level.unmappedType === null)
      throw shardError(`No mapping found for [${level.field}] in order to sort on`)
    const absent = { ...level, field: context.absentName(level.field) }
    return unmappedLevel(absent, level.unmappedType)
  }
  const resolved = fieldSearch(field.type).sort(field, level)
  return nested === null ? resolved : withNested(resolved, level, nested, context)
}

/** A level by the terms of a masked field, in whose order hits stand; null: the level names none that has terms. */
function maskedSort(level: ParsedSort, context: QueryContext): ResolvedSort | null {
  const masked = maskedField(level.field, context)
  if (masked === null || level.nested !== null) return null
  const { field, mask } = masked
  const sorted = fieldSearch(field.type).sort(field, level)
  return {
    ...sorted,
    // Values to search after would tell which terms are greater.
    read() {
      throw new IllegalArgumentError(
        `[search_after] with the masked field [${level.field}] is not supported yet`,
      )
    },
    print(value) {
      const printed = sorted.print(value)
      return typeof printed === 'string' ? mask.apply(printed) : printed
    },
  }
}

/** A level whose values are those of nested documents; one without values by document stays as it is. */
function withNested(
  resolved: ResolvedSort,
  { mode }: ParsedSort,
  parsed: ParsedNestedSort,
  context: QueryContext,
): ResolvedSort {
  const nested = nestedValues(parsed, context)
  const { key } = resolved
  if (mode === 'median') throw new IllegalArgumentError('Unsupported sort mode: MEDIAN')
  switch (key.kind) {
    case 'number':
    case 'keyword':
    case 'distance':
    case 'scriptNumber':
    case 'scriptText':
      return { ...resolved, key: { ...key, nested } }
    case 'score':
    case 'doc':
    case 'constant':
    case 'id':
      return resolved
  }
}

/** @throws {IllegalArgumentError} there is no such type */
function unmappedLevel(level: ParsedSort, name: string): ResolvedSort {
  // The name that keywords had.
  const type = name === 'string' ? 'keyword' : name
  if (isFieldTypeName(type)) return fieldSearch(type).unmappedSort(level)
  throw new IllegalArgumentError(`No mapper found for type [${type}]`)
}

function scoreLevel(descending: boolean): ResolvedSort {
  return {
    key: { kind: 'score', descending },
    read: text => Math.fround(finite(text)),
    print: value => new Float32(Number(value)),
  }
}

function docLevel(key: Extract<SortKey, { kind: 'doc' }>): ResolvedSort {
  return { key, read: finite, print: Number }
}

/**
 * The levels with which every hit of a shard has a position of its own: those of the sort, or the score,
 * and the document where none of them is it.
 */
export function totalOrder(sort: readonly ResolvedSort[] | null): readonly ResolvedSort[] {
  const levels = sort ?? [scoreLevel(true)]
  const isTotal = levels.some(({ key }) => key.kind === 'doc')
  return isTotal ? levels : [...levels, docLevel({ kind: 'doc', descending: false })]
}

/**
 * The values of `search_after` for an index's sort.
 * @param sort null: by score, the best first. Hits so sorted print no sort values to go on from.
 * @throws {IllegalArgumentError} no sort; their number or a value does not fit
 */
export function resolveSearchAfter(
  values: readonly JsonNode[],
  levels: readonly ParsedSort[],
  sort: readonly ResolvedSort[] | null,
): AfterValue[] {
  if (sort === null) throw new IllegalArgumentError('Sort must contain at least one field.')
  if (values.length !== levels.length)
    throw new IllegalArgumentError(
      `search_after has ${values.length} value(s) but sort has ${levels.length}.`,
    )
  return values.map((value, i) => {
    const name = levels[i]?.distance?.field ?? levels[i]?.field ?? ''
    const level = sort[i]
    assert(level !== undefined, 'a level is resolved for each that was asked for')
    try {
      return afterValue(value, level)
    } catch (error) {
      throw new IllegalArgumentError(`Failed to parse search_after value for field [${name}].`, {
        causedBy: toErrorRecord(error),
      })
    }
  })
}

function afterValue(node: JsonNode, level: ResolvedSort): AfterValue {
  if (node.kind === 'null') return null
  return level.read(readText(node), node.kind === 'number')
}

function finite(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw notNumber(text)
  return value
}
