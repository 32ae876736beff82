/**
 * The cost model: estimates a search in nanoseconds and picks the calling thread or search threads.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { bulkShape } from '../search/bulk/bulk-shape.ts'
import { keptFilter, keptNodes } from '../search/bulk/kept-filter.ts'
import type { WeightNode } from '../search/weight/weight-node.ts'
import { WEIGHT_OPS } from '../search/weight/weight-ops.ts'
import type { FilterCache } from '../segment/filter-cache.ts'
import type { Snapshot } from '../segment/snapshot.ts'
import { nowInNanos } from '../util/clock.ts'
import { goesByDocument } from './first-document.ts'
import type { PreparedSearch } from './prepare.ts'
import type { ShardSearchOptions } from './search-options.ts'
import { STEPS_OF_ONE_TERM, stepsOf } from './search-steps.ts'

/**
 * Nanoseconds per step, by executor and by whether every match must be seen, and the fixed costs of
 * a search. `docs/cost-model.md` says where the figures come from. They only decide where a search
 * runs and how its work is cut, never what it finds.
 */
export const COST_MODEL = {
  kernelStep: 1.1,
  exhaustiveKernelStep: 1.7,
  iteratorStep: 10,
  exhaustiveIteratorStep: 45,
  /** Factor of a search under a profile. */
  profile: 1.4,
  fixed: 7000,
  /** A match that a part of a gather sees. */
  gathered: 2,
  /** An entry of the statistics of a leaf that stand in for its documents. */
  countedEntry: 80,
  /** Min ratio of a search's cost to the cost of a hand-over for which threads are used. */
  handOversToPay: 3,
  /** Writing and reading the records, added to an empty hand-over. */
  records: 15_000,
} as const
/** Cost of a hand-over until it is measured. */
const USUAL_HAND_OVER_IN_NANOS = 100_000
/** Longer than a thread spins for its next request: most searches find it asleep. */
const UNTIL_ASLEEP_IN_MILLIS = 2
/** Inline budget multiplier for a search that also builds a cached filter. */
const INLINE_COSTS_TO_KEEP = 10
const PINGS = 15
/** Age at which the figure is measured again: the machine's load may have changed. */
const MEASURE_AGE_IN_NANOS = 60e9
/**
 * Bounds of the measured figure: one slow moment, or a clock that stands still, must not push all
 * searches to one side.
 */
const MIN_HAND_OVER_IN_NANOS = 20_000
const MAX_HAND_OVER_IN_NANOS = 400_000

/** Estimates the cost of searches and decides where they run. */
export class SearchCost {
  readonly #filters: FilterCache
  readonly #now: () => number
  #handOverInNanos = USUAL_HAND_OVER_IN_NANOS
  /** Sends an empty request to a thread; null until a search needed threads. */
  #ping: (() => Promise<unknown>) | null = null
  #isMeasuring = false
  #measuredAt = 0

  /** @param now the clock, nanoseconds */
  constructor(filters: FilterCache, now: () => number = nowInNanos) {
    this.#filters = filters
    this.#now = now
  }

