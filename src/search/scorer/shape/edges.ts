import type { Corners } from '../../../schema/geo-shape/corners.ts'
import { segmentsCross, segmentsMeet, turnOf } from './plane.ts'

const OUTSIDE = 0
const INSIDE = 1
const ON_EDGE = 2

/** The box around a triangle or a segment. */
interface Box {
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
}

/**
 * The edges of a path or of a ring as a tree of intervals: sorted by their lower latitude, the one in the middle
 * of a run is the root of its halves, and has the highest latitude of the run.
 */
export class Edges {
  /** The first point of the root, which stands for the whole where one point of it is asked for. */
  readonly x: number
  readonly y: number
  readonly #count: number
  readonly #x1: Float64Array
  readonly #y1: Float64Array
  readonly #x2: Float64Array
  readonly #y2: Float64Array
  readonly #low: Float64Array
  readonly #max: Float64Array

  constructor({ lons, lats }: Corners) {
    const count = lons.length - 1
    const low = (i: number): number => Math.min(lats[i]!, lats[i + 1]!)
    const high = (i: number): number => Math.max(lats[i]!, lats[i + 1]!)
    const order = Array.from({ length: count }, (_, i) => i)
    order.sort((a, b) => low(a) - low(b) || high(a) - high(b))
    this.#count = count
    this.#x1 = Float64Array.from(order, i => lons[i]!)
    this.#y1 = Float64Array.from(order, i => lats[i]!)
    this.#x2 = Float64Array.from(order, i => lons[i + 1]!)
    this.#y2 = Float64Array.from(order, i => lats[i + 1]!)
    this.#low = Float64Array.from(order, low)
    this.#max = Float64Array.from(order, high)
    this.#raise(0, count)
    const root = (count - 1) >> 1
    this.x = this.#x1[root]!
    this.y = this.#y1[root]!
  }

  /** Whether a point is on an edge of a ring or within the ring. */
  encloses(x: number, y: number): boolean {
    return this.#place(0, this.#count, x, y) !== OUTSIDE
  }

  /** Whether a point is on an edge. */
  has(x: number, y: number): boolean {
    return this.#place(0, this.#count, x, y) === ON_EDGE
  }

  /**
   * Whether a segment crosses an edge.
   * @param box        around the segment, or the triangle that it is of
   * @param orTouches  whether touching one is enough
   */
  cross(box: Box, ax: number, ay: number, bx: number, by: number, orTouches: boolean): boolean {
    return this.#crossIn(0, this.#count, box, ax, ay, bx, by, orTouches)
  }

  #raise(start: number, end: number): number {
    if (start >= end) return Number.NEGATIVE_INFINITY
    const at = (start + end - 1) >> 1
    const max = Math.max(this.#max[at]!, this.#raise(start, at), this.#raise(at + 1, end))
    this.#max[at] = max
    return max
  }

  #place(start: number, end: number, x: number, y: number): number {
    if (start >= end) return OUTSIDE
    const at = (start + end - 1) >> 1
    if (y > this.#max[at]!) return OUTSIDE
    let place = this.#placeAt(at, x, y)
    if (place === ON_EDGE) return ON_EDGE
    const below = this.#place(start, at, x, y)
    if (below === ON_EDGE) return ON_EDGE
    place ^= below
    if (y >= this.#low[at]!) {
      const above = this.#place(at + 1, end, x, y)
      if (above === ON_EDGE) return ON_EDGE
      place ^= above
    }
    return place
  }

  /** Whether a ray to the east crosses an edge, or the point is on it. */
  #placeAt(at: number, x: number, y: number): number {
    const x1 = this.#x1[at]!
    const y1 = this.#y1[at]!
    const x2 = this.#x2[at]!
    const y2 = this.#y2[at]!
    if (y < Math.min(y1, y2) || y > Math.max(y1, y2)) return OUTSIDE
    if (x >= Math.min(x1, x2) && x <= Math.max(x1, x2) && turnOf(x1, y1, x2, y2, x, y) === 0)
      return ON_EDGE
    if (y1 > y === y2 > y) return OUTSIDE
    return x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1 ? INSIDE : OUTSIDE
  }

  #crossIn(
    start: number,
    end: number,
    box: Box,
    ax: number,
    ay: number,
    bx: number,
    by: number,
    orTouches: boolean,
  ): boolean {
    if (start >= end) return false
    const at = (start + end - 1) >> 1
    if (box.south > this.#max[at]!) return false
    const x1 = this.#x1[at]!
    const y1 = this.#y1[at]!
    const x2 = this.#x2[at]!
    const y2 = this.#y2[at]!
    const isApart =
      (y1 < box.south && y2 < box.south) ||
      (y1 > box.north && y2 > box.north) ||
      (x1 < box.west && x2 < box.west) ||
      (x1 > box.east && x2 > box.east)
    if (!isApart) {
      const crosses = orTouches
        ? segmentsMeet(x1, y1, x2, y2, ax, ay, bx, by)
        : segmentsCross(x1, y1, x2, y2, ax, ay, bx, by)
      if (crosses) return true
    }
    if (this.#crossIn(start, at, box, ax, ay, bx, by, orTouches)) return true
    return box.north >= this.#low[at]! && this.#crossIn(at + 1, end, box, ax, ay, bx, by, orTouches)
  }
}
