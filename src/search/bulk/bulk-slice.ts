/**
 * Runs one slice with the kernels: one call for each part of a leaf. The result equals that of
 * `search-slice.ts` to the bit; `bulk-shape.ts` decides which of the two runs.
 */
import type { Ticker } from '../../kernels/kernel-module.ts'
import { MAX_CALLING_THREAD_MILLIS, newDocumentRun } from '../../script/script-run.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { nowInNanos } from '../../util/clock.ts'
import {
  isWholeLeaf,
  type LeafPart,
  noCounts,
  type SliceCounters,
  type SliceResult,
} from '../collector/collect-spec.ts'
import { SliceState } from '../collector/collector.ts'
import { BATCH_DOCS, MatchBatch } from '../collector/gather.ts'
import { LeafGathers } from '../collector/leaf-gathers.ts'
import { topCollector } from '../collector/top-collector.ts'
import { SliceStopped, Watch } from '../scorer/watch.ts'
import { WindowPool } from '../scorer/window-pool.ts'
import type { SliceInput } from '../search-slice.ts'
import type { ScorerContext } from '../weight/scorer-context.ts'
import type { LeafStates, Weight } from '../weight/weight.ts'
import { BatchCollector, collectsBatches } from './batch-collector.ts'
import {
  addCounts,
  type FilledClauses,
  fillClauses,
  fillShape,
  isUnion,
  kernelFor,
} from './bulk-plan.ts'
import { bitsBytes, type SharedScratch, sharedScratch } from './bulk-scratch.ts'
import type { BulkShape } from './bulk-shape.ts'
import type { ColumnSort } from './column-sort.ts'
import { columnKey, columnSort } from './column-sorts.ts'
import { CursorMaker } from './cursor-maker.ts'
import { damageOf } from './damaged-postings.ts'
import { firstRange, takesFirst } from './doc-ranges.ts'
import { DocumentSets } from './document-sets.ts'
import { type LeafClauses, leafClauses } from './leaf-clauses.ts'
import { MatchWindows } from './match-windows.ts'
import { acceptRange, READ_PAST_BYTES, windowsOf } from './part-bits.ts'
import { CURSOR_BYTES, PATTERNS, PLAN } from './plan-record.ts'
import { ScoreHits } from './score-hits.ts'

/** Runs a slice to its end, or until it is stopped. */
export function bulkSlice(input: SliceInput, shape: BulkShape): SliceResult {
  const key = columnKey(input.spec, input.spec.minScore)
  const byColumn = key === null ? null : columnSort(key, input.spec)
  const canSort =
    byColumn === null || input.parts.every(part => byColumn.canSort(input.leafOf(part.leafOrd)))
  return new BulkRun(input, shape, canSort ? byColumn : null).run()
}

/** Kernels take no search with scripts. */
const NO_SCRIPTS = newDocumentRun(MAX_CALLING_THREAD_MILLIS)
const NO_PARTIALS: readonly unknown[] = []

/**
 * How a kernel returns matches: it counts them and keeps the best hits, sets their bits, or lists
 * them with their scores.
 */
type Handover = 'hits' | 'bits' | 'list'

/** Matches of a list that leaves out others: the sooner it is handed over, the more are left out. */
const PRUNED_DOCS = 64

/** The batch of the thread's last search, for its next one. */
let idleBatch: MatchBatch | null = null

function takeBatch(): MatchBatch {
  const batch = idleBatch ?? new MatchBatch()
  idleBatch = null
  return batch
}

