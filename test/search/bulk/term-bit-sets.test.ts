import { expect, it } from 'vitest'
import { prepareSearch, rewriteSearch } from '../../../src/parallel/prepare.ts'
import { bulkShape } from '../../../src/search/bulk/bulk-shape.ts'
import { bulkSlice } from '../../../src/search/bulk/bulk-slice.ts'
import { makeTermBitSets } from '../../../src/search/bulk/term-bit-set-wants.ts'
import { SearchControl } from '../../../src/search/collector/search-control.ts'
import type { Query } from '../../../src/search/query/query.ts'
import { searchSlice } from '../../../src/search/search-slice.ts'
import { Leaf } from '../../../src/segment/leaf.ts'
import { TermBitSetCache } from '../../../src/segment/term-bit-sets.ts'
import { CorruptSegmentError } from '../../../src/util/errors.ts'
import { type PostingsList, postingsLeaf } from '../../support/postings-leaf.ts'
import { searchPlan } from '../../support/search-plan.ts'
import { spareMemory } from '../../support/spare-memory.ts'
import { testArena } from '../../support/test-arena.ts'

const MAX_DOC = 1000

/** Documents 0, step, 2 · step, … with these frequencies. */
function list(count: number, step: number, freqOf: (i: number) => number): PostingsList {
  const docs = Int32Array.from({ length: count }, (_, i) => step * i)
  return { docs, freqs: docs.map((_, i) => freqOf(i)), positions: null }
}

it('a set that cannot be made says that the segment is damaged', () => {
  const arena = testArena(16 << 20)
  const cache = new TermBitSetCache(spareMemory(arena), 1 << 20, {
    minDocs: 0,
    docsPerMember: 100,
  })
  const fields = [{ name: 'body', lists: [['a', list(500, 2, () => 1)] as const], codes: null }]
  const place = { uid: 0, ord: 0, docBase: 0 }
  const sets = cache.of({ uid: 0, maxDoc: MAX_DOC })
  const sound = postingsLeaf(arena, fields, MAX_DOC, null, place, null, null, sets)
  const kernels = {
    ...arena.kernels,
    makeTermBitSet(): never {
      throw new WebAssembly.RuntimeError('memory access out of bounds')
    },
  }
  const leaf = new Leaf(sound.record, arena.views, kernels, arena.scratch, null, null, sets)
  const states = { terms: [leaf.terms('body')!.lookup(Buffer.from('a'))], expansions: [] }
  const terms = [{ field: 'body', termId: 0 }]
  makeTermBitSets(leaf, terms, states)
  expect(() => makeTermBitSets(leaf, terms, states)).toThrow(CorruptSegmentError)
  expect(cache.bytes).toBe(0)
})

it('a cursor scores its tail right behind the making of its set', () => {
  const arena = testArena(16 << 20)
  const cache = new TermBitSetCache(spareMemory(arena), 1 << 20, {
    minDocs: 0,
    docsPerMember: 100,
  })
  const lists = [
    // A block, and a tail of 127 whose documents score best.
    ['a', list(255, 3, i => (i < 128 ? 1 + (i % 3) : 20 + ((7 * i) % 90)))] as const,
    ['b', list(MAX_DOC, 1, i => 1 + (i % 5))] as const,
  ]
  const codes = Uint8Array.from({ length: MAX_DOC }, (_, i) => 10 + ((i * 13) % 30))
  const place = { uid: 0, ord: 0, docBase: 0 }
  const sets = cache.of({ uid: 0, maxDoc: MAX_DOC })
  const fields = [{ name: 'body', lists, codes }]
  const leaf = postingsLeaf(arena, fields, MAX_DOC, null, place, null, null, sets)
  const clauses = ['a', 'b'].map(term => ({
    occur: 'must' as const,
    query: { kind: 'term', field: 'body', term } satisfies Query,
  }))
  const query: Query = { kind: 'boolean', clauses, minimumShouldMatch: 0 }
  const { weight, spec } = prepareSearch(rewriteSearch(searchPlan(query, { trackTotalHits: -1 })), [
    leaf,
  ])
  const shape = bulkShape(weight, spec)
  if (typeof shape === 'string') throw new Error(shape)
  const input = () => ({
    weight,
    spec,
    parts: [{ leafOrd: 0, minDoc: 0, maxDoc: MAX_DOC }],
    leafOf: () => leaf,
    control: new SearchControl(),
    listener: null,
    report: null,
    gathers: [],
  })
  const expected = searchSlice(input()).hits
  expect(expected.every(hit => hit.globalDoc > 380)).toBe(true)
  // The sets are made by the second search.
  for (let i = 0; i < 4; i++) {
    expect(bulkSlice(input(), shape), `search ${i}`).toMatchObject({ hits: expected })
    expect(cache.bytes > 0).toBe(i > 0)
  }
})
