import { describe, expect, it } from 'vitest'
import { NO_MORE_DOCS } from '../../src/codec/doc-id-iterator.ts'
import { SliceProfiler } from '../../src/profile/slice-profiler.ts'
import {
  calibratedOverhead,
  type SamplingMode,
  type TimerReading,
} from '../../src/profile/timer.ts'
import { LEAF_TIMING_TYPES } from '../../src/profile/timing-types.ts'
import type { BatchClock } from '../../src/search/scorer/batch-clock.ts'
import type { Scorer, ScorerSupplier, TwoPhase } from '../../src/search/scorer/scorer.ts'
import { Random } from '../../src/util/random.ts'

const DOCS = 65_536

/** A clock that work moves: what a reading of it costs is what the thread has calibrated. */
class WorkClock {
  at = 1000

  readonly now = (): number => {
    this.at += calibratedOverhead()
    return this.at
  }

  pass(nanos: number): void {
    this.at += nanos
  }
}

/** What the calls of a scorer take, in nanoseconds. */
interface Costs {
  readonly nextDoc: (doc: number) => number
  readonly match: (doc: number) => number
  readonly score: (doc: number) => number
  /** A call that ends a run of so many documents works them off as one batch, as windows do. */
  readonly batch?: { readonly docs: number; readonly nanos: number }
}

/** A scorer of all documents, every one of which takes as long as is said. */
class WorkingScorer implements Scorer {
  readonly #check: TwoPhase
  readonly #costs: Costs
  readonly #clock: WorkClock
  #doc = -1

