import { type SearchThreads, WorkerLostError } from '../pool/search-threads.ts'
import { keptFilter } from '../search/bulk/kept-filter.ts'
import { SearchControl } from '../search/collector/search-control.ts'
import { WEIGHT_OPS } from '../search/weight/weight-ops.ts'
import type { LeafRecord } from '../segment/leaf.ts'
import type { Pins } from '../segment/pins.ts'
import type { SegmentMemory } from '../segment/segment-memory.ts'
import { SetPins } from '../segment/set-pins.ts'
import type { Snapshot } from '../segment/snapshot.ts'
import { nowInNanos } from '../util/clock.ts'
import { EngineError } from '../util/errors.ts'
import { WordWriter } from '../util/word-record.ts'
import { bestFirst, cutParts, type WorkCut, wholeParts } from './cut-work.ts'
import { partsAhead } from './first-document.ts'
import { type LeafLoading, recordOf } from './leaf-loading.ts'
import type { PreparedSearch } from './prepare.ts'
import { readOutcomes, type TakenOutcomes } from './records/outcome-record.ts'
import { IS_PING, type SharedSearchTask, writeSearch } from './records/search-record.ts'
import type { SliceOutcome } from './run-slice.ts'
import { filtersOf, isBulk, type SearchCost } from './search-cost.ts'
import { type ShardSearchOptions, throwIfAborted } from './search-options.ts'
import { scratchBytes } from './slice-scratch.ts'
import type { Slice } from './slices.ts'
import type { ThreadHoldings } from './thread-holdings.ts'
import { TakenParts, WorkList } from './work-list.ts'

/** Input of one shared search. */
export interface SharedSearch {
  readonly snapshot: Snapshot
  readonly prepared: PreparedSearch
  /** The slices; their number is the number of threads. */
  readonly slices: readonly Slice[]
  readonly options: ShardSearchOptions
  /** Ord of its control record, and its words. */
  readonly control: number
  readonly words: Int32Array
  readonly pins: Pins
  /** Lets the calling thread take parts too; null: it does not. */
  readonly takeHere:
    | ((task: SharedSearchTask, taken: TakenParts, control: SearchControl) => TakenOutcomes)
    | null
  /** Called when a thread died over it. */
  readonly onLoss: () => void
}

/**
 * Runs searches without a profile on search threads, which share each search's work: an idle thread
 * takes the next part. When its time slice ends, a thread yields to waiting requests between two
 * parts, and the remaining work is queued again.
 */
export class SharedSlices {
  readonly #memory: SegmentMemory
  readonly #threads: SearchThreads
  readonly #loading: LeafLoading
  readonly #cost: SearchCost
  readonly #holdings: ThreadHoldings
  readonly #cut: WorkCut
  readonly #writer = new WordWriter()

  constructor(
    memory: SegmentMemory,
    threads: SearchThreads,
    loading: LeafLoading,
    cost: SearchCost,
    holdings: ThreadHoldings,
    cut: WorkCut,
  ) {
    this.#memory = memory
    this.#threads = threads
    this.#loading = loading
    this.#cost = cost
    this.#holdings = holdings
    this.#cut = cut
  }

