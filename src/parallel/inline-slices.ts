import { bulkShape } from '../search/bulk/bulk-shape.ts'
import { makeTermBitSets, wantedTerms } from '../search/bulk/term-bit-set-wants.ts'
import {
  OwnControl,
  type SearchControl,
  type SliceControl,
} from '../search/collector/search-control.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { Pins } from '../segment/pins.ts'
import type { SegmentMemory } from '../segment/segment-memory.ts'
import type { Snapshot } from '../segment/snapshot.ts'
import { nowInNanos } from '../util/clock.ts'
import { fairTurn } from '../util/fair-turn.ts'
import { appended } from '../util/lists.ts'
import type { LeafLoading } from './leaf-loading.ts'
import type { OpenLeaves } from './open-leaves.ts'
import type { PreparedSearch } from './prepare.ts'
import type { TakenOutcomes } from './records/outcome-record.ts'
import type { SharedSearchTask } from './records/search-record.ts'
import { runSlice, type SliceOutcome } from './run-slice.ts'
import { runTaken } from './run-taken.ts'
import type { ShardSearchOptions } from './search-options.ts'
import { throwIfAborted } from './search-options.ts'
import type { SharedSearch } from './shared-slices.ts'
import type { SliceRunner } from './slice-request.ts'
import { scratchBytes, tooMany } from './slice-scratch.ts'
import type { Slice } from './slices.ts'
import type { TakenParts } from './work-list.ts'

/** Runs slices on the coordinating thread. */
export class InlineSlices {
  readonly #memory: SegmentMemory
  readonly #open: OpenLeaves
  readonly #loading: LeafLoading
  readonly #inline: SliceRunner

  constructor(memory: SegmentMemory, open: OpenLeaves, loading: LeafLoading, runner: SliceRunner) {
    this.#memory = memory
    this.#open = open
    this.#loading = loading
    this.#inline = runner
  }

  /** Runs the slices on this thread in order, over leaves that stay open. */
  run(
    snapshot: Snapshot,
    prepared: PreparedSearch,
    slices: readonly Slice[],
    options: ShardSearchOptions,
    control: SliceControl,
    firstSlice = 0,
  ): SliceOutcome[] {
    const { weight, spec } = prepared
    const { profile, kernels, reports } = options
    return this.#running(snapshot, prepared, options, leafOf => {
      let outcomes: SliceOutcome[] = []
      for (let i = 0; i < slices.length; i++) {
        const sliceId = firstSlice + i
        const slice = slices[i]!
        const queued = profile === null && !reports ? 0 : nowInNanos()
        const task = { sliceId, slice, weight, spec, profile, kernels, reports, queued }
        outcomes = appended(outcomes, runSlice(task, leafOf, control, -1))
      }
      return outcomes
    })
  }

  /** Calls a function with open leaves and scratch for them. */
  #running<T>(
    snapshot: Snapshot,
    prepared: PreparedSearch,
    options: ShardSearchOptions,
    run: (leafOf: (ord: number) => Leaf) => T,
  ): T {
    this.#reserve(snapshot, prepared)
    this.#memory.beginSearch(options.filterCache)
    try {
      return run(ord => this.#open.leaf(snapshot.leaves[ord]!))
    } catch (error) {
      // After a trap, kernels and scratch are in an undefined state.
      this.#inline.reset()
      this.#open.clear()
      throw error
    } finally {
      this.#memory.endSearch()
      this.#open.settle()
    }
  }

  /**
   * Makes the bit sets of frequent terms for a search on search threads, which make none
   * themselves. The sets are pinned.
   */
  makeTermBitSets(snapshot: Snapshot, prepared: PreparedSearch, options: ShardSearchOptions): void {
    const { weight, spec } = prepared
    const shape = options.kernels ? bulkShape(weight, spec) : 'profile'
    const terms = typeof shape === 'string' ? [] : wantedTerms(shape)
    if (terms.length === 0) return
    this.#running(snapshot, prepared, options, leafOf => {
      for (const { ord } of snapshot.leaves) makeTermBitSets(leafOf(ord), terms, weight.leaves[ord])
    })
  }

  /** Takes parts of a search that search threads share. */
  take(
    { snapshot, prepared, options }: Pick<SharedSearch, 'snapshot' | 'prepared' | 'options'>,
    task: SharedSearchTask,
    taken: TakenParts,
    control: SearchControl,
  ): TakenOutcomes {
    return this.#running(snapshot, prepared, options, leafOf =>
      runTaken(task, taken, leafOf, control, -1, nowInNanos()),
    )
  }

  /** Grows each arena's scratch to the needs of its largest leaf. */
  #reserve({ leaves }: Snapshot, prepared: PreparedSearch): void {
    let arena = -1
    let maxDoc = 0
    // Leaves of one arena are mostly adjacent: its scratch only grows.
    for (const { segment } of leaves) {
      const home = this.#memory.homeOf(segment)
      if (home !== arena && arena >= 0) this.#reserveIn(arena, prepared, maxDoc)
      maxDoc = home === arena ? Math.max(maxDoc, segment.maxDoc) : segment.maxDoc
      arena = home
    }
    if (arena >= 0) this.#reserveIn(arena, prepared, maxDoc)
  }

  #reserveIn(arena: number, prepared: PreparedSearch, maxDoc: number): void {
    if (!this.#open.reserve(arena, scratchBytes(prepared, maxDoc))) throw tooMany()
  }

  /**
   * Runs one slice per leaf in sequence, each leaf's sections evicted for the next one's: this
   * searches an index larger than memory, from disk.
   */
  async runInTurn(
    snapshot: Snapshot,
    prepared: PreparedSearch,
    slices: readonly Slice[],
    options: ShardSearchOptions,
    pins: Pins,
  ): Promise<SliceOutcome[]> {
    const outcomes: SliceOutcome[] = []
    const control = new OwnControl()
    for (const [sliceId, slice] of slices.entries()) {
      throwIfAborted(options.signal)
      this.#loading.leaves([snapshot.leaves[slice[0]!.leafOrd]!], prepared, pins)
      outcomes.push(...this.run(snapshot, prepared, [slice], options, control, sliceId))
      pins.release()
      // Each may take long: yield to other work in between.
      await fairTurn()
    }
    return outcomes
  }
}
