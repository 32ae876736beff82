import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PlanePoints } from '../../src/codec/boxes/plane-points.ts'
import { BoxesReader } from '../../src/codec/boxes/reader.ts'
import { writeBoxes } from '../../src/codec/boxes/writer.ts'
import { Random } from '../../src/util/random.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena(8 << 20)

interface Plane {
  readonly wordCount: 1 | 2 | 4
  /** Document and coordinates. */
  readonly points: readonly (readonly [doc: number, x: bigint, y: bigint])[]
}

const wordsOf = (value: bigint, wordCount: number): number[] =>
  Array.from({ length: wordCount }, (_, i) =>
    Number(BigInt.asUintN(32, value >> BigInt(32 * (wordCount - 1 - i)))),
  )
const corner = (x: bigint, y: bigint, wordCount: number): Uint32Array =>
  Uint32Array.from([...wordsOf(x, wordCount), ...wordsOf(y, wordCount)])

function readerOf({ wordCount, points }: Plane, maxDoc: number): BoxesReader {
  const plane = new PlanePoints(wordCount)
  for (const [doc, x, y] of points) plane.push(doc, corner(x, y, wordCount))
  return new BoxesReader(arena.section(writeBoxes(plane, maxDoc)))
}

/** Points in clusters, with coordinates at the ends of what words hold. */
const plane = fc
  .tuple(
    fc.constantFrom(1 as const, 2 as const, 4 as const),
    fc.constantFrom(1, 2, 511, 512, 513, 1400, 3000),
    fc.integer(),
  )
  .map(([wordCount, count, seed]): Plane => {
    const random = new Random(seed)
    const most = 2n ** BigInt(32 * wordCount) - 1n
    const coordinate = (): bigint => {
      const kind = random.below(5)
      if (kind === 0) return random.below(2) === 0 ? 0n : most
      const near = BigInt(random.below(1000))
      return kind === 1 ? most - near : kind === 2 ? most / 2n + near : near
    }
    return {
      wordCount,
      points: Array.from(
        { length: count },
        () => [random.below(500), coordinate(), coordinate()] as const,
      ),
    }
  })

describe('boxes of the plane', () => {
  it('hold every point, however it was given', () => {
    fc.assert(
      fc.property(plane, given => {
        arena.clear()
        const reader = readerOf(given, 500)
        const text = (doc: number, words: ArrayLike<number>): string =>
          `${doc}:${Array.from(words)}`
        const found: string[] = []
        reader.visitAll((doc, words) => found.push(text(doc, words)))
        const wanted = given.points.map(([doc, x, y]) => text(doc, corner(x, y, given.wordCount)))
        expect(found.sort()).toEqual(wanted.sort())
        expect(reader.docCount).toBe(new Set(given.points.map(([doc]) => doc)).size)
      }),
      { numRuns: 30 },
    )
  })

  it('find the points in a box, and no other', () => {
    fc.assert(
      fc.property(plane, fc.array(fc.nat(), { minLength: 4, maxLength: 4 }), (given, picks) => {
        arena.clear()
        const reader = readerOf(given, 500)
        const pick = (i: number) => given.points[picks[i]! % given.points.length]!
        const [x1, x2] = [pick(0)[1], pick(1)[1]]
        const [y1, y2] = [pick(2)[2], pick(3)[2]]
        const inside = given.points.filter(([, x, y]) => x >= x1 && x <= x2 && y >= y1 && y <= y2)
        const lower = corner(x1, y1, given.wordCount)
        const upper = corner(x2, y2, given.wordCount)
        const found: number[] = []
        reader.intersect(lower, upper, doc => found.push(doc))
        const ascending = (a: number, b: number): number => a - b
        expect(found.sort(ascending)).toEqual(inside.map(([doc]) => doc).sort(ascending))
        // Nothing is estimated only where nothing is found.
        expect(reader.estimate(lower, upper)).toBeGreaterThanOrEqual(Math.ceil(found.length / 2))
      }),
      { numRuns: 80 },
    )
  })
})
