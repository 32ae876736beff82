import type { Ticker } from '../../kernels/kernel-module.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { nowInNanos } from '../../util/clock.ts'
import type { SliceCounters } from '../collector/collect-spec.ts'
import type { SliceState } from '../collector/collector.ts'
import type { SliceInput } from '../search-slice.ts'
import { addCounts, type FilledClauses, kernelFor } from './bulk-plan.ts'
import type { SharedScratch } from './bulk-scratch.ts'
import type { BulkShape } from './bulk-shape.ts'
import type { Handover, HitsHandover } from './handover.ts'
import { PATTERNS, PLAN } from './plan-record.ts'

/**
 * Calls the kernels of a slice with the plans of its leaves. While one runs, it ticks: what it has found is
 * taken, the threshold of other slices told, and the search stopped where it is to stop.
 */
export class KernelCalls implements Ticker {
  readonly #input: SliceInput
  readonly #state: SliceState
  readonly #counters: SliceCounters
  readonly #hits: HitsHandover
  /** Whether kernels may stop once enough is counted: nothing but the number of matches is asked. */
  readonly #mayStop: boolean
  #handover: Handover
  /** The leaf whose plan a kernel is running; null between calls. */
  #leaf: Leaf | null = null
  #shared: SharedScratch | null = null

  /**
   * @param counters what kernels did is added to them
   * @param hits     how they hand over unless told otherwise
   */
  constructor(
    input: SliceInput,
    state: SliceState,
    counters: SliceCounters,
    hits: HitsHandover,
    mayStop: boolean,
  ) {
    this.#input = input
    this.#state = state
    this.#counters = counters
    this.#hits = hits
    this.#mayStop = mayStop
    this.#handover = hits
  }

  /** Runs the kernel of a shape to its end, or until the search is stopped. */
  call(leaf: Leaf, shared: SharedScratch, clauses: FilledClauses, shape: BulkShape): void {
    const { kernels } = leaf
    const { countsOnly, takesScores } = this.#handover
    kernels.hooks.ticker = this
    const run = kernelFor(kernels, clauses, shape, countsOnly, takesScores)
    if (!shared.isClear)
      kernels.clearWindow(
        shared.scores,
        shared.counts,
        shared.windowBits,
        shared.maxima,
        shared.blockBuffers + PATTERNS,
      )
    // During the call the windows' contents are undefined.
    shared.isClear = false
    this.#input.report?.beginCall()
    this.#leaf = leaf
    this.#shared = shared
    run(shared.plan)
    this.#leaf = null
    shared.isClear = true
    this.#hear(leaf, shared)
    addCounts(this.#counters, leaf.views.i32, shared.plan)
  }

  /** Runs a step whose calls hand over in another way. */
  over(handover: Handover, leaf: Leaf, shared: SharedScratch, step: () => void): void {
    this.#handover = handover
    this.tell(leaf, shared)
    step()
    this.#handover = this.#hits
  }

  tick(): number {
    this.#input.report?.look()
    const leaf = this.#leaf
    const shared = this.#shared
    if (leaf === null || shared === null) this.look()
    else {
      this.#hear(leaf, shared)
      this.look()
      this.tell(leaf, shared)
    }
    const isCounted = this.#mayStop && this.#state.isPastLimit()
    return this.#state.isDone || isCounted ? 1 : 0
  }

  /** Takes what a kernel counted and found since the last time. */
  #hear(leaf: Leaf, shared: SharedScratch): void {
    const { i32 } = leaf.views
    const at = (shared.plan + PLAN.counted) >> 2
    this.#hits.countMany(i32[at]!)
    i32[at] = 0
    this.#handover.take(leaf, shared)
  }

  /** Writes to a plan which matches are to be counted and given. */
  tell({ views }: Leaf, { plan }: SharedScratch): void {
    views.f32[(plan + PLAN.threshold) >> 2] = this.#handover.threshold()
    views.i32[(plan + PLAN.counting) >> 2] = this.#handover.counts() ? 1 : 0
  }

  /** Shares the count, and looks whether to stop. */
  look(): void {
    const state = this.#state
    const { deadline } = this.#input.spec
    state.share()
    if (state.control.isStopped()) {
      state.cancelled = true
      state.isDone = true
    } else if (deadline > 0 && nowInNanos() > deadline) {
      state.timedOut = true
      state.isDone = true
    }
  }
}
