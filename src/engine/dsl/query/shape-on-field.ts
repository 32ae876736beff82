import type { GeoShapeField } from '../../../schema/field-type/geo-shape.ts'
import type { GivenBox } from '../../../schema/geo-shape/geometry.ts'
import type { SimpleShape } from '../../../schema/geo-shape/simple-shape.ts'
import { matchNone, type Query, type ShapeRelation } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'

/**
 * Documents whose shape has a relation to all parts of another one together: it contains each of them, or
 * lies within them, or touches some, or none.
 * @throws {IllegalArgumentError} a shape within a line
 */
export function shapeQuery(
  { name }: GeoShapeField,
  relation: ShapeRelation,
  parts: readonly SimpleShape[],
): Query {
  if (parts.length === 0) return matchNone('')
  if (relation === 'within' && parts.some(({ kind }) => kind === 'line'))
    throw new IllegalArgumentError(
      'LatLonShapeQuery does not support WITHIN queries with line geometries',
    )
  const shapes = parts.flatMap(eastward)
  if (relation !== 'contains' || shapes.length === 1)
    return { kind: 'geoShape', field: name, relation, shapes }
  return {
    kind: 'constantScore',
    query: {
      kind: 'boolean',
      minimumShouldMatch: 0,
      clauses: shapes.map(shape => ({
        occur: 'must' as const,
        query: { kind: 'geoShape', field: name, relation, shapes: [shape] } as const,
      })),
    },
  }
}

/** A box across the antimeridian as two. */
function eastward(shape: SimpleShape): SimpleShape[] {
  if (shape.kind !== 'box') return [shape]
  return boxesEastward(shape.box).map(box => ({ kind: 'box', box }))
}

/** A box, in two where it crosses the antimeridian, none of which is a line on it. */
export function boxesEastward(box: GivenBox): readonly GivenBox[] {
  if (box.west <= box.east) return [box]
  if (box.west === 180) return [{ ...box, west: -180 }]
  return [
    { ...box, east: 180 },
    { ...box, west: -180 },
  ]
}
