import { beforeAll, describe, expect, it } from 'vitest'
import { prepareSearch, rewriteSearch } from '../../src/parallel/prepare.ts'
import { runSlice } from '../../src/parallel/run-slice.ts'
import type { SamplingMode } from '../../src/profile/timer.ts'
import { LEAF_TIMING_TYPES } from '../../src/profile/timing-types.ts'
import { SearchControl } from '../../src/search/collector/search-control.ts'
import type { Query } from '../../src/search/query/query.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { Random } from '../../src/util/random.ts'
import { plainLeaf } from '../support/plain-leaf.ts'
import { FIELDS, randomDocument } from '../support/random-search.ts'
import { testArena } from '../support/test-arena.ts'

const COUNT = 65_536
const ROUNDS = 9
const CLOCK_STEP_IN_NANOS = 10

const arena = testArena(64 << 20)
let leaf: Leaf

beforeAll(() => {
  const random = new Random(65_536)
  const documents = Array.from({ length: COUNT }, (_, id) => randomDocument(random, id, 0))
  leaf = plainLeaf(arena, documents, FIELDS, { uid: 0, ord: 0, docBase: 0 })
})

/** The root's times and counts by type, in one run over the leaf. */
function readings(query: Query, sampling: SamplingMode): { time: number; count: number }[] {
  const search = rewriteSearch({
    query,
    postFilter: null,
    maxClauseCount: 1024,
    spec: {
      topCount: 10,
      sort: null,
      searchAfter: null,
      trackTotalHits: Number.POSITIVE_INFINITY,
      trackScores: false,
      minScore: null,
      terminateAfter: 0,
      deadline: 0,
    },
  })
  const { weight, spec } = prepareSearch(search, [leaf])
  const slice = [{ leafOrd: 0, minDoc: 0, maxDoc: COUNT }]
  const profile = { sampling, perLeaf: true }
  const task = { sliceId: 0, slice, weight, spec, profile, queued: 1 }
  const outcome = runSlice(task, () => leaf, new SearchControl(), -1)
  const [root] = outcome.profile?.leaves[0]?.nodes ?? []
  return (root ?? []).map(({ time, count }) => ({ time, count }))
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}

/** And whether their calls take several steps of the clock each. */
const QUERIES: readonly (readonly [string, Query, boolean])[] = [
  ['a term', { kind: 'term', field: 'body', term: 'the' }, false],
  ['every document', { kind: 'matchAll' }, false],
  ['a phrase', phrase(0), true],
  ['a sloppy phrase', phrase(3), true],
]

function phrase(slop: number): Query {
  return { kind: 'phrase', field: 'body', terms: ['the', 'sea'], positions: [0, 1], slop }
}

describe('sampled times of a leaf of 65,536 documents', () => {
  it.each(QUERIES)('are within a quarter of unsampled ones: %s', (_title, query, isSlow) => {
    const sampled: { time: number; count: number }[][] = []
    const unsampled: { time: number; count: number }[][] = []
    for (let round = -3; round < ROUNDS; round++) {
      const [one, other] = [readings(query, 'calibrated'), readings(query, 'unsampled')]
      if (round < 0) continue
      sampled.push(one)
      unsampled.push(other)
    }
    let calls = 0
    LEAF_TIMING_TYPES.forEach((_type, i) => {
      const counts = [...sampled, ...unsampled].map(run => run[i]?.count)
      expect(new Set(counts).size).toBe(1)
      calls += counts[0] ?? 0
    })
    const [own, every] = [sampled, unsampled].map(runs =>
      median(runs.map(run => run.reduce((sum, { time }) => sum + time, 0))),
    ) as [number, number]
    const title = `${own} sampled, ${every} unsampled, ${calls} calls`
    // Calls that take less than a step of the clock cannot be told more exactly than that.
    const most = isSlow ? every / 4 : CLOCK_STEP_IN_NANOS * calls
    expect(Math.abs(own - every), title).toBeLessThan(most)
    if (isSlow) expect(every, title).toBeGreaterThan(4 * CLOCK_STEP_IN_NANOS * calls)
  })
})
