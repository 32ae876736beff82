import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { BitSet } from '../../../src/util/bit-set.ts'
import { Random } from '../../../src/util/random.ts'
import { squaredBytes } from '../../../src/util/vector-sums.ts'
import {
  clusteredVectors,
  type GraphFixture,
  graphFixture,
  scanned,
  type Wholes,
  walked,
  wholesOf,
} from '../../support/graph-fixture.ts'
import { plainWalk, plainWalkAround } from '../../support/plain-graph.ts'
import { checkedArena, type TestArena, testArena } from '../../support/test-arena.ts'

const SEED = Number(process.env['LAMELLA_SEED'] ?? 20261124)

/** Sizes of so many whole documents, some of which have no nested one; the last has. */
function sizesOf(wholes: number, most: number, random: Random): number[] {
  const sizes = Array.from({ length: wholes }, () => random.below(most + 1))
  return [...sizes.slice(1), 1 + random.below(most)]
}

function bytesAt(random: Random, length: number): number[] {
  return Array.from({ length }, () => random.below(64) - 32)
}

interface Drawn {
  readonly fixture: GraphFixture
  readonly wholes: Wholes
  readonly query: readonly number[]
  readonly random: Random
}

/** Vectors of bytes, whose distances are exact: two of three lie where another one of their document does. */
function drawn(arena: TestArena, wholeCount: number, most: number, seed: number): Drawn {
  arena.clear()
  arena.scratch.reset()
  const random = new Random(seed)
  const wholes = wholesOf(arena, sizesOf(wholeCount, most, random))
  const vectors: number[][] = []
  for (const [i, doc] of wholes.docs.entries()) {
    const isNear = i > 0 && wholes.docs[i - 1] === doc - 1 && random.below(3) > 0
    vectors.push(isNear ? vectors[i - 1]!.map(each => each + random.below(3)) : bytesAt(random, 6))
  }
  const method = { space: 'l2', m: 8, efConstruction: 40 } as const
  const fixture = graphFixture(arena, vectors, 'byte', method, null, wholes.docs)
  return { fixture, wholes, query: bytesAt(random, 6), random }
}

describe.each([
  ['the kernel', testArena(16 << 20)],
  ['the checked kernel', checkedArena(16 << 20, true)],
])('%s over nested vectors', (_name, arena) => {
  const shapes = fc.tuple(
    fc.constantFrom(1, 2, 7, 40, 150),
    fc.constantFrom(1, 3, 9),
    fc.constantFrom(1, 2, 9, 33, 64),
    fc.integer(),
  )

  it('finds the whole documents that the model finds', () => {
    fc.assert(
      fc.property(shapes, ([wholeCount, most, ef, seed]) => {
        const { fixture, wholes, query, random } = drawn(arena, wholeCount, most, seed)
        const { docs, parents } = wholes
        const { graph, vectors } = fixture
        const own = Int8Array.from(query)
        const distance = (ord: number): number => squaredBytes(own, vectors.signedBytes(ord))
        const groupOf = (ord: number): number => parents.next(docs[ord]!)
        const wholesOfOrds = (ords: readonly number[] | null): number[] | null =>
          ords === null ? null : ords.map(groupOf)
        const found = (accepted?: BitSet): number[] | null => {
          const best = walked(fixture, query, { k: ef, ef, parents, ...(accepted && { accepted }) })
          return best === null ? null : best.map(doc => parents.next(doc))
        }
        const candidates = Math.min(ef, docs.length)
        expect(found()).toEqual(
          wholesOfOrds(plainWalk(graph, candidates, distance, () => true, groupOf)),
        )
        const passes = 1 + random.below(8)
        const accepted = new BitSet(parents.maxDoc)
        for (const doc of docs) if (random.below(passes) === 0) accepted.add(doc)
        const isAccepted = (ord: number): boolean => accepted.has(docs[ord]!)
        const left = docs.filter(doc => accepted.has(doc))
        const groups = new Set(left.map(doc => parents.next(doc))).size
        expect(found(accepted)).toEqual(
          wholesOfOrds(
            left.length > 0.25 * docs.length
              ? plainWalk(graph, candidates, distance, isAccepted, groupOf)
              : plainWalkAround(graph, candidates, distance, isAccepted, groups, groupOf),
          ),
        )
      }),
      { seed: SEED, numRuns: 60 },
    )
  })

  it('finds what a scan finds where all are candidates', () => {
    fc.assert(
      fc.property(shapes, ([wholeCount, most, k, seed]) => {
        const { fixture, wholes, query } = drawn(arena, wholeCount, most, seed)
        const { docs, parents } = wholes
        const found = walked(fixture, query, { k, ef: docs.length, parents })
        expect(found).toEqual(scanned(fixture, query, k, () => true, parents))
        expect(new Set(found!.map(doc => parents.next(doc))).size).toBe(found!.length)
      }),
      { seed: SEED, numRuns: 60 },
    )
  })
})

describe.each([
  ['lie anywhere', false],
  ['lie together', true],
])('walks of 12,000 vectors, those of a document %s', (_name, isNear) => {
  const K = 10
  const COUNT = 12_000
  const QUERIES = 40
  let fixture: GraphFixture
  let wholes: Wholes
  let queries: number[][]

  beforeAll(() => {
    const arena = testArena(32 << 20)
    const random = new Random(SEED)
    const sizes: number[] = []
    for (let left = COUNT; left > 0; left -= sizes.at(-1)!)
      sizes.push(Math.min(left, 1 + random.below(9)))
    wholes = wholesOf(arena, sizes)
    const shape = { clusters: 300, spread: 1, seed: SEED }
    const vectors = clusteredVectors(COUNT + QUERIES, 16, shape)
    queries = vectors.splice(0, QUERIES)
    if (isNear)
      for (const [i, doc] of wholes.docs.entries())
        if (i > 0 && wholes.docs[i - 1] === doc - 1)
          vectors[i] = vectors[i - 1]!.map((each, at) => each + (vectors[i]![at]! - each) / 8)
    const method = { space: 'l2', m: 12, efConstruction: 60 } as const
    fixture = graphFixture(arena, vectors, 'float', method, null, wholes.docs)
  }, 120_000)

  it.each([100, 40, 10])('find 0.95 and more of the nearest where %i percent are left', percent => {
    const { docs, parents } = wholes
    const random = new Random(SEED + percent)
    const accepted = new BitSet(parents.maxDoc)
    for (const doc of docs) if (random.below(100) < percent) accepted.add(doc)
    let hits = 0
    for (const query of queries) {
      const exact = scanned(fixture, query, K, doc => accepted.has(doc), parents)
      const asked = percent === 100 ? { parents } : { parents, accepted }
      const found = walked(fixture, query, { k: K, ef: 100, ...asked })!
      expect(new Set(found.map(doc => parents.next(doc))).size).toBe(K)
      hits += found.filter(doc => exact.includes(doc)).length
    }
    expect(hits / (K * QUERIES)).toBeGreaterThanOrEqual(0.95)
  })
})
