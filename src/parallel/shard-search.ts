import { ControlBuffer } from '../pool/control-buffer.ts'
import type { PoolThread } from '../pool/pool-thread.ts'
import type { PoolUse } from '../pool/pool-use.ts'
import { SearchThreads } from '../pool/search-threads.ts'
import { calibrate } from '../profile/timer.ts'
import { addCounts, noCounts, type SliceCounters } from '../search/collector/collect-spec.ts'
import { OwnControl, SearchControl } from '../search/collector/search-control.ts'
import { Leaf } from '../segment/leaf.ts'
import type { Pins } from '../segment/pins.ts'
import { Scratch } from '../segment/scratch.ts'
import type { SegmentMemory } from '../segment/segment-memory.ts'
import type { Snapshot, SnapshotLeaf } from '../segment/snapshot.ts'
import { builtFile } from '../util/built-file.ts'
import { nowInNanos } from '../util/clock.ts'
import { USUAL_CUT, type WorkCut } from './cut-work.ts'
import { partsAhead } from './first-document.ts'
import { InlineSlices } from './inline-slices.ts'
import { LeafLoading, recordOf } from './leaf-loading.ts'
import { OpenLeaves } from './open-leaves.ts'
import { PoisonGuard } from './poison-guard.ts'
import { type PreparedSearch, prepareSearch, rewriteSearch, type SearchPlan } from './prepare.ts'
import { reduceSlices } from './reduce.ts'
import type { Executor, SliceOutcome } from './run-slice.ts'
import { SearchCost } from './search-cost.ts'
import {
  type ShardSearchOptions,
  type ShardSearchOutcome,
  throwIfAborted,
} from './search-options.ts'
import { SharedSlices } from './shared-slices.ts'
import { type ScratchRange, SliceRunner } from './slice-request.ts'
import { tooMany } from './slice-scratch.ts'
import { cutSlices, type Slice } from './slices.ts'
import { TermSearch } from './term-search.ts'
import { ThreadHoldings } from './thread-holdings.ts'
import { ThreadSlices } from './thread-slices.ts'

/** Parts of a searcher that tests and benches replace. */
export interface SearcherSetup {
  /** Module of the search threads. */
  readonly worker?: URL
  readonly cut?: WorkCut
}

/** Searches shards over the search threads; one per node. */
export class ShardSearcher {
  readonly #memory: SegmentMemory
  readonly #threads: SearchThreads
  readonly #control = new ControlBuffer()
  readonly #inline: SliceRunner
  readonly #poison = new PoisonGuard()
  readonly #open: OpenLeaves
  readonly #executorCounts = new Map<Executor, number>()
  readonly #kernelCounts = noCounts()
  readonly #cost: SearchCost
  readonly #loading: LeafLoading
  readonly #here: InlineSlices
  readonly #onThreads: ThreadSlices
  readonly #shared: SharedSlices
  readonly #terms: TermSearch

