import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Corners } from '../../../src/schema/geo-shape/corners.ts'
import { decodedDegrees, quantised } from '../../../src/schema/geo-shape/quantised.ts'
import { triangulate } from '../../../src/schema/geo-shape/triangulate.ts'
import { Random } from '../../../src/util/random.ts'
import { type Rings, randomRings } from '../../support/shapes/random-rings.ts'

type Point = readonly [number, number]

interface Cut {
  readonly corners: readonly Point[]
  readonly edges: number
}

const cornersOf = (rings: Rings): Corners[] =>
  rings.map(ring => ({ lons: ring.map(([lon]) => lon), lats: ring.map(([, lat]) => lat) }))

function cut(rings: Rings): Cut[] {
  const triangles: Cut[] = []
  triangulate(cornersOf(rings), (ax, ay, bx, by, cx, cy, edges) =>
    triangles.push({
      corners: [
        [ax, ay],
        [bx, by],
        [cx, cy],
      ],
      edges,
    }),
  )
  return triangles
}

const whole = (rings: Rings): Point[][] =>
  rings.map(ring => ring.map(([lon, lat]) => [quantised(lon, 360), quantised(lat, 180)] as const))

const area = (ring: readonly Point[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [ox, oy] = ring[0]!
    const [nx, ny] = ring[(i + 1) % ring.length]!
    return sum + ((x - ox) * (ny - oy) - (nx - ox) * (y - oy)) / 2
  }, 0)

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(ax - bx, ay - by)

/** By the crossings of a ray. */
const isInside = ([x, y]: Point, rings: readonly (readonly Point[])[]): boolean =>
  rings.flatMap(ring =>
    ring.filter(([ax, ay], i) => {
      const [bx, by] = ring[(i + 1) % ring.length]!
      return ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)
    }),
  ).length %
    2 ===
  1

const turn = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))

/** Whether the box of an edge holds a point. */
const spans = ([ax, ay]: Point, [bx, by]: Point, [x, y]: Point): boolean =>
  Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by)

/** Whether two edges that are no neighbours share a point, or neighbours more than their corner. */
const meetsItself = (rings: readonly (readonly Point[])[]): boolean => {
  const edges = rings.flatMap(ring =>
    ring.slice(1).map((to, i) => ({ from: ring[i]!, to, ring, i, last: ring.length - 2 })),
  )
  const lies = (point: Point, { from, to }: (typeof edges)[number]): boolean =>
    turn(from, to, point) === 0 && spans(from, to, point)
  return edges.some((a, at) =>
    edges.slice(at + 1).some(b => {
      const isNext = a.ring === b.ring && b.i === a.i + 1
      const isWrapped = a.ring === b.ring && a.i === 0 && b.i === b.last
      if (isNext) return lies(b.to, a) || lies(a.from, b)
      if (isWrapped) return lies(b.from, a) || lies(a.to, b)
      if (lies(a.from, b) || lies(a.to, b) || lies(b.from, a) || lies(b.to, a)) return true
      const parts = turn(a.from, a.to, b.from) * turn(a.from, a.to, b.to)
      return parts < 0 && turn(b.from, b.to, a.from) * turn(b.from, b.to, a.to) < 0
    }),
  )
}

const errorOf = (rings: Rings): string => {
  try {
    cut(rings)
  } catch (error) {
    return (error as Error).message
  }
  return 'cut'
}

