import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quantise } from '../../src/codec/dense-vectors/quantise.ts'
import type { VectorElement, VectorSpace } from '../../src/schema/knn-vector/vector-space.ts'
import { queryVector, squareOf } from '../../src/search/vector/comparison.ts'
import { VectorScores } from '../../src/search/vector/vector-scores.ts'
import { BitSet } from '../../src/util/bit-set.ts'
import { Random } from '../../src/util/random.ts'
import { differingBits, dotBytes, dotFloats, squaredFloats } from '../../src/util/vector-sums.ts'
import { type GraphFixture, graphFixture, walked } from '../support/graph-fixture.ts'
import { plainWalk, plainWalkAround } from '../support/plain-graph.ts'
import { checkedArena, testArena } from '../support/test-arena.ts'

const f = Math.fround

/** Distances of a query as the kernel makes them, all steps in float32. */
function distances(
  { vectors, graph, method }: GraphFixture,
  given: readonly number[],
): (ord: number) => number {
  const query = queryVector(given, vectors.element)
  const { space } = method
  const own = vectors.element === 'binary' ? 0 : squareOf(query)
  const angular = (found: number, ord: number): number => {
    if (space !== 'cosinesimil') return found
    const product = f(f(own) * vectors.square(ord))
    return product > 0 ? f(found / f(Math.sqrt(product))) : 0
  }
  if (!(query instanceof Float32Array)) {
    if (vectors.element === 'binary') return ord => differingBits(query, vectors.signedBytes(ord))
    return ord => {
      const dot = f(dotBytes(query, vectors.signedBytes(ord)))
      if (space !== 'l2') return angular(-dot, ord)
      return f(f(f(own) + vectors.square(ord)) - f(2 * dot))
    }
  }
  if (graph.compared === 'floats')
    return ord =>
      space === 'l2'
        ? squaredFloats(query, vectors.floats(ord))
        : angular(-dotFloats(query, vectors.floats(ord)), ord)
  const codes = new Int8Array(vectors.codeBytes)
  const { step } = quantise(query, codes)
  return ord => {
    const other = new Int8Array(vectors.codeBytes)
    vectors.copyCodes(ord, new Uint8Array(other.buffer), 0)
    const dot = f(f(f(dotBytes(codes, other)) * step) * vectors.step(ord))
    if (space !== 'l2') return angular(-dot, ord)
    return f(f(f(own) + vectors.square(ord)) - f(2 * dot))
  }
}

const KINDS: readonly (readonly [VectorElement, VectorSpace])[] = [
  ['float', 'l2'],
  ['float', 'cosinesimil'],
  ['float', 'innerproduct'],
  ['byte', 'l2'],
  ['byte', 'cosinesimil'],
  ['byte', 'innerproduct'],
  ['binary', 'hamming'],
]

function randomVectors(
  element: VectorElement,
  count: number,
  length: number,
  offset: number,
  random: Random,
): number[][] {
  const one = (): number =>
    element === 'float'
      ? f(offset + (random.below(200_001) - 100_000) / 99_991)
      : random.below(256) - 128
  return Array.from({ length: count }, () => Array.from({ length }, one))
}

/** The documents with the best scores of some, the earlier first of equal ones, in order. */
function bestOf(
  { leaf, vectors, method }: GraphFixture,
  given: readonly number[],
  ords: readonly number[],
  k: number,
): readonly number[] {
  const scores = new VectorScores(method.space, queryVector(given, vectors.element), vectors, leaf)
  const scored = ords.map(ord => ({ ord, score: scores.of(ord) }))
  const best = scored.sort((a, b) => b.score - a.score || a.ord - b.ord).slice(0, k)
  return best.map(each => each.ord).sort((a, b) => a - b)
}

describe.each([
  ['the kernel', testArena(8 << 20)],
  ['the checked kernel', checkedArena(8 << 20, true)],
])('%s', (_name, arena) => {
  it.each(KINDS)('walks graphs of %s in %s as the model does', (element, space) => {
    const cases = fc.tuple(
      fc.constantFrom(1, 2, 3, 31, 33, 120),
      fc.constantFrom(1, 3, 16, 19),
      fc.constantFrom(1, 2, 5, 16),
      fc.constantFrom(1, 7, 40),
      // Far from 0 codes tell nothing apart, and whole components are compared.
      fc.constantFrom(0, 0, 300),
      fc.integer(),
    )
    fc.assert(
      fc.property(cases, ([count, length, m, ef, offset, seed]) => {
        arena.clear()
        arena.scratch.reset()
        const random = new Random(seed)
        const vectors = randomVectors(element, count, length, offset, random)
        const fixture = graphFixture(arena, vectors, element, { space, m, efConstruction: 20 })
        fixture.graph.verify()
        const accepted = new BitSet(count)
        const passes = 1 + random.below(8)
        for (let doc = 0; doc < count; doc++) if (random.below(passes) === 0) accepted.add(doc)
        for (const query of randomVectors(element, 4, length, offset, random)) {
          const distance = distances(fixture, query)
          expect(walked(fixture, query, { k: ef, ef })).toEqual(
            plainWalk(fixture.graph, Math.min(ef, count), distance, () => true),
          )
          const few = walked(fixture, query, { k: 2, ef })
          expect(few).toEqual(
            bestOf(
              fixture,
              query,
              plainWalk(fixture.graph, Math.min(ef, count), distance, () => true),
              2,
            ),
          )
          const own = Math.min(ef, count)
          const share = accepted.count() / count
          const isAccepted = (ord: number): boolean => accepted.has(ord)
          expect(walked(fixture, query, { k: ef, ef, accepted })).toEqual(
            share > 0.25
              ? plainWalk(fixture.graph, own, distance, isAccepted)
              : plainWalkAround(fixture.graph, own, distance, isAccepted, accepted.count()),
          )
        }
      }),
      { numRuns: 25 },
    )
  })
})
