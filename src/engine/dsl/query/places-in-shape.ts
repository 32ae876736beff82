/** Shapes that places are asked to lie in. */
import type { GeoPointField } from '../../../schema/field-type/geo-point.ts'
import { cornersOf } from '../../../schema/geo-shape/corners.ts'
import { cutOutline } from '../../../schema/geo-shape/cut-outline.ts'
import type { Geometry, Outline } from '../../../schema/geo-shape/geometry.ts'
import { simpleShapes } from '../../../schema/geo-shape/simple-shape.ts'
import { matchNone, type Query, type ShapeRelation } from '../../../search/query/query.ts'
import type { GeoArea } from '../../../search/scorer/geo-area.ts'
import { shardError } from '../query-context.ts'
import { boxesEastward } from './shape-on-field.ts'

/** The names of shapes that have no inside, as errors name them. */
const WITHOUT_INSIDE = {
  Point: 'POINT',
  MultiPoint: 'MULTIPOINT',
  LineString: 'LINESTRING',
  MultiLineString: 'MULTILINESTRING',
} as const

/**
 * Documents with a place in a shape; of a collection, in each of its shapes.
 * @throws {EngineError} `query_shard_exception`: another relation, or a shape without an inside
 */
export function placesInShape(
  field: GeoPointField,
  relation: ShapeRelation,
  shape: Geometry,
): Query {
  const { name } = field
  if (relation !== 'intersects')
    throw shardError(`${relation.toUpperCase()} query relation not supported for Field [${name}].`)
  return insideOf(field, shape)
}

function insideOf(field: GeoPointField, shape: Geometry): Query {
  switch (shape.kind) {
    case 'Point':
    case 'MultiPoint':
    case 'LineString':
    case 'MultiLineString':
      throw shardError(
        `Field [${field.name}] does not support ${WITHOUT_INSIDE[shape.kind]} queries`,
      )
    case 'GeometryCollection':
      if (shape.geometries.length === 0) return matchNone('')
      return {
        kind: 'boolean',
        minimumShouldMatch: 0,
        clauses: shape.geometries.map(each => ({
          occur: 'filter' as const,
          query: insideOf(field, each),
        })),
      }
    case 'Polygon':
      return areaQuery(field, polygonsOf(shape.outline === null ? [] : [shape.outline]))
    case 'MultiPolygon':
      return areaQuery(field, polygonsOf(shape.outlines))
    case 'Envelope':
    case 'Circle': {
      const [simple] = simpleShapes(shape, false)
      if (simple?.kind === 'box')
        return areaQuery(field, { kind: 'boxes', boxes: boxesEastward(simple.box) })
      if (simple?.kind === 'circle') {
        const { lat, lon, meters } = simple
        return areaQuery(field, { kind: 'circle', center: { lat, lon }, meters })
      }
      return matchNone('')
    }
  }
}

function polygonsOf(outlines: readonly Outline[]): GeoArea {
  const polygons = outlines.flatMap(outline => cutOutline(outline, false))
  return { kind: 'polygons', polygons: polygons.map(rings => rings.map(cornersOf)) }
}

function areaQuery({ name, indexed, docValues }: GeoPointField, area: GeoArea): Query {
  if (area.kind === 'polygons' && area.polygons.length === 0) return matchNone('')
  return { kind: 'geoArea', field: name, area, indexed, docValues }
}