describe('triangulation', () => {
  it('cuts polygons into triangles that cover them once, with their own edges alone', () => {
    let meeting = 0
    fc.assert(
      fc.property(fc.integer(), seed => {
        const random = new Random(seed)
        const size = [0.00001, 0.5, 30][random.below(3)]!
        const rings = randomRings(random, random.next() * 100 - 50, random.next() * 50 - 25, size)
        const given = whole(rings)
        // Rings of a few units of the grid may meet themselves once they lie on it.
        if (size < 0.1 && meetsItself(given)) {
          meeting++
          return
        }
        const triangles = cut(rings)
        const [shell, ...holes] = given.map(ring => Math.abs(area(ring)))
        const expected = shell! - holes.reduce((sum, hole) => sum + hole, 0)
        const covered = triangles.map(({ corners }) => area(corners))
        expect(covered.every(each => each > 0)).toBe(true)
        const sum = covered.reduce((total, each) => total + each, 0)
        expect(Math.abs(sum - expected)).toBeLessThanOrEqual(expected * 1e-6 + 1)
        const perimeter = given
          .flatMap(ring => ring.slice(1).map((to, i) => distance(ring[i]!, to)))
          .reduce((total, each) => total + each, 0)
        const own = triangles
          .flatMap(({ corners, edges }) =>
            [0, 1, 2].map(i =>
              (edges >> i) & 1 ? distance(corners[i]!, corners[(i + 1) % 3]!) : 0,
            ),
          )
          .reduce((total, each) => total + each, 0)
        expect(Math.abs(own - perimeter)).toBeLessThanOrEqual(perimeter * 1e-6 + 8)
        for (let i = 0; i < 20; i++) {
          const [ax, ay] = given[0]![random.below(given[0]!.length)]!
          const [bx, by] = given[0]![random.below(given[0]!.length)]!
          const part = random.next()
          const at: Point = [
            ax + (bx - ax) * part + random.next() * 7,
            ay + (by - ay) * part + random.next() * 7,
          ]
          const hits = triangles.filter(({ corners }) => isInside(at, [corners])).length
          expect(hits, `${at}`).toBe(isInside(at, given) ? 1 : 0)
        }
      }),
      { numRuns: 3000 },
    )
    expect(meeting).toBeLessThan(50)
  })

  it('cuts a comb of 20,000 corners, and a ring with 400 holes, in less than seconds', () => {
    const comb: [number, number][] = [[0, -1]]
    for (let i = 0; i < 10000; i++)
      comb.push([(i + 0.5) / 100, 40 + Math.sin(i)], [(i + 1) / 100, 2 + Math.sin(3 * i)])
    comb.push([comb[comb.length - 1]![0], -1], [0, -1])
    const holes: [number, number][][] = Array.from({ length: 400 }, (_, i) => {
      const [x, y] = [(i % 20) * 2 + 0.5, Math.floor(i / 20) * 2 + 0.5]
      return [
        [x, y],
        [x, y + 1],
        [x + 1, y + 0.4],
        [x, y],
      ]
    })
    const started = performance.now()
    expect(cut([comb]).length).toBe(comb.length - 3)
    const sieve = cut([
      [
        [0, 0],
        [41, 0],
        [41, 41],
        [0, 41],
        [0, 0],
      ],
      ...holes,
    ])
    // Without the corners on one line with others, some of those between holes of a row.
    expect(sieve.length).toBeGreaterThan(1000)
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('refuses what bounds no area, crosses itself or has holes elsewhere', () => {
    const ring = (...corners: [number, number][]): [number, number][] => [...corners, corners[0]!]
    const square = ring([0, 0], [10, 0], [10, 10], [0, 10])
    expect(errorOf([ring([0, 0], [5, 0], [10, 0])])).toBe(
      'at least three non-collinear points required',
    )
    expect(errorOf([ring([0, 0], [10, 10], [10, 0], [0, 10])])).toBe(
      'Polygon self-intersection at lat=10.0 lon=0.0',
    )
    expect(errorOf([square, ring([20, 1], [21, 1], [21, 2])])).toBe(
      'Illegal hole detected: [[20.0, 1.0], [21.0, 1.0], [21.0, 2.0], [20.0, 1.0]]',
    )
    expect(errorOf([square, ring([8, 1], [12, 1], [8, 2])])).toMatch(
      /^Polygon self-intersection at/,
    )
    expect(errorOf([square, ring([1, 1], [2, 1], [3, 1])])).toBe(
      'Points are all coplanar in hole: [1.0, 1.0] [1.0, 2.0] [1.0, 3.0] [1.0, 1.0] ',
    )
  })

  it('rounds to the grid that it is kept on', () => {
    for (const degrees of [0, 12.345, -89.99999, 179.9999])
      expect(degrees - decodedDegrees(quantised(degrees, 360), 360)).toBeLessThan(360 / 2 ** 32)
    expect(quantised(180, 360)).toBe(2147483647)
  })
})
