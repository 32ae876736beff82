/** Boxes of the Earth as requests give them. */
import type { GeoBox } from '../../search/scorer/geo-area.ts'
import { EngineError } from '../../util/errors.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import { readPlace } from './geo-origin.ts'
import { readNumber, readText } from './json-scalars.ts'
import { tokenName } from './parse-error.ts'

/** The sides of a box in degrees; of those that cross the antimeridian `left` is above `right`. */
export interface Sides {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

type OpenSides = { -readonly [K in keyof Sides]?: Sides[K] }

/**
 * Reads a box: its sides, its corners or an envelope.
 * @throws {EngineError} `parse_exception`
 */
export function readSides(node: JsonNode): Sides {
  if (node.kind !== 'object')
    throw parseError(
      `failed to parse bounding box. Expected start object but found [${tokenName(node.kind)}]`,
    )
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

/** The box, or the two that one across the antimeridian is made of. */
export function boxesOf({ top, left, bottom, right }: Sides): readonly GeoBox[] {
  const [south, north] = [bottom, top]
  if (left <= right) return [{ south, north, west: left, east: right }]
  return [
    { south, north, west: left, east: 180 },
    { south, north, west: -180, east: right },
  ]
}

function parseError(reason: string): EngineError {
  return new EngineError({ type: 'parse_exception', reason })
}
