import { IllegalArgumentError } from '../../../util/errors.ts'
import { doubleText } from '../../../util/json/float-text.ts'
import { boxesOf, readSides, type Sides } from '../geo-box.ts'
import { readText } from '../json-scalars.ts'
import { parsingError } from '../parse-error.ts'
import {
  checkedPlace,
  type GeoOptions,
  geoQuery,
  newGeoOptions,
  readGeoOption,
} from './geo-clause.ts'
import type { QueryParser } from './query-parser.ts'

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

function checkType(text: string): void {
  if (/^(memory|indexed)$/i.test(text)) return
  throw new IllegalArgumentError(`cannot parse type from string [${text}]`)
}
