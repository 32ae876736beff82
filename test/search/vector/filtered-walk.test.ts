import { beforeAll, describe, expect, it } from 'vitest'
import { isWalkCheaper, type WalkSize } from '../../../src/search/vector/walk-vectors.ts'
import { BitSet } from '../../../src/util/bit-set.ts'
import { Random } from '../../../src/util/random.ts'
import {
  clusteredVectors,
  type GraphFixture,
  graphFixture,
  scanned,
  walked,
} from '../../support/graph-fixture.ts'
import { testArena } from '../../support/test-arena.ts'

const SEED = 20261124
const COUNT = 12_000
const QUERIES = 40
const K = 10
/** Candidates of a search that says nothing of them. */
const EF = 100

let fixture: GraphFixture
let queries: number[][]
beforeAll(() => {
  const drawn = clusteredVectors(COUNT + QUERIES, 16, { clusters: 300, spread: 1, seed: SEED })
  queries = drawn.slice(0, QUERIES)
  const method = { space: 'l2', m: 12, efConstruction: 60 } as const
  fixture = graphFixture(testArena(32 << 20), drawn.slice(QUERIES), 'float', method)
}, 120_000)

function among(isAccepted: (doc: number) => boolean): BitSet {
  const accepted = new BitSet(COUNT)
  for (let doc = 0; doc < COUNT; doc++) if (isAccepted(doc)) accepted.add(doc)
  return accepted
}

/** Part of the nearest that are found, and how many walks gave up. */
function recall(accepted: BitSet): { readonly recall: number; readonly givenUp: number } {
  let hits = 0
  let givenUp = 0
  for (const query of queries) {
    const exact = new Set(scanned(fixture, query, K, doc => accepted.has(doc)))
    const found = walked(fixture, query, { k: K, ef: EF, accepted })
    if (found === null) givenUp++
    for (const doc of found ?? []) {
      expect(accepted.has(doc)).toBe(true)
      if (exact.has(doc)) hits++
    }
  }
  return { recall: hits / (K * (QUERIES - givenUp)), givenUp }
}

describe('walks under a filter, with the usual candidates', () => {
  it.each([60, 40, 26, 24, 15, 10, 5])('find 0.95 and more where it leaves %i percent', percent => {
    const random = new Random(SEED + percent)
    const found = recall(among(() => random.below(100) < percent))
    expect(found.givenUp).toBe(0)
    expect(found.recall).toBeGreaterThanOrEqual(0.95)
  })

  it('find those of a filter that leaves a region, or give up', () => {
    const { u8 } = fixture.vectors.section.views
    const first = new DataView(u8.buffer)
    const { rows, rowBytes } = fixture.vectors
    const region = among(doc => first.getFloat32(rows + doc * rowBytes, true) > 1.3)
    expect(region.count()).toBeGreaterThan(500)
    expect(region.count()).toBeLessThan(0.25 * COUNT)
    const { recall: found, givenUp } = recall(region)
    expect(givenUp).toBeLessThan(QUERIES / 2)
    expect(found).toBeGreaterThanOrEqual(0.95)
  })

  it('give up where fewer are left than candidates, or none', () => {
    const [query] = queries
    const none = walked(fixture, query!, { k: K, ef: EF, accepted: among(() => false) })
    expect(none ?? []).toEqual([])
    const few = among(doc => doc % 1000 === 7)
    const found = walked(fixture, query!, { k: K, ef: EF, accepted: few })
    if (found !== null) expect(found).toHaveLength(K)
  })
})

it('the planner takes walks where a scan of what is left costs more', () => {
  const graph = { count: 100_000, m: 16 }
  const of = (accepted: number, each = 1): WalkSize => ({ accepted, groups: accepted / each })
  const isWalked = (ef: number, size: WalkSize, dimension = 128): boolean =>
    isWalkCheaper(graph, dimension, ef, size)
  expect(isWalked(50, of(100_000))).toBe(true)
  expect(isWalked(50, of(50_000))).toBe(true)
  expect(isWalked(50, of(20_000))).toBe(true)
  expect(isWalked(50, of(10_000))).toBe(false)
  // The longer the vectors are, the less is it that memory takes longer to answer a walk.
  expect(isWalked(50, of(10_000), 768)).toBe(true)
  expect(isWalked(100, of(10_000))).toBe(false)
  expect(isWalked(50, of(1_000))).toBe(false)
  expect(isWalked(100, of(90))).toBe(false)
  // Ten vectors of each whole document.
  expect(isWalked(50, of(100_000, 10))).toBe(true)
  expect(isWalked(1000, of(100_000, 10))).toBe(false)
  expect(isWalked(5000, of(50_000, 10))).toBe(false)
})