class BulkRun implements Ticker {
  readonly #input: SliceInput
  /** The alternative that is being searched, or the only one. */
  #shape: BulkShape
  readonly #sort: ColumnSort | null
  readonly #others: readonly BulkShape[]
  /** Hits by score. */
  readonly #hits: ScoreHits
  /** Whether the first matches in document order are the hits. */
  readonly #takesFirst: boolean
  readonly #state: SliceState
  readonly #counters: SliceCounters = noCounts()
  /** Whether bit sets exclude documents, beside the deleted ones. */
  readonly #hasSets: boolean
  /** Batches of matches for the gathers beside the hits; null where there are none. */
  readonly #batch: MatchBatch | null
  readonly #gathers: LeafGathers
  /** Keeps the hits that no kernel keeps; null: kernels keep them. */
  readonly #collector: BatchCollector | null
  /** Whether lists leave out matches that change no hit; they are counted apart. */
  #prunesLists = false
  /** Whether matches are counted apart from the search for hits. */
  #countsApart = false
  #handover: Handover = 'hits'
  /** Address of the list of scores and, behind it, of documents. */
  #list = 0
  /** The leaf whose plan a kernel is running; null between calls. */
  #calledLeaf: Leaf | null = null
  #calledShared: SharedScratch | null = null

  /** @param sort null: by score, or by a collector */
  constructor(input: SliceInput, shape: BulkShape, sort: ColumnSort | null) {
    const { spec, control, gathers } = input
    this.#input = input
    this.#gathers = new LeafGathers(gathers)
    this.#shape = shape
    this.#sort = sort
    const collects = sort === null && collectsBatches(spec, shape.functions)
    this.#collector = collects ? this.#newCollector() : null
    this.#batch = gathers.length > 0 || collects ? takeBatch() : null
    this.#hits = new ScoreHits(sort === null && !collects ? spec.topCount : 0, spec)
    this.#others = shape.alternatives
    this.#takesFirst = takesFirst(shape, spec) && !collects
    this.#hasSets = spec.postFilter !== null || [shape, ...shape.alternatives].some(excludes)
    this.#state = new SliceState(control, spec.trackTotalHits, spec.knownTotal !== null)
  }

  #newCollector(): BatchCollector {
    const { spec, parts, control } = this.#input
    const collector = topCollector(spec, {
      // Matches are counted as they are handed over.
      state: new SliceState(control, -1, true),
      docs: parts.reduce((sum, part) => sum + part.maxDoc - part.minDoc, 0),
      prunes: false,
      openNested: () => null,
      scripts: NO_SCRIPTS,
    })
    return new BatchCollector(spec, collector, this.#shape.functions)
  }

  run(): SliceResult {
    try {
      return this.#searchAll()
    } finally {
      this.#gathers.release()
      this.#hits.release()
      idleBatch = this.#batch ?? idleBatch
    }
  }

  #searchAll(): SliceResult {
    const { parts, taken, leafOf } = this.#input
    for (const part of taken ?? parts) {
      this.#tick()
      if (this.#state.isDone) break
      this.#input.report?.beginLeaf(part, 'prepare')
      try {
        this.#searchPart(leafOf(part.leafOrd), part)
      } catch (error) {
        if (!(error instanceof SliceStopped)) throw error
      }
      this.#input.report?.endLeaf(this.#counters)
    }
    this.#gathers.closeLeaf()
    this.#state.share()
    const kept = this.#collector ?? this.#sort
    const hits = kept?.hits() ?? this.#hits.hits()
    const maxScore = kept?.maxScore() ?? this.#hits.maxScore(hits)
    const state = this.#state
    return {
      hits,
      hitCount: state.hitCount,
      maxScore,
      timedOut: state.timedOut,
      cancelled: state.cancelled,
      terminatedEarly: false,
      counters: this.#counters,
      partials: this.#input.gathers.length === 0 ? NO_PARTIALS : this.#gathers.finish(),
    }
  }

