import type { Corners } from '../../../schema/geo-shape/corners.ts'
import { isApart, type ShapeComponent, signOfEdges, type WithinSign } from './component.ts'
import { coverOfCorners } from './cover.ts'
import { Edges } from './edges.ts'
import type { Triangle } from './plane.ts'

/** A line, which nothing but points can lie within. */
export class LineComponent implements ShapeComponent {
  readonly cover: ShapeComponent['cover']
  readonly #edges: Edges

  constructor(path: Corners) {
    this.cover = [coverOfCorners(path)]
    this.#edges = new Edges(path)
  }

  has(x: number, y: number): boolean {
    return this.#edges.has(x, y)
  }

  meets(t: Triangle): boolean {
    if (t.corners === 1) return this.has(t.ax, t.ay)
    if (isApart(this.cover[0]!, t)) return false
    const crosses = this.#crossesOf(t)
    if (t.corners === 2) return crosses(t.ax, t.ay, t.bx, t.by)
    return (
      t.has(this.#edges.x, this.#edges.y) ||
      crosses(t.ax, t.ay, t.bx, t.by) ||
      crosses(t.bx, t.by, t.cx, t.cy) ||
      crosses(t.cx, t.cy, t.ax, t.ay)
    )
  }

  holds(t: Triangle): boolean {
    return t.corners === 1 && this.has(t.ax, t.ay)
  }

  withinSign(t: Triangle): WithinSign {
    if (t.corners === 1) return this.has(t.ax, t.ay) ? 'not' : 'apart'
    if (t.corners === 2) return t.ownsAB && this.meets(t) ? 'not' : 'apart'
    if (isApart(this.cover[0]!, t)) return 'apart'
    return signOfEdges(t, this.#crossesOf(t), () => t.has(this.#edges.x, this.#edges.y))
  }

  #crossesOf(t: Triangle): (ax: number, ay: number, bx: number, by: number) => boolean {
    return (ax, ay, bx, by) => this.#edges.cross(t, ax, ay, bx, by, true)
  }
}
