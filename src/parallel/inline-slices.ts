import { bulkShape } from '../search/bulk/bulk-shape.ts'
import { makeTermSets, wantedTerms } from '../search/bulk/term-set-wants.ts'
import {
  OwnControl,
  type SearchControl,
  type SliceControl,
} from '../search/collector/search-control.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { Pins, SegmentMemory } from '../segment/segment-memory.ts'
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

  /** Runs the slices here, one after another, on leaves that stay open. */
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

  /** Runs something over leaves that stay open, with scratch for them. */
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
      // A trap leaves kernels and scratch in an unknown state.
      this.#inline.reset()
      this.#open.clear()
      throw error
    } finally {
      this.#memory.endSearch()
      this.#open.settle()
    }
  }

  /**
   * Makes sets of frequent terms for a search that runs on threads, which make none. What they hold is
   * pinned.
   */
  makeTermSets(snapshot: Snapshot, prepared: PreparedSearch, options: ShardSearchOptions): void {
    const { weight, spec } = prepared
    const shape = options.kernels ? bulkShape(weight, spec) : 'profile'
    const terms = typeof shape === 'string' ? [] : wantedTerms(shape)
    if (terms.length === 0) return
    this.#running(snapshot, prepared, options, leafOf => {
      for (const { ord } of snapshot.leaves) makeTermSets(leafOf(ord), terms, weight.leaves[ord])
    })
  }

  /** Takes parts of a search that threads work on too. */
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

  /** Makes scratch as large as the largest leaf of each arena needs it. */
  #reserve({ leaves }: Snapshot, prepared: PreparedSearch): void {
    let arena = -1
    let maxDoc = 0
    // Leaves of one arena stand together but for a few: each arena's scratch only grows.
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
   * Runs slices of one leaf each, one after another, each leaf's sections leaving for the next one's:
   * an index that is larger than memory is searched all the same, from the disk.
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
      // Each may take long: others have their turn in between.
      await fairTurn()
    }
    return outcomes
  }
}
