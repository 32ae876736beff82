import { describe, expect, it } from 'vitest'
import {
  expectSameBytes,
  type Files,
  filesOf,
  goldenFiles,
  idOf,
  openFiles,
  refusalsOf,
  sealDocuments,
} from '../support/golden-segment.ts'
import { testArena } from '../support/test-arena.ts'

/** A segment of shapes: stays here for good and must open. */
const FOLDER = 'shapes-v1'
const COUNT = 600

function documentOf(i: number): Record<string, unknown> {
  const [lon, lat] = [(i % 340) - 170, (i % 160) - 80]
  if (i % 4 === 0) return { s: `POINT (${lon} ${lat})` }
  if (i % 4 === 1) return { s: `LINESTRING (${lon} ${lat}, ${lon + 1} ${lat}, ${lon} ${lat + 1})` }
  if (i % 4 === 2) return { s: `BBOX (${lon}, ${lon + 2}, ${lat + 1}, ${lat})` }
  return {}
}

function build(): Files {
  const properties = { s: { type: 'geo_shape' } }
  return filesOf(sealDocuments({ properties, range: [0, COUNT], documentOf, id: idOf(9) }))
}

const arena = testArena()
const golden = (): Files => goldenFiles(FOLDER, build)

/** Reads everything that the segment holds, through the reader that searches use. */
function check(files: Files): void {
  arena.clear()
  const leaf = openFiles(files, arena)
  const info = leaf.fieldInfo('s')!
  expect([info.docValues, info.indexOptions]).toEqual(['shapes', 'none'])
  const triangles = leaf.triangles('s')!
  expect(triangles.docCount).toBe((COUNT / 4) * 3)
  const byDoc = new Map<number, number[][]>()
  triangles.visitAll((doc, words) => byDoc.set(doc, [...(byDoc.get(doc) ?? []), [...words]]))
  const degrees = (word: number, span: number): number => ((word - 2147483648) * span) / 2 ** 32
  for (let i = 0; i < COUNT; i++) {
    const own = byDoc.get(i) ?? []
    // A point, two segments, or a box in two triangles.
    expect(own.length).toBe([1, 2, 2, 0][i % 4])
    for (const words of own) {
      expect(Math.abs(degrees(words[0]!, 360) - ((i % 340) - 170))).toBeLessThan(2.1)
      expect(Math.abs(degrees(words[1]!, 180) - ((i % 160) - 80))).toBeLessThan(2.1)
      expect(words[6]! === 7).toBe(i % 4 < 2)
    }
  }
}

describe('the golden segment of shapes', () => {
  it('is what this build writes: another byte is another version of the format', () => {
    expectSameBytes(build(), golden())
  })

  it('opens, and holds what was written', () => check(golden()))

  it('answers right or is refused with a clear error, whatever is cut or flipped', () => {
    expect(refusalsOf(golden(), 4713, check)).toBeGreaterThan(50)
  })
})
