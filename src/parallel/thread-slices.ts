import { type SearchThreads, WorkerLostError } from '../pool/search-threads.ts'
import { keptFilter } from '../search/bulk/kept-filter.ts'
import type { LeafRecord } from '../segment/leaf.ts'
import type { Pins } from '../segment/pins.ts'
import type { SegmentMemory } from '../segment/segment-memory.ts'
import { SetPins } from '../segment/set-pins.ts'
import type { Snapshot } from '../segment/snapshot.ts'
import type { Cancellation } from '../util/cancellation.ts'
import { nowInNanos } from '../util/clock.ts'
import { EngineError } from '../util/errors.ts'
import { type LeafLoading, recordOf } from './leaf-loading.ts'
import type { PreparedSearch } from './prepare.ts'
import type { SliceOutcome } from './run-slice.ts'
import { filtersOf } from './search-cost.ts'
import type { ShardSearchOptions } from './search-options.ts'
import type { ScratchRange, SliceRequest } from './slice-request.ts'
import { scratchBytes, tooMany } from './slice-scratch.ts'
import type { Slice } from './slices.ts'

/** Runs the slices of profiled searches on search threads, each slice as cut. */
export class ThreadSlices {
  readonly #memory: SegmentMemory
  readonly #threads: SearchThreads
  readonly #loading: LeafLoading

  constructor(memory: SegmentMemory, threads: SearchThreads, loading: LeafLoading) {
    this.#memory = memory
    this.#threads = threads
    this.#loading = loading
  }

  async run(
    snapshot: Snapshot,
    prepared: PreparedSearch,
    slices: readonly Slice[],
    options: ShardSearchOptions,
    control: number,
    pins: Pins,
    onLoss: () => void,
  ): Promise<SliceOutcome[]> {
    const keys = filtersOf(prepared, options).map(node => keptFilter(node)!.key)
    const setPins = new SetPins()
    const records = snapshot.leaves.map(leaf => {
      const sections = this.#loading.sections(leaf, prepared.sections, pins)
      const kept = this.#memory.filters.pin(leaf.segment, keys, setPins)
      return recordOf(this.#memory, leaf, sections, kept, prepared.sections)
    })
    const requests = slices.map((slice, sliceId) =>
      this.#request(records, prepared, slice, sliceId, options, control),
    )
    try {
      const answers = await Promise.allSettled(
        requests.map(request => this.#runOnThread(request, options.signal, onLoss)),
      )
      const failed = answers.find(answer => answer.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      return answers.map(answer => (answer as PromiseFulfilledResult<SliceOutcome>).value)
    } finally {
      // A slice ends by its answer or by its thread's death, so no thread writes here any more.
      for (const { scratch } of requests)
        for (const range of scratch) this.#memory.arenas.free(range)
      setPins.release()
    }
  }

  /** Retries a slice once on another thread if its thread dies. */
  async #runOnThread(
    request: SliceRequest,
    signal: Cancellation | null,
    onLoss: () => void,
  ): Promise<SliceOutcome> {
    for (let attempt = 0; ; attempt++) {
      try {
        return (await this.#threads.run(request, signal)).value as SliceOutcome
      } catch (error) {
        if (!(error instanceof WorkerLostError)) throw error
        onLoss()
        if (attempt > 0)
          throw new EngineError({
            type: 'no_shard_available_action_exception',
            reason: `slice [${request.task.sliceId}] failed twice: ${error.message}`,
          })
      }
    }
  }

  #request(
    records: readonly LeafRecord[],
    prepared: PreparedSearch,
    slice: Slice,
    sliceId: number,
    options: ShardSearchOptions,
    control: number,
  ): SliceRequest {
    const ords = new Set(slice.map(part => part.leafOrd))
    const leaves = records.filter(record => ords.has(record.ord))
    const { weight, spec } = prepared
    const maxDoc = leaves.reduce((max, leaf) => Math.max(max, leaf.maxDoc), 0)
    const bytes = scratchBytes(prepared, maxDoc)
    const scratch: ScratchRange[] = []
    for (const arena of new Set(leaves.map(leaf => leaf.arena))) {
      const range = this.#memory.allocateScratch(arena, bytes)
      if (range === null) {
        for (const range of scratch) this.#memory.arenas.free(range)
        throw tooMany()
      }
      scratch.push(range)
    }
    const trimmed = weight.leaves.map((states, ord) => (ords.has(ord) ? states : NO_STATES))
    const task = {
      sliceId,
      slice,
      weight: { ...weight, leaves: trimmed, nodes: options.profile === null ? [] : weight.nodes },
      spec,
      profile: options.profile,
      kernels: options.kernels,
      reports: options.reports,
      queued: nowInNanos(),
    }
    return { task, leaves, scratch, control }
  }
}

const NO_STATES = { terms: [], expansions: [] }
