/**
 * Runs one slice: its parts of leaves in order, a scorer and the collectors on each. Allocates no
 * index bytes and loads nothing: the leaves hold what the weight's `sections` name.
 */
import type { DocIdIterator } from '../codec/doc-id-iterator.ts'
import type { PostingsIterator } from '../codec/postings/reader.ts'
import { MAX_CALLING_THREAD_MILLIS, newDocumentRun, type ScriptRun } from '../script/script-run.ts'
import type { Leaf } from '../segment/leaf.ts'
import { nowInNanos } from '../util/clock.ts'
import {
  type CollectSpec,
  isWholeLeaf,
  type LeafPart,
  noCounts,
  type SliceCounters,
  type SliceHit,
  type SliceResult,
} from './collector/collect-spec.ts'
import { type Collector, type LeafCollector, SliceState } from './collector/collector.ts'
import type { GatherTimer, SliceGather } from './collector/gather.ts'
import { GatheringCollector } from './collector/gathering-collector.ts'
import { HybridCollector } from './collector/hybrid-collector.ts'
import type { SliceControl } from './collector/search-control.ts'
import { type TopCollector, topCollector } from './collector/top-collector.ts'
import { TopFieldCollector } from './collector/top-field-collector.ts'
import { TopScoreCollector } from './collector/top-score-collector.ts'
import {
  CountCollector,
  FilteredCollector,
  MinScoreCollector,
  TerminateAfterCollector,
} from './collector/wrapping-collectors.ts'
import type { BatchClock } from './scorer/batch-clock.ts'
import { exactIterator, leadIterator, type Scorer } from './scorer/scorer.ts'
import { SliceStopped, Watch } from './scorer/watch.ts'
import { WindowPool } from './scorer/window-pool.ts'
import type { SliceReport } from './slice-report.ts'
import { NestedDocs } from './sort/nested-docs.ts'
import type { ScorerContext, WrapSupplier } from './weight/scorer-context.ts'
import type { Weight } from './weight/weight.ts'
import { scorerSupplier } from './weight/weight-ops.ts'

/** Documents between two checks of the clock and of the shared words. */
const DOCS_PER_TICK = 512

/** One collector of the chain, innermost first; the profile prints them outermost first. */
export type CollectorRole =
  | 'topHits'
  | 'count'
  | 'terminateAfter'
  | 'postFilter'
  | 'gathers'
  | 'minScore'
  | 'timeout'

/** Receives the events of a slice; the profile implements it. */
export interface SliceListener {
  /** A leaf's collector is about to be opened. */
  beginLeaf(part: LeafPart): void
  /** The leaf is finished. */
  endLeaf(): void
  readonly wrapSupplier: WrapSupplier
  wrapCollector(role: CollectorRole, collector: Collector): Collector
  /** Null when it does not time batches. */
  readonly batches: BatchClock | null
  /** A timer for the next part of a gather. */
  gatherTimer(): GatherTimer
}

/** The input of a slice. */
export interface SliceInput {
  readonly weight: Weight
  readonly spec: CollectSpec
  /** Ascending by leaf and document. */
  readonly parts: readonly LeafPart[]
  /** The parts that this thread takes while other threads take parts too; null: all. */
  readonly taken?: Iterable<LeafPart> | null
  /** An open leaf by its ord in the snapshot. */
  readonly leafOf: (leafOrd: number) => Leaf
  readonly control: SliceControl
  /** Milliseconds that one execution of a script may take; absent: as on a thread that answers requests. */
  readonly scriptMillis?: number
  /** Gathers beside the hits, open on this slice. */
  readonly gathers: readonly SliceGather<unknown>[]
  /** Null without a listener. */
  readonly listener: SliceListener | null
  /** Null when no report was asked for. */
  readonly report: SliceReport | null
}

/** The roles of a search's collectors, innermost first. */
export function collectorRoles(spec: CollectSpec): CollectorRole[] {
  const roles: CollectorRole[] = [spec.topCount > 0 ? 'topHits' : 'count']
  if (spec.terminateAfter > 0) roles.push('terminateAfter')
  if (spec.postFilter !== null) roles.push('postFilter')
  if (spec.others.length > 0) roles.push('gathers')
  if (spec.minScore !== null) roles.push('minScore')
  if (spec.deadline > 0) roles.push('timeout')
  return roles
}

/** Runs one slice to its end, or until it is stopped. */
export function searchSlice(input: SliceInput): SliceResult {
  return new SliceRun(input).run()
}

