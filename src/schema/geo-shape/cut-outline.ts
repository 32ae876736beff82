/** Outlines, cut where they cross the antimeridian. */
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { javaText } from '../field-type/number-text.ts'
import { cornersOf, illegalHole } from './corners.ts'
import type { Outline, Position, Ring } from './geometry.ts'
import { foldedCorner, westOf, worldOf } from './worlds.ts'

/** Rings of a polygon: the shell, then holes. */
type Rings = readonly [Ring, ...Ring[]]

/** A part of a ring on one side of a border, from one crossing of it to the next. */
interface Chain {
  readonly isEast: boolean
  /** Numbers of the crossings at which it starts and ends. */
  readonly start: number
  readonly end: number
  readonly points: readonly Position[]
}

/**
 * Cuts an outline into polygons that do not cross the antimeridian.
 * @param isLeft whether its shell goes round the inside clockwise; where it goes the other way and is wider
 *   than half the Earth, but not as wide as the whole, the short way across the antimeridian is meant
 * @returns closed rings from −180 to 180 degrees
 * @throws {EngineError} `invalid_shape_exception`, `illegal_argument_exception`: it bounds no area
 */
export function cutOutline(given: Outline, isLeft: boolean): Rings[] {
  const shell = given.shell.map(foldedCorner)
  const holes = given.holes.map(hole => hole.map(foldedCorner))
  for (const hole of holes) checkHole(shell, hole)
  for (const ring of [shell, ...holes]) checkRepeats(ring)
  const width = widthOf(shell)
  const isAround = isClockwise(shell) !== isLeft && width > 180 && width !== 360
  const eastward = (ring: Ring): Ring =>
    isAround ? ring.map(at => (at.lon < 0 ? { ...at, lon: at.lon + 360 } : at)) : ring
  const rings: Rings = [
    wound(eastward(shell), false),
    ...holes.map(hole => wound(eastward(hole), true)),
  ]
  return cutWorlds(rings)
}

function cutWorlds(rings: Rings): Rings[] {
  const lons = rings[0].map(({ lon }) => lon)
  const high = max(lons)
  const done: Rings[] = []
  let rest: readonly Rings[] = [rings]
  for (let world = worldOf(min(lons)); rest.length > 0; world++) {
    const border = westOf(world + 1)
    const cut =
      high <= border ? { west: rest, east: [] } : joinCuts(rest.map(each => cutAt(each, border)))
    for (const [shell, ...holes] of cut.west)
      done.push([moved(shell, world), ...holes.map(hole => moved(hole, world))])
    rest = cut.east
  }
  return done
}

interface Cut {
  readonly west: readonly Rings[]
  readonly east: readonly Rings[]
}

function joinCuts(cuts: readonly Cut[]): Cut {
  return { west: cuts.flatMap(cut => cut.west), east: cuts.flatMap(cut => cut.east) }
}

/**
 * Cuts a polygon along a line of longitude. Where the line crosses rings, sorted from south to north, it is
 * inside the polygon between the first and the second crossing, the third and the fourth: there the chains of
 * either side are joined. Corners on the line count to the west, so that what only touches it from the east
 * leaves parts without an area, which are dropped.
 */
function cutAt(rings: Rings, border: number): Cut {
  const chains: Chain[] = []
  const crossings: Position[] = []
  const whole: Ring[] = []
  for (const ring of rings) if (!takeChains(ring, border, chains, crossings)) whole.push(ring)
  if (chains.length === 0)
    return rings[0].some(({ lon }) => lon > border)
      ? { west: [], east: [rings] }
      : { west: [rings], east: [] }
  const partners = partnersOf(crossings)
  const side = (isEast: boolean): Rings[] => {
    const own = chains.filter(chain => chain.isEast === isEast)
    const shells = joined(own, partners, crossings)
    const all: [Ring, ...Ring[]][] = shells.map(shell => [shell])
    for (const ring of whole) {
      if (ring.some(({ lon }) => lon > border) !== isEast) continue
      const around = all.find(([shell]) => ring.some(at => liesInside(at, shell)))
      if (around === undefined) throw illegalHole(cornersOf(ring))
      around.push(ring)
    }
    return all
  }
  return { west: side(false), east: side(true) }
}

/** Takes the chains of a ring; false where it does not cross the border. */
function takeChains(ring: Ring, border: number, chains: Chain[], crossings: Position[]): boolean {
  const isEast = (at: Position): boolean => at.lon > border
  const corners = ring.slice(0, -1)
  const count = corners.length
  const first = corners.findIndex((at, i) => isEast(at) !== isEast(corners[(i + 1) % count]!))
  if (first < 0) return false
  const base = crossings.length
  let points: Position[] = []
  let start = -1
  for (let step = 0; step <= count; step++) {
    const from = corners[(first + step) % count]!
    const to = corners[(first + step + 1) % count]!
    if (start >= 0) points.push(from)
    if (isEast(from) === isEast(to)) continue
    // The last crossing is the first again, behind which the walk began.
    const crossing = step === count ? base : crossings.length
    if (step < count) crossings.push(crossingOf(from, to, border))
    if (start >= 0) chains.push({ isEast: isEast(from), start, end: crossing, points })
    points = []
    start = crossing
  }
  return true
}

function crossingOf(from: Position, to: Position, border: number): Position {
  const part = (border - from.lon) / (to.lon - from.lon)
  return { lon: border, lat: from.lat + part * (to.lat - from.lat), z: null }
}

