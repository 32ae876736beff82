import { describe, expect, it } from 'vitest'
import { prepareSearch, rewriteSearch } from '../../../src/parallel/prepare.ts'
import { type BulkShape, bulkShape } from '../../../src/search/bulk/bulk-shape.ts'
import { bulkSlice } from '../../../src/search/bulk/bulk-slice.ts'
import type { SliceResult } from '../../../src/search/collector/collect-spec.ts'
import { SearchControl } from '../../../src/search/collector/search-control.ts'
import type { Query } from '../../../src/search/query/query.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'
import { postingsLeaf } from '../../support/postings-leaf.ts'
import { searchPlan } from '../../support/search-plan.ts'
import { type TestArena, testArena } from '../../support/test-arena.ts'

const DOCS = 100_000
const WINDOWS = Math.ceil(DOCS / 4096)

/** Forty tags in turn, each on every fortieth document; and a number that is the document's own. */
function taggedLeaf(arena: TestArena): Leaf {
  const lists = Array.from({ length: 40 }, (_, tag) => {
    const docs = Int32Array.from({ length: DOCS / 40 }, (_, i) => 40 * i + tag)
    const freqs = new Int32Array(docs.length).fill(1)
    const name = `${tag < 20 ? 'even' : 'odd'}${tag.toString().padStart(2, '0')}`
    return [name, { docs, freqs, positions: null }] as const
  })
  const docs = Int32Array.from({ length: DOCS }, (_, doc) => doc)
  const numbers = { name: 'num', docs, values: Array.from(docs, doc => BigInt(doc % 1000)) }
  const place = { uid: 1, ord: 0, docBase: 0 }
  return postingsLeaf(
    arena,
    [{ name: 'tag', lists, codes: null }],
    DOCS,
    null,
    place,
    numbers,
    null,
  )
}

const ODD: Query = { kind: 'prefix', field: 'tag', prefix: 'odd' }
const HUNDREDS: Query = {
  kind: 'pointRange',
  field: 'num',
  lower: 100n,
  upper: 299n,
  lowerText: '100',
  upperText: '299',
  indexed: true,
  docValues: true,
}

describe('ranges of documents', () => {
  const arena = testArena(64 << 20)
  const leaf = taggedLeaf(arena)

  function search(query: Query, topCount: number, trackTotalHits: number): SliceResult {
    const plan = searchPlan(query, { topCount, trackTotalHits })
    const { weight, spec } = prepareSearch(rewriteSearch(plan), [leaf])
    const parts = [{ leafOrd: 0, minDoc: 0, maxDoc: DOCS }]
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
    return bulkSlice(input, bulkShape(weight, spec) as BulkShape) as SliceResult
  }

  it.each([
    ['a prefix', ODD, [20, 21, 22, 23]],
    ['a range', HUNDREDS, [100, 101, 102, 103]],
  ])('read no further than the first matches of %s', (_, query, expected) => {
    const found = search(query, 4, -1)
    expect(found.hits.map(hit => hit.globalDoc)).toEqual(expected)
    expect(found.counters.windows).toBe(1)
  })

  it('go on until as many are counted as shall be', () => {
    const found = search(ODD, 4, 10_000)
    expect(found.hitCount).toBeGreaterThan(10_000)
    expect(found.counters.windows).toBeLessThan(WINDOWS / 2)
  })

  it('are one where all are counted', () => {
    const found = search(HUNDREDS, 4, Number.POSITIVE_INFINITY)
    expect(found.hitCount).toBe(DOCS / 5)
    expect(found.counters.windows).toBe(WINDOWS)
  })

  it('go on where a range holds fewer matches than are wanted', () => {
    const seldom: Query = {
      kind: 'boolean',
      clauses: [
        { occur: 'filter', query: ODD },
        { occur: 'filter', query: { ...HUNDREDS, lower: 100n, upper: 139n } },
      ],
      minimumShouldMatch: 0,
    }
    const found = search(seldom, 100, -1)
    const expected = Array.from({ length: DOCS }, (_, doc) => doc)
      .filter(doc => doc % 40 >= 20 && doc % 1000 >= 100 && doc % 1000 < 140)
      .slice(0, 100)
    expect(found.hits.map(hit => hit.globalDoc)).toEqual(expected)
    expect(found.counters.windows).toBeGreaterThan(1)
  })
})