class SliceRun {
  readonly #input: SliceInput
  readonly #state: SliceState
  readonly #prunes: boolean
  /** Of the sub-queries of a hybrid query, for the current match; null: it is none, or has no hits. */
  readonly #listScores: Float32Array | null
  readonly #counters: SliceCounters = noCounts()
  readonly #inverses = new Map<number | string, Float32Array>()
  readonly #windows = new WindowPool()
  readonly #watch = new Watch(() => {
    this.#tick()
    if (this.#state.isDone) throw new SliceStopped()
  })
  readonly #scripts: ScriptRun
  readonly #collector: Collector
  #top: TopCollector | null = null
  #topScore: TopScoreCollector | null = null
  #topField: TopFieldCollector | null = null
  #hybrid: HybridCollector | null = null
  #gathering: GatheringCollector | null = null
  #postings: PostingsIterator[] = []
  #skippers: { readonly skipped: number }[] = []

  constructor(input: SliceInput) {
    const { spec } = input
    this.#input = input
    this.#state = new SliceState(input.control, spec.trackTotalHits, spec.knownTotal !== null)
    // What cannot compete in one list may in another.
    this.#prunes = !spec.demands.everyMatch && spec.lists === 0
    this.#listScores = spec.lists === 0 ? null : new Float32Array(spec.lists)
    this.#scripts = newDocumentRun(input.scriptMillis ?? MAX_CALLING_THREAD_MILLIS, () => {
      this.#tick()
      if (this.#state.isDone) throw new SliceStopped()
      return false
    })
    this.#collector = this.#chain()
  }

  run(): SliceResult {
    const { parts, taken, leafOf } = this.#input
    for (const part of taken ?? parts) {
      this.#tick()
      if (this.#state.isDone) break
      this.#searchPart(leafOf(part.leafOrd), part)
    }
    this.#state.share()
    return this.#result()
  }

  #searchPart(leaf: Leaf, part: LeafPart): void {
    const { listener } = this.#input
    const mark = leaf.scratch.mark()
    listener?.beginLeaf(part)
    this.#input.report?.beginLeaf(part, 'search')
    try {
      this.#collectPart(leaf, part)
    } catch (error) {
      // Keep what was collected so far: a search that ran out of time answers with it.
      if (!(error instanceof SliceStopped)) throw error
    }
    listener?.endLeaf()
    this.#drainCounters()
    this.#input.report?.endLeaf(this.#counters)
    this.#windows.reclaim()
    leaf.scratch.release(mark)
  }

  #collectPart(leaf: Leaf, part: LeafPart): void {
    const { weight, listener } = this.#input
    this.#gathering?.beginPart(isWholeLeaf(part, leaf))
    const collector = this.#collector.openLeaf(leaf, part.leafOrd)
    const wrap = listener?.wrapSupplier ?? null
    const context = this.#context(leaf, part.leafOrd, part.maxDoc, weight, wrap)
    const supplier = scorerSupplier(weight.root, context)
    if (supplier === null) return
    const scorer = supplier.get(Number.MAX_SAFE_INTEGER)
    collector.setScorer(scorer)
    try {
      this.#searchRange(leaf, part, scorer, collector)
    } finally {
      this.#gathering?.closeLeaf()
    }
  }

  #searchRange(leaf: Leaf, part: LeafPart, scorer: Scorer, collector: LeafCollector): void {
    const state = this.#state
    const live = leaf.liveDocs
    const check = scorer.twoPhase()
    const iterator: DocIdIterator = leadIterator(scorer)
    const inOrder = this.#input.spec.isInLeafOrder ? this.#topField : null
    let untilTick = DOCS_PER_TICK
    const end = part.maxDoc
    for (let doc = iterator.advance(part.minDoc); doc < end; doc = iterator.nextDoc()) {
      if ((live === null || live.has(doc)) && (check === null || check.matches())) {
        collector.collect(doc)
        if (state.isDone || inOrder?.hasPassedOver === true) return
      }
      if (--untilTick === 0) {
        untilTick = DOCS_PER_TICK
        this.#tick()
        if (state.isDone) return
        this.#topScore?.updateCompetitive()
      }
    }
  }

  /** Shares the count and checks whether to stop. */
  #tick(): void {
    const state = this.#state
    state.share()
    if (state.control.isStopped()) {
      state.cancelled = true
      state.isDone = true
    } else if (this.#input.spec.deadline > 0 && nowInNanos() > this.#input.spec.deadline) {
      state.timedOut = true
      state.isDone = true
    }
  }

  #context(
    leaf: Leaf,
    leafOrd: number,
    endDoc: number,
    weight: Weight,
    wrap: WrapSupplier | null,
  ): ScorerContext {
    return {
      leaf,
      states: weight.leaves[leafOrd] ?? { terms: [], expansions: [] },
      prunes: this.#prunes,
      wrap,
      inverses: this.#inverses,
      postings: this.#postings,
      skippers: this.#skippers,
      endDoc,
      windows: this.#windows,
      watch: this.#watch,
      scripts: this.#scripts,
      listScores: weight === this.#input.weight ? this.#listScores : null,
      batches: this.#input.listener?.batches ?? null,
    }
  }

  #drainCounters(): void {
    for (const { counters } of this.#postings) {
      this.#counters.blocksDecoded += counters.blocksDecoded
      this.#counters.blocksSkipped += counters.blocksSkipped
    }
    for (const { skipped } of this.#skippers) this.#counters.runsSkipped += skipped
    this.#postings = []
    this.#skippers = []
  }

  /** The chain of collectors, each wrapped for the listener. */
  #chain(): Collector {
    const { spec, listener } = this.#input
    let collector: Collector | null = null
    for (const role of collectorRoles(spec)) {
      collector = this.#make(role, collector)
      if (listener !== null) collector = listener.wrapCollector(role, collector)
    }
    return collector as Collector
  }

  #make(role: CollectorRole, inner: Collector | null): Collector {
    const { spec } = this.#input
    const state = this.#state
    if (role === 'count')
      return new CountCollector(state, spec.terminateAfter === 0 && spec.others.length === 0)
    if (role === 'topHits' || inner === null) return this.#topHits()
    if (role === 'terminateAfter')
      return new TerminateAfterCollector(inner, spec.terminateAfter, state)
    if (role === 'gathers')
      return (this.#gathering = new GatheringCollector(
        inner,
        this.#input.gathers,
        spec.demands.everyScore,
      ))
    if (role === 'minScore') return new MinScoreCollector(inner, spec.minScore ?? 0)
    const filter = spec.postFilter
    if (role === 'postFilter' && filter !== null)
      return new FilteredCollector(
        inner,
        (leaf, leafOrd) =>
          scorerSupplier(filter.root, this.#context(leaf, leafOrd, leaf.maxDoc, filter, null)),
        this.#input.weight.cost,
      )
    // The loop checks the deadline; its collector only has a name in the profile.
    return { openLeaf: (leaf, leafOrd) => inner.openLeaf(leaf, leafOrd) }
  }

  /** The collector of hits: one for each sub-query of a hybrid query. */
  #topHits(): Collector {
    const { control } = this.#state
    if (this.#listScores !== null) {
      const tops = Array.from(this.#listScores, () =>
        this.#topCollector(new SliceState(control, -1, true)),
      )
      return (this.#hybrid = new HybridCollector(this.#listScores, tops, this.#state))
    }
    const top = this.#topCollector(this.#state)
    if (top instanceof TopScoreCollector) this.#topScore = top
    if (top instanceof TopFieldCollector) this.#topField = top
    return (this.#top = top)
  }

  #topCollector(state: SliceState): TopCollector {
    const docs = this.#input.parts.reduce((sum, part) => sum + part.maxDoc - part.minDoc, 0)
    return topCollector(this.#input.spec, {
      state,
      docs,
      prunes: this.#prunes,
      openNested: (level, leaf, leafOrd) => this.#openNested(level, leaf, leafOrd),
      scripts: this.#scripts,
    })
  }

  /** The nested documents that a level of the sort reads. */
  #openNested(level: number, leaf: Leaf, leafOrd: number): NestedDocs | null {
    const weight = this.#input.spec.nested[level] ?? null
    const parents = weight === null ? null : leaf.parents()
    if (weight === null || parents === null) return null
    const context = this.#context(leaf, leafOrd, leaf.maxDoc, weight, null)
    const supplier = scorerSupplier(weight.root, { ...context, prunes: false })
    if (supplier === null) return null
    const scorer = supplier.get(this.#input.weight.cost)
    return new NestedDocs(exactIterator(scorer, this.#watch), parents)
  }

  #result(): SliceResult {
    const state = this.#state
    const top = this.#top
    const hits: SliceHit[] = top?.hits() ?? []
    return {
      hits,
      ...(this.#hybrid !== null && { lists: this.#hybrid.lists() }),
      hitCount: state.hitCount,
      maxScore: top?.maxScore() ?? Number.NaN,
      timedOut: state.timedOut,
      cancelled: state.cancelled,
      terminatedEarly: state.terminatedEarly,
      counters: this.#counters,
      partials: this.#input.gathers.map(gather => gather.finish()),
    }
  }
}
