/** Relations of shapes, the plain way: by their corners and edges, without triangles. For shapes in general position. */
import { quantised } from '../../../src/schema/geo-shape/quantised.ts'
import type { Corner, Rings } from './random-rings.ts'

/** Parts of a shape: points, lines and polygons. */
export interface PlainShape {
  readonly points: readonly Corner[]
  readonly lines: readonly (readonly Corner[])[]
  readonly polygons: readonly Rings[]
}

/** The shape with its corners where an index keeps them. */
export function kept({ points, lines, polygons }: PlainShape): PlainShape {
  return {
    points: points.map(rounded),
    lines: lines.map(line => line.map(rounded)),
    polygons: polygons.map(rings => rings.map(ring => ring.map(rounded))),
  }
}

function rounded([lon, lat]: Corner): Corner {
  return [(quantised(lon, 360) * 360) / 2 ** 32, (quantised(lat, 180) * 180) / 2 ** 32]
}

/** The relation of a shape to one that is asked for. */
export function hasRelation(
  relation: 'intersects' | 'disjoint' | 'within' | 'contains',
  shape: PlainShape,
  asked: PlainShape,
): boolean {
  switch (relation) {
    case 'intersects':
      return partsOf(shape).some(part => partsOf(asked).some(other => touch(part, other)))
    case 'disjoint':
      return !hasRelation('intersects', shape, asked)
    case 'within':
      return partsOf(shape).every(part => partsOf(asked).some(other => liesWithin(part, other)))
    case 'contains':
      return partsOf(asked).every(
        other =>
          partsOf(shape).some(part => liesWithin(other, part)) &&
          !partsOf(shape).some(part => cutsInto(part, other)),
      )
  }
}

/** A point, a line or a polygon. */
interface Part {
  readonly corners: readonly Corner[]
  readonly edges: readonly (readonly [Corner, Corner])[]
  /** Empty unless it is a polygon. */
  readonly rings: Rings
}

function partsOf({ points, lines, polygons }: PlainShape): Part[] {
  const edgesOf = (path: readonly Corner[]): [Corner, Corner][] =>
    path.slice(1).map((to, i) => [path[i]!, to])
  return [
    ...points.map(point => ({ corners: [point], edges: [], rings: [] })),
    ...lines.map(line => ({ corners: line, edges: edgesOf(line), rings: [] })),
    ...polygons.map(rings => ({ corners: rings.flat(), edges: rings.flatMap(edgesOf), rings })),
  ]
}

function touch(a: Part, b: Part): boolean {
  return edgesCross(a, b) || a.corners.some(at => isIn(at, b)) || b.corners.some(at => isIn(at, a))
}

function liesWithin(inner: Part, outer: Part): boolean {
  return (
    inner.corners.every(at => isIn(at, outer)) &&
    !edgesCross(inner, outer) &&
    // A hole of the outer one may lie in the middle of the inner one.
    !outer.corners.some(at => isIn(at, inner))
  )
}

/** Whether the border of a part goes through another one. */
function cutsInto(part: Part, other: Part): boolean {
  return edgesCross(part, other) || part.corners.some(at => isIn(at, other))
}

function isIn([x, y]: Corner, { rings }: Part): boolean {
  const crossed = rings.flatMap(ring =>
    ring.slice(1).filter(([bx, by], i) => {
      const [ax, ay] = ring[i]!
      return ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)
    }),
  )
  return crossed.length % 2 === 1
}

function edgesCross(a: Part, b: Part): boolean {
  const side = (p: Corner, q: Corner, r: Corner): number =>
    Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]))
  return a.edges.some(([p, q]) =>
    b.edges.some(([r, s]) => side(p, q, r) !== side(p, q, s) && side(r, s, p) !== side(r, s, q)),
  )
}
