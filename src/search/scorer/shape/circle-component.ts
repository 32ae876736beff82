import { arcDistance, type Place } from '../../../util/geo-distance.ts'
import { coverOf } from '../geo-area.ts'
import { type DegreeBox, isApart, type ShapeComponent, type WithinSign } from './component.ts'
import type { Triangle } from './plane.ts'

/** A circle on the Earth. A segment touches it where the point of the plane that is nearest to its center does. */
export class CircleComponent implements ShapeComponent {
  readonly cover: readonly DegreeBox[]
  readonly #center: Place
  readonly #meters: number

  constructor(center: Place, meters: number) {
    this.#center = center
    this.#meters = meters
    this.cover = coverOf({ kind: 'circle', center, meters })
  }

  has(x: number, y: number): boolean {
    return arcDistance(this.#center, { lat: y, lon: x }) <= this.#meters
  }

  meets(t: Triangle): boolean {
    if (this.#isApart(t)) return false
    if (this.has(t.ax, t.ay) || this.has(t.bx, t.by) || this.has(t.cx, t.cy)) return true
    if (t.corners < 3) return this.#touches(t.ax, t.ay, t.bx, t.by)
    return (
      t.has(this.#center.lon, this.#center.lat) ||
      this.#touches(t.ax, t.ay, t.bx, t.by) ||
      this.#touches(t.bx, t.by, t.cx, t.cy) ||
      this.#touches(t.cx, t.cy, t.ax, t.ay)
    )
  }

  holds(t: Triangle): boolean {
    return this.has(t.ax, t.ay) && this.has(t.bx, t.by) && this.has(t.cx, t.cy)
  }

  withinSign(t: Triangle): WithinSign {
    if (this.#isApart(t)) return 'apart'
    if (this.has(t.ax, t.ay) || this.has(t.bx, t.by) || this.has(t.cx, t.cy)) return 'not'
    if (t.ownsAB && this.#touches(t.ax, t.ay, t.bx, t.by)) return 'not'
    if (t.corners < 3) return 'apart'
    if (t.ownsBC && this.#touches(t.bx, t.by, t.cx, t.cy)) return 'not'
    if (t.ownsCA && this.#touches(t.cx, t.cy, t.ax, t.ay)) return 'not'
    return t.has(this.#center.lon, this.#center.lat) ? 'candidate' : 'apart'
  }

  #isApart(t: Triangle): boolean {
    return this.cover.every(box => isApart(box, t))
  }

  #touches(ax: number, ay: number, bx: number, by: number): boolean {
    const { lat, lon } = this.#center
    if (this.#touchesFrom(lon, lat, ax, ay, bx, by)) return true
    // Across the antimeridian the center stands on the other side of the plane, too.
    const other = lon > 0 ? lon - 360 : lon + 360
    return this.cover.length > 1 && this.#touchesFrom(other, lat, ax, ay, bx, by)
  }

  #touchesFrom(x: number, y: number, ax: number, ay: number, bx: number, by: number): boolean {
    const dx = bx - ax
    const dy = by - ay
    const part = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)
    return part >= 0 && part <= 1 && this.has(ax + dx * part, ay + dy * part)
  }
}
