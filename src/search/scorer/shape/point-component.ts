import { type DegreeBox, isApart, type ShapeComponent, type WithinSign } from './component.ts'
import { type Triangle, turnOf } from './plane.ts'

/** A point. */
export class PointComponent implements ShapeComponent {
  readonly cover: readonly [DegreeBox]
  readonly #x: number
  readonly #y: number

  /** @param x quantised longitude; `y` the latitude */
  constructor(x: number, y: number) {
    this.#x = x
    this.#y = y
    this.cover = [{ west: x, east: x, south: y, north: y }]
  }

  has(x: number, y: number): boolean {
    return x === this.#x && y === this.#y
  }

  meets(t: Triangle): boolean {
    if (isApart(this.cover[0], t)) return false
    if (t.corners === 1) return true
    if (t.corners === 2) return turnOf(t.ax, t.ay, t.bx, t.by, this.#x, this.#y) === 0
    return t.has(this.#x, this.#y)
  }

  holds(t: Triangle): boolean {
    return t.corners === 1 && this.has(t.ax, t.ay)
  }

  withinSign(t: Triangle): WithinSign {
    return this.meets(t) ? 'candidate' : 'apart'
  }
}
