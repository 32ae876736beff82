import { beforeEach, describe, expect, it } from 'vitest'
import { prepareSearch, rewriteSearch } from '../../src/parallel/prepare.ts'
import { bulkShape } from '../../src/search/bulk/bulk-shape.ts'
import { bulkSlice } from '../../src/search/bulk/bulk-slice.ts'
import { CURSOR, PLAN } from '../../src/search/bulk/plan-record.ts'
import { SearchControl } from '../../src/search/collector/search-control.ts'
import type { Query } from '../../src/search/query/query.ts'
import { Leaf } from '../../src/segment/leaf.ts'
import { StrayAccess } from '../support/checked-memory.ts'
import { postingsLeaf } from '../support/postings-leaf.ts'
import { searchPlan } from '../support/search-plan.ts'
import { checkedArena } from '../support/test-arena.ts'

const arena = checkedArena(16 << 20, true)
const MAX_DOC = 1000

function makeLeaf(ord: number): Leaf {
  const docs = Int32Array.from({ length: 300 }, (_, i) => 3 * i + ord)
  const freqs = Int32Array.from(docs, (_, i) => 1 + (i % 5))
  const lists = [['a', { docs, freqs, positions: null }]] as const
  const codes = new Uint8Array(MAX_DOC).fill(20)
  return postingsLeaf(arena, [{ name: 'body', lists, codes }], MAX_DOC, null, {
    uid: ord,
    ord,
    docBase: 0,
  })
}

/** Searches the leaf after its plan, at an index of words, was led astray. */
function search(leaf: Leaf, spoil: (plan: number, i32: Int32Array) => void): number {
  const { kernels, views } = leaf
  const spoilt = {
    ...kernels,
    searchTerm(plan: number): void {
      spoil(plan >> 2, views.i32)
      kernels.searchTerm(plan)
    },
  }
  const other = new Leaf({ ...leaf.record, ord: 0 }, views, spoilt, leaf.scratch)
  const query: Query = { kind: 'term', field: 'body', term: 'a' }
  const { weight, spec } = prepareSearch(rewriteSearch(searchPlan(query)), [other])
  const shape = bulkShape(weight, spec)
  if (typeof shape === 'string') throw new Error(shape)
  const parts = [{ leafOrd: 0, minDoc: 0, maxDoc: MAX_DOC }]
  const control = new SearchControl()
  const input = {
    weight,
    spec,
    parts,
    leafOf: () => other,
    control,
    listener: null,
    report: null,
    gathers: [],
  }
  const result = bulkSlice(input, shape)
  if (typeof result === 'string') throw new Error(result)
  return result.hits.length
}

describe('the debug build of the kernels', () => {
  beforeEach(() => arena.clear())

  it('lets a search run that keeps to its own ranges', () => {
    expect(search(makeLeaf(0), () => {})).toBe(10)
  })

  it('stops at a hit that is written behind the buffer for hits', () => {
    const run = (): number =>
      search(makeLeaf(0), (plan, i32) => {
        i32[plan + PLAN.hitDocs / 4]! += 4
      })
    expect(run).toThrow(StrayAccess)
    expect(run).toThrow(/a kernel wrote 4 bytes at \d+, which are not its own/)
  })

  it('stops at a write into the segment', () => {
    const leaf = makeLeaf(0)
    const norms = leaf.record.sections.find(({ kind }) => kind === 'norms')!
    const bytes = arena.checksum()
    expect(() =>
      search(leaf, (plan, i32) => {
        i32[plan + PLAN.hitScores / 4] = norms.start
      }),
    ).toThrow(/wrote 4 bytes/)
    expect(arena.checksum()).toBe(bytes)
  })

  it('stops at a read of another leaf, and at one behind a section', () => {
    const leaf = makeLeaf(0)
    const other = makeLeaf(1)
    const postings = other.record.sections.find(({ kind }) => kind === 'postings')!
    const norms = leaf.record.sections.find(({ kind }) => kind === 'norms')!
    expect(() =>
      search(leaf, (plan, i32) => {
        i32[(i32[plan + PLAN.cursors / 4]! + CURSOR.data) >> 2] = postings.start
      }),
    ).toThrow(/read 16 bytes/)
    expect(() =>
      search(leaf, (plan, i32) => {
        i32[(i32[plan + PLAN.cursors / 4]! + CURSOR.norms) >> 2] = norms.start + norms.length - 2
      }),
    ).toThrow(/read 1 bytes/)
  })

  it('stops at a fill that is one byte too long, and at an address past the arena', () => {
    const { scratch } = arena
    const { kernels } = makeLeaf(0)
    const mark = scratch.mark()
    const bits = scratch.allocate(160)
    kernels.fillBits(bits, 160, 255)
    expect(() => kernels.fillBits(bits, 161, 255)).toThrow(StrayAccess)
    expect(() => kernels.countBits(-8, 8)).toThrow(/read 8 bytes at 4294967288/)
    scratch.release(mark)
    expect(() => kernels.fillBits(bits, 160, 0)).toThrow(StrayAccess)
  })
})