/** By the number of a crossing, that of the one at the other end of the line inside. */
function partnersOf(crossings: readonly Position[]): Int32Array {
  const order = crossings.map((_, i) => i).sort((a, b) => crossings[a]!.lat - crossings[b]!.lat)
  const partners = new Int32Array(crossings.length)
  for (let i = 0; i + 1 < order.length; i += 2) {
    partners[order[i]!] = order[i + 1]!
    partners[order[i + 1]!] = order[i]!
  }
  return partners
}

/** The rings that chains of one side make with the line between crossings; without those of no area. */
function joined(
  chains: readonly Chain[],
  partners: Int32Array,
  crossings: readonly Position[],
): Ring[] {
  const byStart = new Map(chains.map(chain => [chain.start, chain]))
  const rings: Ring[] = []
  for (const chain of chains) {
    const points: Position[] = []
    let at: Chain | undefined = byStart.get(chain.start)
    if (at === undefined) continue
    while (at !== undefined) {
      byStart.delete(at.start)
      points.push(crossings[at.start]!, ...at.points, crossings[at.end]!)
      const next: number = partners[at.end]!
      if (next === chain.start) break
      at = byStart.get(next)
      if (at === undefined) throw selfIntersection(crossings[next]!)
    }
    const ring = withoutRepeats([...points, points[0]!])
    if (areaOf(ring) !== 0) rings.push(ring)
  }
  return rings
}

/** @throws {IllegalArgumentError} a hole shares more than a point with the shell */
function checkHole(shell: Ring, hole: Ring): void {
  const key = ({ lon, lat }: Position): string => `${lon} ${lat}`
  const corners = new Set(shell.map(key))
  const shared = new Set(hole.map(key).filter(corner => corners.has(corner)))
  if (shared.size >= 2)
    throw new IllegalArgumentError(
      'Invalid polygon, interior cannot share more than one point with the exterior',
    )
}

/** @throws {EngineError} `invalid_shape_exception`: a corner stands twice in a row */
function checkRepeats(ring: Ring): void {
  for (let i = 1; i < ring.length; i++) {
    const [a, b] = [ring[i - 1]!, ring[i]!]
    if (a.lon === b.lon && a.lat === b.lat)
      throw invalidShape(
        'Provided shape has duplicate consecutive coordinates at: ' +
          `(POINT (${javaText(b.lon)} ${javaText(b.lat)}))`,
      )
  }
}

/**
 * Whether a ring goes round its inside clockwise, as told by its southernmost corner.
 * @throws {EngineError} `invalid_shape_exception`: the edges there coincide
 */
function isClockwise(ring: Ring): boolean {
  const count = ring.length - 1
  let lowest = 0
  for (let i = 1; i < count; i++) {
    const { lon, lat } = ring[i]!
    const best = ring[lowest]!
    if (lat < best.lat || (lat === best.lat && lon < best.lon)) lowest = i
  }
  const a = ring[(lowest + count - 1) % count]!
  const b = ring[lowest]!
  const c = ring[(lowest + 1) % count]!
  const turn = (b.lon - a.lon) * (c.lat - a.lat) - (c.lon - a.lon) * (b.lat - a.lat)
  if (turn === 0)
    throw invalidShape(
      'Cannot determine orientation: edges adjacent to ' +
        `(${javaText(b.lon)},${javaText(b.lat)}) coincide`,
    )
  return turn < 0
}

/** The ring in the given direction. */
function wound(ring: Ring, clockwise: boolean): Ring {
  return areaOf(ring) < 0 === clockwise ? ring : ring.toReversed()
}

/** Twice the area; above 0 counterclockwise. */
function areaOf(ring: Ring): number {
  const origin = ring[0]!
  let sum = 0
  for (let i = 1; i < ring.length; i++) {
    const [a, b] = [ring[i - 1]!, ring[i]!]
    sum += (a.lon - origin.lon) * (b.lat - origin.lat) - (b.lon - origin.lon) * (a.lat - origin.lat)
  }
  return sum
}

function withoutRepeats(ring: Ring): Ring {
  return ring.filter((at, i) => {
    const before = ring[i - 1]
    return before === undefined || before.lon !== at.lon || before.lat !== at.lat
  })
}

/** By the crossings of a ray to the east. */
function liesInside({ lon, lat }: Position, ring: Ring): boolean {
  let isInside = false
  for (let i = 1; i < ring.length; i++) {
    const [a, b] = [ring[i - 1]!, ring[i]!]
    if (a.lat > lat === b.lat > lat) continue
    if (lon < a.lon + ((lat - a.lat) / (b.lat - a.lat)) * (b.lon - a.lon)) isInside = !isInside
  }
  return isInside
}

function widthOf(ring: Ring): number {
  const lons = ring.map(({ lon }) => lon)
  return max(lons) - min(lons)
}

function min(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b))
}

function max(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b))
}

function moved(ring: Ring, world: number): Ring {
  return world === 0 ? ring : ring.map(at => ({ ...at, lon: at.lon - 360 * world }))
}

function selfIntersection({ lon, lat }: Position): EngineError {
  return invalidShape(`Self-intersection at or near point [${javaText(lon)},${javaText(lat)}]`)
}

function invalidShape(reason: string): EngineError {
  return new EngineError({ type: 'invalid_shape_exception', reason })
}
