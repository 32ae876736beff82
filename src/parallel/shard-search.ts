import { ControlBuffer } from '../pool/control-buffer.ts'
import { SearchThreads, WorkerLostError } from '../pool/search-threads.ts'
import type { SliceProfile } from '../profile/slice-profile.ts'
import type { ProfilerOptions } from '../profile/slice-profiler.ts'
import { bulkScratchBytes } from '../search/bulk/bulk-scratch.ts'
import { bulkShape } from '../search/bulk/bulk-shape.ts'
import { keptFilter, keptNodes } from '../search/bulk/kept-filter.ts'
import { addCounts, noCounts, type SliceCounters } from '../search/collector/collect-spec.ts'
import { OwnControl, SearchControl, type SliceControl } from '../search/collector/search-control.ts'
import type { SliceRecord } from '../search/slice-report.ts'
import { firstSection, type SectionUse } from '../search/weight/section-use.ts'
import type { Weight, WeightNode } from '../search/weight/weight.ts'
import { FilterPins } from '../segment/filter-cache.ts'
import type { KeptSetPlace } from '../segment/kept-sets.ts'
import {
  Leaf,
  type LeafRecord,
  SCRATCH_BYTES_PER_POSTINGS,
  type SectionPlace,
} from '../segment/leaf.ts'
import { Scratch } from '../segment/scratch.ts'
import type { Segment } from '../segment/segment.ts'
import type { Pins, SegmentMemory } from '../segment/segment-memory.ts'
import type { Snapshot, SnapshotLeaf } from '../segment/snapshot.ts'
import { nowInNanos } from '../util/clock.ts'
import { EngineError } from '../util/errors.ts'
import { fairTurn } from '../util/fair-turn.ts'
import { appended } from '../util/lists.ts'
import { OpenLeaves } from './open-leaves.ts'
import { PoisonGuard } from './poison-guard.ts'
import { type PreparedSearch, prepareSearch, rewriteSearch, type SearchPlan } from './prepare.ts'
import { reduceSlices, type ShardResult } from './reduce.ts'
import { type Executor, runSlice, type SliceOutcome } from './run-slice.ts'
import { type ScratchPlace, type SliceRequest, SliceRunner } from './slice-request.ts'
import { cutSlices, type Slice, type SliceSettings } from './slices.ts'

/** How one shard is searched. */
export interface ShardSearchOptions {
  /** False runs one slice over all leaves in order. */
  readonly concurrent: boolean
  readonly slices: SliceSettings
  /** Null: not profiled. */
  readonly profile: ProfilerOptions | null
  /** `auto` runs cheap searches on the calling thread. */
  readonly executor: 'auto' | 'inline' | 'threads'
  /** False: the iterators run every shape of query. */
  readonly kernels: boolean
  /** False: hot filters are neither used nor kept. */
  readonly filterCache: boolean
  /** Whether its slices tell what each leaf took. */
  readonly reports: boolean
  readonly signal: AbortSignal | null
}

/** What a shard's search gave, and what its profile needs. */
export interface ShardSearchOutcome {
  readonly prepared: PreparedSearch
  readonly result: ShardResult
  readonly sliceCount: number
  readonly profiles: readonly SliceProfile[]
  /** Of each slice, where they were asked for. */
  readonly reports: readonly SliceRecord[]
  /** How long the slices' results took to merge, nanoseconds. */
  readonly reduceTime: number
}

/**
 * What passing one posting costs the iterators, the same under a profile, and the kernels, roughly,
 * over the query classes of the bench: it only decides where a search runs, never what it finds.
 */
const NANOS_PER_POSTING = 8
const PROFILED_NANOS_PER_POSTING = 20
const KERNEL_NANOS_PER_POSTING = 4
/** A search is handed over when it costs a few times what handing over does. */
const HAND_OVERS_TO_PAY = 3
/** What a slice costs more on a thread than here, beside an empty hand-over: records to write and read. */
const RECORDS_IN_NANOS = 45_000
/** What handing over is taken to cost until it has been measured. */
const USUAL_HAND_OVER_IN_NANOS = 25_000
/** How many times the most of other searches one may cost here that makes a filter to be kept. */
const INLINE_COSTS_TO_KEEP = 10
const PINGS = 15
/** Scratch that every slice gets beside that of its postings iterators. */
const BASE_SCRATCH_BYTES = 16 * 1024

