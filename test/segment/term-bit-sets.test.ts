import { describe, expect, it } from 'vitest'
import { sharedScratch } from '../../src/search/bulk/bulk-scratch.ts'
import { CursorMaker, UNSCORED } from '../../src/search/bulk/cursor-maker.ts'
import { CURSOR_BYTES } from '../../src/search/bulk/plan-record.ts'
import {
  pinnedTermBitSets,
  TermBitSetCache,
  type TermBitSets,
  termBitSetAt,
  termBitSetBytes,
  termBitSetWords,
} from '../../src/segment/term-bit-sets.ts'
import { Random } from '../../src/util/random.ts'
import { postingsLeaf } from '../support/postings-leaf.ts'
import { spareMemory } from '../support/spare-memory.ts'
import { checkedArena, testArena } from '../support/test-arena.ts'

const MAX_DOC = 12_000

/** A cache over an arena, with room for so many sets of `MAX_DOC` documents. */
function cacheFor(sets: number): { readonly cache: TermBitSetCache; readonly freed: number[] } {
  const memory = spareMemory(testArena(16 << 20))
  const freed: number[] = []
  const limit = sets * (termBitSetBytes(MAX_DOC) + 160)
  const counted = { ...memory, free: (range: { start: number }) => void freed.push(range.start) }
  return { cache: new TermBitSetCache(counted, limit), freed }
}

function use(sets: TermBitSets, firstBlock: number): boolean {
  return sets.find(0, { docFreq: 4000, firstBlock }, () => 65_536) !== null
}

describe('the sets of frequent terms', () => {
  it('are made at the second use, of frequent terms in large segments alone', () => {
    const { cache } = cacheFor(4)
    expect(cache.of({ uid: 1, maxDoc: 9999 })).toBeNull()
    const sets = cache.of({ uid: 2, maxDoc: MAX_DOC })!
    expect(use(sets, 0)).toBe(false)
    expect(use(sets, 0)).toBe(true)
    for (const term of [
      { docFreq: 374, firstBlock: 9 },
      { docFreq: 4000, firstBlock: -1 },
    ])
      for (let i = 0; i < 3; i++) expect(sets.find(0, term, () => 65_536)).toBeNull()
    expect(cache.bytes).toBe(termBitSetBytes(MAX_DOC) + 160)
    expect(
      new TermBitSetCache(spareMemory(testArena(16 << 20)), 0).of({ uid: 2, maxDoc: MAX_DOC }),
    ).toBeNull()
  })

  it('leave least recently used first, but not while a search uses them', () => {
    const { cache, freed } = cacheFor(2)
    const sets = cache.of({ uid: 1, maxDoc: MAX_DOC })!
    for (const firstBlock of [0, 100]) {
      cache.beginSearch()
      for (let i = 0; i < 2; i++) use(sets, firstBlock)
      cache.endSearch()
    }
    cache.beginSearch()
    expect(use(sets, 0)).toBe(true)
    use(sets, 200)
    expect(use(sets, 200)).toBe(true)
    expect(freed).toHaveLength(1)
    // Both that are left are in use.
    use(sets, 300)
    expect(use(sets, 300)).toBe(false)
    expect(cache.dropOldest(null)).toBe(false)
    cache.endSearch()
    cache.beginSearch()
    expect(use(sets, 0)).toBe(true)
    expect(use(sets, 100)).toBe(false)
    cache.endSearch()
  })

  it('go with their segment', () => {
    const { cache, freed } = cacheFor(4)
    const segment = { uid: 1, maxDoc: MAX_DOC }
    const sets = cache.of(segment)!
    for (let i = 0; i < 2; i++) use(sets, 0)
    cache.forget(segment)
    expect(freed).toHaveLength(1)
    expect(cache.bytes).toBe(0)
    expect(cache.dropOldest(null)).toBe(false)
  })

  it('are found on another thread by field and term', () => {
    expect(pinnedTermBitSets([])).toBeNull()
    const address = { field: 2, firstBlock: 7, bits: 64, ranks: 128, supers: 192 }
    const sets = pinnedTermBitSets([address])!
    const find = (field: number, firstBlock: number): unknown =>
      sets.find(field, { docFreq: 4000, firstBlock }, () => 0)
    expect(find(2, 7)).toEqual(address)
    expect(find(1, 7)).toBeNull()
    expect(find(2, 8)).toBeNull()
  })
})

it('a set says of every document how many of the term stand in front of it', () => {
  const maxDoc = 200_000
  const random = new Random(5)
  const docs: number[] = []
  // Few at first, then nearly all: counts of more than 65,536 documents.
  for (let doc = 0; doc < maxDoc; doc++)
    if (random.below(doc < 70_000 ? 9 : 1.1) === 0) docs.push(doc)
  const list = {
    docs: Int32Array.from(docs),
    freqs: new Int32Array(docs.length).fill(1),
    positions: null,
  }
  const arena = checkedArena(32 << 20, true)
  const field = { name: 'body', lists: [['a', list] as const], codes: null }
  const leaf = postingsLeaf(arena, [field], maxDoc, null, { uid: 0, ord: 0, docBase: 0 })
  const state = leaf.terms('body')!.lookup(Buffer.from('a'))!
  const { scratch, views, kernels } = leaf
  const cursors = new CursorMaker(leaf, sharedScratch(scratch, views))
  const cursor = scratch.allocate(CURSOR_BYTES)
  cursors.term(cursor, 'body', state, UNSCORED, 0)
  const start = scratch.allocate(termBitSetBytes(maxDoc))
  const { bits, ranks, supers } = termBitSetAt(start, maxDoc)
  kernels.makeTermBitSet(cursor, bits, termBitSetWords(maxDoc), ranks, supers, maxDoc)
  const u16 = new Uint16Array(views.u8.buffer)
  docs.forEach((doc, rank) => {
    const word = doc >>> 6
    let inWord = 0
    for (let other = word << 6; other < doc; other++)
      inWord += (views.u8[bits + (other >>> 3)]! >> (other & 7)) & 1
    const before = views.i32[(supers >> 2) + (doc >>> 16)]! + u16[(ranks >> 1) + word]!
    if (before + inWord !== rank) expect(before + inWord, `document ${doc}`).toBe(rank)
  })
  expect(kernels.countBits(bits, 8 * termBitSetWords(maxDoc))).toBe(docs.length)
})