  constructor(costs: Costs, clock: WorkClock, batches: BatchClock | null) {
    this.#costs = costs
    this.#clock = clock
    const { batch } = costs
    const nextDoc = (): number => {
      this.#doc++
      if (batch !== undefined && this.#doc % batch.docs === 0) {
        batches?.begin()
        clock.pass(batch.nanos)
        batches?.end()
      }
      clock.pass(costs.nextDoc(this.#doc))
      return this.#doc < DOCS ? this.#doc : NO_MORE_DOCS
    }
    const approximation = {
      docId: () => this.#doc,
      nextDoc,
      advance: nextDoc,
      cost: () => DOCS,
    }
    this.#check = {
      approximation,
      matches: () => {
        clock.pass(costs.match(this.#doc))
        return true
      },
      matchCost: () => 1,
    }
  }

  docId(): number {
    return this.#doc
  }

  iterator(): null {
    return null
  }

  twoPhase(): TwoPhase {
    return this.#check
  }

  score(): number {
    this.#clock.pass(this.#costs.score(this.#doc))
    return 1
  }

  shallowAdvance(): number {
    return NO_MORE_DOCS
  }

  maxScore(): number {
    return 1
  }

  setMinCompetitiveScore(): void {
    // All scores are equal.
  }
}

/** The readings of one node over a leaf of `DOCS` matches, by timing type. */
function readings(sampling: SamplingMode, costs: Costs): ReadonlyMap<string, TimerReading> {
  const clock = new WorkClock()
  const profiler = new SliceProfiler(1, { sampling, perLeaf: true }, clock.now)
  profiler.beginLeaf({ leafOrd: 0, minDoc: 0, maxDoc: DOCS })
  const supplier: ScorerSupplier = {
    cost: () => DOCS,
    get: () => new WorkingScorer(costs, clock, profiler.batches),
  }
  const scorer = profiler.wrapSupplier(0, () => supplier)?.get(DOCS)
  const check = scorer?.twoPhase()
  if (scorer === undefined || check == null) throw new Error('the scorer has two phases')
  while (check.approximation.nextDoc() !== NO_MORE_DOCS) if (check.matches()) scorer.score()
  profiler.endLeaf()
  const { leaves, start, end } = profiler.finish(0, -1, 1)
  const [node] = leaves[0]?.nodes ?? []
  if (node == null) throw new Error('the node was opened')
  for (const { count, start: first } of node)
    if (count > 0) expect(first >= start && first <= end).toBe(true)
  return new Map(LEAF_TIMING_TYPES.map((type, i) => [type, node[i]!]))
}

const constant = (nanos: number) => (): number => nanos
/** Once in so many documents more than else. */
const rarely = (every: number, often: number, rare: number) => (doc: number) =>
  doc % every === 0 ? rare : often

function randomly(seed: number, most: number): (doc: number) => number {
  const random = new Random(seed)
  const nanos = Float64Array.from({ length: DOCS + 1 }, () => 1 + random.below(most))
  return doc => nanos[Math.min(doc, DOCS)]!
}

const COSTS: readonly (readonly [string, Costs])[] = [
  ['cheap calls', { nextDoc: constant(4), match: constant(9), score: constant(6) }],
  ['random ones', { nextDoc: randomly(1, 30), match: randomly(2, 900), score: randomly(3, 90) }],
  [
    'periods in them',
    { nextDoc: rarely(128, 4, 12), match: rarely(64, 20, 60), score: rarely(1024, 5, 15) },
  ],
  [
    'batches in few of them',
    {
      nextDoc: constant(5),
      match: constant(8),
      score: constant(6),
      batch: { docs: 4096, nanos: 90_000 },
    },
  ],
]

// The clock is the work's own: what other processes do to a real one is in no reading.
describe('sampled times of a leaf of 65,536 documents', () => {
  it.each(COSTS)('are within a quarter of the true ones: %s', (_title, costs) => {
    const sampled = readings('calibrated', costs)
    const every = readings('unsampled', costs)
    const sum = (of: (doc: number) => number, docs: number): number =>
      Array.from({ length: docs }, (_, doc) => of(doc)).reduce((all, nanos) => all + nanos, 0)
    const { batch } = costs
    // The step behind the last document ends the last batch.
    const batches = batch === undefined ? 0 : (DOCS / batch.docs + 1) * batch.nanos
    const truth = {
      next_doc: [sum(costs.nextDoc, DOCS + 1) + batches, DOCS + 1],
      match: [sum(costs.match, DOCS), DOCS],
      score: [sum(costs.score, DOCS), DOCS],
    } as const
    for (const [type, [nanos, count]] of Object.entries(truth)) {
      expect(every.get(type)?.count, type).toBe(count)
      expect(sampled.get(type)?.count, type).toBe(count)
      // No call reads less than a nanosecond, and a batch's own two readings are in its call.
      expect(Math.abs((every.get(type)?.time ?? 0) - nanos) / nanos, type).toBeLessThan(0.02)
      expect(Math.abs((sampled.get(type)?.time ?? 0) - nanos) / nanos, type).toBeLessThan(0.25)
    }
    for (const type of ['advance', 'shallow_advance', 'compute_max_score'])
      expect(sampled.get(type), type).toEqual({ start: 0, time: 0, count: 0 })
  })

  it('read the clock for few calls of many', () => {
    let reads = 0
    const costs = { nextDoc: constant(4), match: constant(9), score: constant(6) }
    const count = (sampling: SamplingMode): number => {
      const before = reads
      const clock = new WorkClock()
      const now = (): number => {
        reads++
        return clock.now()
      }
      const profiler = new SliceProfiler(1, { sampling, perLeaf: true }, now)
      profiler.beginLeaf({ leafOrd: 0, minDoc: 0, maxDoc: DOCS })
      const make = (): ScorerSupplier => ({
        cost: () => DOCS,
        get: () => new WorkingScorer(costs, clock, profiler.batches),
      })
      const check = profiler.wrapSupplier(0, make)?.get(DOCS).twoPhase()
      while (check?.approximation.nextDoc() !== NO_MORE_DOCS) check?.matches()
      profiler.endLeaf()
      return reads - before
    }
    const sampled = count('calibrated')
    expect(sampled).toBeGreaterThan(64)
    // Two readings for each of two calls a document, against one call in 1,024 from the 16,384th on.
    expect(count('unsampled')).toBeGreaterThan(4 * DOCS)
    expect(sampled).toBeLessThan(DOCS / 50)
  })
})
