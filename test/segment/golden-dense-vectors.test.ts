import { describe, expect, it } from 'vitest'
import type { DenseVectorsReader } from '../../src/codec/dense-vectors/reader.ts'
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

/** Segments of vectors, in the first version and in this one: they stay here for good and must open. */
const FIRST_FOLDER = 'dense-vectors-v1'
const FOLDER = 'dense-vectors-v2'
const COUNT = 300
const FIRST_MAPPING = {
  f: { type: 'knn_vector', dimension: 5 },
  all: { type: 'knn_vector', dimension: 20 },
  b: { type: 'knn_vector', dimension: 3, data_type: 'byte' },
  bits: { type: 'knn_vector', dimension: 16, data_type: 'binary' },
}

/** With vectors whose codes lie in two parts. */
const MAPPING = { ...FIRST_MAPPING, wide: { type: 'knn_vector', dimension: 270 } }

const floatOf = (i: number, at: number): number => ((i * 7 + at * 13) % 64) / 8 - 4
const byteOf = (i: number, at: number): number => ((i * 31 + at * 17) % 256) - 128

function documentOf(i: number): Record<string, number[]> {
  const list = (length: number, of: (i: number, at: number) => number): number[] =>
    Array.from({ length }, (_, at) => of(i, at))
  return {
    ...(i % 3 === 0 ? {} : { f: list(5, floatOf) }),
    all: list(20, floatOf),
    ...(i % 2 === 0 ? { b: list(3, byteOf) } : {}),
    ...(i % 5 === 0 ? { bits: list(2, byteOf) } : {}),
    ...(i % 50 === 7 ? { wide: list(270, floatOf) } : {}),
  }
}

function build(): Files {
  return filesOf(
    sealDocuments({ properties: MAPPING, range: [0, COUNT], documentOf, id: idOf(11) }),
  )
}

const arena = testArena()
const golden = (): Files => goldenFiles(FOLDER, build)

/** Reads everything that the segment holds, through the reader that searches use. */
function check(files: Files, mapping: object = MAPPING): void {
  arena.clear()
  const leaf = openFiles(files, arena)
  for (const name of Object.keys(mapping)) {
    const info = leaf.fieldInfo(name)!
    expect([info.docValues, info.indexOptions]).toEqual(['vectors', 'none'])
    const vectors = leaf.denseVectors(name)!
    for (let i = 0; i < COUNT; i++) {
      const given = documentOf(i)[name]
      const ord = vectors.ordOf(i)
      expect(ord >= 0 ? vectors.numbers(ord) : undefined).toEqual(given)
      if (given === undefined || name === 'bits') continue
      expect(vectors.square(ord)).toBe(given.reduce((sum, value) => sum + value * value, 0))
      if (vectors.codes > 0) checkCodes(vectors, ord, given)
    }
  }
}

/** No code is further from its component than half of a step, or what half is rounded to. */
function checkCodes(vectors: DenseVectorsReader, ord: number, given: readonly number[]): void {
  const codes = new Int8Array(vectors.codeBytes)
  vectors.copyCodes(ord, new Uint8Array(codes.buffer), 0)
  for (const [i, value] of given.entries())
    expect(Math.abs(codes[i]! * vectors.step(ord) - value)).toBeLessThan(0.501 * vectors.step(ord))
}

const VERSIONS = [
  ['this version', golden, MAPPING],
  ['the first version', () => goldenFiles(FIRST_FOLDER, null), FIRST_MAPPING],
] as const

describe('the golden segment of vectors', () => {
  it('is what this build writes: another byte is another version of the format', () => {
    expectSameBytes(build(), golden())
  })

  it.each(VERSIONS)('opens in %s, and holds what was written', (_version, files, mapping) =>
    check(files(), mapping),
  )

  it.each(VERSIONS)(
    'answers right in %s or is refused with a clear error, whatever is cut or flipped',
    (_version, files, mapping) => {
      const refused = refusalsOf(files(), 4719, each => check(each, mapping))
      expect(refused).toBeGreaterThan(50)
    },
  )
})