/** Runs the searches of shards over the search threads; one for a node. */
export class ShardSearcher {
  readonly #memory: SegmentMemory
  readonly #threads: SearchThreads
  readonly #control = new ControlBuffer()
  readonly #inline: SliceRunner
  readonly #poison = new PoisonGuard()
  readonly #open: OpenLeaves
  readonly #executorCounts = new Map<Executor, number>()
  readonly #kernelCounts = noCounts()
  #handOverInNanos = USUAL_HAND_OVER_IN_NANOS
  #isMeasured = false

  /** @param threads how many search threads, started with the first search that needs one */
  constructor(memory: SegmentMemory, threads: number, maxQueue: number) {
    this.#memory = memory
    this.#inline = new SliceRunner(this.#control.shared, -1)
    this.#open = new OpenLeaves(
      memory,
      arena => this.#inline.kernels(arena),
      leaf => this.#recordOf(leaf, [], [], null),
    )
    this.#threads = new SearchThreads({
      threads,
      worker: workerUrl(),
      maxQueue,
      control: this.#control.shared,
    })
    memory.arenas.onArena(arena => {
      this.#inline.addArena(arena)
      this.#threads.addArena(arena)
    })
  }

  /** How many slices the kernels have run, and for what reasons the iterators ran the others. */
  get executorCounts(): ReadonlyMap<Executor, number> {
    return this.#executorCounts
  }

  /** What the kernels did, over all slices that they ran. */
  get kernelCounts(): Readonly<SliceCounters> {
    return this.#kernelCounts
  }

  get threadCount(): number {
    return this.#threads.size
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
    const { signal } = options
    throwIfAborted(signal)
    this.#poison.check(plan.query)
    const pins = this.#memory.newPins()
    try {
      const prepared = this.#prepare(snapshot, plan, options, pins)
      const fits = this.#loadAll(snapshot, prepared, pins)
      // What waits has a function of its own: what runs here at once shall not pay for its frame.
      if (!fits) return await this.#searchInTurn(snapshot, prepared, options, pins)
      const { executor } = options
      const here =
        executor === 'inline' ||
        (executor === 'auto' && this.#isForHere(snapshot, prepared, options))
      if (!here) return await this.#searchOnThreads(snapshot, prepared, plan, options, pins)
      const slices = this.#slicesOf(snapshot, options, true)
      const outcomes = this.#runInline(snapshot, prepared, slices, options, new OwnControl())
      return this.#reduce(prepared, outcomes, options)
    } finally {
      pins.release()
    }
  }

  async #searchOnThreads(
    snapshot: Snapshot,
    prepared: PreparedSearch,
    { query }: SearchPlan,
    options: ShardSearchOptions,
    pins: Pins,
  ): Promise<ShardSearchOutcome> {
    const slices = this.#slicesOf(snapshot, options, false)
    const onLoss = (): void => this.#poison.noteLoss(query)
    const outcomes = await this.#runShared(snapshot, prepared, slices, options, pins, onLoss)
    return this.#reduce(prepared, outcomes, options)
  }

  /** Counts what ran and merges what it found. */
  #reduce(
    prepared: PreparedSearch,
    outcomes: readonly SliceOutcome[],
    options: ShardSearchOptions,
  ): ShardSearchOutcome {
    for (const { executor, result } of outcomes) {
      this.#executorCounts.set(executor, (this.#executorCounts.get(executor) ?? 0) + 1)
      if (executor === 'kernels') addCounts(this.#kernelCounts, result.counters)
    }
    throwIfAborted(options.signal)
    if (options.profile === null && !options.reports && outcomes.length === 1)
      return unmeasured(prepared, outcomes[0]!)
    const start = nowInNanos()
    const result = reduceSlices(
      prepared.spec,
      outcomes.map(outcome => outcome.result),
    )
    const reduceTime = Math.max(1, nowInNanos() - start)
    const profiles = outcomes.flatMap(({ profile }) => (profile === null ? [] : [profile]))
    const reports = outcomes.flatMap(({ report }) => report ?? [])
    return { prepared, result, sliceCount: outcomes.length, profiles, reports, reduceTime }
  }

  /**
   * Opens a leaf on this thread with sections loaded as they are asked for.
   * @param scratch where its iterators decode; null when none will be made
   */
  openLeaf(leaf: SnapshotLeaf, pins: Pins, scratch: ScratchPlace | null): Leaf {
    const record = this.#recordOf(leaf, [], [], null)
    const { views } = this.#memory.arenas.arenas[record.arena]!
    return new Leaf(
      record,
      views,
      this.#inline.kernels(record.arena),
      new Scratch(scratch?.start ?? 0, scratch?.bytes ?? 0),
      (kind, field) => this.#memory.pin(leaf.segment, kind, field, pins),
    )
  }

  close(): Promise<void> {
    return this.#threads.close()
  }

  /** Prepares the search; what it read is pinned. */
  #prepare(
    snapshot: Snapshot,
    plan: SearchPlan,
    options: ShardSearchOptions,
    pins: Pins,
  ): PreparedSearch {
    const rewritten = rewriteSearch(plan, options.profile !== null)
    return this.#open.loading(snapshot.leaves, pins, leaves =>
      prepareSearch(rewritten, leaves, options.profile !== null),
    )
  }

  /**
   * Loads and pins all that the slices read.
   * @returns false when it does not fit memory together; nothing is pinned then
   * @throws {EngineError} `circuit_breaking_exception` when the search must see all leaves at once
   */
  #loadAll(snapshot: Snapshot, prepared: PreparedSearch, pins: Pins): boolean {
    try {
      this.#open.load(snapshot.leaves, prepared.sections, pins)
      return true
    } catch (error) {
      const isFull = error instanceof EngineError && error.type === 'circuit_breaking_exception'
      const mayPart = snapshot.leaves.length > 1 && prepared.spec.terminateAfter === 0
      if (!isFull || !mayPart) throw error
      pins.release()
      return false
    }
  }

  /**
   * Runs slices of one leaf each, one after another, each leaf's sections leaving for the next one's:
   * an index that is larger than memory is searched all the same, from the disk.
   */
  async #searchInTurn(
    snapshot: Snapshot,
    prepared: PreparedSearch,
    options: ShardSearchOptions,
    pins: Pins,
  ): Promise<ShardSearchOutcome> {
    const outcomes: SliceOutcome[] = []
    const control = new OwnControl()
    for (const [sliceId, slice] of wholeLeaves(snapshot).entries()) {
      throwIfAborted(options.signal)
      this.#open.load([snapshot.leaves[slice[0]!.leafOrd]!], prepared.sections, pins)
      outcomes.push(...this.#runInline(snapshot, prepared, [slice], options, control, sliceId))
      pins.release()
      // Each may take long: others have their turn in between.
      await fairTurn()
    }
    return this.#reduce(prepared, outcomes, options)
  }

  /** What runs here one after another is one slice, unless a profile shows how it was cut. */
  #slicesOf(snapshot: Snapshot, options: ShardSearchOptions, inline: boolean): Slice[] {
    const { leaves } = snapshot
    if (leaves.length === 0) return []
    if (options.concurrent && !(inline && options.profile === null))
      return cutSlices(
        leaves.map(leaf => leaf.segment.maxDoc),
        options.slices,
      )
    return [snapshot.parts]
  }

  /** Runs the slices here, one after another, on leaves that stay open. */
  #runInline(
    snapshot: Snapshot,
    prepared: PreparedSearch,
    slices: readonly Slice[],
    options: ShardSearchOptions,
    control: SliceControl,
    firstSlice = 0,
  ): SliceOutcome[] {
    const { weight, spec } = prepared
    this.#reserve(snapshot, prepared)
    const leafOf = (ord: number): Leaf => this.#open.leaf(snapshot.leaves[ord]!)
    this.#memory.beginSearch(options.filterCache)
    try {
      const { profile, kernels, reports } = options
      let outcomes: SliceOutcome[] = []
      for (let i = 0; i < slices.length; i++) {
        const sliceId = firstSlice + i
        const slice = slices[i]!
        const queued = profile === null && !reports ? 0 : nowInNanos()
        const task = { sliceId, slice, weight, spec, profile, kernels, reports, queued }
        outcomes = appended(outcomes, runSlice(task, leafOf, control, -1))
      }
      return outcomes
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

  /** Runs the slices on threads that can be told to stop. */
  async #runShared(
    snapshot: Snapshot,
    prepared: PreparedSearch,
    slices: readonly Slice[],
    options: ShardSearchOptions,
    pins: Pins,
    onLoss: () => void,
  ): Promise<SliceOutcome[]> {
    const record = this.#control.take()
    if (record < 0) throw tooMany()
    const control = new SearchControl(this.#control.words(record))
    const stop = (): void => control.stop()
    options.signal?.addEventListener('abort', stop)
    try {
      return await this.#runOnThreads(snapshot, prepared, slices, options, record, pins, onLoss)
    } finally {
      stop()
      options.signal?.removeEventListener('abort', stop)
      this.#control.release(record)
    }
  }

  async #runOnThreads(
    snapshot: Snapshot,
    prepared: PreparedSearch,
    slices: readonly Slice[],
    options: ShardSearchOptions,
    control: number,
    pins: Pins,
    onLoss: () => void,
  ): Promise<SliceOutcome[]> {
    const keys = filtersOf(prepared, options).map(node => keptFilter(node)!.key)
    const filterPins = new FilterPins()
    const records = snapshot.leaves.map(leaf => {
      const sections = this.#load(leaf, prepared.sections, pins)
      const kept = this.#memory.filters.pin(leaf.segment, keys, filterPins)
      return this.#recordOf(leaf, sections, kept, prepared.sections)
    })
    const requests = slices.map((slice, sliceId) =>
      this.#request(records, prepared, slice, sliceId, options, control),
    )
    try {
      this.#measureHandOver()
      const answers = await Promise.allSettled(
        requests.map(request => this.#runOnThread(request, onLoss)),
      )
      const failed = answers.find(answer => answer.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      return answers.map(answer => (answer as PromiseFulfilledResult<SliceOutcome>).value)
    } finally {
      // A slice ends by its answer or by its thread's death, so nobody writes here any more.
      for (const { scratch } of requests)
        for (const place of scratch) this.#memory.arenas.free(place)
      filterPins.release()
    }
  }

  /** Nanoseconds below which a search runs on the calling thread. */
  #inlineCost(): number {
    return HAND_OVERS_TO_PAY * (this.#handOverInNanos + RECORDS_IN_NANOS)
  }

  /**
   * Whether a search is so cheap that it runs on the calling thread. What its filters cost counts
   * only where they must be made, and not too much the once that makes those that are then kept.
   */
  #isForHere(snapshot: Snapshot, prepared: PreparedSearch, options: ShardSearchOptions): boolean {
    const most = this.#inlineCost()
    const cost = this.#costs(prepared, options)
    if (cost < most) return true
    let kept = 0
    let due = 0
    for (const node of filtersOf(prepared, options)) {
      // The cost leaves the post filter out, and its terms are another weight's.
      if (node === prepared.spec.postFilter?.root) continue
      const { key, leastUses } = keptFilter(node)!
      for (const { segment, ord } of snapshot.leaves) {
        if (!this.#memory.filters.keeps(segment)) continue
        const state = this.#memory.filters.stateOf(segment, key, leastUses)
        const postings = state === 'cold' ? 0 : filterPostings(node, prepared.weight, segment, ord)
        if (state === 'kept') kept += postings
        else due += postings
      }
    }
    const without = cost - kept * KERNEL_NANOS_PER_POSTING
    return without < most || (due > 0 && without < INLINE_COSTS_TO_KEEP * most)
  }

  /** What the whole search costs one thread, in nanoseconds. */
  #costs({ weight, spec, cost }: PreparedSearch, { kernels, profile }: ShardSearchOptions): number {
    if (profile !== null) return cost * PROFILED_NANOS_PER_POSTING
    const isBulk = kernels && typeof bulkShape(weight, spec) !== 'string'
    return cost * (isBulk ? KERNEL_NANOS_PER_POSTING : NANOS_PER_POSTING)
  }

  /** Measures once, behind the first search that needs threads, what a hand-over costs here. */
  #measureHandOver(): void {
    if (this.#isMeasured) return
    this.#isMeasured = true
    const measure = async (): Promise<void> => {
      const readings: number[] = []
      for (let i = 0; i < PINGS; i++) {
        const start = nowInNanos()
        await this.#threads.run('ping')
        readings.push(nowInNanos() - start)
      }
      readings.sort((a, b) => a - b)
      this.#handOverInNanos = readings[PINGS >> 1]!
    }
    // A thread that dies or a pool that closes leaves the usual figure in place.
    measure().catch(() => {})
  }

  /** A slice whose thread dies is run once more on another. */
  async #runOnThread(request: SliceRequest, onLoss: () => void): Promise<SliceOutcome> {
    for (let attempt = 0; ; attempt++) {
      try {
        return (await this.#threads.run(request)).value as SliceOutcome
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
    const maxDoc = leaves.reduce((most, leaf) => Math.max(most, leaf.maxDoc), 0)
    const bytes = scratchBytes(prepared, maxDoc)
    const scratch: ScratchPlace[] = []
    for (const arena of new Set(leaves.map(leaf => leaf.arena))) {
      const range = this.#memory.allocateScratch(arena, bytes)
      if (range === null) {
        for (const place of scratch) this.#memory.arenas.free(place)
        throw tooMany()
      }
      scratch.push(range)
    }
    const trimmed = weight.leaves.map((states, ord) => (ords.has(ord) ? states : NO_STATES))
    const task = {
      sliceId,
      slice,
      weight: {
        ...weight,
        leaves: trimmed,
        nodes: options.profile === null ? [] : weight.nodes,
        sections: [],
      },
      spec,
      profile: options.profile,
      kernels: options.kernels,
      reports: options.reports,
      queued: nowInNanos(),
    }
    return { task, leaves, scratch, control }
  }

  /** Loads and pins what is read of a leaf. */
  #load(leaf: SnapshotLeaf, uses: readonly SectionUse[], pins: Pins): SectionPlace[] {
    const places: SectionPlace[] = []
    for (const { field, kinds } of uses) {
      const number = fieldNumber(leaf, field)
      if (number === null) continue
      for (let bits = kinds; bits !== 0; bits &= bits - 1) {
        const place = this.#memory.pin(leaf.segment, firstSection(bits), number, pins)
        if (place !== null) places.push(place)
      }
    }
    return places
  }

  /** @param uses what a slice reads, for the fields that it must know; null: all fields */
  #recordOf(
    leaf: SnapshotLeaf,
    sections: readonly SectionPlace[],
    keptSets: readonly KeptSetPlace[],
    uses: readonly SectionUse[] | null,
  ): LeafRecord {
    const { segment, live, ord, docBase, liveCount } = leaf
    const names = uses === null ? null : new Set(uses.map(use => use.field))
    const fields = [...segment.fields.values()]
    return {
      uid: segment.uid,
      name: segment.stem,
      ord,
      docBase,
      maxDoc: segment.maxDoc,
      arena: this.#memory.homeOf(segment),
      fields: names === null ? fields : fields.filter(field => names.has(field.name)),
      sections,
      keptSets,
      liveDocs: live === null ? -1 : live.address(),
      liveCount,
    }
  }
}

/** What one slice gave whose times nobody asked for. */
function unmeasured(prepared: PreparedSearch, { result }: SliceOutcome): ShardSearchOutcome {
  return {
    prepared,
    result: reduceSlices(prepared.spec, [result]),
    sliceCount: 1,
    profiles: [],
    reports: [],
    reduceTime: 0,
  }
}

/** What a slice takes whichever executor runs it; `maxDoc` is its largest leaf's. */
function scratchBytes({ weight, spec, openPostings }: PreparedSearch, maxDoc: number): number {
  return (
    BASE_SCRATCH_BYTES +
    openPostings * SCRATCH_BYTES_PER_POSTINGS +
    bulkScratchBytes(weight, spec, maxDoc)
  )
}

/** The nodes of a search whose sets may be kept. */
function filtersOf(
  { weight, spec }: PreparedSearch,
  { kernels, profile, filterCache }: ShardSearchOptions,
): readonly WeightNode[] {
  if (!filterCache || !kernels || profile !== null) return []
  const shape = bulkShape(weight, spec)
  return typeof shape === 'string' ? [] : keptNodes(shape, spec)
}

/** What a filter adds to a weight's cost on one leaf; 0 where that is not known of its kind. */
function filterPostings(node: WeightNode, weight: Weight, segment: Segment, ord: number): number {
  if (node.kind === 'constant') return filterPostings(node.child, weight, segment, ord)
  if (node.kind !== 'multiTerm' && node.kind !== 'point') return 0
  const terms = node.kind === 'point' ? null : weight.leaves[ord]?.expansions[node.expansionId]
  return terms?.postings ?? segment.fields.get(node.field)?.docCount ?? 0
}

const NO_STATES = { terms: [], expansions: [] }

/** −1 for what belongs to the whole segment; null where the segment lacks the field. */
function fieldNumber(leaf: SnapshotLeaf, field: string): number | null {
  return field === '' ? -1 : (leaf.segment.fields.get(field)?.number ?? null)
}

function throwIfAborted(signal: AbortSignal | null): void {
  if (signal?.aborted !== true) return
  throw new EngineError({ type: 'task_cancelled_exception', reason: 'The search was cancelled.' })
}

/** A slice for each leaf. */
function wholeLeaves({ parts }: Snapshot): Slice[] {
  return parts.map(part => [part])
}

function tooMany(): EngineError {
  return new EngineError({
    type: 'rejected_execution_exception',
    reason: 'too many searches run at the same time: send fewer, or raise memory.limit',
  })
}

/** The worker is a compiled file: beside this one, or in `dist/` when this runs from its source. */
function workerUrl(): URL {
  const here = import.meta.url
  return here.endsWith('.ts')
    ? new URL('../../dist/parallel/search-worker.js', here)
    : new URL('./search-worker.js', here)
}
