import { describe, expect, it } from 'vitest'
import { VectorGraphReader } from '../../src/codec/vector-graph/reader.ts'
import { writeVectorGraph } from '../../src/codec/vector-graph/writer.ts'
import { buildGraph } from '../../src/indexing/build-graph.ts'
import { BitSet } from '../../src/util/bit-set.ts'
import { Random } from '../../src/util/random.ts'
import {
  clusteredVectors,
  type GraphFixture,
  graphFixture,
  recallOf,
  scanned,
  walked,
} from '../support/graph-fixture.ts'
import { testArena } from '../support/test-arena.ts'

const SEED = Number(process.env['LAMELLA_SEED'] ?? 20261123)
const K = 10
const EF = 100
const QUERIES = 60
const METHOD = { space: 'l2', m: 16, efConstruction: 100 } as const

const arena = testArena(256 << 20)

/** Sets of vectors: one in clusters, one without any, which is the harder. */
const SETS = [
  { name: 'clusters of 64 numbers', dimension: 64, clusters: 80, spread: 0.5 },
  { name: 'scattered vectors of 24 numbers', dimension: 24, clusters: 1, spread: 1 },
] as const

function draw(set: (typeof SETS)[number], count: number): { all: number[][]; queries: number[][] } {
  const vectors = clusteredVectors(count + QUERIES, set.dimension, { ...set, seed: SEED })
  return { all: vectors.slice(QUERIES), queries: vectors.slice(0, QUERIES) }
}

/** Merges a graph with more vectors behind those of it that are kept. */
function merged(
  fixture: GraphFixture,
  own: readonly number[][],
  keeps: (ord: number) => boolean,
  more: readonly number[][],
): { fixture: GraphFixture; vectors: number[][] } {
  const ords = new Int32Array(own.length).fill(-1)
  const vectors: number[][] = []
  for (const [ord, vector] of own.entries()) if (keeps(ord)) ords[ord] = vectors.push(vector) - 1
  vectors.push(...more)
  const source = { graph: fixture.graph, ords }
  return { fixture: graphFixture(arena, vectors, 'float', METHOD, source), vectors }
}

describe.each(SETS)('graphs of $name', set => {
  it(`find at least 0.95 of the nearest 10 with ${EF} candidates`, () => {
    arena.clear()
    const { all, queries } = draw(set, 6000)
    const fixture = graphFixture(arena, all, 'float', METHOD)
    expect(recallOf(fixture, queries, K, EF), `seed ${SEED}`).toBeGreaterThanOrEqual(0.95)
    // All vectors are candidates: then a walk is a scan.
    expect(recallOf(fixture, queries.slice(0, 10), K, 6000)).toBeGreaterThan(0.999)
  }, 60_000)

  it('find no less among half of the vectors, the others deleted and walked through', () => {
    arena.clear()
    const { all, queries } = draw(set, 6000)
    const fixture = graphFixture(arena, all, 'float', METHOD)
    const random = new Random(SEED)
    const live = new BitSet(all.length)
    for (let ord = 0; ord < all.length; ord++) if (random.below(2) === 0) live.add(ord)
    let hits = 0
    for (const query of queries) {
      const exact = new Set(scanned(fixture, query, K, doc => live.has(doc)))
      const found = walked(fixture, query, { k: K, ef: EF, accepted: live })!
      expect(found.every(doc => live.has(doc))).toBe(true)
      hits += found.filter(doc => exact.has(doc)).length
    }
    const kept = all.filter((_, ord) => live.has(ord))
    const fresh = recallOf(graphFixture(arena, kept, 'float', METHOD), queries, K, EF)
    expect(hits / (K * queries.length), `seed ${SEED}`).toBeGreaterThanOrEqual(fresh - 0.01)
  }, 60_000)

  it('find no less after half of the vectors are gone and ten merges', () => {
    arena.clear()
    const { all, queries } = draw(set, 6000)
    const random = new Random(SEED)
    let vectors = all.slice(0, 2000)
    let fixture = graphFixture(arena, vectors, 'float', METHOD)
    const half = vectors.map(() => random.below(2) === 0)
    // Half are gone: such a graph is made anew (`LOST_NODES`).
    vectors = vectors.filter((_, ord) => half[ord])
    fixture = graphFixture(arena, vectors, 'float', METHOD)
    for (let merge = 0; merge < 10; merge++) {
      // Up to a tenth of the vectors are dropped in each.
      const next = all.slice(2000 + 400 * merge, 2400 + 400 * merge)
      const after = merged(fixture, vectors, () => random.below(100) >= 9, next)
      fixture = after.fixture
      vectors = after.vectors
      fixture.graph.verify()
    }
    const after = recallOf(fixture, queries, K, EF)
    const fresh = recallOf(graphFixture(arena, vectors, 'float', METHOD), queries, K, EF)
    expect(after, `seed ${SEED}, fresh ${fresh}`).toBeGreaterThanOrEqual(fresh - 0.01)
  }, 120_000)
})

