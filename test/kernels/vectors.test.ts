import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteColumn } from '../../src/codec/bytes/byte-column.ts'
import { quantise } from '../../src/codec/dense-vectors/quantise.ts'
import { DenseVectorsReader } from '../../src/codec/dense-vectors/reader.ts'
import { writeDenseVectors } from '../../src/codec/dense-vectors/writer.ts'
import { encodeVector } from '../../src/schema/knn-vector/read-vector.ts'
import type { VectorElement, VectorSpace } from '../../src/schema/knn-vector/vector-space.ts'
import { DocListIterator } from '../../src/search/scorer/doc-set-iterators.ts'
import { UNWATCHED } from '../../src/search/scorer/watch.ts'
import {
  compareOne,
  kernelKind,
  queryVector,
  scoreOf,
  squareOf,
} from '../../src/search/vector/comparison.ts'
import { ROWS_AT_ONCE, RowComparison } from '../../src/search/vector/row-comparison.ts'
import { scanVectors } from '../../src/search/vector/scan-vectors.ts'
import { type ScoreBounds, scoreBounds } from '../../src/search/vector/score-bounds.ts'
import { VectorScores } from '../../src/search/vector/vector-scores.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { nextFloat } from '../../src/util/next-float.ts'
import { Random } from '../../src/util/random.ts'
import { inFirstVersion } from '../support/first-vectors.ts'
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
  return (
    element: VectorElement,
    length: number,
    vectors: readonly number[][],
    isFirstVersion = false,
  ) => {
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
    const reader = new DenseVectorsReader(
      arena.section(isFirstVersion ? inFirstVersion(bytes) : bytes),
    )
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
  fc.constantFrom(1, 3, 4, 5, 8, 15, 16, 17, 31, 33, 48, 63, 64, 65, 100, 256, 300, 384),
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
          compared.compare(ords, 0, ords.length)
          for (const [i, ord] of ords.entries())
            expect(compared.result(i), `${comparison} of ${ord}`).toBe(twin(ord))
          compared.compare(null, 1, count - 1)
          for (let ord = 1; ord < count; ord++)
            expect(compared.result(ord - 1), `${comparison} of ${ord} in a run`).toBe(twin(ord))
          leaf.scratch.release(mark)
        }
      }),
      { numRuns: 300 },
    )
  })
})

const bounded = fc.constantFrom('l2' as const, 'cosinesimil' as const, 'innerproduct' as const)

describe.each([
  ['bounds of scores', over(testArena(8 << 20))],
  ['checked bounds of scores', over(checkedArena(8 << 20, true))],
])('%s', (_name, open) => {
  it('pass over no vector whose score is high enough, and over those far below', () => {
    fc.assert(
      fc.property(shapes, bounded, fc.boolean(), ([, length, count, seed], space, isFirst) => {
        const random = new Random(seed)
        const near = randomVectors('float', length, count + 1, random)
        const query = near.pop()!
        // Some vectors are the query, or hardly another.
        for (let i = 0; i < near.length; i += 3)
          near[i] = query.map(value => Math.fround(value * (1 + random.below(3) * 1e-7)))
        const { reader, leaf } = open('float', length, near, isFirst)
        const own = Float32Array.from(query)
        const { scores } = scored(new VectorScores(space, own, reader, leaf), count)
        const bounds = scoreBounds(space, own, reader, leaf)!
        const kept = new Int32Array(ROWS_AT_ONCE)
        const ords = Int32Array.from(near.keys()).filter(() => random.below(4) > 0)
        const loose = near.map((_, ord) => looseBound(space, own, reader, ord))
        for (const score of [...scores.subarray(0, count), 0, -1, Number.NEGATIVE_INFINITY])
          for (const needed of [score, score < 0 ? score : nextFloat(score), score * 1.01]) {
            const found = bounds.list(ords, 0, ords.length, needed, kept)
            const left = [...kept.subarray(0, found)]
            const first = random.below(count)
            const ofRun = bounds.list(null, first, count - first, needed, kept)
            for (const [list, all] of [
              [left, [...ords]],
              [[...kept.subarray(0, ofRun)], [...near.keys()].slice(first)],
            ] as const) {
              expect(list).toEqual(all.filter(ord => list.includes(ord)))
              for (const ord of all) {
                const isKept = list.includes(ord)
                expect(Number.isFinite(scores[ord])).toBe(true)
                if (scores[ord]! >= needed) expect(isKept, `${ord} for ${needed}`).toBe(true)
                else if (loose[ord]! * 1.01 < needed)
                  expect(isKept, `${ord} for ${needed}`).toBe(false)
              }
            }
          }
      }),
      { numRuns: 300 },
    )
  })
})

