import type { SearchControl } from '../search/collector/search-control.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { Pins, SegmentMemory } from '../segment/segment-memory.ts'
import type { Snapshot } from '../segment/snapshot.ts'
import { nowInNanos } from '../util/clock.ts'
import { fairTurn } from '../util/fair-turn.ts'
import type { LeafLoading } from './leaf-loading.ts'
import type { OpenLeaves } from './open-leaves.ts'
import type { PreparedSearch } from './prepare.ts'
import { runSlice, type SliceOutcome } from './run-slice.ts'
import type { ShardSearchOptions } from './search-options.ts'
import { throwIfAborted } from './search-options.ts'
import type { SliceRunner } from './slice-request.ts'
import { scratchBytes, tooMany } from './slice-scratch.ts'
import type { Slice } from './slices.ts'

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
    control: SearchControl,
    firstSlice = 0,
  ): SliceOutcome[] {
    const { weight, spec } = prepared
    this.#reserve(snapshot, prepared)
    const leafOf = (ord: number): Leaf => this.#open.leaf(snapshot.leaves[ord]!)
    this.#memory.filters.beginSearch(options.filterCache)
    try {
      return slices.map((slice, i) => {
        const sliceId = firstSlice + i
        const { profile, kernels, reports } = options
        const queued = profile === null && !reports ? 0 : nowInNanos()
        return runSlice(
          { sliceId, slice, weight, spec, profile, kernels, reports, queued },
          leafOf,
          control,
          -1,
        )
      })
    } catch (error) {
      // A trap leaves kernels and scratch in an unknown state.
      this.#inline.reset()
      this.#open.clear()
      throw error
    } finally {
      this.#memory.filters.endSearch()
      this.#open.settle()
    }
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
    control: SearchControl,
    pins: Pins,
  ): Promise<SliceOutcome[]> {
    const outcomes: SliceOutcome[] = []
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
