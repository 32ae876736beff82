import { describe, expect, it } from 'vitest'
import { prepareSearch, rewriteSearch } from '../../../src/parallel/prepare.ts'
import { type BulkShape, bulkShape } from '../../../src/search/bulk/bulk-shape.ts'
import { bulkSlice } from '../../../src/search/bulk/bulk-slice.ts'
import type { SliceResult } from '../../../src/search/collector/collect-spec.ts'
import { OwnControl } from '../../../src/search/collector/search-control.ts'
import type { Query } from '../../../src/search/query/query.ts'
import type { SortKey, SortValue } from '../../../src/search/sort/sort-key.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'
import { Random } from '../../../src/util/random.ts'
import { postingsLeaf } from '../../support/postings-leaf.ts'
import { type PlanOptions, searchPlan } from '../../support/search-plan.ts'
import { checkedArena, type TestArena, testArena } from '../../support/test-arena.ts'

/** Sixteen runs of 4,096 documents, the last one short. */
const DOCS = 65_000
const BUILDS: readonly [string, TestArena][] = [
  ['kernels', testArena(32 << 20)],
  ['kernels of the debug build', checkedArena(32 << 20, true)],
]

/** Values by document, and whether each document has one. */
const COLUMNS: Record<string, (doc: number, random: Random) => bigint | null> = {
  'the same everywhere': () => 7n,
  'that rise': doc => BigInt(doc) * 1000n,
  'that fall': doc => BigInt(-doc >> 3),
  'at random': (_, random) => BigInt(random.nextUint32()) * 3000n,
  'of a few kinds': (_, random) => BigInt(random.below(3)),
  'as wide as they can be': (_, random) =>
    BigInt.asIntN(64, (BigInt(random.nextUint32()) << 32n) | BigInt(random.nextUint32())),
  'best in one run': doc => (doc >> 12 === 9 ? 1n << 50n : BigInt(doc % 50)),
  'that some lack': (doc, random) => (random.below(3) === 0 ? null : BigInt(doc % 977)),
  'that most runs lack': doc => (doc >> 12 === 11 ? BigInt(doc % 5) : null),
}

const COMMON: Query = { kind: 'term', field: 'tag', term: 'common' }
const BOTH: Query = {
  kind: 'boolean',
  clauses: [
    { occur: 'must', query: COMMON },
    { occur: 'must', query: { kind: 'term', field: 'tag', term: 'half' } },
  ],
  minimumShouldMatch: 0,
}

describe.each(BUILDS)('a sort by a column with the %s', (_, arena) => {
  it.each(Object.keys(COLUMNS))('finds the first of values %s', name => {
    const random = new Random(4)
    arena.clear()
    arena.scratch.reset()
    const has = Uint8Array.from({ length: DOCS }, () => random.below(4))
    const values = Array.from({ length: DOCS }, (_, doc) => COLUMNS[name]!(doc, random))
    const leaf = leafOf(arena, has, values)
    for (const [query, least] of [[COMMON, 1] as const, [BOTH, 2] as const])
      for (const descending of [false, true])
        for (const missing of [-(2n ** 63n), 0n, 2n ** 63n - 1n]) {
          const order = descending ? -1 : 1
          const expected = values
            .map((value, doc) => ({ doc, value: value ?? missing }))
            .filter(({ doc }) => has[doc]! >= least)
            .sort((a, b) => order * compare(a.value, b.value) || a.doc - b.doc)
            .map(({ doc, value }) => [doc, value])
          const key = { kind: 'number', field: 'num', encoding: 'long', scale: 1 } as const
          const sort: SortKey[] = [{ ...key, descending, missing, mode: 'min' }]
          for (const topCount of [1, 10, 700])
            for (const trackTotalHits of [-1, Number.POSITIVE_INFINITY]) {
              const { hits, hitCount } = search(leaf, query, { topCount, sort, trackTotalHits })
              expect(hits.map(hit => [hit.globalDoc, hit.sort?.[0]])).toEqual(
                expected.slice(0, topCount),
              )
              if (trackTotalHits > 0) expect(hitCount).toBe(expected.length)
            }
        }
  })

  it.each(Object.keys(COLUMNS))('pages over values %s by a second level', name => {
    const random = new Random(6)
    arena.clear()
    arena.scratch.reset()
    const has = Uint8Array.from({ length: DOCS }, () => random.below(4))
    const values = Array.from({ length: DOCS }, (_, doc) => COLUMNS[name]!(doc, random))
    const leaf = leafOf(arena, has, values)
    for (const descending of [false, true])
      for (const missing of [-(2n ** 63n), 20n, 2n ** 63n - 1n]) {
        const order = descending ? -1 : 1
        const expected = values
          .map((value, doc) => ({ doc, value: value ?? missing }))
          .filter(({ doc }) => has[doc]! >= 1)
          .sort((a, b) => order * compare(a.value, b.value) || b.doc - a.doc)
          .map(({ doc }) => doc)
        const key = { kind: 'number', field: 'num', encoding: 'long', scale: 1 } as const
        const sort: SortKey[] = [
          { ...key, descending, missing, mode: 'min' },
          { kind: 'doc', descending: true },
        ]
        let searchAfter: readonly SortValue[] | null = null
        for (let page = 0; page < 4; page++) {
          const options = { topCount: 50, sort, trackTotalHits: Number.POSITIVE_INFINITY }
          const { hits, hitCount } = search(leaf, COMMON, { ...options, searchAfter })
          const docs = hits.map(hit => hit.globalDoc)
          expect(docs).toEqual(expected.slice(50 * page, 50 * page + 50))
          expect(hitCount).toBe(expected.length)
          searchAfter = hits.at(-1)!.sort!
        }
      }
  })
})

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** @param has 0: neither term, 1: the common one, 2 and 3: both */
function leafOf(arena: TestArena, has: Uint8Array, values: readonly (bigint | null)[]): Leaf {
  const listOf = (least: number) => {
    const docs = Int32Array.from([...has.keys()].filter(doc => has[doc]! >= least))
    return { docs, freqs: new Int32Array(docs.length).fill(1), positions: null }
  }
  const lists = [['common', listOf(1)] as const, ['half', listOf(2)] as const]
  const docs = Int32Array.from([...values.keys()].filter(doc => values[doc] !== null))
  const numbers = { name: 'num', docs, values: values.filter(value => value !== null) }
  const place = { uid: 1, ord: 0, docBase: 0 }
  return postingsLeaf(arena, [{ name: 'tag', lists, codes: null }], DOCS, null, place, numbers)
}

function search(leaf: Leaf, query: Query, options: Partial<PlanOptions>): SliceResult {
  const { weight, spec } = prepareSearch(rewriteSearch(searchPlan(query, options)), [leaf])
  const parts = [{ leafOrd: 0, minDoc: 0, maxDoc: DOCS }]
  const control = new OwnControl()
  const input = {
    weight,
    spec,
    parts,
    leafOf: () => leaf,
    control,
    listener: null,
    report: null,
    gathers: [],
  }
  const shape = bulkShape(weight, spec)
  expect(typeof shape).toBe('object')
  return bulkSlice(input, shape as BulkShape) as SliceResult
}
