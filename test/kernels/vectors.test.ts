import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteColumn } from '../../src/codec/bytes/byte-column.ts'
import { DenseVectorsReader } from '../../src/codec/dense-vectors/reader.ts'
import { writeDenseVectors } from '../../src/codec/dense-vectors/writer.ts'
import { encodeVector } from '../../src/schema/knn-vector/read-vector.ts'
import { VECTOR_SPACES, type VectorElement } from '../../src/schema/knn-vector/vector-space.ts'
import { compareOne, kernelKind, queryVector } from '../../src/search/vector/comparison.ts'
import { RowComparison } from '../../src/search/vector/row-comparison.ts'
import { ScoreBounds } from '../../src/search/vector/score-bounds.ts'
import { VectorScores } from '../../src/search/vector/vector-scores.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { Random } from '../../src/util/random.ts'
import { checkedArena, testArena } from '../support/test-arena.ts'

const COMPARISONS = ['dot', 'squared', 'absolute', 'largest'] as const

/** Vectors of small and of large components, some equal, some of zeros. */
function randomVectors(
  element: VectorElement,
  length: number,
  count: number,
  random: Random,
): number[][] {
  const scales = [0, 1, 1, 1, 1e-20, 1e15, 3e38]
  return Array.from({ length: count }, () => {
    const scale = scales[random.below(scales.length)]!
    return Array.from({ length }, () =>
      element === 'float'
        ? Math.fround(((random.below(2001) - 1000) / 1000) * scale)
        : random.below(256) - 128,
    )
  })
}

function over(arena: ReturnType<typeof testArena>) {
  return (element: VectorElement, length: number, vectors: readonly number[][]) => {
    arena.clear()
    arena.scratch.reset()
    const column = new ByteColumn()
    for (const [doc, vector] of vectors.entries()) {
      const bytes = encodeVector(vector, element)
      column.push(doc, bytes, 0, bytes.length)
    }
    const dimension = element === 'binary' ? 8 * length : length
    const bytes = writeDenseVectors(
      { element, dimension, method: null, vectors: column },
      vectors.length,
    )
    const reader = new DenseVectorsReader(arena.section(bytes))
    const leaf = {
      scratch: arena.scratch,
      views: arena.views,
      kernels: arena.kernelsOf(0),
    } as unknown as Leaf
    return { reader, leaf }
  }
}

const shapes = fc.tuple(
  fc.constantFrom<VectorElement>('float', 'byte', 'binary'),
  fc.constantFrom(1, 3, 4, 5, 8, 15, 16, 17, 31, 33, 48, 63, 64, 65, 100, 384),
  fc.constantFrom(1, 2, 9),
  fc.integer(),
)

describe.each([
  ['the kernel', over(testArena(8 << 20))],
  ['the checked kernel', over(checkedArena(8 << 20, true))],
])('%s', (_name, open) => {
  it('compares vectors as its twin does, to the bit', () => {
    fc.assert(
      fc.property(shapes, ([element, length, count, seed]) => {
        const random = new Random(seed)
        const vectors = randomVectors(element, length, count, random)
        const { reader, leaf } = open(element, length, vectors)
        const [given] = randomVectors(element, length, 1, random)
        const query = queryVector(given!, element)
        const ords = Int32Array.from(vectors.keys()).reverse()
        for (const comparison of element === 'binary' ? (['bits'] as const) : COMPARISONS) {
          const mark = leaf.scratch.mark()
          const twin = (ord: number): number => compareOne(comparison, query, reader, ord)
          const rows = { kind: kernelKind(comparison, element), twin, ...{ rows: reader.rows } }
          const compared = new RowComparison(leaf, { ...rows, rowBytes: reader.rowBytes }, query)
          compared.compare(ords, ords.length)
          for (const [i, ord] of ords.entries())
            expect(compared.results[i], `${comparison} of ${ord}`).toBe(twin(ord))
          leaf.scratch.release(mark)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('bounds of scores', () => {
  it('are never below the score', () => {
    const open = over(testArena(8 << 20))
    const spaces = fc.constantFrom(...VECTOR_SPACES.slice(0, 2), 'innerproduct' as const)
    fc.assert(
      fc.property(shapes, spaces, ([, length, count, seed], space) => {
        const random = new Random(seed)
        const near = randomVectors('float', length, count + 1, random)
        const query = near.pop()!
        // Some vectors are the query, or hardly another.
        for (let i = 0; i < near.length; i += 3)
          near[i] = query.map(value => Math.fround(value * (1 + random.below(3) * 1e-7)))
        const { reader, leaf } = open('float', length, near)
        const own = Float32Array.from(query)
        const scores = new VectorScores(space, own, reader, leaf)
        const bounds = new ScoreBounds(space, own, reader, leaf)
        const ords = Int32Array.from(near.keys())
        scores.take(ords, ords.length)
        bounds.take(ords, ords.length)
        for (const ord of ords) {
          const bound = bounds.bounds[ord]!
          const score = scores.scores[ord]!
          expect(Number.isFinite(score)).toBe(true)
          expect(bound < score, `${bound} of ${score}`).toBe(false)
        }
      }),
      { numRuns: 500 },
    )
  })
})