  /** @param threads number of search threads, started with the first search that needs one */
  constructor(
    memory: SegmentMemory,
    threads: number,
    maxQueue: number,
    { worker = builtFile('parallel/search-worker.js'), cut = USUAL_CUT }: SearcherSetup = {},
  ) {
    this.#memory = memory
    this.#inline = new SliceRunner(this.#control.shared, -1)
    this.#open = new OpenLeaves(
      memory,
      arena => this.#inline.kernels(arena),
      leaf => recordOf(memory, leaf, [], [], null),
    )
    const holdings = new ThreadHoldings(memory)
    this.#threads = new SearchThreads({
      threads,
      worker,
      maxQueue,
      control: this.#control.shared,
      onThreadEnd: thread => holdings.drop(thread),
    })
    this.#cost = new SearchCost(memory.filters)
    this.#loading = new LeafLoading(memory, this.#open)
    this.#here = new InlineSlices(memory, this.#open, this.#loading, this.#inline)
    this.#onThreads = new ThreadSlices(memory, this.#threads, this.#loading)
    this.#shared = new SharedSlices(memory, this.#threads, this.#loading, this.#cost, holdings, cut)
    this.#terms = new TermSearch(this.#open, this.#cost, this.#inline)
    memory.arenas.onArena(arena => {
      this.#inline.addArena(arena)
      this.#threads.addArena(arena)
    })
  }

  /** Slices by executor: the kernels, or the reason for the iterators. */
  get executorCounts(): ReadonlyMap<Executor, number> {
    return this.#executorCounts
  }

  /** Sums of the kernels' counters over all slices. */
  get kernelCounts(): Readonly<SliceCounters> {
    return this.#kernelCounts
  }

  /** Counters of the search threads and their requests. */
  threadUse(): PoolUse {
    return this.#threads.use()
  }

  /** The search threads that run now. */
  runningThreads(): readonly PoolThread[] {
    return this.#threads.running()
  }

  /** Slices that wait for a thread. */
  get queuedCount(): number {
    return this.#threads.queued
  }

  get threadCount(): number {
    return this.#threads.size
  }

  /** Has search threads load the engine of scripts before their next request. */
  loadScripts(): void {
    this.#threads.prepare()
  }

  /**
   * Searches one snapshot. The caller holds the snapshot until it has fetched.
   * @throws {EngineError} a slice's error, `task_cancelled_exception` when the signal aborts
   */
  async search(
    snapshot: Snapshot,
    plan: SearchPlan,
    options: ShardSearchOptions,
  ): Promise<ShardSearchOutcome> {
    throwIfAborted(options.signal)
    this.#poison.check(plan.query)
    if (options.profile !== null) calibrate()
    const found = this.#terms.search(snapshot, plan, options)
    if (found !== null) {
      this.#note('kernels', found.result.counters)
      return found
    }
    const pins = this.#memory.newPins()
    try {
      const prepared = this.#prepare(snapshot, plan, options, pins)
      const fits = this.#loading.all(snapshot, prepared, pins)
      // Awaits live in a function of their own: an inline search must not pay for their frame.
      if (!fits) return await this.#searchInTurn(snapshot, prepared, options, pins)
      const { executor } = options
      const here =
        executor === 'inline' ||
        (executor === 'auto' && this.#cost.isForHere(snapshot, prepared, options))
      if (!here) return await this.#searchOnThreads(snapshot, prepared, options, pins, plan)
      const slices = this.#slicesOf(snapshot, prepared, options, true)
      const outcomes = this.#here.run(snapshot, prepared, slices, options, new OwnControl())
      return this.#reduce(prepared, outcomes, slices.length, options)
    } finally {
      pins.release()
    }
  }

  /** Searches leaf by leaf, when they do not fit into memory together. */
  async #searchInTurn(
    snapshot: Snapshot,
    prepared: PreparedSearch,
    options: ShardSearchOptions,
    pins: Pins,
  ): Promise<ShardSearchOutcome> {
    const slices = snapshot.parts.map(part => [part])
    const outcomes = await this.#here.runInTurn(snapshot, prepared, slices, options, pins)
    this.#end(outcomes, options)
    // Gathers may read dictionaries, which the turns of other leaves have evicted.
    return this.#open.loading(snapshot.leaves, pins, leaves =>
      merged({ ...prepared, leaves }, outcomes, slices.length, options),
    )
  }

  /** Searches on threads, which a cancellation stops. */
  async #searchOnThreads(
    snapshot: Snapshot,
    prepared: PreparedSearch,
    options: ShardSearchOptions,
    pins: Pins,
    plan: SearchPlan,
  ): Promise<ShardSearchOutcome> {
    const record = this.#control.take()
    if (record < 0) throw tooMany()
    const control = new SearchControl(this.#control.words(record))
    const stop = (): void => control.stop()
    const unlisten = options.signal?.onCancel(stop)
    try {
      const slices = this.#slicesOf(snapshot, prepared, options, false)
      const outcomes = await this.#runOnThreads(
        snapshot,
        prepared,
        slices,
        options,
        record,
        pins,
        plan,
      )
      return this.#reduce(prepared, outcomes, slices.length, options)
    } finally {
      stop()
      unlisten?.()
      this.#control.release(record)
    }
  }

  #note(executor: Executor, counters: SliceCounters): void {
    this.#executorCounts.set(executor, (this.#executorCounts.get(executor) ?? 0) + 1)
    if (executor === 'kernels') addCounts(this.#kernelCounts, counters)
  }

  /** Counts the executors and merges the outcomes. */
  #reduce(
    prepared: PreparedSearch,
    outcomes: readonly SliceOutcome[],
    slices: number,
    options: ShardSearchOptions,
  ): ShardSearchOutcome {
    this.#end(outcomes, options)
    return merged(prepared, outcomes, slices, options)
  }

  /** @throws {EngineError} the search was cancelled */
  #end(outcomes: readonly SliceOutcome[], { signal }: ShardSearchOptions): void {
    for (const { executor, result } of outcomes) this.#note(executor, result.counters)
    throwIfAborted(signal)
  }

  /**
   * Opens a leaf on this thread with sections loaded on demand.
   * @param scratch decode buffers of its iterators; null when none will be made
   */
  openLeaf(leaf: SnapshotLeaf, pins: Pins, scratch: ScratchRange | null): Leaf {
    const record = recordOf(this.#memory, leaf, [], [], null)
    const { views } = this.#memory.arenas.arenas[record.arena]!
    return new Leaf(
      record,
      views,
      this.#inline.kernels(record.arena),
      new Scratch(scratch?.start ?? 0, scratch?.bytes ?? 0),
      {
        section: (kind, field) => this.#memory.pin(leaf.segment, kind, field, pins),
        fieldData: (field, filter, kernels) =>
          this.#memory.fieldData.load(leaf.segment, field, filter, kernels, pins),
        reserveScratch: () => false,
        derivedTerms: () => 0,
        ordinalMaps: (key, make) => this.#memory.fieldData.ordinalMaps.of(leaf.segment, key, make),
      },
    )
  }

  close(): Promise<void> {
    return this.#threads.close()
  }

  /** Prepares the search; the sections that it read are pinned. */
  #prepare(
    snapshot: Snapshot,
    plan: SearchPlan,
    options: ShardSearchOptions,
    pins: Pins,
  ): PreparedSearch {
    const rewritten = rewriteSearch(plan, options.profile !== null)
    return this.#open.loading(snapshot.leaves, pins, leaves =>
      prepareSearch(
        rewritten,
        leaves,
        options.profile !== null,
        ord => snapshot.leaves[ord]!.segment.file.directory.sort,
      ),
    )
  }

  /** With a profile, each slice runs as cut; without one, threads share the work. */
  #runOnThreads(
    snapshot: Snapshot,
    prepared: PreparedSearch,
    slices: readonly Slice[],
    options: ShardSearchOptions,
    record: number,
    pins: Pins,
    { query }: SearchPlan,
  ): Promise<SliceOutcome[]> {
    const onLoss = (): void => this.#poison.noteLoss(query)
    if (options.profile !== null)
      return this.#onThreads.run(snapshot, prepared, slices, options, record, pins, onLoss)
    const here = options.executor === 'together' && !prepared.hasScripts
    // If this thread takes parts too, it makes them on the way.
    if (!here) this.#here.makeTermBitSets(snapshot, prepared, options)
    return this.#shared.run({
      snapshot,
      prepared,
      slices,
      options,
      control: record,
      words: this.#control.words(record),
      pins,
      takeHere: here
        ? (task, taken, control) =>
            this.#here.take({ snapshot, prepared, options }, task, taken, control)
        : null,
      onLoss,
    })
  }

  /** An inline search is one slice, unless a profile shows the cut. */
  #slicesOf(
    snapshot: Snapshot,
    { spec }: PreparedSearch,
    options: ShardSearchOptions,
    inline: boolean,
  ): Slice[] {
    const { leaves } = snapshot
    if (leaves.length === 0) return []
    if (options.concurrent && !(inline && options.profile === null))
      return cutSlices(
        leaves.map(leaf => leaf.segment.maxDoc),
        options.slices,
      ).map(slice => partsAhead(snapshot, spec, slice))
    return [partsAhead(snapshot, spec, snapshot.parts)]
  }
}

function merged(
  prepared: PreparedSearch,
  outcomes: readonly SliceOutcome[],
  slices: number,
  options: ShardSearchOptions,
): ShardSearchOutcome {
  if (options.profile === null && !options.reports && outcomes.length === 1)
    return unmeasured(prepared, outcomes[0]!)
  const start = nowInNanos()
  const result = reduceSlices(
    prepared.spec,
    outcomes.map(outcome => outcome.result),
    prepared.leaves,
  )
  const reduceTime = Math.max(1, nowInNanos() - start)
  const profiles = outcomes.flatMap(({ profile }) => (profile === null ? [] : [profile]))
  const reports = outcomes.flatMap(({ report }) => report ?? [])
  const sliceCount = options.profile === null ? outcomes.length : slices
  return { prepared, result, sliceCount, profiles, reports, reduceTime }
}

/** The outcome of one slice without a profile or a report. */
function unmeasured(prepared: PreparedSearch, { result }: SliceOutcome): ShardSearchOutcome {
  return {
    prepared,
    result: reduceSlices(prepared.spec, [result], prepared.leaves),
    sliceCount: 1,
    profiles: [],
    reports: [],
    reduceTime: 0,
  }
}
