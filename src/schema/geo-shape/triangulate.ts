/**
 * Cuts polygons into triangles by clipping ears (Meisters 1975; Held, FIST, 2001), on quantised corners and
 * with exact turns. Holes become part of the outline by bridges to it (Eberly).
 */
import { IllegalArgumentError } from '../../util/errors.ts'
import { javaText } from '../field-type/number-text.ts'
import { areaOf, type CleanRing, cleaned } from './clean-ring.ts'
import { CornerGrid } from './corner-grid.ts'
import { type Corners, illegalHole } from './corners.ts'
import { crossingEdge } from './crossing-edges.ts'
import { turn } from './orientation.ts'
import { decodedDegrees } from './quantised.ts'

/** Steps after which a polygon counts as one that cannot be cut; some seconds of work. */
const MAX_STEPS = 2 ** 29

/**
 * Takes a triangle: its corners counterclockwise, and whether its edges a–b, b–c and c–a are the polygon's own.
 * Coordinates are quantised.
 */
export type TriangleSink = (
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  edges: number,
) => void

/** Bits of `edges`. */
export const OWN_AB = 1
export const OWN_BC = 2
export const OWN_CA = 4

/**
 * Cuts a polygon into triangles.
 * @param rings closed: the shell, then holes
 * @throws {IllegalArgumentError} it bounds no area, crosses itself, or has a hole that is not within
 */
export function triangulate(rings: readonly Corners[], sink: TriangleSink): void {
  let steps = 0
  const spend = (more: number): void => {
    steps += more
    if (steps > MAX_STEPS) throw impossible()
  }
  const outline = new LinkedOutline(rings)
  outline.refuseCrossings(spend)
  outline.bridgeHoles(spend)
  outline.clipEars(sink, spend)
}

function impossible(): IllegalArgumentError {
  return new IllegalArgumentError('Unable to Tessellate shape. Possible malformed shape detected.')
}

/** Rings as linked corners: shells counterclockwise, holes clockwise, so that the inside is to the left. */
class LinkedOutline {
  readonly #xs: Int32Array
  readonly #ys: Int32Array
  readonly #next: Int32Array
  readonly #previous: Int32Array
  /** Whether the link to the next corner is an edge of the polygon. */
  readonly #isEdge: Uint8Array
  readonly #isGone: Uint8Array
  /** The first corners of the rings, and how many there are before bridges add theirs. */
  readonly #firsts: readonly number[]
  #count = 0
  readonly #rings: readonly Corners[]
  /** Twice the area, of the shell less the holes. */
  readonly #area: number

