import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TRIANGLE_COLUMNS } from '../../src/codec/triangles/format.ts'
import { TrianglesReader, type WordBox } from '../../src/codec/triangles/reader.ts'
import { writeTriangles } from '../../src/codec/triangles/writer.ts'
import { WordRows } from '../../src/codec/word-rows.ts'
import { Random } from '../../src/util/random.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena(8 << 20)
const MAX_DOC = 300

type Row = readonly [doc: number, ...words: number[]]

/** Small triangles anywhere, and some with corners at the ends of what words hold. */
function randomRows(count: number, random: Random): Row[] {
  return Array.from({ length: count }, () => {
    const end = random.below(20) === 0
    const at = (): number => (end ? random.below(2) * 4294967295 : random.below(1_000_000))
    const [x, y] = [at(), at()]
    const near = (from: number): number => Math.min(4294967295, from + random.below(5000))
    return [random.below(MAX_DOC), x, y, near(x), near(y), near(x), near(y), random.below(8)]
  })
}

function readerOf(rows: readonly Row[]): TrianglesReader {
  arena.clear()
  const triangles = new WordRows(TRIANGLE_COLUMNS)
  for (const [doc, ...words] of rows) triangles.push(doc, words)
  return new TrianglesReader(arena.section(writeTriangles(triangles, MAX_DOC)))
}

const touches = ([, ax, ay, bx, by, cx, cy]: readonly number[], box: WordBox): boolean =>
  Math.max(ax!, bx!, cx!) >= box.west &&
  Math.min(ax!, bx!, cx!) <= box.east &&
  Math.max(ay!, by!, cy!) >= box.south &&
  Math.min(ay!, by!, cy!) <= box.north

describe('triangles', () => {
  it('come back as they were written, and near a box, all that touch it', () => {
    const counts = fc.constantFrom(1, 2, 511, 512, 513, 2500)
    fc.assert(
      fc.property(counts, fc.integer(), (count, seed) => {
        const random = new Random(seed)
        const rows = randomRows(count, random)
        const reader = readerOf(rows)
        expect(reader.count).toBe(count)
        expect(reader.docCount).toBe(new Set(rows.map(([doc]) => doc)).size)
        const all: string[] = []
        reader.visitAll((doc, words) => all.push([doc, ...words].join()))
        expect(all.sort()).toEqual(rows.map(row => row.join()).sort())
        const docs: number[] = []
        reader.visitDocs(doc => docs.push(doc))
        expect(docs.sort()).toEqual(rows.map(([doc]) => doc).sort())
        for (let i = 0; i < 10; i++) {
          const [west, south] = [random.below(1_000_000), random.below(1_000_000)]
          const box = { west, south, east: west + 20_000, north: south + random.below(90_000) }
          const near: string[] = []
          const apart: number[] = []
          reader.visitNear(
            [box],
            (doc, words) => near.push([doc, ...words].join()),
            doc => apart.push(doc),
          )
          expect(near.length + apart.length).toBe(count)
          expect(reader.estimate([box])).toBe(near.length)
          const found = new Set(near)
          for (const row of rows) if (touches(row, box)) expect(found).toContain(row.join())
        }
      }),
      { numRuns: 60 },
    )
  })
})