  #searchPart(leaf: Leaf, part: LeafPart): void {
    const states = this.#input.weight.leaves[part.leafOrd] ?? NO_STATES
    const clauses = leafClauses(this.#shape, states)
    if (clauses === null && this.#others.length === 0) return
    const shared = sharedScratch(leaf.scratch, leaf.views)
    this.#hits.moveTo(leaf)
    if (this.#batch !== null) this.#gathers.openLeaf(leaf, part.leafOrd, isWholeLeaf(part, leaf))
    shared.inverses.beginPart()
    const mark = leaf.scratch.mark()
    this.#collector?.openLeaf(leaf, part.leafOrd, this.#context(leaf, part, this.#input.weight))
    if (clauses === null || this.#others.length > 0) this.#searchAlternatives(leaf, part, shared)
    else if (this.#takesFirst) this.#searchFirst(leaf, part, clauses, shared)
    else this.#searchRange(leaf, part, clauses, shared)
    leaf.scratch.release(mark)
  }

  /** Searches range by range until there are enough matches. */
  #searchFirst(leaf: Leaf, part: LeafPart, clauses: LeafClauses, shared: SharedScratch): void {
    const states = this.#input.weight.leaves[part.leafOrd] ?? NO_STATES
    const { spec } = this.#input
    const counts = this.#state.isPastLimit() ? 0 : spec.trackTotalHits + 1
    const wanted = Math.max(spec.topCount, counts)
    let docs = firstRange(this.#shape, spec, states, leaf, wanted)
    let { minDoc } = part
    while (minDoc < part.maxDoc && !this.#hasEnough()) {
      // A remainder of up to half a range is searched with it.
      const maxDoc = minDoc + 1.5 * docs < part.maxDoc ? minDoc + docs : part.maxDoc
      this.#searchRange(leaf, { leafOrd: part.leafOrd, minDoc, maxDoc }, clauses, shared)
      minDoc = maxDoc
      docs *= 2
    }
  }

  /** Searches a part for each alternative in turn: a match has the best of its scores. */
  #searchAlternatives(leaf: Leaf, part: LeafPart, shared: SharedScratch): void {
    const state = this.#state
    const { topCount } = this.#input.spec
    const isByScore = topCount > 0 && this.#sort === null && this.#collector === null
    if (this.#batch !== null || this.#sort !== null || !state.isPastLimit())
      this.#takeUnion(leaf, part, shared)
    if (state.isDone || !isByScore) return
    this.#countsApart = true
    this.#forAlternatives(leaf, part, shared, (clauses, i) => {
      leaf.views.i32[(shared.plan + PLAN.merges) >> 2] = i > 0 ? 1 : 0
      this.#call(leaf, shared, clauses)
    })
    this.#countsApart = false
  }

  /** Counts the matches of all alternatives, hands them over and sorts them. */
  #takeUnion(leaf: Leaf, part: LeafPart, shared: SharedScratch): void {
    const { kernels, scratch, maxDoc } = leaf
    const mark = scratch.mark()
    const union = scratch.allocate(bitsBytes(maxDoc))
    const { start, bytes } = windowsOf(part, maxDoc)
    kernels.fillBits(union + start, bytes + READ_PAST_BYTES, 0)
    this.#forAlternatives(leaf, part, shared, clauses => {
      const matches = this.#noteMatches(leaf, part, shared, clauses)
      kernels.orBits(union + start, matches + start, bytes)
    })
    kernels.hooks.ticker = this
    if (this.#batch !== null) this.#handWindows(leaf, part, union)
    else this.#state.countMany(kernels.countBits(union + start, bytes))
    if (!this.#state.isDone) this.#sort?.takeMatches(leaf, part, union)
    scratch.release(mark)
  }

  /** Runs a step with the clauses of each alternative that the leaf has terms for. */
  #forAlternatives(
    leaf: Leaf,
    part: LeafPart,
    shared: SharedScratch,
    step: (clauses: FilledClauses, i: number) => void,
  ): void {
    const states = this.#input.weight.leaves[part.leafOrd] ?? NO_STATES
    const first = this.#shape
    for (const [i, shape] of [first, ...this.#others].entries()) {
      const clauses = leafClauses(shape, states)
      if (clauses === null || this.#state.isDone) continue
      this.#shape = shape
      this.#searchRange(leaf, part, clauses, shared, filled => step(filled, i))
    }
    this.#shape = first
  }

  /** Whether later documents can neither be hits nor need counting. */
  #hasEnough(): boolean {
    return this.#state.isDone || (this.#state.isPastLimit() && this.#hits.isFull)
  }

  /** @param step runs the clauses as the plan has them */
  #searchRange(
    leaf: Leaf,
    part: LeafPart,
    clauses: LeafClauses,
    shared: SharedScratch,
    step = (filled: FilledClauses): void => this.#takeClauses(leaf, part, shared, filled),
  ): void {
    const { scratch } = leaf
    const mark = scratch.mark()
    try {
      const filled = this.#fillClauses(leaf, part, clauses, shared)
      if (filled !== null) step(filled)
    } catch (error) {
      throw damageOf(leaf, error)
    } finally {
      scratch.release(mark)
    }
  }

