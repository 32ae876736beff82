import type { Triangle } from './plane.ts'

/** A box in degrees, its sides included. */
export interface DegreeBox {
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
}

/** Whether the shape that an indexed triangle is a part of may hold another shape, by that triangle alone. */
export type WithinSign =
  /** It may: it lies in the triangle, or crosses edges alone that are cuts of the indexed shape. */
  | 'candidate'
  /** It does not. */
  | 'not'
  /** Nothing: they are apart. */
  | 'apart'

/** A part of a shape that is asked for. Lucene's `Component2D` has the same relations. */
export interface ShapeComponent {
  /** Boxes that cover it; two where it crosses the antimeridian. */
  readonly cover: readonly DegreeBox[]
  /** Whether a point is within it or on its border. */
  has(x: number, y: number): boolean
  /** Whether a triangle, a segment or a point of an index touches it. */
  meets(triangle: Triangle): boolean
  /** Whether one lies within it. */
  holds(triangle: Triangle): boolean
  /** Whether it may lie within the indexed shape, by one triangle of that alone. */
  withinSign(triangle: Triangle): WithinSign
}

/** Whether a box has no point of a triangle's box. */
export function isApart(box: DegreeBox, { west, east, south, north }: Triangle): boolean {
  return box.north < south || box.south > north || box.east < west || box.west > east
}

/** The edges of a triangle of three corners, with whether each is the shape's own. */
export type EdgeTest = (ax: number, ay: number, bx: number, by: number) => boolean

/**
 * The sign of a triangle of three corners by the edges that a component crosses.
 * @param crosses whether the component crosses an edge
 * @param hasPart whether a point of the component lies in the triangle
 */
export function signOfEdges(t: Triangle, crosses: EdgeTest, hasPart: () => boolean): WithinSign {
  let isCandidate = false
  if (crosses(t.ax, t.ay, t.bx, t.by)) {
    if (t.ownsAB) return 'not'
    isCandidate = true
  }
  if (crosses(t.bx, t.by, t.cx, t.cy)) {
    if (t.ownsBC) return 'not'
    isCandidate = true
  }
  if (crosses(t.cx, t.cy, t.ax, t.ay)) {
    if (t.ownsCA) return 'not'
    isCandidate = true
  }
  return isCandidate || hasPart() ? 'candidate' : 'apart'
}
