/** Random polygons without crossings, by several ways of making them. */
import type { Random } from '../../../src/util/random.ts'

/** A corner: longitude and latitude. */
export type Corner = readonly [lon: number, lat: number]

/** Closed rings: the shell, then holes. */
export type Rings = readonly (readonly Corner[])[]

/** A polygon of one of the kinds, near a place, some degrees wide. */
export function randomRings(random: Random, lon: number, lat: number, size: number): Rings {
  const kind = random.below(3)
  if (kind === 0) return star(random, lon, lat, size)
  return kind === 1 ? tangleFree(random, lon, lat, size) : cells(random, lon, lat, size)
}

const closed = (corners: readonly Corner[]): Corner[] => [...corners, corners[0]!]

/** Corners at rising angles around a center, and maybe a hole of the same kind in the middle. */
function star(random: Random, lon: number, lat: number, size: number): Rings {
  const ring = (from: number, to: number): Corner[] => {
    const count = 3 + random.below(12)
    return closed(
      Array.from({ length: count }, (_, i) => {
        const angle = ((i + random.next() * 0.9) / count) * 2 * Math.PI
        const radius = from + random.next() * (to - from)
        return [lon + radius * Math.cos(angle), lat + radius * Math.sin(angle)]
      }),
    )
  }
  // Fewer than five corners may cut the middle off.
  const shell = ring(size * 0.6, size)
  return shell.length < 7 || random.below(2) === 0 ? [shell] : [shell, ring(0, size * 0.2)]
}

/** Any corners, their order turned round wherever two edges cross. */
function tangleFree(random: Random, lon: number, lat: number, size: number): Rings {
  const at = (): number => (random.next() * 2 - 1) * size
  const corners = Array.from(
    { length: 3 + random.below(9) },
    (): Corner => [lon + at(), lat + at()],
  )
  const side = (a: Corner, b: Corner, c: Corner): number =>
    Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
  const cross = (a: Corner, b: Corner, c: Corner, d: Corner): boolean =>
    side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b)
  for (let isDone = false; !isDone; ) {
    isDone = true
    for (let i = 0; i < corners.length; i++)
      for (let j = i + 2; j < corners.length; j++) {
        const after = corners[(j + 1) % corners.length]!
        if ((j + 1) % corners.length === i) continue
        if (!cross(corners[i]!, corners[i + 1]!, corners[j]!, after)) continue
        corners.splice(i + 1, j - i, ...corners.slice(i + 1, j + 1).reverse())
        isDone = false
      }
  }
  return [closed(corners)]
}

/** The outline of cells of a grid that hang together, with a hole of one cell where there is one. */
function cells(random: Random, lon: number, lat: number, size: number): Rings {
  const side = 5
  const step = (2 * size) / side
  // Columns from a common floor, with a bar across: corners on one line with others, and spikes.
  const heights = Array.from({ length: side }, () => 1 + random.below(side))
  const x = (i: number): number => lon - size + i * step
  const y = (i: number): number => lat - size + i * step
  const corners: Corner[] = [[x(0), y(0)]]
  for (let i = 0; i < side; i++) corners.push([x(i + 1), y(0)])
  for (let i = side - 1; i >= 0; i--) {
    corners.push([x(i + 1), y(heights[i]!)])
    corners.push([x(i), y(heights[i]!)])
  }
  const shell = closed(corners.filter((at, i) => `${at}` !== `${corners[i - 1]}`))
  const tall = heights.findIndex(height => height >= 2)
  if (tall < 0 || random.below(2) === 0) return [shell]
  const inner = step / 4
  const [west, south] = [x(tall) + inner, y(0) + inner]
  return [
    shell,
    closed([
      [west, south],
      [west + inner, south],
      [west + 2 * inner, south + inner],
      [west, south + 2 * inner],
    ]),
  ]
}
