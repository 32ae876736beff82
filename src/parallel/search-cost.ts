import { setTimeout as delay } from 'node:timers/promises'
import { bulkShape } from '../search/bulk/bulk-shape.ts'
import { keptFilter, keptNodes } from '../search/bulk/kept-filter.ts'
import type { WeightNode } from '../search/weight/weight.ts'
import { WEIGHT_OPS } from '../search/weight/weight-ops.ts'
import type { FilterCache } from '../segment/filter-cache.ts'
import type { Snapshot } from '../segment/snapshot.ts'
import { nowInNanos } from '../util/clock.ts'
import type { PreparedSearch } from './prepare.ts'
import type { ShardSearchOptions } from './search-options.ts'
import { STEPS_OF_ONE_TERM, stepsOf } from './search-steps.ts'

/**
 * How long a step takes, nanoseconds, by who takes it and whether every match must be seen; and what a
 * search takes beside its steps. `docs/cost-model.md` says where the figures come from. They only decide
 * where a search runs and how its work is cut, never what it finds.
 */
export const COST_MODEL = {
  kernelStep: 1.1,
  exhaustiveKernelStep: 1.7,
  iteratorStep: 10,
  exhaustiveIteratorStep: 45,
  /** How many times as long it takes under a profile. */
  profile: 1.4,
  fixed: 7000,
  /** A search is handed over when it costs so many times what handing over does. */
  handOversToPay: 3,
  /** What records take to write and to read beside an empty hand-over. */
  records: 15_000,
} as const
/** What handing over is taken to cost until it has been measured. */
const USUAL_HAND_OVER_IN_NANOS = 100_000
/** Longer than a thread stays awake for its next request: most searches find it asleep. */
const UNTIL_ASLEEP_IN_MILLIS = 2
/** Inline budget multiplier for a search that also builds a cached filter. */
const INLINE_COSTS_TO_KEEP = 10
const PINGS = 15
/** A figure this old is measured again: the machine may have been busy, or may be now. */
const MEASURE_AGE_IN_NANOS = 60e9
/**
 * Bounds of the measured figure. One moment that was dear, or a clock that stood still, must not keep all
 * searches on one side.
 */
const MIN_HAND_OVER_IN_NANOS = 20_000
const MAX_HAND_OVER_IN_NANOS = 400_000

/** What searches are thought to cost, and where they run for it. */
export class SearchCost {
  readonly #filters: FilterCache
  readonly #now: () => number
  #handOverInNanos = USUAL_HAND_OVER_IN_NANOS
  /** Asks a thread for nothing; null while none was needed yet. */
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
   * Whether a search is so cheap that it runs on the calling thread. What its filters cost counts
   * only where they must be made, and not too much the once that makes those that are then kept.
   */
  isForHere(snapshot: Snapshot, prepared: PreparedSearch, options: ShardSearchOptions): boolean {
    const most = this.inlineCost
    const cost = this.of(snapshot, prepared, options)
    if (cost < most) return this.#isHere(cost)
    let kept = 0
    let due = 0
    for (const node of filtersOf(prepared, options)) {
      // The cost leaves the post filter out, and its terms are another weight's.
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
    return without < most || (due > 0 && without < INLINE_COSTS_TO_KEEP * most)
  }

  /** The same of a search for the best hits of one term alone, by score or by a number. */
  isTermForHere(docFreq: number, isByScore: boolean): boolean {
    const nanos = isByScore
      ? STEPS_OF_ONE_TERM * COST_MODEL.kernelStep
      : COST_MODEL.exhaustiveKernelStep
    const cost = COST_MODEL.fixed + docFreq * nanos
    return cost < this.inlineCost && this.#isHere(cost)
  }

  /** What the whole search costs one thread, in nanoseconds. */
  of(snapshot: Snapshot, prepared: PreparedSearch, options: ShardSearchOptions): number {
    const { weight, spec } = prepared
    // Statistics have told all that is asked.
    if (spec.topCount === 0 && spec.knownTotal !== null && spec.others.length === 0)
      return COST_MODEL.fixed
    const steps = stepsOf(weight, snapshot, !spec.demands.everyMatch)
    const most = steps * stepOf(prepared, false)
    if (options.profile !== null) return COST_MODEL.fixed + COST_MODEL.profile * most
    if (!isBulk(prepared, options)) return COST_MODEL.fixed + most
    return COST_MODEL.fixed + steps * stepOf(prepared, true)
  }

  /**
   * Measures what a hand-over to a thread that sleeps costs here, behind a search that needs threads:
   * the first one, and then one a minute.
   * @param ping hands over a request for nothing and awaits its answer
   */
  measureHandOver(ping: () => Promise<unknown>): void {
    this.#ping = ping
    this.#measureWhenOld()
  }

  /** True. A search that runs here by a dear figure alone has the figure measured again. */
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
      // A thread that dies or a pool that closes leaves the figure as it was.
      .catch(() => {})
      .finally(() => {
        this.#isMeasuring = false
      })
  }
}

/** Below which cost a search runs on the calling thread, by what a hand-over costs; nanoseconds. */
function inlineCostAt(handOverInNanos: number): number {
  return COST_MODEL.handOversToPay * (handOverInNanos + COST_MODEL.records)
}

/** Whether the kernels run a search, as far as that is known before its leaves are looked at. */
export function isBulk(
  { weight, spec }: PreparedSearch,
  { kernels, profile }: ShardSearchOptions,
): boolean {
  return kernels && profile === null && typeof bulkShape(weight, spec) !== 'string'
}

/** The nodes of a search whose sets may be kept. */
export function filtersOf(
  { weight, spec }: PreparedSearch,
  { kernels, profile, filterCache }: ShardSearchOptions,
): readonly WeightNode[] {
  if (!filterCache || !kernels || profile !== null) return []
  const shape = bulkShape(weight, spec)
  return typeof shape === 'string' ? [] : keptNodes(shape, spec)
}

/** What a step takes, nanoseconds. */
function stepOf({ weight, spec }: PreparedSearch, isBulk: boolean): number {
  // Clauses that must match take as long whether all matches are seen or not.
  if (!spec.demands.everyMatch || !WEIGHT_OPS.isOfAlternatives(weight.root))
    return isBulk ? COST_MODEL.kernelStep : COST_MODEL.iteratorStep
  return isBulk ? COST_MODEL.exhaustiveKernelStep : COST_MODEL.exhaustiveIteratorStep
}
