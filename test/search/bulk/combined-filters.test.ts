import { describe, expect, it, vi } from 'vitest'
import type { Query } from '../../../src/search/query/query.ts'
import { BitSet } from '../../../src/util/bit-set.ts'
import { Random } from '../../../src/util/random.ts'
import { gatheredDocs } from '../../support/gathered-docs.ts'
import { numberRange } from '../../support/number-range.ts'
import { type PostingsList, postingsLeaf } from '../../support/postings-leaf.ts'
import { checkedArena, testArena } from '../../support/test-arena.ts'

const ARENAS = [
  ['kernels', testArena(16 << 20)],
  ['kernels of the debug build', checkedArena(16 << 20, true)],
] as const

const EXISTS: Query = { kind: 'fieldExists', field: 'num', listed: false }

/** A query that matches some documents, of others or not. */
function randomQuery(random: Random, depth: number): Query {
  const kind = random.below(depth > 0 ? 6 : 3)
  const from = random.below(40)
  if (kind === 0) return numberRange(from, from + random.below(30))
  if (kind === 1) return { kind: 'term', field: 'body', term: 'abcrx'[random.below(5)]! }
  if (kind === 2) return EXISTS
  const inner = Array.from({ length: 2 + random.below(3) }, () => randomQuery(random, depth - 1))
  if (kind === 3) return { kind: 'disMax', queries: inner, tieBreaker: 0 }
  const occur = kind === 4 ? 'should' : 'filter'
  const clauses = inner.map(query => ({ occur, query }) as const)
  const minimumShouldMatch = kind === 4 ? 1 + random.below(random.below(2) + 1) : 0
  return { kind: 'boolean', clauses, minimumShouldMatch }
}

describe.each(ARENAS)('the %s', (_, arena) => {
  it('find the documents of filters that combine others, as the iterators do (seed 11)', () => {
    const random = new Random(11)
    let found = 0
    for (let round = 0; round < 300; round++) {
      arena.clear()
      const maxDoc = 1 + random.below(random.below(2) === 0 ? 300 : 4000)
      const all = Array.from({ length: maxDoc }, (_each, doc) => doc)
      const some = (share: number): Int32Array =>
        Int32Array.from(all.filter(() => random.below(100) < share))
      const docs = some([100, 60, 3, 0][random.below(4)]!)
      const values = Array.from(docs, () => BigInt(random.below(50)))
      const list = (share: number): PostingsList => {
        const within = some(share)
        return { docs: within, freqs: within.map(() => 1), positions: null }
      }
      const one = Int32Array.of(random.below(maxDoc))
      const rare = { docs: one, freqs: one.map(() => 1), positions: null }
      const lists = ['a', 'b', 'c']
        .map(term => [term, list(5 + random.below(60))] as const)
        .filter(([, { docs: within }]) => within.length > 0)
        .concat([['r', rare]])
      const isDeleting = random.below(3) === 0
      const live = isDeleting ? new BitSet(maxDoc) : null
      for (const doc of all) if (random.below(9) > 0) live?.add(doc)
      const leaf = postingsLeaf(
        arena,
        [{ name: 'body', lists, codes: new Uint8Array(maxDoc).fill(3) }],
        maxDoc,
        live,
        { uid: 0, ord: 0, docBase: 0 },
        { name: 'num', docs, values },
      )
      const occurs = ['filter', 'filter', 'must_not'] as const
      const clauses = [
        { occur: 'filter' as const, query: randomQuery(random, 2) },
        { occur: occurs[random.below(3)]!, query: randomQuery(random, 2) },
      ].slice(random.below(2))
      // Of so rare a term the documents are looked up in the others.
      if (random.below(3) === 0)
        clauses.push({ occur: 'filter', query: { kind: 'term', field: 'body', term: 'r' } })
      const hasOther = clauses.every(({ occur }) => occur === 'must_not')
      if (hasOther) clauses.push({ occur: 'filter', query: { kind: 'matchAll' } })
      const query: Query = { kind: 'boolean', clauses, minimumShouldMatch: 0 }
      const middle = random.below(2) === 0 ? 0 : random.below(maxDoc + 1)
      for (const [minDoc, end] of [
        [0, middle],
        [middle, maxDoc],
      ] as const) {
        if (minDoc === end) continue
        const part = { leafOrd: 0, minDoc, maxDoc: end }
        const expected = gatheredDocs(leaf, query, part, false)
        const title = `round ${round}: ${JSON.stringify(query, (_key, value) => (typeof value === 'bigint' ? Number(value) : value))}`
        expect(gatheredDocs(leaf, query, part, true), title).toEqual(expected)
        found += expected.docs.length
      }
    }
    expect(found).toBeGreaterThan(20_000)
  })

  it('looks a few documents up in ranges of many, and notes those of ranges beside many', () => {
    arena.clear()
    const docs = Int32Array.from({ length: 4000 }, (_each, doc) => doc)
    const values = Array.from(docs, doc => BigInt(doc % 50))
    const listOf = (within: Int32Array): PostingsList => ({
      docs: within,
      freqs: within.map(() => 1),
      positions: null,
    })
    const leaf = postingsLeaf(
      arena,
      [
        {
          name: 'body',
          lists: [
            ['a', listOf(docs.filter(doc => doc % 2 === 0))],
            ['r', listOf(Int32Array.of(7, 2010, 3999))],
          ],
          codes: new Uint8Array(docs.length).fill(3),
        },
      ],
      docs.length,
      null,
      { uid: 0, ord: 0, docBase: 0 },
      { name: 'num', docs, values },
    )
    const part = { leafOrd: 0, minDoc: 0, maxDoc: docs.length }
    const notes = vi.spyOn(leaf.kernels, 'orPoints')
    const within = (term: string, occur: 'filter' | 'must_not'): readonly number[] => {
      const clauses = [
        { occur: 'filter' as const, query: { kind: 'term', field: 'body', term } as const },
        { occur, query: numberRange(5, 30) },
      ]
      return gatheredDocs(leaf, { kind: 'boolean', clauses, minimumShouldMatch: 0 }, part, true)
        .docs
    }
    expect(within('r', 'filter')).toEqual([7, 2010])
    expect(within('r', 'must_not')).toEqual([3999])
    expect(notes).not.toHaveBeenCalled()
    expect(within('a', 'filter')).toHaveLength(1040)
    expect(notes).toHaveBeenCalledOnce()
    notes.mockRestore()
  })
})
