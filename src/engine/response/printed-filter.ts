/**
 * Filters of aliases with their defaults written out, as the real server prints the queries that it has
 * read. The kinds that filters are made of are written out; others print as they were given.
 */
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import { Float32, type JsonMap, type JsonValue } from '../../util/json/json-value.ts'
import { jsonValueOf } from '../../util/json/json-writer.ts'

/** Filters of which a document meets one. @param filters min one */
export function printFilters(filters: readonly JsonObjectNode[]): JsonValue {
  const [only] = filters
  if (filters.length === 1 && only !== undefined) return printQuery(only)
  return map(
    'bool',
    map('should', filters.map(printQuery), 'adjust_pure_negative', true, 'boost', ONE),
  )
}

const ONE = new Float32(1)

type Printer = (body: JsonObjectNode) => JsonMap

const PRINTERS: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ['match_all', body => map('boost', boostOf(body))],
  ['exists', body => withBoost(body, keep(body, 'field'))],
  ['term', body => byField(body, 'value', ['case_insensitive'])],
  ['prefix', body => byField(body, 'value', ['rewrite', 'case_insensitive'])],
  ['wildcard', body => byField(body, 'wildcard', ['rewrite', 'case_insensitive'])],
  ['terms', body => withBoost(body, others(body, 'boost', '_name'))],
  ['range', printRange],
  ['bool', printBool],
])

/** Depth is bounded by the reader of the alias. */
function printQuery(query: JsonNode): JsonValue {
  const entry = query.kind === 'object' ? query.entries[0] : undefined
  if (entry === undefined || entry.value.kind !== 'object') return jsonValueOf(query)
  const print = PRINTERS.get(entry.key)
  return print === undefined ? jsonValueOf(query) : map(entry.key, print(entry.value))
}

function printBool(body: JsonObjectNode): JsonMap {
  const printed = new Map<string, JsonValue>()
  for (const occur of ['must', 'filter', 'must_not', 'should']) {
    const clauses = find(body, occur)
    if (clauses === null || clauses.kind === 'null') continue
    const items = clauses.kind === 'array' ? clauses.items : [clauses]
    if (items.length > 0) printed.set(occur, items.map(printQuery))
  }
  const adjusts = find(body, 'adjust_pure_negative')
  printed.set('adjust_pure_negative', adjusts === null ? true : jsonValueOf(adjusts))
  for (const entry of keep(body, 'minimum_should_match')) printed.set(...entry)
  return withBoost(body, printed)
}

function printRange(body: JsonObjectNode): JsonMap {
  const [entry] = body.entries.filter(each => each.value.kind === 'object')
  if (entry === undefined || entry.value.kind !== 'object') return jsonOf(body)
  const range = entry.value
  const from = find(range, 'gt') ?? find(range, 'gte') ?? find(range, 'from')
  const to = find(range, 'lt') ?? find(range, 'lte') ?? find(range, 'to')
  const printed = new Map<string, JsonValue>([
    ['from', from === null ? null : jsonValueOf(from)],
    ['to', to === null ? null : jsonValueOf(to)],
    ['include_lower', find(range, 'gt') === null],
    ['include_upper', find(range, 'lt') === null],
  ])
  for (const key of ['include_lower', 'include_upper', 'time_zone', 'format', 'relation'])
    for (const kept of keep(range, key)) printed.set(...kept)
  return map(entry.key, withBoost(range, printed))
}

/** `{field: value}` or `{field: {value, …}}`. */
function byField(body: JsonObjectNode, name: string, more: readonly string[]): JsonMap {
  const [entry] = body.entries
  if (entry === undefined) return jsonOf(body)
  const { key, value } = entry
  if (value.kind !== 'object') return map(key, map(name, jsonValueOf(value), 'boost', ONE))
  const given = find(value, name) ?? find(value, 'value') ?? find(value, key)
  const printed = new Map<string, JsonValue>([[name, given === null ? null : jsonValueOf(given)]])
  for (const option of more) for (const kept of keep(value, option)) printed.set(...kept)
  return map(key, withBoost(value, printed))
}

function withBoost(body: JsonObjectNode, printed: Iterable<[string, JsonValue]>): JsonMap {
  return new Map<string, JsonValue>([...printed, ['boost', boostOf(body)]])
}

function boostOf(body: JsonObjectNode): Float32 {
  const boost = find(body, 'boost')
  if (boost?.kind === 'number') return new Float32(boost.value)
  return boost?.kind === 'string' ? new Float32(Number(boost.value)) : ONE
}

function find({ entries }: JsonObjectNode, key: string): JsonNode | null {
  return entries.find(entry => entry.key === key)?.value ?? null
}

/** The entry of that name, where there is one. */
function keep(body: JsonObjectNode, key: string): [string, JsonValue][] {
  return body.entries.filter(entry => entry.key === key).map(pair)
}

function others(body: JsonObjectNode, ...names: readonly string[]): [string, JsonValue][] {
  return body.entries.filter(({ key }) => !names.includes(key)).map(pair)
}

function pair({ key, value }: JsonEntry): [string, JsonValue] {
  return [key, jsonValueOf(value)]
}

function jsonOf(body: JsonObjectNode): JsonMap {
  return new Map(body.entries.map(pair))
}

function map(...pairs: readonly (string | JsonValue)[]): JsonMap {
  const printed = new Map<string, JsonValue>()
  for (let i = 0; i < pairs.length; i += 2) printed.set(pairs[i] as string, pairs[i + 1]!)
  return printed
}