  /** Writes a plan of the clauses; null: nothing can match. */
  #fillClauses(
    leaf: Leaf,
    part: LeafPart,
    clauses: LeafClauses,
    shared: SharedScratch,
  ): FilledClauses | null {
    const { required, admitting, optional } = clauses
    const { scratch } = leaf
    const cursors = new CursorMaker(leaf, shared)
    let sets: DocumentSets | null = null
    let accept = Math.max(leaf.record.liveDocs, 0)
    if (this.#hasSets || admitting.length > 0) {
      sets = this.#setsOf(leaf, cursors, part)
      accept = sets.accepted(this.#input, this.#shape, admitting)
      if (accept < 0) return null
    }
    const records = scratch.allocate(CURSOR_BYTES * (required.length + optional.length + 1))
    let at = records
    const asksSets = required.length + optional.length > 1
    for (const term of required) {
      cursors.term(at, term.field, term.state, term.scoring, term.offset)
      if (asksSets) cursors.useSet(at, term.field, term.state)
      if (this.#shape.phrase !== null) cursors.readPositions(at)
      at += CURSOR_BYTES
    }
    let count = 0
    let isTerms = true
    for (const clause of optional) {
      if ('state' in clause) {
        cursors.term(at, clause.field, clause.state, clause.scoring, 0)
        if (asksSets) cursors.useSet(at, clause.field, clause.state)
      } else {
        sets ??= this.#setsOf(leaf, cursors, part)
        const bits = sets.of(clause.node, this.#input.weight)
        if (bits < 0) continue
        cursors.set(at, bits, clause.score)
        isTerms = false
      }
      count++
      at += CURSOR_BYTES
    }
    if (count < this.#shape.minimum) return null
    const filled = { records, required: required.length, count, isTerms, accept }
    fillClauses(leaf, shared.plan, part, filled, this.#shape, required)
    leaf.views.i32[(shared.plan + PLAN.primes) >> 2] = this.#primes(clauses, accept) ? 1 : 0
    this.#fillShape(leaf, shared)
    return filled
  }

  #takeClauses(leaf: Leaf, part: LeafPart, shared: SharedScratch, clauses: FilledClauses): void {
    if (this.#batch !== null) this.#gather(leaf, part, shared, clauses)
    else if (this.#sort === null) this.#call(leaf, shared, clauses)
    else this.#sortMatches(leaf, part, shared, clauses)
  }

  /**
   * Hands all matches to the gathers and counts them; then finds the hits without counting them
   * again.
   */
  #gather(leaf: Leaf, part: LeafPart, shared: SharedScratch, clauses: FilledClauses): void {
    const { demands, topCount } = this.#input.spec
    const state = this.#state
    if (this.#collector?.prunes === true && this.#prunesBatches(clauses))
      this.#collectBest(leaf, part, shared, clauses)
    else if (demands.everyScore || this.#collector?.readsScores === true) {
      this.#listMatches(leaf, part, shared, clauses)
      if (!state.isDone && this.#sort !== null) this.#sortMatches(leaf, part, shared, clauses)
    } else {
      const matches = this.#noteMatches(leaf, part, shared, clauses)
      leaf.kernels.hooks.ticker = this
      this.#handWindows(leaf, part, matches)
      if (!state.isDone) this.#sort?.takeMatches(leaf, part, matches)
    }
    const isKept = this.#sort !== null || this.#collector !== null
    if (state.isDone || isKept || topCount === 0) return
    this.#fillShape(leaf, shared)
    this.#call(leaf, shared, clauses)
  }

  /** Whether counting the matches apart from those that may be hits takes less than listing them all. */
  #prunesBatches(clauses: FilledClauses): boolean {
    if (this.#input.gathers.length > 0) return false
    return this.#state.isPastLimit() || isUnion(clauses, this.#shape, this.#input.spec)
  }

  /** Counts the matches by their bits, and lists those alone that may be hits. */
  #collectBest(leaf: Leaf, part: LeafPart, shared: SharedScratch, clauses: FilledClauses): void {
    const state = this.#state
    if (!state.isPastLimit()) {
      const matches = this.#noteMatches(leaf, part, shared, clauses)
      const { start, bytes } = windowsOf(part, leaf.maxDoc)
      state.countMany(leaf.kernels.countBits(matches + start, bytes))
      if (state.isDone) return
      this.#fillShape(leaf, shared)
    }
    this.#prunesLists = true
    this.#listMatches(leaf, part, shared, clauses)
    this.#prunesLists = false
  }

  /** Has a kernel list the matches with scores; full lists are handed over on the way. */
  #listMatches(leaf: Leaf, part: LeafPart, shared: SharedScratch, clauses: FilledClauses): void {
    const { scratch, views } = leaf
    const { i32 } = views
    const plan = shared.plan >> 2
    this.#list = scratch.allocate(8 * BATCH_DOCS)
    this.#batch!.list(leaf, part.leafOrd)
    i32[plan + PLAN.capacity / 4] = this.#prunesLists ? PRUNED_DOCS : BATCH_DOCS
    i32[plan + PLAN.hitCount / 4] = 0
    i32[plan + PLAN.hitScores / 4] = this.#list
    i32[plan + PLAN.hitDocs / 4] = this.#list + 4 * BATCH_DOCS
    i32[plan + PLAN.lists / 4] = 1
    i32[plan + PLAN.primes / 4] = 0
    this.#handOver('list', leaf, shared, () => this.#call(leaf, shared, clauses))
    i32[plan + PLAN.lists / 4] = 0
  }

  /** Hands over the matches that a kernel has listed. */
  #takeList({ views }: Leaf, shared: SharedScratch): void {
    const at = (shared.plan + PLAN.hitCount) >> 2
    const count = views.i32[at]!
    views.i32[at] = 0
    if (count === 0) return
    const kept = this.#keepBests(count)
    const scores = this.#list >> 2
    const docs = scores + BATCH_DOCS
    const batch = this.#batch!
    batch.docs().set(views.i32.subarray(docs, docs + kept))
    batch.scores = views.f32.subarray(scores, scores + kept)
    batch.close(kept)
    this.#handBatch(batch)
    if (!this.#prunesLists) this.#state.countMany(count)
  }

  /** Leaves out listed matches that change no hit, where no gather is to have them. */
  #keepBests(count: number): number {
    if (this.#collector === null || this.#input.gathers.length > 0) return count
    return this.#collector.keepBests(this.#list + 4 * BATCH_DOCS, this.#list, count)
  }

  #handBatch(batch: MatchBatch): void {
    this.#gathers.collect(batch)
    this.#collector?.collect(batch)
  }

  /** Hands the windows of a bit set to the gathers, until the search is stopped. */
  #handWindows(leaf: Leaf, part: LeafPart, matches: number): void {
    const state = this.#state
    const batch = this.#batch!
    const windows = new MatchWindows(leaf, part, matches)
    while (windows.next(batch)) {
      this.#handBatch(batch)
      state.countMany(batch.count)
      this.#tick()
      if (state.isDone) return
    }
  }

  /** Runs a step with another handover; hit thresholds do not apply to it. */
  #handOver(handover: Handover, leaf: Leaf, shared: SharedScratch, step: () => void): void {
    this.#handover = handover
    this.#tell(leaf, shared)
    step()
    this.#handover = 'hits'
  }

  /** Sorts one term's documents, or the matches given as bits. */
  #sortMatches(leaf: Leaf, part: LeafPart, shared: SharedScratch, clauses: FilledClauses): void {
    const { kernels } = leaf
    const { records, required, count, accept } = clauses
    const state = this.#state
    // With gathers, all matches are counted already.
    const counts = this.#batch === null
    if (isUnion(clauses, this.#shape, this.#input.spec) && required + count === 1) {
      this.#input.report?.beginSearch()
      kernels.hooks.ticker = this
      const isCounted = counts && !state.isPastLimit()
      const found = this.#sort!.takeTerm(leaf, part, records, accept, isCounted)
      if (counts) state.countMany(found)
      return
    }
    const matches = this.#noteMatches(leaf, part, shared, clauses)
    kernels.hooks.ticker = this
    const { start, bytes } = windowsOf(part, leaf.maxDoc)
    if (counts) state.countMany(kernels.countBits(matches + start, bytes))
    if (!state.isDone) this.#sort!.takeMatches(leaf, part, matches)
  }

  /**
   * Sets the bits of a part's matches; returns the address of the leaf's bit set, of which the
   * windows that the part touches are defined: 0 outside the part.
   */
  #noteMatches(leaf: Leaf, part: LeafPart, shared: SharedScratch, clauses: FilledClauses): number {
    const { kernels, scratch, views, maxDoc } = leaf
    const { records, required, count, accept } = clauses
    const matches = scratch.allocate(bitsBytes(maxDoc))
    const { start, bytes } = windowsOf(part, maxDoc)
    if (this.#isAccepted(clauses)) {
      acceptRange(leaf, part, accept, matches)
      return matches
    }
    kernels.fillBits(matches + start, bytes + READ_PAST_BYTES, 0)
    if (isUnion(clauses, this.#shape, this.#input.spec)) {
      this.#input.report?.beginSearch()
      for (let i = 0; i < required + count; i++)
        kernels.rewindAndOr(records + i * CURSOR_BYTES, matches, part.minDoc, part.maxDoc)
      if (accept !== 0) kernels.andBits(matches + start, accept + start, bytes)
    } else {
      const { i32 } = views
      const plan = shared.plan >> 2
      i32[plan + PLAN.matches / 4] = matches
      i32[plan + PLAN.capacity / 4] = 0
      i32[plan + PLAN.hitCount / 4] = 0
      i32[plan + PLAN.primes / 4] = 0
      this.#handOver('bits', leaf, shared, () => this.#call(leaf, shared, clauses))
      i32[plan + PLAN.matches / 4] = 0
    }
    return matches
  }

  /** Whether the accepted documents are the matches: no clause selects among them. */
  #isAccepted({ required, count }: FilledClauses): boolean {
    const { phrase, minimum } = this.#shape
    return required + count + minimum === 0 && phrase === null && this.#input.spec.minScore === null
  }

  /** Whether the matches are the union of all clauses and no hit was found yet. */
  #primes({ required, optional }: LeafClauses, accept: number): boolean {
    const { minimum, constant, phrase } = this.#shape
    if (this.#sort !== null) return false
    if (accept !== 0 || !this.#hits.isEmpty || phrase !== null || constant !== 0) return false
    const { minScore, searchAfter } = this.#input.spec
    if (minScore !== null || searchAfter !== null) return false
    return required.length === 0 ? minimum === 1 : required.length === 1 && optional.length === 0
  }

  /** Writes the fields that do not depend on the leaf's clauses. */
  #fillShape(leaf: Leaf, shared: SharedScratch): void {
    fillShape(leaf, shared.plan, this.#shape, this.#input.spec)
    this.#hits.fill(leaf.views, shared.plan)
    this.#tell(leaf, shared)
  }

  #call(leaf: Leaf, shared: SharedScratch, clauses: FilledClauses): void {
    const { spec } = this.#input
    const { kernels } = leaf
    const countsOnly = this.#handover === 'hits' && spec.topCount === 0 && spec.minScore === null
    const takesScores = this.#handover !== 'bits'
    kernels.hooks.ticker = this
    const run = kernelFor(kernels, clauses, this.#shape, countsOnly, takesScores)
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
    this.#calledLeaf = leaf
    this.#calledShared = shared
    run(shared.plan)
    this.#calledLeaf = null
    shared.isClear = true
    this.#hear(leaf, shared)
    addCounts(this.#counters, leaf.views.i32, shared.plan)
  }

  /** Called by kernels: reads and publishes results, and returns whether to stop. */
  tick(): number {
    this.#input.report?.look()
    const leaf = this.#calledLeaf
    const shared = this.#calledShared
    if (leaf === null || shared === null) this.#tick()
    else {
      this.#hear(leaf, shared)
      this.#tick()
      this.#tell(leaf, shared)
    }
    const { topCount } = this.#input.spec
    const mayStop = this.#sort === null && topCount === 0 && this.#batch === null
    const isCounted = mayStop && this.#state.isPastLimit()
    return this.#state.isDone || isCounted ? 1 : 0
  }

  /** Reads a kernel's counts and hits since the last reading. */
  #hear(leaf: Leaf, shared: SharedScratch): void {
    const { i32 } = leaf.views
    const plan = shared.plan >> 2
    const counted = i32[plan + PLAN.counted / 4]!
    // With gathers, which get all matches, hits are not counted again.
    if (counted > 0 && this.#batch === null && !this.#countsApart) this.#state.countMany(counted)
    i32[plan + PLAN.counted / 4] = 0
    if (this.#handover === 'list') this.#takeList(leaf, shared)
    if (this.#handover !== 'hits') return
    const reached = this.#hits.hear(leaf.views, shared.plan)
    if (reached >= 0) this.#state.control.raiseThreshold(reached)
  }

  /** Writes the threshold found by other slices into the plan. */
  #tell(leaf: Leaf, shared: SharedScratch): void {
    const plan = shared.plan >> 2
    const { f32, i32 } = leaf.views
    if (this.#handover !== 'hits') {
      const prunes = this.#prunesLists
      f32[plan + PLAN.threshold / 4] = prunes ? this.#collector!.neededScore() : 0
      i32[plan + PLAN.counting / 4] = prunes ? 0 : 1
      return
    }
    const isCounted = this.#state.isPastLimit() || this.#batch !== null || this.#countsApart
    f32[plan + PLAN.threshold / 4] = this.#state.control.threshold()
    i32[plan + PLAN.counting / 4] = isCounted ? 0 : 1
  }

  /** Shares the count and checks whether to stop. */
  #tick(): void {
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

  #setsOf(leaf: Leaf, cursors: CursorMaker, part: LeafPart): DocumentSets {
    return new DocumentSets(leaf, cursors, part, weight => this.#context(leaf, part, weight))
  }

  /** Scorer context for the sets that iterators make. */
  #context(leaf: Leaf, part: LeafPart, weight: Weight): ScorerContext {
    return {
      leaf,
      states: weight.leaves[part.leafOrd] ?? NO_STATES,
      prunes: false,
      wrap: null,
      inverses: new Map(),
      postings: [],
      skippers: [],
      endDoc: part.maxDoc,
      windows: new WindowPool(),
      watch: new Watch(() => {
        this.#tick()
        if (this.#state.isDone) throw new SliceStopped()
      }),
      scripts: NO_SCRIPTS,
      listScores: null,
      batches: null,
    }
  }
}

/** Whether bit sets exclude documents from a search. */
function excludes({ filters, prohibited }: BulkShape): boolean {
  return filters.length + prohibited.length > 0
}

const NO_STATES: LeafStates = { terms: [], expansions: [] }
