/** Contexts of completions: as mappings write them, and their values as documents give them. */
import { parseDistance } from '../util/distance.ts'
import { EngineError, IllegalArgumentError } from '../util/errors.ts'
import { geohashCellSize, geohashDigits, geohashOf } from '../util/geohash.ts'
import { type JsonNode, jsonEntry } from '../util/json/json-tree.ts'
import { Float64, type JsonValue } from '../util/json/json-value.ts'
import type { CompletionContext } from './field-storage.ts'
import { readGeoPoints } from './geo-point.ts'
import { describeNode, nodeToJson } from './json-conversion.ts'
import { mapperParsingError } from './mapping-errors.ts'

/** Digits of geohashes where a mapping does not say. */
export const DEFAULT_GEO_PRECISION = 6

/** Max contexts of a field: keys hold their ordinals in one byte. */
const MAX_CONTEXTS = 255

/**
 * Checks the contexts of a mapping: one, or a list.
 * @returns them as they print, a list
 * @throws {EngineError} `parse_exception`, `mapper_parsing_exception` or `illegal_argument_exception`
 */
export function checkContexts(node: JsonNode): JsonValue {
  const items = node.kind === 'array' ? node.items : [node]
  if (items.length === 0) throw contextError('expected at least one context mapping')
  if (items.length > MAX_CONTEXTS)
    throw new IllegalArgumentError(
      `Maximum of ${MAX_CONTEXTS} context types are supported was: ${items.length}`,
    )
  const contexts = items.map(checkContext)
  contextsOf(contexts)
  return contexts
}

function checkContext(node: JsonNode): JsonValue {
  if (node.kind !== 'object') throw mapperParsingError('context mapping must be an object')
  const required = (key: string): string => {
    const entry = jsonEntry(node, key)
    if (entry === null) throw contextError(`missing [${key}] in context mapping`)
    return describeNode(entry.value)
  }
  const name = required('name')
  const type = required('type')
  if (!isContextType(type)) throw contextError(`unknown context type[${type}]`)
  const isGeo = type.toLowerCase() === 'geo'
  const keys = isGeo ? ['name', 'type', 'path', 'precision'] : ['name', 'type', 'path']
  const unknown = node.entries.filter(({ key }) => !keys.includes(key))
  if (unknown.length > 0)
    throw mapperParsingError(
      `Mapping definition for [${name}] has unsupported parameters:  ` +
        unknown.map(({ key, value }) => `[${key} : ${describeNode(value)}]`).join(' '),
    )
  return nodeToJson(node)
}

function isContextType(text: string): boolean {
  return text.toLowerCase() === 'category' || text.toLowerCase() === 'geo'
}

/**
 * The contexts of a field.
 * @param value of its parameter, as checked; null: none
 */
export function contextsOf(value: JsonValue): readonly CompletionContext[] {
  if (!Array.isArray(value)) return []
  return value.flatMap(each => (each instanceof Map ? [contextOf(each)] : []))
}

function contextOf(given: ReadonlyMap<string, JsonValue>): CompletionContext {
  const text = (key: string): string => String(given.get(key))
  const path = given.get('path') ?? null
  const type = text('type').toLowerCase() === 'geo' ? 'geo' : 'category'
  const precision = type === 'geo' ? precisionOf(given.get('precision') ?? null) : 0
  return { name: text('name'), type, path: path === null ? null : text('path'), precision }
}

/** A number of digits, or a distance. */
function precisionOf(value: JsonValue): number {
  if (value === null) return DEFAULT_GEO_PRECISION
  if (typeof value === 'number') return digitsWithin(value)
  const text = value instanceof Float64 ? String(value.value) : String(value)
  const metres = parseDistance(text)
  if (metres === null || metres < 0) throw contextError(`failed to parse precision [${text}]`)
  const digits = geohashDigits(metres)
  // Cells that are too small would leave out what is as near.
  return geohashCellSize(digits) < metres ? Math.max(1, digits - 1) : digits
}

function digitsWithin(digits: number): number {
  if (digits >= 1 && digits <= 12) return digits
  throw new IllegalArgumentError(
    `Invalid geohash precision of ${digits}. Must be between 1 and 12.`,
  )
}

/**
 * The values of a context as a document gives them.
 * @throws {EngineError} `parse_exception`: they are none
 */
export function readContextValues(
  { type, precision }: CompletionContext,
  node: JsonNode,
): readonly string[] {
  return type === 'geo' ? geoValues(node, precision) : categories(node)
}

function categories(node: JsonNode): readonly string[] {
  if (node.kind === 'array')
    return node.items.map(item => {
      if (isScalar(item)) return describeNode(item)
      throw contextError(
        `context array must have string, number or boolean values, but was [${tokenOf(item)}]`,
      )
    })
  if (isScalar(node)) return [describeNode(node)]
  throw contextError(
    'contexts must be a string, number or boolean or a list of string, number or boolean, ' +
      `but was [${tokenOf(node)}]`,
  )
}

function geoValues(node: JsonNode, precision: number): readonly string[] {
  if (node.kind === 'string') return [node.value.slice(0, precision)]
  const points = readGeoPoints(nodeToJson(node), true)
  return points.map(point => {
    if (point === null) throw contextError('geo_point expected')
    return geohashOf(point.lat, point.lon, precision)
  })
}

function isScalar({ kind }: JsonNode): boolean {
  return kind === 'string' || kind === 'number' || kind === 'boolean'
}

/** The name of the token at which a value begins. */
export function tokenOf({ kind }: JsonNode): string {
  if (kind === 'object' || kind === 'array') return `START_${kind.toUpperCase()}`
  return `VALUE_${kind.toUpperCase()}`
}

function contextError(reason: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason })
}
