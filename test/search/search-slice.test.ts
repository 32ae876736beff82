import { describe, expect, it } from 'vitest'
import { prepareSearch, rewriteSearch, type SearchPlan } from '../../src/parallel/prepare.ts'
import { reduceSlices, type ShardResult } from '../../src/parallel/reduce.ts'
import { runSlice } from '../../src/parallel/run-slice.ts'
import { cutSlices, type Slice } from '../../src/parallel/slices.ts'
import { SearchControl } from '../../src/search/collector/search-control.ts'
import { queryText } from '../../src/search/query/query-ops.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { Random } from '../../src/util/random.ts'
import { Oracle } from '../support/oracle.ts'
import { plainLeaf } from '../support/plain-leaf.ts'
import { FIELDS, randomDocument, randomQuery } from '../support/random-search.ts'
import { searchPlan } from '../support/search-plan.ts'
import { testArena } from '../support/test-arena.ts'

const COLLECTIONS = 25
const QUERIES = 80

/** Mostly limits that allow pruning. */
const LIMITS = [-1, -1, 0, 0, 10, 10, 100, Number.POSITIVE_INFINITY]

const arena = testArena(16 << 20)

/** Whole leaves over so many slices, or every leaf cut at a random document as well. */
function slicesOf(random: Random, leaves: readonly Leaf[], count: number, cuts: boolean): Slice[] {
  const maxDocs = leaves.map(leaf => leaf.maxDoc)
  const whole = cutSlices(maxDocs, {
    maxSliceCount: count,
    intraSegment: 'none',
    intraSegmentMinDocs: 1,
  })
  if (!cuts) return whole
  const slices = Array.from(
    { length: 2 },
    (): { leafOrd: number; minDoc: number; maxDoc: number }[] => [],
  )
  leaves.forEach((leaf, leafOrd) => {
    const middle = random.below(leaf.maxDoc + 1)
    const flip = random.below(2)
    if (middle > 0) slices[flip]?.push({ leafOrd, minDoc: 0, maxDoc: middle })
    if (middle < leaf.maxDoc)
      slices[1 - flip]?.push({ leafOrd, minDoc: middle, maxDoc: leaf.maxDoc })
  })
  return slices.filter(slice => slice.length > 0)
}

function run(
  plan: SearchPlan,
  leaves: readonly Leaf[],
  slices: readonly Slice[],
  profiled: boolean,
): ShardResult {
  const prepared = prepareSearch(rewriteSearch(plan), leaves)
  const control = new SearchControl()
  const results = slices.map((slice, sliceId) => {
    const { weight, spec } = prepared
    const profile = profiled ? ({ sampling: 'calibrated', perLeaf: true } as const) : null
    const task = { sliceId, slice, weight, spec, profile, kernels: true, reports: false, queued: 1 }
    return runSlice(structuredClone(task), ord => leaves[ord] as Leaf, control, -1).result
  })
  return reduceSlices(prepared.spec, results, [])
}

describe('searchSlice', () => {
  it('agrees with the oracle in hits, order, totals and score bits, however the work is cut', () => {
    const random = new Random(42)
    let matching = 0
    let ties = 0
    let skips = 0
    let total = 0
    for (let collection = 0; collection < COLLECTIONS; collection++) {
      arena.clear()
      const count = 150 + random.below(1800)
      const deletes = random.below(3) === 0 ? 0.1 : 0
      const documents = Array.from({ length: count }, (_, id) =>
        randomDocument(random, id, deletes),
      )
      const leaves: Leaf[] = []
      for (let docBase = 0; docBase < count; ) {
        const size = Math.min(count - docBase, 1 + random.below(random.below(2) ? 40 : 1500))
        const part = documents.slice(docBase, docBase + size)
        leaves.push(
          plainLeaf(arena, part, FIELDS, { uid: leaves.length, ord: leaves.length, docBase }),
        )
        docBase += size
      }
      const oracle = new Oracle(documents)
      for (let i = 0; i < QUERIES; i++) {
        const query = randomQuery(random, 3)
        const topCount = 1 + random.below(random.below(3) ? 10 : 60)
        const limit = LIMITS[random.below(LIMITS.length)] ?? 0
        const plan = searchPlan(query, { topCount, trackTotalHits: limit })
        const rewritten = rewriteSearch(plan).query
        const matches = oracle.search(rewritten)
        const expected = {
          hits: matches.slice(0, topCount).map(({ doc, score }) => [doc, score]),
          total:
            limit < 0
              ? null
              : matches.length > limit
                ? { value: limit, relation: 'gte' }
                : { value: matches.length, relation: 'eq' },
        }
        total++
        if (matches.length > 0) matching++
        const cut = matches[topCount - 1]
        if (cut !== undefined && matches[topCount]?.score === cut.score) ties++
        let skipped = false
        for (const [sliceCount, cuts, profiled] of [
          [1, false, false],
          [2, false, true],
          [4, false, false],
          [2, true, i % 2 === 0],
        ] as const) {
          const result = run(plan, leaves, slicesOf(random, leaves, sliceCount, cuts), profiled)
          const { counters } = result
          if (counters.runsSkipped > 0) skipped = true
          const found = {
            hits: result.hits.map(({ globalDoc, score }) => [globalDoc, score]),
            total: result.total,
          }
          const title = `collection ${collection}, query ${i}: ${queryText(rewritten)}, top ${topCount}, limit ${limit}, ${sliceCount} slices, cuts ${cuts}`
          expect(found, title).toEqual(expected)
        }
        if (skipped) skips++
      }
    }
    expect(total).toBe(2000)
    expect(matching / total).toBeGreaterThan(0.8)
    expect(ties / total).toBeGreaterThan(0.3)
    expect(skips / total).toBeGreaterThan(0.3)
  })
})
