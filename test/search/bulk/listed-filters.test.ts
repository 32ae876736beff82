import { describe, expect, it } from 'vitest'
import type { Query } from '../../../src/search/query/query.ts'
import { FilterCache } from '../../../src/segment/filter-cache.ts'
import { BitSet } from '../../../src/util/bit-set.ts'
import { Random } from '../../../src/util/random.ts'
import { gatheredDocs } from '../../support/gathered-docs.ts'
import { numberRange } from '../../support/number-range.ts'
import { postingsLeaf } from '../../support/postings-leaf.ts'
import { spareMemory } from '../../support/spare-memory.ts'
import { testArena } from '../../support/test-arena.ts'

const arena = testArena(64 << 20)

function within(lower: number, upper: number, prohibited: number | null): Query {
  const filter = { occur: 'filter' as const, query: numberRange(lower, upper) }
  if (prohibited === null) return { kind: 'boolean', clauses: [filter], minimumShouldMatch: 0 }
  const not = { occur: 'must_not' as const, query: numberRange(prohibited, prohibited) }
  return { kind: 'boolean', clauses: [filter, not], minimumShouldMatch: 0 }
}

describe('a cached filter of few documents', () => {
  it('hands gathers its list, whole or the part that a slice has (seed 5)', () => {
    const random = new Random(5)
    let lists = 0
    for (let round = 0; round < 60; round++) {
      arena.clear()
      const maxDoc = round === 0 ? 200_000 : 1 + random.below(3000)
      const kinds = [2, 30, 40, 300][round === 0 ? 2 : random.below(4)]!
      const values = Array.from({ length: maxDoc }, () => random.below(kinds))
      const docs = Int32Array.from(values.keys())
      const isDeleting = random.below(4) === 0
      const live = isDeleting ? new BitSet(maxDoc) : null
      for (const doc of docs) if (random.below(9) > 0) live?.add(doc)
      const filters = new FilterCache(spareMemory(arena), 1 << 20, 0)
      const cached = filters.of({ uid: 1, maxDoc, directory: arena })
      const numbers = { name: 'num', docs, values: values.map(BigInt) }
      const place = { uid: 1, ord: 0, docBase: 0 }
      const leaf = postingsLeaf(arena, [], maxDoc, live, place, numbers, cached)
      const prohibited = random.below(4) === 0 ? 1 : null
      const last = 1 + random.below(2)
      const query = within(1, last, prohibited)
      const isMatch = (doc: number): boolean =>
        values[doc]! >= 1 &&
        values[doc]! <= last &&
        values[doc] !== prohibited &&
        live?.has(doc) !== false
      const all = [...docs].filter(isMatch)
      for (let use = 0; use < 6; use++) {
        filters.beginSearch(true)
        const middle = use < 4 ? 0 : random.below(maxDoc + 1)
        const parts = [
          { leafOrd: 0, minDoc: 0, maxDoc: middle },
          { leafOrd: 0, minDoc: middle, maxDoc },
        ].filter(part => part.minDoc < part.maxDoc)
        const title = `round ${round}, use ${use}`
        const found = parts.map(part => gatheredDocs(leaf, query, part, true))
        filters.endSearch()
        expect(
          found.flatMap(each => each.docs),
          title,
        ).toEqual(all)
        expect(found.reduce((sum, { hitCount }) => sum + hitCount, 0)).toBe(all.length)
        const listed = found.reduce((sum, each) => sum + each.lists, 0)
        lists += listed
        const mayList = use >= 2 && live === null && prohibited === null
        const isFew = all.length > 0 && 32 * all.length <= maxDoc
        expect(listed > 0, title).toBe(mayList && isFew)
        if (round === 0 && mayList && use < 4) expect(listed).toBe(Math.ceil(all.length / 4096))
      }
    }
    expect(lists).toBeGreaterThan(50)
  })
})