  /**
   * Runs a search to its end. A dead thread's counts are lost, so the whole search is then run
   * again.
   */
  async run(search: SharedSearch): Promise<SliceOutcome[]> {
    const { snapshot, prepared, options, pins, words } = search
    const keys = filtersOf(prepared, options).map(node => keptFilter(node)!.key)
    const setPins = new SetPins()
    const records = snapshot.leaves.map(leaf => {
      const sections = this.#loading.sections(leaf, prepared.sections, pins)
      const kept = this.#memory.filters.pin(leaf.segment, keys, setPins)
      const record = recordOf(this.#memory, leaf, sections, kept, prepared.sections)
      const blocks = new Set(prepared.weight.leaves[leaf.ord]?.terms.map(t => t?.firstBlock ?? -1))
      return { ...record, termBitSets: this.#memory.termBitSets.pin(leaf.segment, blocks, setPins) }
    })
    const task = this.#taskOf(search)
    try {
      this.#cost.measureHandOver(() => this.#threads.runRecord(PING))
      for (let attempt = 0; ; attempt++)
        try {
          return await this.#attempt(search, task, records)
        } catch (error) {
          if (!(error instanceof WorkerLostError)) throw error
          search.onLoss()
          if (attempt > 0)
            throw new EngineError({
              type: 'no_shard_available_action_exception',
              reason: `a search failed twice: ${error.message}`,
            })
          // No thread works on it any more.
          words.fill(0)
          throwIfAborted(options.signal)
        }
    } finally {
      setPins.release()
    }
  }

  #taskOf({ snapshot, prepared, slices, options, control }: SharedSearch): SharedSearchTask {
    const { weight, spec } = prepared
    const kernels = isBulk(prepared, options)
    const isWhole =
      WEIGHT_OPS.isDivisible(weight.root) &&
      [spec.postFilter, ...spec.nested].every(
        each => each === null || WEIGHT_OPS.isDivisible(each.root),
      )
    const maxDocs = snapshot.leaves.map(leaf => leaf.segment.maxDoc)
    const all = isWhole
      ? cutParts(
          maxDocs,
          this.#cost.of(snapshot, prepared, options),
          slices.length,
          this.#cut,
          // Statistics tell of whole leaves alone.
          leafOrd => prepared.counting[leafOrd] != null,
        )
      : wholeParts(slices)
    let parts = partsAhead(snapshot, spec, all)
    if (kernels && !spec.demands.everyMatch) parts = bestFirst(parts, weight)
    return {
      weight,
      spec,
      parts: slices.length === 0 ? [] : parts,
      kernels: options.kernels,
      reports: options.reports,
      // A search with `terminate_after` must count its matches in one go.
      turnInNanos: spec.terminateAfter > 0 ? Number.POSITIVE_INFINITY : this.#cut.turnInNanos,
      control,
    }
  }

  async #attempt(
    search: SharedSearch,
    task: SharedSearchTask,
    records: readonly LeafRecord[],
  ): Promise<SliceOutcome[]> {
    const { prepared, options, words, slices, takeHere } = search
    const { spec } = prepared
    this.#writer.reset()
    writeSearch(this.#writer, task)
    const body = this.#writer.written.slice()
    const maxDoc = records.reduce((max, record) => Math.max(max, record.maxDoc), 0)
    const bytes = scratchBytes(prepared, maxDoc)
    const control = new SearchControl(words)
    const work = new WorkList(words, task.parts)
    const all: SliceOutcome[] = []
    const queued = nowInNanos()
    const add = ({ outcomes }: TakenOutcomes): void => {
      for (const outcome of outcomes) {
        const { report } = outcome
        all.push(
          report === null ? outcome : { ...outcome, report: { ...report, sliceId: all.length } },
        )
      }
    }
    const takeThere = async (): Promise<void> => {
      let hasPaused = false
      do {
        const hasRun = hasPaused
        hasPaused = false
        let asked: object | null = null
        await this.#threads.runRecord(
          {
            signal: options.signal,
            write: (thread, to) => {
              if (work.isExhausted || control.isStopped()) return false
              asked = thread
              to.number(queued)
              to.flag(hasRun)
              this.#holdings.write(thread, to, records, bytes)
              to.words(body)
              return true
            },
            read: from => {
              // Before the thread's next request.
              if (asked !== null) this.#holdings.settle(asked)
              const taken = readOutcomes(from)
              hasPaused = taken.hasPaused
              add(taken)
            },
          },
          hasRun,
        )
      } while (hasPaused)
    }
    const searchers = spec.terminateAfter > 0 ? 1 : Math.min(slices.length, this.#threads.size)
    const there = Array.from({ length: searchers - (takeHere === null ? 0 : 1) }, () =>
      takeThere().catch((error: unknown) => {
        // Other threads' results are no longer needed.
        control.stop()
        throw error
      }),
    )
    const failed: unknown[] = []
    try {
      if (takeHere !== null) add(takeHere(task, new TakenParts(work, () => false), control))
    } catch (error) {
      control.stop()
      failed.push(error)
    }
    // On any exit, no thread may still read pinned memory.
    for (const each of await Promise.allSettled(there))
      if (each.status === 'rejected') failed.push(each.reason)
    if (failed.length === 0) return all
    throw failed.find(error => !(error instanceof WorkerLostError)) ?? failed[0]
  }
}

const PING = {
  write(_: object, to: WordWriter): boolean {
    to.number(IS_PING)
    return true
  },
  read(): void {},
}
