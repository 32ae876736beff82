import {
  type DegreeBox,
  isApart,
  type ShapeComponent,
  signOfEdges,
  type WithinSign,
} from './component.ts'
import { segmentsMeet, type Triangle } from './plane.ts'

/** A box that does not cross the antimeridian. */
export class BoxComponent implements ShapeComponent {
  readonly cover: readonly [DegreeBox]

  /** @param box of quantised degrees */
  constructor(box: DegreeBox) {
    this.cover = [box]
  }

  has(x: number, y: number): boolean {
    const { west, east, south, north } = this.cover[0]
    return x >= west && x <= east && y >= south && y <= north
  }

  meets(t: Triangle): boolean {
    if (isApart(this.cover[0], t)) return false
    const { west, south } = this.cover[0]
    if (this.has(t.ax, t.ay) || this.has(t.bx, t.by) || this.has(t.cx, t.cy)) return true
    if (this.#crosses(t.ax, t.ay, t.bx, t.by)) return true
    return (
      t.corners === 3 &&
      (t.has(west, south) ||
        this.#crosses(t.bx, t.by, t.cx, t.cy) ||
        this.#crosses(t.cx, t.cy, t.ax, t.ay))
    )
  }

  holds(t: Triangle): boolean {
    const { west, east, south, north } = this.cover[0]
    return t.west >= west && t.east <= east && t.south >= south && t.north <= north
  }

  withinSign(t: Triangle): WithinSign {
    if (isApart(this.cover[0], t)) return 'apart'
    if (this.has(t.ax, t.ay) || this.has(t.bx, t.by) || this.has(t.cx, t.cy)) return 'not'
    if (t.corners < 3) return t.ownsAB && this.#crosses(t.ax, t.ay, t.bx, t.by) ? 'not' : 'apart'
    const { west, south } = this.cover[0]
    return signOfEdges(
      t,
      (ax, ay, bx, by) => this.#crosses(ax, ay, bx, by),
      () => t.has(west, south),
    )
  }

  /** Whether a segment touches one of the sides. */
  #crosses(ax: number, ay: number, bx: number, by: number): boolean {
    const { west, east, south, north } = this.cover[0]
    if (Math.max(ax, bx) < west || Math.min(ax, bx) > east) return false
    if (Math.min(ay, by) > north || Math.max(ay, by) < south) return false
    return (
      segmentsMeet(ax, ay, bx, by, west, north, east, north) ||
      segmentsMeet(ax, ay, bx, by, east, north, east, south) ||
      segmentsMeet(ax, ay, bx, by, east, south, west, south) ||
      segmentsMeet(ax, ay, bx, by, west, south, west, north)
    )
  }
}
