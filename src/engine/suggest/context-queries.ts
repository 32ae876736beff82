/** The contexts that a completion suggestion asks for. */
import type { CompletionContext } from '../../schema/field-storage.ts'
import { readGeoPoints } from '../../schema/geo-point.ts'
import { nodeToJson } from '../../schema/json-conversion.ts'
import type { ContextQuery } from '../../search/suggest/completion-contexts.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import { parseDistance } from '../../util/distance.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { geohashDigits, geohashNeighbours, geohashOf } from '../../util/geohash.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import { FLAG, INTEGER, readDeclared, TEXT } from '../dsl/declared-options.ts'
import { readBoolean, readInteger, readNumber, readText, scalarText } from '../dsl/json-scalars.ts'
import { contentError } from '../dsl/parse-error.ts'

/** A value of a context, or all that begin with it. */
interface ContextValueQuery {
  readonly value: string
  readonly isPrefix: boolean
  readonly boost: number
}

/**
 * Reads the contexts of a suggestion.
 * @param given null: it has none
 * @throws {EngineError} an unknown context, a value that is none, or no context at all
 */
export function contextQueries(
  contexts: readonly CompletionContext[],
  given: JsonNode | null,
): readonly ContextQuery[] {
  const entries = given?.kind === 'object' ? given.entries : []
  const byOrdinal = new Map<number, readonly ContextValueQuery[]>()
  for (const { key, value } of entries) {
    const ordinal = contexts.findIndex(({ name }) => name === key)
    if (ordinal < 0) {
      const names = contexts.map(({ name }) => name).sort()
      throw new IllegalArgumentError(
        `Unknown context name [${key}], must be one of [${names.join(', ')}]`,
      )
    }
    const items = value.kind === 'array' ? value.items : [value]
    const context = contexts[ordinal]!
    byOrdinal.set(
      ordinal,
      items.flatMap(item => (context.type === 'geo' ? places(context, item) : [category(item)])),
    )
  }
  const queries = [...byOrdinal]
    .sort(([a], [b]) => a - b)
    .flatMap(([ordinal, values]) => values.map(each => queryOf(ordinal, each)))
  if (queries.length === 0)
    throw new IllegalArgumentError('Missing mandatory contexts in context query')
  return queries
}

function queryOf(ordinal: number, { value, isPrefix, boost }: ContextValueQuery): ContextQuery {
  const bytes = encodeUtf8(value)
  const key = new Uint8Array(bytes.length + 1)
  key[0] = ordinal
  key.set(bytes, 1)
  return { key, isPrefix, boost }
}

function category(node: JsonNode): ContextValueQuery {
  const text = scalarText(node)
  if (text !== null) return { value: text, isPrefix: false, boost: 1 }
  if (node.kind !== 'object')
    throw contentError(node, 'category context must be an object, string, number or boolean')
  let value: string | null = null
  let isPrefix = false
  let boost = 1
  try {
    readDeclared(
      'category',
      node,
      new Map([
        [
          'context',
          {
            takes: TEXT,
            read: each => {
              value = readText(each)
            },
          },
        ],
        [
          'boost',
          {
            takes: INTEGER,
            read: each => {
              boost = positiveBoost(each)
            },
          },
        ],
        [
          'prefix',
          {
            takes: FLAG,
            read: each => {
              isPrefix = readBoolean(each)
            },
          },
        ],
      ]),
    )
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw contentError(node, 'category context must be a string, number or boolean')
  }
  if (value === null) throw new IllegalArgumentError('category must not be null')
  return { value, isPrefix, boost }
}

function positiveBoost(node: JsonNode): number {
  const boost = readInteger(node)
  if (boost <= 0) throw new IllegalArgumentError('boost must be greater than 0')
  return boost
}

/** A query on a context of places, while it is read. */
interface PlaceQuery {
  point: { readonly lat: number; readonly lon: number } | null
  lat: number | null
  lon: number | null
  boost: number
  precision: number
  neighbours: readonly number[]
}

/** The geohash of a place, and of the cells around it. */
function places(context: CompletionContext, node: JsonNode): readonly ContextValueQuery[] {
  const { point, boost, precision, neighbours } = readPlace(node)
  if (point === null) throw new IllegalArgumentError('geoPoint must not be null')
  const hash = geohashOf(point.lat, point.lon, Math.min(context.precision, precision))
  const hashes = new Set([hash])
  if (neighbours.length === 0) {
    if (hash.length === context.precision)
      for (const near of geohashNeighbours(hash)) hashes.add(near)
  } else
    for (const digits of neighbours) {
      if (digits >= hash.length) continue
      const wider = hash.slice(0, digits)
      hashes.add(wider)
      for (const near of geohashNeighbours(wider)) hashes.add(near)
    }
  return [...hashes].map(value => ({ value, isPrefix: value.length < context.precision, boost }))
}

function readPlace(node: JsonNode): PlaceQuery {
  const place: PlaceQuery = {
    point: null,
    lat: null,
    lon: null,
    boost: 1,
    precision: 12,
    neighbours: [],
  }
  if (node.kind === 'string') place.point = onePoint(node)
  else if (node.kind === 'object') {
    readDeclared(
      'geo',
      node,
      new Map([
        [
          'context',
          {
            takes: ['object', 'string', 'array'],
            read: each => {
              place.point = onePoint(each)
            },
          },
        ],
        [
          'boost',
          {
            takes: INTEGER,
            read: each => {
              place.boost = positiveBoost(each)
            },
          },
        ],
        [
          'precision',
          {
            takes: INTEGER,
            read: each => {
              place.precision = precision(each)
            },
          },
        ],
        [
          'neighbours',
          {
            takes: ['array', 'number', 'string'],
            read: each => {
              const items = each.kind === 'array' ? each.items : [each]
              place.neighbours = items.map(precision)
            },
          },
        ],
        [
          'lat',
          {
            takes: INTEGER,
            read: each => {
              place.lat = readNumber(each)
            },
          },
        ],
        [
          'lon',
          {
            takes: INTEGER,
            read: each => {
              place.lon = readNumber(each)
            },
          },
        ],
      ]),
    )
    const { lat, lon } = place
    if (place.point === null && lat !== null && lon !== null) place.point = { lat, lon }
  } else
    throw new EngineError({
      type: 'parse_exception',
      reason: 'geo context must be an object or string',
    })
  return place
}

function onePoint(node: JsonNode): { readonly lat: number; readonly lon: number } {
  const [point = null, ...others] = readGeoPoints(nodeToJson(node), true)
  if (point === null || others.length > 0)
    throw new EngineError({ type: 'parse_exception', reason: 'geo_point expected' })
  return point
}

/** Digits of a geohash, or a distance. */
function precision(node: JsonNode): number {
  const text = readText(node)
  const metres = /^-?\d+$/.test(text) ? null : parseDistance(text)
  const digits = metres === null ? readInteger(node) : geohashDigits(metres)
  if (digits < 1 || digits > 12)
    throw new IllegalArgumentError(
      `Invalid geohash aggregation precision of ${digits}. Must be between 1 and 12.`,
    )
  return digits
}
