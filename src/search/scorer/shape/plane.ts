/** Points, segments and triangles of the plane, as Lucene's `GeoUtils` and `Component2D` compare them: in doubles. */

/** Which way three points turn: 1 counterclockwise, −1 clockwise, 0 on one line. */
export function turnOf(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): number {
  const left = (bx - ax) * (cy - ay)
  const right = (cx - ax) * (by - ay)
  return left > right ? 1 : left < right ? -1 : 0
}

/** Whether two segments cross; touching does not count. */
export function segmentsCross(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  return (
    turnOf(cx, cy, dx, dy, ax, ay) * turnOf(cx, cy, dx, dy, bx, by) < 0 &&
    turnOf(ax, ay, bx, by, cx, cy) * turnOf(ax, ay, bx, by, dx, dy) < 0
  )
}

/** Whether two segments cross or touch. Segments of one line count as such, however far they are apart. */
export function segmentsMeet(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  return (
    turnOf(cx, cy, dx, dy, ax, ay) * turnOf(cx, cy, dx, dy, bx, by) <= 0 &&
    turnOf(ax, ay, bx, by, cx, cy) * turnOf(ax, ay, bx, by, dx, dy) <= 0
  )
}

/** A triangle of an index, in degrees; segments and points are triangles of fewer corners. */
export class Triangle {
  ax = 0
  ay = 0
  bx = 0
  by = 0
  cx = 0
  cy = 0
  /** Corners that are different: 1, 2 (those of a and b) or 3. */
  corners = 3
  /** Whether the edges are those of the shape itself. */
  ownsAB = true
  ownsBC = true
  ownsCA = true
  west = 0
  east = 0
  south = 0
  north = 0

  /** Whether a point lies in it or on its border. */
  has(x: number, y: number): boolean {
    if (x < this.west || x > this.east || y < this.south || y > this.north) return false
    const a = turnOf(x, y, this.ax, this.ay, this.bx, this.by)
    const b = turnOf(x, y, this.bx, this.by, this.cx, this.cy)
    if (a !== 0 && b !== 0 && a < 0 !== b < 0) return false
    const c = turnOf(x, y, this.cx, this.cy, this.ax, this.ay)
    return c === 0 || c < 0 === (b < 0 || a < 0)
  }
}
