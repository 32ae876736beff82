import type { GeoBox } from '../../../search/scorer/geo-area.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import { doubleText } from '../../../util/json/float-text.ts'
import type { JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readPlace } from '../geo-origin.ts'
import { readNumber, readText } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import {
  checkedPlace,
  type GeoOptions,
  geoQuery,
  newGeoOptions,
  readGeoOption,
} from './geo-clause.ts'
import type { QueryParser } from './query-parser.ts'

/** The sides of a box in degrees; of those that cross the antimeridian `left` is above `right`. */
interface Sides {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

type OpenSides = { -readonly [K in keyof Sides]?: Sides[K] }

/** `geo_bounding_box`: documents with a place between two latitudes and two longitudes. */
export const geoBoundingBoxParser: QueryParser = {
  mustBecomesFilter: 'always',
  parse(node, read) {
    const options = newGeoOptions()
    let found: { readonly field: string; readonly sides: Sides } | null = null
    for (const entry of node.entries) {
      const { key, value } = entry
      if (value.kind === 'object') found = { field: key, sides: readSides(value) }
      else if (key === 'type') checkType(readText(value))
      else if (!readGeoOption(options, entry) && !read.option(entry))
        throw parsingError(
          entry,
          `failed to parse [geo_bounding_box] query. unexpected field [${key}]`,
        )
    }
    if (found === null)
      throw parsingError(
        node,
        'failed to parse [geo_bounding_box] query. bounding box not provided',
      )
    const { field, sides } = found
    const area = { kind: 'boxes', boxes: boxesOf(checked(sides, options)) } as const
    return { field, build: context => geoQuery(field, area, options, context) }
  },
}

function readSides(node: JsonObjectNode): Sides {
  const sides: OpenSides = {}
  for (const { key, value } of node.entries) {
    switch (key) {
      case 'top':
      case 'left':
      case 'bottom':
      case 'right':
        sides[key] = readNumber(value)
        break
      case 'top_left':
      case 'topLeft':
      case 'top_right':
      case 'topRight':
      case 'bottom_left':
      case 'bottomLeft':
      case 'bottom_right':
      case 'bottomRight': {
        const { lat, lon } = readPlace(value)
        sides[key.startsWith('top') ? 'top' : 'bottom'] = lat
        sides[/left$/i.test(key) ? 'left' : 'right'] = lon
        break
      }
      case 'wkt':
        Object.assign(sides, readEnvelope(readText(value)))
        break
      default:
        throw parseError(`failed to parse bounding box. unexpected field [${key}]`)
    }
  }
  const { top, left, bottom, right } = sides
  if (top === undefined || left === undefined || bottom === undefined || right === undefined)
    throw parseError('failed to parse bounding box. a corner or side is missing')
  return { top, left, bottom, right }
}

/** `BBOX (west, east, north, south)`. */
function readEnvelope(text: string): Sides {
  const numbers = /^\s*(?:BBOX|ENVELOPE)\s*\(([^()]*)\)\s*$/i
    .exec(text)?.[1]
    ?.split(',')
    .map(Number)
  const [left, right, top, bottom] = numbers ?? []
  if (
    numbers?.length !== 4 ||
    numbers.some(number => !Number.isFinite(number)) ||
    left === undefined ||
    right === undefined ||
    top === undefined ||
    bottom === undefined
  )
    throw parseError(`failed to parse WKT bounding box [${text}]`)
  return { top, left, bottom, right }
}

function checked({ top, left, bottom, right }: Sides, options: GeoOptions): Sides {
  if (options.validation !== 'IGNORE_MALFORMED' && top < bottom)
    throw new IllegalArgumentError(
      `top is below bottom corner: ${doubleText(top)} vs. ${doubleText(bottom)}`,
    )
  // A box around the whole Earth would be folded onto a line.
  if (options.validation === 'COERCE' && right - left >= 360)
    return { top: Math.min(90, top), bottom: Math.max(-90, bottom), left: -180, right: 180 }
  const first = checkedPlace({ lat: top, lon: left }, options, 'geo_bounding_box')
  const last = checkedPlace({ lat: bottom, lon: right }, options, 'geo_bounding_box')
  return { top: first.lat, left: first.lon, bottom: last.lat, right: last.lon }
}

function boxesOf({ top, left, bottom, right }: Sides): readonly GeoBox[] {
  const [south, north] = [bottom, top]
  if (left <= right) return [{ south, north, west: left, east: right }]
  return [
    { south, north, west: left, east: 180 },
    { south, north, west: -180, east: right },
  ]
}

function checkType(text: string): void {
  if (/^(memory|indexed)$/i.test(text)) return
  throw new IllegalArgumentError(`cannot parse type from string [${text}]`)
}

function parseError(reason: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason })
}