  constructor(rings: readonly Corners[]) {
    const clean = rings.map((ring, i) => {
      const own = cleaned(ring)
      if (own.xs.length < 3)
        throw new IllegalArgumentError(
          i === 0
            ? 'at least three non-collinear points required'
            : `Points are all coplanar in hole: ${latLonText(ring)}`,
        )
      return own
    })
    const corners = clean.reduce((sum, { xs }) => sum + xs.length, 0)
    const size = corners + 2 * (rings.length - 1)
    this.#rings = rings
    this.#xs = new Int32Array(size)
    this.#ys = new Int32Array(size)
    this.#next = new Int32Array(size)
    this.#previous = new Int32Array(size)
    this.#isEdge = new Uint8Array(size).fill(1)
    this.#isGone = new Uint8Array(size)
    let area = 0
    this.#firsts = clean.map((ring, i) => {
      const own = areaOf(ring)
      area += i === 0 ? Math.abs(own) : -Math.abs(own)
      return this.#addRing(ring, own > 0 === (i === 0))
    })
    this.#area = area
  }

  /** @throws {IllegalArgumentError} two edges cross */
  refuseCrossings(spend: (steps: number) => void): void {
    const edge = crossingEdge(
      {
        xs: this.#xs.subarray(0, this.#count),
        ys: this.#ys.subarray(0, this.#count),
        next: this.#next,
      },
      spend,
    )
    if (edge < 0) return
    const lat = shownDegrees(this.#ys[edge]!, 180)
    const lon = shownDegrees(this.#xs[edge]!, 360)
    throw new IllegalArgumentError(`Polygon self-intersection at lat=${lat} lon=${lon}`)
  }

  /** @throws {IllegalArgumentError} a hole is not within the shell */
  bridgeHoles(spend: (steps: number) => void): void {
    const holes = this.#firsts.slice(1).map((first, i) => ({ corner: this.#westmost(first), i }))
    holes.sort(
      (a, b) =>
        this.#xs[a.corner]! - this.#xs[b.corner]! || this.#ys[a.corner]! - this.#ys[b.corner]!,
    )
    for (const { corner, i } of holes) {
      const bridge = this.#bridgeOf(corner, spend)
      if (bridge < 0) throw illegalHole(this.#rings[i + 1]!)
      this.#join(bridge, corner)
    }
  }

  /** @throws {IllegalArgumentError} no ear is left, or the triangles do not make up the polygon */
  clipEars(sink: TriangleSink, spend: (steps: number) => void): void {
    const grid = new CornerGrid(
      this.#xs.subarray(0, this.#count),
      this.#ys.subarray(0, this.#count),
    )
    let covered = 0
    let ear = this.#firsts[0]!
    let stop = ear
    // Corners on one line with both neighbours stay while the links on either side are not alike: an edge that
    // goes on as a cut. They go once nothing else does.
    let isLenient = false
    for (;;) {
      const before = this.#previous[ear]!
      const after = this.#next[ear]!
      if (before === after) break
      spend(1)
      const bend = this.#turn(before, ear, after)
      if (bend === 0 && (isLenient || this.#isEven(before, ear, after))) {
        this.#clip(ear, this.#straightLink(before, ear, after))
        ear = stop = before
        isLenient = false
      } else if (bend > 0 && this.#isEar(before, ear, after, grid, spend)) {
        covered += this.#emit(before, ear, after, sink)
        this.#clip(ear, false)
        // The corner after the next: neighbouring ears would make slivers.
        ear = stop = this.#next[after]!
        isLenient = false
      } else {
        ear = after
        if (ear !== stop) continue
        if (isLenient) throw impossible()
        isLenient = true
      }
    }
    if (Math.abs(covered - this.#area) > 1e-6 * this.#area + 1) throw impossible()
  }

  #addRing({ xs, ys }: CleanRing, isForward: boolean): number {
    const first = this.#count
    const length = xs.length
    for (let i = 0; i < length; i++) {
      const from = isForward ? i : length - 1 - i
      const at = first + i
      this.#xs[at] = xs[from]!
      this.#ys[at] = ys[from]!
      this.#next[at] = first + ((i + 1) % length)
      this.#previous[at] = first + ((i + length - 1) % length)
    }
    this.#count += length
    return first
  }

  #westmost(first: number): number {
    let best = first
    for (let at = this.#next[first]!; at !== first; at = this.#next[at]!)
      if (
        this.#xs[at]! < this.#xs[best]! ||
        (this.#xs[at]! === this.#xs[best]! && this.#ys[at]! < this.#ys[best]!)
      )
        best = at
    return best
  }

  /**
   * The corner of the outline that a hole's westmost corner sees, −1 where it lies outside. The edge that a
   * ray to the west meets first has such a corner, unless others stand in the triangle between: then it is
   * the one of those that the ray has the smallest angle to.
   */
  #bridgeOf(hole: number, spend: (steps: number) => void): number {
    const hx = this.#xs[hole]!
    const hy = this.#ys[hole]!
    let reached = Number.NEGATIVE_INFINITY
    let outside = Number.NEGATIVE_INFINITY
    let candidate = -1
    let at = this.#firsts[0]!
    const first = at
    do {
      spend(1)
      const to = this.#next[at]!
      const ay = this.#ys[at]!
      const by = this.#ys[to]!
      if (this.#xs[at] === hx && ay === hy && this.#sees(at, hole)) return at
      if (ay !== by && hy <= Math.max(ay, by) && hy >= Math.min(ay, by)) {
        const ax = this.#xs[at]!
        const bx = this.#xs[to]!
        const x = ax + ((hy - ay) / (by - ay)) * (bx - ax)
        // East of an edge that goes down is the inside.
        if (x <= hx && ay < by) outside = Math.max(outside, x)
        else if (x <= hx && x > reached) {
          reached = x
          candidate = ax < bx ? at : to
        }
      }
      at = to
    } while (at !== first)
    if (candidate < 0 || outside > reached) return -1
    return this.#nearestIn(candidate, hole, reached, spend)
  }

  #nearestIn(
    candidate: number,
    hole: number,
    reached: number,
    spend: (steps: number) => void,
  ): number {
    const hx = this.#xs[hole]!
    const hy = this.#ys[hole]!
    const mx = this.#xs[candidate]!
    const my = this.#ys[candidate]!
    let best = -1
    let smallest = Number.POSITIVE_INFINITY
    let at = this.#firsts[0]!
    const first = at
    do {
      spend(1)
      const x = this.#xs[at]!
      const y = this.#ys[at]!
      const low = hy < my
      if (x >= mx && x < hx && isIn(x, y, low ? hx : reached, hy, mx, my, low ? reached : hx, hy)) {
        const tangent = Math.abs(hy - y) / (hx - x)
        if (
          this.#sees(at, hole) &&
          (tangent < smallest || (tangent === smallest && (best < 0 || x > this.#xs[best]!)))
        ) {
          best = at
          smallest = tangent
        }
      }
      at = this.#next[at]!
    } while (at !== first)
    return best < 0 && this.#sees(candidate, hole) ? candidate : best
  }

  /** Whether a line from a corner to another begins inside of the outline. */
  #sees(from: number, to: number): boolean {
    const before = this.#previous[from]!
    const after = this.#next[from]!
    if (this.#turn(before, from, after) < 0)
      return !(this.#turn(from, to, before) < 0 && this.#turn(from, after, to) < 0)
    // At the very place of the other corner, its own neighbour tells.
    const x = this.#xs[to]! === this.#xs[from]! && this.#ys[to]! === this.#ys[from]!
    const seen = x ? this.#next[to]! : to
    return this.#turn(from, seen, before) >= 0 && this.#turn(from, after, seen) >= 0
  }

  /** Links a corner of the outline and one of a hole there and back, over copies of both. */
  #join(outer: number, hole: number): void {
    const outerCopy = this.#copy(outer)
    const holeCopy = this.#copy(hole)
    const after = this.#next[outer]!
    const before = this.#previous[hole]!
    this.#link(outer, hole, 0)
    this.#link(outerCopy, after, this.#isEdge[outerCopy]!)
    this.#link(holeCopy, outerCopy, 0)
    this.#link(before, holeCopy, this.#isEdge[before]!)
  }

  #copy(corner: number): number {
    const copy = this.#count++
    this.#xs[copy] = this.#xs[corner]!
    this.#ys[copy] = this.#ys[corner]!
    this.#isEdge[copy] = this.#isEdge[corner]!
    return copy
  }

  #link(from: number, to: number, isEdge: number): void {
    this.#next[from] = to
    this.#previous[to] = from
    this.#isEdge[from] = isEdge
  }

  #turn(a: number, b: number, c: number): number {
    const xs = this.#xs
    const ys = this.#ys
    return turn(xs[a]!, ys[a]!, xs[b]!, ys[b]!, xs[c]!, ys[c]!)
  }

  /**
   * Whether no corner lies in a triangle of the outline. Only one at which the outline bends inwards can be
   * the first; copies of the triangle's own corners do not count, whose edges leave it as they came.
   */
  #isEar(
    a: number,
    b: number,
    c: number,
    grid: CornerGrid,
    spend: (steps: number) => void,
  ): boolean {
    const xs = this.#xs
    const ys = this.#ys
    const ax = xs[a]!
    const ay = ys[a]!
    const bx = xs[b]!
    const by = ys[b]!
    const cx = xs[c]!
    const cy = ys[c]!
    const blocks = (at: number): boolean => {
      if (this.#isGone[at] === 1) return false
      const x = xs[at]!
      const y = ys[at]!
      if ((x === ax && y === ay) || (x === bx && y === by) || (x === cx && y === cy)) return false
      return (
        turn(ax, ay, bx, by, x, y) >= 0 &&
        turn(bx, by, cx, cy, x, y) >= 0 &&
        turn(cx, cy, ax, ay, x, y) >= 0 &&
        this.#turn(this.#previous[at]!, at, this.#next[at]!) <= 0
      )
    }
    return !grid.some(
      Math.min(ax, bx, cx),
      Math.min(ay, by, cy),
      Math.max(ax, bx, cx),
      Math.max(ay, by, cy),
      blocks,
      spend,
    )
  }

  /** @returns twice the triangle's area */
  #emit(a: number, b: number, c: number, sink: TriangleSink): number {
    const xs = this.#xs
    const ys = this.#ys
    const isLast = this.#next[c] === a
    const edges =
      (this.#isEdge[a] === 1 ? OWN_AB : 0) |
      (this.#isEdge[b] === 1 ? OWN_BC : 0) |
      (isLast && this.#isEdge[c] === 1 ? OWN_CA : 0)
    sink(xs[a]!, ys[a]!, xs[b]!, ys[b]!, xs[c]!, ys[c]!, edges)
    return (xs[b]! - xs[a]!) * (ys[c]! - ys[a]!) - (xs[c]! - xs[a]!) * (ys[b]! - ys[a]!)
  }

  /** Whether the links to and from a corner are alike, or one of them leads nowhere. */
  #isEven(a: number, b: number, c: number): boolean {
    return this.#isEdge[a] === this.#isEdge[b] || this.#isSame(a, b) || this.#isSame(b, c)
  }

  #isSame(i: number, j: number): boolean {
    return this.#xs[i] === this.#xs[j] && this.#ys[i] === this.#ys[j]
  }

  /** Whether the link past a corner on one line with its neighbours is an edge of the polygon. */
  #straightLink(a: number, b: number, c: number): boolean {
    if (this.#isSame(a, b)) return this.#isEdge[b] === 1
    if (this.#isSame(b, c)) return this.#isEdge[a] === 1
    return this.#isEdge[a] === 1 && this.#isEdge[b] === 1
  }

  #clip(corner: number, isEdge: boolean): void {
    this.#isGone[corner] = 1
    const before = this.#previous[corner]!
    const after = this.#next[corner]!
    this.#next[before] = after
    this.#previous[after] = before
    this.#isEdge[before] = isEdge ? 1 : 0
  }
}

/** A coordinate for messages: as it was given, but for what quantising takes of it. */
function shownDegrees(coordinate: number, span: number): string {
  return javaText(Number(decodedDegrees(coordinate, span).toFixed(6)))
}

/** Whether a point lies in a triangle or on its border, whichever way the triangle goes round. */
function isIn(
  x: number,
  y: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): boolean {
  const a = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
  const b = (cx - bx) * (y - by) - (x - bx) * (cy - by)
  const c = (ax - cx) * (y - cy) - (x - cx) * (ay - cy)
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0)
}

function latLonText({ lons, lats }: Corners): string {
  return lons.map((lon, i) => `[${javaText(lats[i]!)}, ${javaText(lon)}] `).join('')
}
