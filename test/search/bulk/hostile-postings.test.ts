import { expect, it } from 'vitest'
import { prepareSearch, rewriteSearch } from '../../../src/parallel/prepare.ts'
import { bulkShape } from '../../../src/search/bulk/bulk-shape.ts'
import { bulkSlice } from '../../../src/search/bulk/bulk-slice.ts'
import { bestOfTerm } from '../../../src/search/bulk/sole-term.ts'
import { SearchControl } from '../../../src/search/collector/search-control.ts'
import type { Query } from '../../../src/search/query/query.ts'
import type { Occur } from '../../../src/search/weight/weight-node.ts'
import { TermBitSetCache } from '../../../src/segment/term-bit-sets.ts'
import { BitSet } from '../../../src/util/bit-set.ts'
import { CorruptSegmentError } from '../../../src/util/errors.ts'
import { Random } from '../../../src/util/random.ts'
import { postingsLeaf } from '../../support/postings-leaf.ts'
import { searchPlan } from '../../support/search-plan.ts'
import { spareMemory } from '../../support/spare-memory.ts'
import { checkedArena, type TestArena, testArena } from '../../support/test-arena.ts'

/**
 * The module that is published, and the debug build, which stops at the first stray write. Reads are
 * not held to anything here: made-up bytes may lead them anywhere.
 */
const BUILDS: readonly [string, TestArena][] = [
  ['kernels', testArena(16 << 20)],
  ['kernels of the debug build', checkedArena(16 << 20, false)],
]
const MAX_DOC = 9000
const TERMS = [...'abcdef']

/**
 * Checksums keep such bytes out; a file made on purpose may carry right ones. Whatever its postings
 * say, a kernel may find anything, and must write nowhere but in its scratch.
 */
it.each(BUILDS)('the %s write nothing but scratch, whatever the postings say', (_, arena) => {
  const random = new Random(99)
  let searches = 0
  let refusals = 0
  let terms = 0
  let bytesOfSets = 0
  for (let round = 0; round < 60; round++) {
    arena.clear()
    const lists = TERMS.map(term => {
      const chosen = new BitSet(MAX_DOC)
      const count = [1, 100, 127, 128, 400, 5000][random.below(6)]!
      for (let i = 0; i < count; i++) chosen.add(random.below(MAX_DOC))
      const docs: number[] = []
      for (let doc = chosen.next(0); doc < MAX_DOC; doc = chosen.next(doc + 1)) docs.push(doc)
      const freqs = Int32Array.from(docs, () => 1 + random.below(5))
      return [term, { docs: Int32Array.from(docs), freqs, positions: null }] as const
    })
    const codes = Uint8Array.from({ length: MAX_DOC }, () => random.below(60))
    const fields = [{ name: 'body', lists, codes }]
    const place = { uid: 0, ord: 0, docBase: 0 }
    const policy = { minDocs: 0, docsPerMember: 100 }
    const termBitSets = new TermBitSetCache(spareMemory(arena), 1 << 20, policy)
    const sets = termBitSets.of({ uid: 0, maxDoc: MAX_DOC })
    const leaf = postingsLeaf(arena, fields, MAX_DOC, null, place, null, null, sets)
    const postings = leaf.record.sections.find(({ kind }) => kind === 'postings')!
    // The header says where the columns lie, which is checked when a section is opened.
    for (let i = 0; i < 1 + random.below(40); i++)
      arena.views.u8[postings.start + 64 + random.below(postings.length - 128)] = random.below(256)
    const end = arena.end()
    const before = arena.checksum()
    for (let i = 0; i < 40; i++) {
      const occurs: Occur[] = [['should'], ['must'], ['must', 'should', 'filter']][
        random.below(3)
      ] as Occur[]
      const clauses = Array.from({ length: 1 + random.below(4) }, () => {
        const term = TERMS[random.below(TERMS.length)]!
        const query: Query = { kind: 'term', field: 'body', term }
        return { occur: occurs[random.below(occurs.length)]!, query }
      })
      const queries = clauses.map(clause => clause.query)
      const query: Query =
        random.below(4) === 0
          ? { kind: 'disMax', queries, tieBreaker: random.below(2) / 2 }
          : { kind: 'boolean', clauses, minimumShouldMatch: 0 }
      const topCount = [0, 10, 300][random.below(3)]!
      const trackTotalHits = random.below(2) === 0 ? -1 : Number.POSITIVE_INFINITY
      const plan = searchPlan(query, { topCount, trackTotalHits })
      const { weight, spec } = prepareSearch(rewriteSearch(plan), [leaf])
      const shape = bulkShape(weight, spec)
      if (typeof shape === 'string') continue
      const parts = [{ leafOrd: 0, minDoc: 0, maxDoc: MAX_DOC }]
      const control = new SearchControl()
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
      try {
        bulkSlice(input, shape)
        const { root, leaves } = weight
        if (root.kind === 'term') {
          const states = [leaves[0]!.terms[root.termId] ?? null]
          bestOfTerm([leaf], { field: 'body', states, scoring: root }, 1 + topCount)
          terms++
        }
        searches++
      } catch (error) {
        expect(error).toBeInstanceOf(CorruptSegmentError)
        refusals++
      }
    }
    expect(arena.checksum(end), `round ${round}`).toBe(before)
    bytesOfSets += termBitSets.bytes
  }
  expect(searches).toBeGreaterThan(1000)
  expect(refusals).toBeGreaterThan(10)
  expect(terms).toBeGreaterThan(100)
  expect(bytesOfSets).toBeGreaterThan(0)
})