  /** Nanoseconds below which a search runs on the calling thread. */
  get inlineCost(): number {
    return inlineCostAt(this.#handOverInNanos)
  }

  /**
   * Whether a search is cheap enough for the calling thread. Filters count only if they are not
   * cached, and a search that builds one to cache gets a larger budget.
   */
  isForHere(snapshot: Snapshot, prepared: PreparedSearch, options: ShardSearchOptions): boolean {
    if (prepared.hasScripts) return false
    const budget = this.inlineCost
    const cost = this.of(snapshot, prepared, options)
    if (cost < budget) return this.#isHere(cost)
    let kept = 0
    let due = 0
    for (const node of filtersOf(prepared, options)) {
      // The cost leaves the post filter out, and its terms belong to another weight.
      if (node === prepared.spec.postFilter?.root) continue
      const { key, minUses } = keptFilter(node)!
      for (const { segment, ord } of snapshot.leaves) {
        if (!this.#filters.keeps(segment)) continue
        const state = this.#filters.stateOf(segment, key, minUses)
        const states = prepared.weight.leaves[ord]
        const steps =
          state === 'cold' || states === undefined ? 0 : WEIGHT_OPS.setSteps(node, states, segment)
        if (state === 'kept') kept += steps
        else due += steps
      }
    }
    const without = cost - kept * stepOf(prepared, true)
    return without < budget || (due > 0 && without < INLINE_COSTS_TO_KEEP * budget)
  }

  /** The same for a search for the best hits of one term alone, by score or by a number. */
  isTermForHere(docFreq: number, isByScore: boolean): boolean {
    const nanos = isByScore
      ? STEPS_OF_ONE_TERM * COST_MODEL.kernelStep
      : COST_MODEL.exhaustiveKernelStep
    const cost = COST_MODEL.fixed + docFreq * nanos
    return cost < this.inlineCost && this.#isHere(cost)
  }

  /** Estimated time of the whole search on one thread, nanoseconds. */
  of(snapshot: Snapshot, prepared: PreparedSearch, options: ShardSearchOptions): number {
    const { weight, spec } = prepared
    // Statistics give the whole answer.
    if (spec.topCount === 0 && spec.knownTotal !== null && spec.others.length === 0)
      return COST_MODEL.fixed
    const { counting, gathered } = prepared
    const entries = counting.reduce((sum, each) => sum + (each?.entries ?? 0), 0)
    const fixed =
      COST_MODEL.fixed + COST_MODEL.gathered * gathered + COST_MODEL.countedEntry * entries
    const isCounted = counting.length > 0 && counting.every(each => each?.isSure === true)
    if (spec.topCount === 0 && spec.knownTotal !== null && isCounted) return fixed
    const steps = stepsOf(weight, snapshot, !spec.demands.everyMatch)
    const stepCost = steps * shareOf(prepared, snapshot) * stepOf(prepared, false)
    if (options.profile !== null) return fixed + COST_MODEL.profile * stepCost
    if (!isBulk(prepared, options)) return fixed + stepCost
    return fixed + steps * stepOf(prepared, true)
  }

  /**
   * Measures the cost of a hand-over to a sleeping thread, after a search that needs threads: the
   * first such search, and then one a minute.
   * @param ping sends an empty request and awaits its answer
   */
  measureHandOver(ping: () => Promise<unknown>): void {
    this.#ping = ping
    this.#measureWhenOld()
  }

  /**
   * Always true. If the search runs here only because the measured figure is high, measure it
   * again.
   */
  #isHere(cost: number): boolean {
    if (cost >= inlineCostAt(MIN_HAND_OVER_IN_NANOS)) this.#measureWhenOld()
    return true
  }

  #measureWhenOld(): void {
    const ping = this.#ping
    if (ping === null || this.#isMeasuring) return
    const now = this.#now()
    if (this.#measuredAt !== 0 && now - this.#measuredAt < MEASURE_AGE_IN_NANOS) return
    this.#measuredAt = now
    this.#isMeasuring = true
    const measure = async (): Promise<void> => {
      const readings: number[] = []
      for (let i = 0; i < PINGS; i++) {
        await delay(UNTIL_ASLEEP_IN_MILLIS, null, { ref: false })
        const start = this.#now()
        await ping()
        readings.push(this.#now() - start)
      }
      readings.sort((a, b) => a - b)
      const median = readings[PINGS >> 1]!
      this.#handOverInNanos = Math.min(
        Math.max(median, MIN_HAND_OVER_IN_NANOS),
        MAX_HAND_OVER_IN_NANOS,
      )
    }
    measure()
      // A dying thread or closing pool leaves the figure unchanged.
      .catch(() => {})
      .finally(() => {
        this.#isMeasuring = false
      })
  }
}

/** Max cost of a search on the calling thread, given the cost of a hand-over; nanoseconds. */
function inlineCostAt(handOverInNanos: number): number {
  return COST_MODEL.handOversToPay * (handOverInNanos + COST_MODEL.records)
}

/** Whether the kernels run a search, as far as known before its leaves are read. */
export function isBulk(
  { weight, spec }: PreparedSearch,
  { kernels, profile }: ShardSearchOptions,
): boolean {
  return kernels && profile === null && typeof bulkShape(weight, spec) !== 'string'
}

/** The nodes of a search whose bit sets may be cached. */
export function filtersOf(
  { weight, spec }: PreparedSearch,
  { kernels, profile, filterCache }: ShardSearchOptions,
): readonly WeightNode[] {
  if (!filterCache || !kernels || profile !== null) return []
  const shape = bulkShape(weight, spec)
  return typeof shape === 'string' ? [] : keptNodes(shape, spec)
}

/** Nanoseconds per step. */
function stepOf({ weight, spec }: PreparedSearch, isBulk: boolean): number {
  // Conjunctions take as long whether all matches are seen or not.
  if (!spec.demands.everyMatch || !WEIGHT_OPS.isOfAlternatives(weight.root))
    return isBulk ? COST_MODEL.kernelStep : COST_MODEL.iteratorStep
  return isBulk ? COST_MODEL.exhaustiveKernelStep : COST_MODEL.exhaustiveIteratorStep
}

/** The share of a snapshot that a search looks at: it is done with the first that are not competitive. */
function shareOf({ weight, spec }: PreparedSearch, { maxDoc }: Snapshot): number {
  const { root } = weight
  const isAll = root.kind === 'all' || (root.kind === 'constant' && root.child.kind === 'all')
  if (!isAll || spec.postFilter !== null || !goesByDocument(spec)) return 1
  return Math.min(1, spec.topCount / Math.max(1, maxDoc))
}