describe('scores that reach one', () => {
  const open = over(testArena(8 << 20))
  const spaces = fc.constantFrom('l2', 'l1', 'linf', 'cosinesimil', 'innerproduct')

  it('are made of all vectors that do, and of few others', () => {
    let [made, reaching] = [0, 0]
    fc.assert(
      fc.property(shapes, spaces, ([, length, count, seed], space) => {
        const random = new Random(seed)
        const vectors = randomVectors('float', length, count + 1, random)
        const query = Float32Array.from(vectors.pop()!)
        // Some are equal to the query, or have no direction.
        for (let i = 0; i < vectors.length; i += 5)
          vectors[i] = Array.from(query, value => value * random.below(2))
        const { reader, leaf } = open('float', length, vectors)
        const all = scored(new VectorScores(space, query, reader, leaf), count).scores.slice(
          0,
          count,
        )
        const scores = new VectorScores(space, query, reader, leaf)
        const kept = new Int32Array(ROWS_AT_ONCE)
        for (const needed of [...all, ...Array.from(all, nextFloat), 0, Number.NEGATIVE_INFINITY]) {
          const found = scores.takeAbove(null, 0, count, needed, kept)
          const own = [...kept.subarray(0, found)]
          expect([...scores.scores.subarray(0, found)]).toEqual(own.map(i => all[i]))
          const wanted = [...all.keys()].filter(i => all[i]! >= needed)
          expect(own).toEqual(expect.arrayContaining(wanted))
          // Nothing is known of angles beyond a right one; the next score is too near to tell.
          if (needed <= (space === 'cosinesimil' ? 0.51 : 0) || !all.includes(needed)) continue
          made += found
          reaching += wanted.length
        }
      }),
      { numRuns: 200 },
    )
    expect(made).toBeLessThan(1.2 * reaching)
  })
})

function scored(scores: VectorScores, count: number): VectorScores {
  scores.take(null, 0, count)
  return scores
}

/** A score that a vector's bound is at most; infinite where there is none. */
function looseBound(
  space: VectorSpace,
  query: Float32Array,
  vectors: DenseVectorsReader,
  ord: number,
): number {
  const vector = vectors.floats(ord)
  const [own, square] = [squareOf(query), vectors.square(ord)]
  if (!(Math.min(own, square) > 1e-30 && Math.max(own, square) < 1e30))
    return Number.POSITIVE_INFINITY
  const { rest } = quantise(query, new Int8Array(query.length))
  const [ownLength, length] = [Math.sqrt(own), Math.sqrt(square)]
  const error = vectors.rest(ord) * (ownLength + rest) + length * rest + 1e-4 * length * ownLength
  const dot = vector.reduce((sum, value, i) => sum + value * query[i]!, 0) + 2.01 * error
  if (space === 'innerproduct') return scoreOf(space, dot)
  if (space === 'cosinesimil') return scoreOf(space, dot / (length * ownLength))
  return scoreOf(space, Math.max(0, (own + square) * 0.999 - 2 * dot))
}

describe('scans', () => {
  const arena = testArena(8 << 20)
  const open = over(arena)

  it('find by codes what they find by rows, in runs, lists and groups', () => {
    const ways = fc.tuple(
      fc.constantFrom(1, 3, 20, 1000),
      fc.constantFrom('all', 'live', 'listed'),
      fc.constantFrom(1, 3),
      fc.boolean(),
    )
    const sizes = fc.constantFrom(1, 255, 256, 257, 600)
    fc.assert(
      fc.property(
        fc.integer(),
        bounded,
        sizes,
        ways,
        (seed, space, count, [limit, way, group, hasMin]) => {
          const random = new Random(seed)
          const length = 1 + (random.below(2) === 0 ? random.below(40) : 240 + random.below(80))
          // Steps of a quarter: many are equally near.
          const vectors = Array.from({ length: count + 1 }, () =>
            Array.from({ length }, () => (random.below(17) - 8) / 4),
          )
          const query = Float32Array.from(vectors.pop()!)
          const { reader, leaf } = open('float', length, vectors, random.below(4) === 0)
          const { scores } = scored(
            new VectorScores(space, query, reader, leaf),
            Math.min(count, ROWS_AT_ONCE),
          )
          const minScore = hasMin ? scores[0]! : Number.NEGATIVE_INFINITY
          const isLive = (doc: number): boolean => doc % 7 !== 3
          const listed = Int32Array.from(vectors.keys()).filter(doc => doc % 5 !== 2)
          const scan = (bounds: ScoreBounds | null) =>
            scanVectors({
              vectors: reader,
              scores: new VectorScores(space, query, reader, leaf),
              bounds,
              docs: way === 'listed' ? new DocListIterator(listed) : null,
              isLive: way === 'all' ? null : isLive,
              around: group === 1 ? null : { next: doc => doc - (doc % group) + group - 1 },
              limit,
              minScore,
              watch: UNWATCHED,
            })
          const found = scan(scoreBounds(space, query, reader, leaf))
          expect(found).toEqual(scan(null))
          const docs = [...vectors.keys()].filter(
            doc => (way === 'all' || isLive(doc)) && (way !== 'listed' || listed.includes(doc)),
          )
          expect(found).toEqual(
            plainScan({ docs, group, limit, minScore, space, query, reader, leaf }),
          )
        },
      ),
      { numRuns: 150 },
    )
  })
})

/** The best of documents, by a sort of all. */
function plainScan({
  docs,
  group,
  limit,
  minScore,
  space,
  query,
  reader,
  leaf,
}: {
  readonly docs: readonly number[]
  readonly group: number
  readonly limit: number
  readonly minScore: number
  readonly space: VectorSpace
  readonly query: Float32Array
  readonly reader: DenseVectorsReader
  readonly leaf: Leaf
}) {
  const scores = new VectorScores(space, query, reader, leaf)
  const best = new Map<number, { doc: number; score: number }>()
  for (const doc of docs) {
    const score = scores.of(doc)
    const own = best.get(Math.floor(doc / group))
    if (score >= minScore && (own === undefined || score > own.score))
      best.set(Math.floor(doc / group), { doc, score })
  }
  const found = [...best.values()]
    .sort((a, b) => b.score - a.score || a.doc - b.doc)
    .slice(0, limit)
    .sort((a, b) => a.doc - b.doc)
  return {
    docs: Int32Array.from(found, each => each.doc),
    scores: Float32Array.from(found, each => each.score),
  }
}
