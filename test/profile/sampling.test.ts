import { beforeAll, describe, expect, it } from 'vitest'
import { prepareSearch, rewriteSearch } from '../../src/parallel/prepare.ts'
import { runSlice } from '../../src/parallel/run-slice.ts'
import type { SliceProfile } from '../../src/profile/slice-profile.ts'
import type { SamplingMode } from '../../src/profile/timer.ts'
import { SearchControl } from '../../src/search/collector/search-control.ts'
import type { Query } from '../../src/search/query/query.ts'
import type { Leaf } from '../../src/segment/leaf.ts'
import { Random } from '../../src/util/random.ts'
import { plainLeaf } from '../support/plain-leaf.ts'
import { FIELDS, randomDocument, WORDS } from '../support/random-search.ts'
import { searchPlan } from '../support/search-plan.ts'
import { testArena } from '../support/test-arena.ts'

const COUNT = 65_536
const ROUNDS = 9
const ATTEMPTS = 7
const COMPARISONS = 3
const QUIET = 1.15
const MIN_SHARE = 0.95
const CLOCK_STEP_IN_NANOS = 10

const arena = testArena(64 << 20)
let leaf: Leaf

beforeAll(() => {
  const random = new Random(65_536)
  const documents = Array.from({ length: COUNT }, (_, id) => randomDocument(random, id, 0))
  leaf = plainLeaf(arena, documents, FIELDS, { uid: 0, ord: 0, docBase: 0 })
})

/** What one run over the leaf measured. */
function profileOf(query: Query, sampling: SamplingMode): SliceProfile {
  const search = rewriteSearch(searchPlan(query))
  const { weight, spec } = prepareSearch(search, [leaf])
  const slice = [{ leafOrd: 0, minDoc: 0, maxDoc: COUNT }]
  const profile = { sampling, perLeaf: true }
  const task = {
    sliceId: 0,
    slice,
    weight,
    spec,
    profile,
    kernels: true,
    reports: false,
    queued: 1,
  }
  const outcome = runSlice(task, () => leaf, new SearchControl(), -1)
  if (outcome.profile === null) throw new Error('the run was profiled')
  return outcome.profile
}

/** The root's times and counts by type. */
function readings(profile: SliceProfile): { time: number; count: number }[] {
  const [root] = profile.leaves[0]?.nodes ?? []
  return (root ?? []).map(({ time, count }) => ({ time, count }))
}

function timeOf(profile: SliceProfile): number {
  return readings(profile).reduce((sum, { time }) => sum + time, 0)
}

interface Quartiles {
  readonly middle: number
  /** The upper quartile over the lower one: large where other processes took the time. */
  readonly spread: number
}

function quartiles(values: readonly number[]): Quartiles {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return { middle: at(0.5), spread: at(0.75) / at(0.25) }
}

interface Comparison {
  readonly own: Quartiles
  readonly every: Quartiles
  readonly calls: number
  /** How much of the time this process had a processor; 1 where nobody else wanted it. */
  readonly share: number
}

/** Runs both in turn; the node's times of all types together, and how many calls they are of. */
function compare(query: Query): Comparison {
  const totals: [number[], number[]] = [[], []]
  let calls = 0
  const start = performance.now()
  const used = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) {
    const runs = [
      readings(profileOf(query, 'calibrated')),
      readings(profileOf(query, 'unsampled')),
    ] as const
    expect(runs[0].map(({ count }) => count)).toEqual(runs[1].map(({ count }) => count))
    calls = runs[0].reduce((sum, { count }) => sum + count, 0)
    runs.forEach((run, i) => {
      totals[i]?.push(run.reduce((sum, { time }) => sum + time, 0))
    })
  }
  const { user, system } = process.cpuUsage(used)
  const share = (user + system) / 1000 / (performance.now() - start)
  return { own: quartiles(totals[0]), every: quartiles(totals[1]), calls, share }
}

/** And whether their calls take several steps of the clock each. */
const QUERIES: readonly (readonly [string, Query, boolean])[] = [
  ['a term', { kind: 'term', field: 'body', term: 'the' }, false],
  ['every document', { kind: 'matchAll' }, false],
  ['a phrase', phrase(0), true],
  ['a sloppy phrase', phrase(3), true],
]

function alternatives(...terms: readonly string[]): Query {
  const queries = terms.map((term): Query => ({ kind: 'term', field: 'body', term }))
  return { kind: 'disMax', queries, tieBreaker: 1 }
}

function phrase(slop: number): Query {
  return { kind: 'phrase', field: 'body', terms: ['the', 'sea'], positions: [0, 1], slop }
}

describe('sampled times of a leaf of 65,536 documents', () => {
  it.each(QUERIES)('are within a quarter of unsampled ones: %s', (_title, query, isSlow) => {
    compare(query)
    // How far the sampled time is off, as a share of what it may be; of comparisons made in quiet.
    const shares: number[] = []
    const titles: string[] = []
    for (let attempt = 0; attempt < ATTEMPTS && shares.length < COMPARISONS; attempt++) {
      const { own, every, calls, share } = compare(query)
      // A stretch without the processor is seen by all calls, and by few of the measured ones: where
      // others never leave the machine alone the counts, compared above, are all that can be held.
      if (share <= MIN_SHARE || own.spread >= QUIET || every.spread >= QUIET) continue
      // Calls that take less than a step of the clock cannot be told more exactly than that.
      const most = isSlow ? every.middle / 4 : CLOCK_STEP_IN_NANOS * calls
      shares.push(Math.abs(own.middle - every.middle) / most)
      titles.push(`${own.middle} sampled, ${every.middle} unsampled, ${calls} calls`)
    }
    if (shares.length === 0) return
    // The middle one of them, the worse of two: a best one would hide a bias.
    shares.sort((a, b) => a - b)
    expect(shares[shares.length >> 1], titles.join('; ')).toBeLessThan(1)
  })

  it('hold what few calls do for many', () => {
    // Unsampled children would be measured for longer than they work: the run itself is the measure.
    const shares = Array.from({ length: ROUNDS }, () => {
      const profile = profileOf(alternatives(...WORDS), 'calibrated')
      return timeOf(profile) / (profile.end - profile.start)
    })
    const { middle } = quartiles(shares)
    expect(middle).toBeGreaterThan(0.6)
    expect(middle).toBeLessThan(1.25)
  })
})
