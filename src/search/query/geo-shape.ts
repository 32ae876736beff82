import type { Corners } from '../../schema/geo-shape/corners.ts'
import type { SimpleShape } from '../../schema/geo-shape/simple-shape.ts'
import { doubleText } from '../../util/json/float-text.ts'
import type { GeoShapeQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents whose shape has a relation to another one. */
export const geoShapeQuery: QueryType<GeoShapeQuery> = {
  className: query => classOf(query.shapes),
  text({ field, shapes }) {
    const [only] = shapes
    if (shapes.length === 1 && only?.kind === 'box')
      return `${classOf(shapes)}: field=${field}:${shapeText(only)}`
    return `${classOf(shapes)}: field=${field}:[${shapes.map(shape => `${shapeText(shape)},`).join('')}]`
  },
  clauseCount: () => 1,
  mapInner: null,
  createWeight({ field, relation, shapes }, builder, id, boost) {
    builder.terms.use(field, 'triangles')
    for (const leaf of builder.leaves)
      builder.cost += leaf.fieldInfo(field) === null ? 0 : leaf.maxDoc
    return { kind: 'geoShape', id, field, score: boost, relation, shapes }
  },
}

function classOf(shapes: readonly SimpleShape[]): string {
  const isBox = shapes.length === 1 && shapes[0]!.kind === 'box'
  return isBox ? 'LatLonShapeBoundingBoxQuery' : 'LatLonShapeQuery'
}

function shapeText(shape: SimpleShape): string {
  switch (shape.kind) {
    case 'point':
      return `Point(${doubleText(shape.lon)},${doubleText(shape.lat)})`
    case 'line':
      return `Line(${cornersText(shape.path, (lon, lat) => `[${lon}, ${lat}]`)})`
    case 'polygon': {
      const [shell, ...holes] = shape.rings.map(ring =>
        cornersText(ring, (lon, lat) => `[${lat}, ${lon}] `),
      )
      return holes.length === 0 ? `${shell}` : `${shell}, holes=[${holes.join(', ')}]`
    }
    case 'box': {
      const { west, east, south, north } = shape.box
      const crosses = west > east ? ' [crosses dateline!]' : ''
      return (
        `Rectangle(lat=${doubleText(south)} TO ${doubleText(north)} ` +
        `lon=${doubleText(west)} TO ${doubleText(east)}${crosses})`
      )
    }
    case 'circle':
      return `Circle([${doubleText(shape.lat)},${doubleText(shape.lon)}] radius = ${doubleText(shape.meters)})`
  }
}

function cornersText({ lons, lats }: Corners, print: (lon: string, lat: string) => string): string {
  return lons.map((lon, i) => print(doubleText(lon), doubleText(lats[i]!))).join('')
}
