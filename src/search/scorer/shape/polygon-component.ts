import type { Corners } from '../../../schema/geo-shape/corners.ts'
import { isApart, type ShapeComponent, signOfEdges, type WithinSign } from './component.ts'
import { coverOfCorners } from './cover.ts'
import { Edges } from './edges.ts'
import type { Triangle } from './plane.ts'

/** A polygon with holes. The borders of holes are not within. */
export class PolygonComponent implements ShapeComponent {
  readonly cover: ShapeComponent['cover']
  readonly #edges: Edges
  readonly #holes: readonly PolygonComponent[]

  /** @param rings closed: the shell, then holes */
  constructor([shell, ...holes]: readonly Corners[]) {
    this.cover = [coverOfCorners(shell!)]
    this.#edges = new Edges(shell!)
    this.#holes = holes.map(hole => new PolygonComponent([hole]))
  }

  has(x: number, y: number): boolean {
    const { west, east, south, north } = this.cover[0]!
    if (x < west || x > east || y < south || y > north) return false
    return this.#edges.encloses(x, y) && !this.#holes.some(hole => hole.has(x, y))
  }

  meets(t: Triangle): boolean {
    if (t.corners === 1) return this.has(t.ax, t.ay)
    if (isApart(this.cover[0]!, t)) return false
    const touches =
      this.has(t.ax, t.ay) ||
      this.has(t.bx, t.by) ||
      (t.corners === 2
        ? this.#edges.cross(t, t.ax, t.ay, t.bx, t.by, true)
        : this.has(t.cx, t.cy) || t.has(this.#edges.x, this.#edges.y) || this.#crosses(t, true))
    return touches && !this.#holes.some(hole => hole.holds(t))
  }

  holds(t: Triangle): boolean {
    if (t.corners === 1) return this.has(t.ax, t.ay)
    if (isApart(this.cover[0]!, t)) return false
    if (!this.has(t.ax, t.ay) || !this.has(t.bx, t.by)) return false
    if (t.corners === 2) {
      if (this.#edges.cross(t, t.ax, t.ay, t.bx, t.by, false)) return false
    } else if (!this.has(t.cx, t.cy) || this.#crosses(t, false)) return false
    return !this.#holes.some(hole => hole.meets(t))
  }

  withinSign(t: Triangle): WithinSign {
    if (t.corners === 1) return this.has(t.ax, t.ay) ? 'not' : 'apart'
    if (isApart(this.cover[0]!, t)) return 'apart'
    if (this.has(t.ax, t.ay) || this.has(t.bx, t.by)) return 'not'
    const crosses = (ax: number, ay: number, bx: number, by: number): boolean =>
      this.#edges.cross(t, ax, ay, bx, by, true)
    if (t.corners === 2) return t.ownsAB && crosses(t.ax, t.ay, t.bx, t.by) ? 'not' : 'apart'
    if (this.has(t.cx, t.cy)) return 'not'
    return signOfEdges(t, crosses, () => t.has(this.#edges.x, this.#edges.y))
  }

  #crosses(t: Triangle, orTouches: boolean): boolean {
    const edges = this.#edges
    return (
      edges.cross(t, t.ax, t.ay, t.bx, t.by, orTouches) ||
      edges.cross(t, t.bx, t.by, t.cx, t.cy, orTouches) ||
      edges.cross(t, t.cx, t.cy, t.ax, t.ay, orTouches)
    )
  }
}
