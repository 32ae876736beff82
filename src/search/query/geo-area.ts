import type { Corners } from '../../schema/geo-shape/corners.ts'
import { doubleText } from '../../util/json/float-text.ts'
import { coverOf, type GeoArea, type GeoBox } from '../scorer/geo-area.ts'
import type { GeoAreaQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents with a place in an area of the Earth. */
export const geoAreaQuery: QueryType<GeoAreaQuery> = {
  className({ indexed, docValues, area }) {
    if (indexed && docValues) return 'IndexOrDocValuesQuery'
    return indexed ? INDEX_CLASSES[area.kind] : 'LatLonDocValuesQuery'
  },
  text({ field, area, indexed, docValues }) {
    const text = `${field}:${areaText(area)}`
    return indexed && docValues
      ? `IndexOrDocValuesQuery(indexQuery=${text}, dvQuery=${text})`
      : text
  },
  clauseCount: () => 1,
  mapInner: null,
  createWeight({ field, area, indexed, docValues }, builder, id, boost) {
    if (indexed) builder.terms.use(field, 'boxes')
    if (docValues) builder.terms.use(field, 'numericValues')
    for (const leaf of builder.leaves)
      builder.cost += leaf.fieldInfo(field) === null ? 0 : leaf.maxDoc
    const cover = coverOf(area).map(cornersOf)
    return { kind: 'geoArea', id, field, score: boost, area, cover, indexed, docValues }
  },
}

const INDEX_CLASSES = {
  boxes: 'PointRangeQuery',
  circle: 'LatLonPointDistanceQuery',
  polygon: 'LatLonPointQuery',
  polygons: 'LatLonPointQuery',
} as const

function areaText(area: GeoArea): string {
  switch (area.kind) {
    case 'boxes':
      return area.boxes
        .map(
          ({ south, north, west, east }) =>
            `[${doubleText(south)} TO ${doubleText(north)}],[${doubleText(west)} TO ${doubleText(east)}]`,
        )
        .join(' ')
    case 'circle': {
      const { lat, lon } = area.center
      return `${doubleText(lat)},${doubleText(lon)} +/- ${doubleText(area.meters)} meters`
    }
    case 'polygon':
      return `[Polygon${area.corners.map(({ lat, lon }) => `[${doubleText(lat)}, ${doubleText(lon)}]`).join('')}]`
    case 'polygons':
      return `[${area.polygons.map(rings => `${polygonText(rings)},`).join('')}]`
  }
}

function polygonText([shell, ...holes]: readonly Corners[]): string {
  const own = `Polygon${ringText(shell!)}`
  return holes.length === 0 ? own : `${own}, holes=[${holes.map(ringText).join(', ')}]`
}

function ringText({ lons, lats }: Corners): string {
  return lons.map((lon, i) => `[${doubleText(lats[i]!)}, ${doubleText(lon)}]`).join('')
}

/** The corners of a box among quantised places: unsigned, so that they compare as words. */
function cornersOf({ south, north, west, east }: GeoBox): {
  readonly lower: Uint32Array
  readonly upper: Uint32Array
} {
  return {
    lower: Uint32Array.of(quantised(south, 180, Math.ceil), quantised(west, 360, Math.ceil)),
    upper: Uint32Array.of(quantised(north, 180, Math.floor), quantised(east, 360, Math.floor)),
  }
}

function quantised(degrees: number, span: number, round: (value: number) => number): number {
  const whole = round(degrees / (span / 2 ** 32))
  return (Math.min(Math.max(whole, -2147483648), 2147483647) + 2147483648) >>> 0
}