describe('a graph that is built', () => {
  it('has the same bytes for the same vectors, and for the same graph that it begins from', () => {
    arena.clear()
    const { all } = draw(SETS[1], 1500)
    const one = graphFixture(arena, all, 'float', METHOD)
    expect(graphFixture(arena, all, 'float', METHOD).bytes).toEqual(one.bytes)
    const more = draw(SETS[0], 10).all.map(vector => vector.slice(0, 24))
    const [first, second] = [1, 2].map(() => merged(one, all, ord => ord % 20 > 0, more).fixture)
    expect(first!.bytes).toEqual(second!.bytes)
  }, 60_000)

  it('stays as it is where all vectors stay, in another order too', () => {
    arena.clear()
    const { all, queries } = draw(SETS[1], 800)
    const one = graphFixture(arena, all, 'float', METHOD)
    const ords = Int32Array.from(all, (_, ord) => all.length - 1 - ord)
    const turned = graphFixture(arena, [...all].reverse(), 'float', METHOD, {
      graph: one.graph,
      ords,
    })
    for (let ord = 0; ord < all.length; ord++)
      expect(new Set(turned.graph.neighbours(0, ords[ord]!))).toEqual(
        new Set(one.graph.neighbours(0, ord).map(each => ords[each]!)),
      )
    for (const query of queries)
      expect(new Set(walked(turned, query, { k: K, ef: EF }))).toEqual(
        new Set(walked(one, query, { k: K, ef: EF })!.map(doc => ords[doc]!)),
      )
  })

  it('compares whole components where codes tell neighbours not apart', () => {
    arena.clear()
    const { all, queries } = draw(SETS[0], 2000)
    const away = (vectors: number[][]): number[][] =>
      vectors.map(vector => vector.map(value => Math.fround(value / 50 + 100)))
    const fixture = graphFixture(arena, away(all), 'float', METHOD)
    expect(fixture.graph.compared).toBe('floats')
    expect(recallOf(fixture, away(queries), K, EF)).toBeGreaterThanOrEqual(0.95)
    expect(graphFixture(arena, all, 'float', METHOD).graph.compared).toBe('codes')
  }, 60_000)

  it('joins equal vectors, one vector and rows of one neighbour', () => {
    arena.clear()
    const equal = graphFixture(arena, new Array(300).fill([1, 2, 3]), 'float', METHOD)
    expect(walked(equal, [1, 2, 3], { k: 5, ef: 300 })!.length).toBe(5)
    const alone = graphFixture(arena, [[4, 4]], 'float', METHOD)
    expect(walked(alone, [0, 0], { k: 3, ef: 10 })).toEqual([0])
    const thin = { space: 'l2', m: 1, efConstruction: 1 } as const
    const { all } = draw(SETS[1], 200)
    graphFixture(arena, all, 'float', thin).graph.verify()
  })

  it('is abandoned when its merge is', () => {
    arena.clear()
    const { all } = draw(SETS[1], 500)
    const { vectors } = graphFixture(arena, all, 'float', METHOD)
    let calls = 0
    const goOn = (): void => {
      if (++calls === 3) throw new Error('the merge was given up')
    }
    expect(() => buildGraph(vectors, METHOD, null, goOn)).toThrow('the merge was given up')
    // The next one is none the worse for it.
    const again = buildGraph(vectors, METHOD, null, () => undefined)!
    new VectorGraphReader(arena.section(writeVectorGraph(again))).verify()
    expect(again.levels[0]!.links.length).toBe(500 * 32)
  })
})
