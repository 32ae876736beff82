import { type EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { Place } from '../../../util/geo-distance.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { readPlace } from '../geo-origin.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import { isPlaneDistance, metersPerUnit } from '../query/geo-distance.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { overValues } from './bind-values.ts'
import { readFields } from './object-fields.ts'
import { placeKeys } from './place-keys.ts'
import {
  checkRanges,
  isRangeKey,
  OPEN_RANGE,
  type ParsedRange,
  rangeNodes,
  readEnd,
  sortedRanges,
} from './ranges.ts'
import { plainNumber } from './request-number.ts'

/** `geo_distance`. */
export const geoDistance: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = placeKeys('geo_distance')
    let ranges: readonly ParsedRange[] = []
    let keyed = false
    let origin: Place | null = null
    let unit = 1
    let isPlane = false
    readFields(node, 'geo_distance', keys.readers, {
      origin: value => {
        origin = readPlace(value)
      },
      unit: value => {
        unit = metersPerUnit(readText(value))
      },
      distance_type: value => {
        isPlane = isPlaneDistance(readText(value))
      },
      ranges: value => {
        ranges = rangeNodes(value, 'geo_distance').map(readRange)
      },
      keyed: value => {
        keyed = readBoolean(value)
      },
    })
    if (origin === null)
      throw new IllegalArgumentError(`Aggregation [${name}] must define an [origin].`)
    checkRanges(ranges, name)
    keys.check()
    const from: Place = origin
    // No distance is below 0, which an end that is not given stands for and is printed as.
    const sorted = sortedRanges(
      ranges.map(range => ({ ...range, from: range.from ?? '0' })),
      plainNumber,
    )
    return {
      bind: (context, children) =>
        overValues(keys.bind(context), keys.none(), values => ({
          kind: 'geoDistance',
          name,
          children,
          values,
          origin: from,
          isPlane,
          metersPerUnit: unit,
          ranges: sorted,
          keyed,
        })),
    }
  },
}

/** A range of distances. Its hand-written parser takes numbers for its ends alone. */
function readRange(node: JsonNode): ParsedRange {
  if (node.kind !== 'object') throw unexpectedToken(node)
  const range = { ...OPEN_RANGE }
  for (const { key, value } of node.entries) {
    const { kind } = value
    if (kind !== 'string' && kind !== 'number' && kind !== 'null') throw unexpectedToken(value)
    if (!isRangeKey(key) || (key === 'key' && kind === 'number'))
      throw parsingError(value, `Failed to parse object: unknown field [${key}] found`)
    range[key] = readEnd(value)
  }
  return range
}

function unexpectedToken(node: JsonNode): EngineError {
  const found = tokenName(node.kind)
  return parsingError(node, `Failed to parse object: unexpected token [${found}] found`)
}
