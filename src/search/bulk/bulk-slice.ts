/**
 * Runs one slice with the kernels: one call for each part of a leaf. The result equals that of
 * `search-slice.ts` to the bit; `bulk-shape.ts` decides which of the two runs.
 */
import { MAX_CALLING_THREAD_MILLIS, newDocumentRun } from '../../script/script-run.ts'
import type { DocList } from '../../segment/kept-sets.ts'
import type { Leaf } from '../../segment/leaf.ts'
import {
  isWholeLeaf,
  type LeafPart,
  noCounts,
  type SliceCounters,
  type SliceResult,
} from '../collector/collect-spec.ts'
import { SliceState } from '../collector/collector.ts'
import { LeafGathers } from '../collector/leaf-gathers.ts'
import { topCollector } from '../collector/top-collector.ts'
import { SliceStopped, Watch } from '../scorer/watch.ts'
import { WindowPool } from '../scorer/window-pool.ts'
import type { SliceInput } from '../search-slice.ts'
import type { ScorerContext } from '../weight/scorer-context.ts'
import type { LeafStates, Weight } from '../weight/weight.ts'
import { BatchCollector, collectsBatches } from './batch-collector.ts'
import { type FilledClauses, fillClauses, fillShape, isUnion } from './bulk-plan.ts'
import { bitsBytes, type SharedScratch, sharedScratch } from './bulk-scratch.ts'
import type { BulkShape } from './bulk-shape.ts'
import type { ColumnSort } from './column-sort.ts'
import { columnKey, columnSort } from './column-sorts.ts'
import { CursorMaker } from './cursor-maker.ts'
import { damageOf } from './damaged-postings.ts'
import { firstRange, takesFirst } from './doc-ranges.ts'
import { DocumentSets } from './document-sets.ts'
import { FirstLevel } from './first-level.ts'
import { BITS_HANDOVER, HitsHandover } from './handover.ts'
import { KernelCalls } from './kernel-calls.ts'
import { type LeafClauses, leadsOf, leafClauses } from './leaf-clauses.ts'
import { MatchBatches } from './match-batches.ts'
import { acceptRange, hasPartAlone, orCursor, READ_PAST_BYTES, windowsOf } from './part-bits.ts'
import { CURSOR_BYTES, PLAN } from './plan-record.ts'
import { ScoreHits } from './score-hits.ts'

/** Runs a slice to its end, or until it is stopped. @param counters of an earlier pass, which are counted on */
export function bulkSlice(
  input: SliceInput,
  shape: BulkShape,
  counters: SliceCounters = noCounts(),
): SliceResult {
  const key = columnKey(input.spec, input.spec.minScore)
  const byColumn = key === null ? null : columnSort(key, input.spec)
  const canSort =
    byColumn === null || input.parts.every(part => byColumn.canSort(input.leafOf(part.leafOrd)))
  return new BulkRun(input, shape, canSort ? byColumn : null, counters).run()
}

/** Kernels take no search with scripts. */
const NO_SCRIPTS = newDocumentRun(MAX_CALLING_THREAD_MILLIS)
const NO_PARTIALS: readonly unknown[] = []

class BulkRun {
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
  readonly #counters: SliceCounters
  /** Whether bit sets exclude documents, beside the deleted ones. */
  readonly #hasSets: boolean
  /** Hands matches to the gathers and to the collector; null where there are none. */
  readonly #batches: MatchBatches | null
  readonly #handover: HitsHandover
  readonly #calls: KernelCalls
  readonly #gathers: LeafGathers
  /** Keeps the hits that no kernel keeps; null: kernels keep them. */
  readonly #collector: BatchCollector | null
  /** Narrows what the collector is handed; null: it sees all matches. */
  readonly #firstLevel: FirstLevel | null

  /** @param sort null: by score, or by a collector */
  constructor(
    input: SliceInput,
    shape: BulkShape,
    sort: ColumnSort | null,
    counters: SliceCounters,
  ) {
    const { spec, control, gathers } = input
    this.#counters = counters
    this.#input = input
    this.#gathers = new LeafGathers(gathers)
    this.#shape = shape
    this.#sort = sort
    const collects = sort === null && collectsBatches(spec, shape.functions)
    this.#collector = collects ? this.#newCollector() : null
    const narrows = collects && gathers.length === 0 && shape.functions === null
    this.#firstLevel = narrows ? FirstLevel.of(spec) : null
    this.#hits = new ScoreHits(sort === null && !collects ? spec.topCount : 0, spec)
    this.#others = shape.alternatives
    this.#takesFirst = takesFirst(shape, spec) && !collects
    this.#hasSets = spec.postFilter !== null || [shape, ...shape.alternatives].some(excludes)
    this.#state = new SliceState(control, spec.trackTotalHits, spec.knownTotal !== null)
    const hasBatches = gathers.length > 0 || collects
    this.#batches = hasBatches
      ? new MatchBatches(this.#gathers, gathers.length > 0, this.#collector, this.#state)
      : null
    this.#handover = new HitsHandover(this.#hits, this.#state, spec, hasBatches)
    const mayStop = sort === null && spec.topCount === 0 && !hasBatches
    this.#calls = new KernelCalls(input, this.#state, this.#counters, this.#handover, mayStop)
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
      this.#batches?.release()
    }
  }

  #searchAll(): SliceResult {
    const { parts, taken, leafOf } = this.#input
    for (const part of taken ?? parts) {
      this.#calls.look()
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
    if (this.#batches !== null) this.#gathers.openLeaf(leaf, part.leafOrd, isWholeLeaf(part, leaf))
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
    if (this.#batches !== null || this.#sort !== null || !state.isPastLimit())
      this.#takeUnion(leaf, part, shared)
    if (state.isDone || !isByScore) return
    this.#handover.countsApart = true
    this.#forAlternatives(leaf, part, shared, (clauses, i) => {
      leaf.views.i32[(shared.plan + PLAN.merges) >> 2] = i > 0 ? 1 : 0
      this.#calls.call(leaf, shared, clauses, this.#shape)
    })
    this.#handover.countsApart = false
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
    kernels.hooks.ticker = this.#calls
    if (this.#batches !== null) this.#hand(leaf, part, union)
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
    let list: DocList | null = null
    if (this.#hasSets || admitting.length > 0) {
      sets = this.#setsOf(leaf, cursors, part)
      accept = sets.accepted(this.#input, this.#shape, admitting, leadsOf(clauses, this.#shape))
      if (accept < 0) return null
      list = sets.list
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
    const filled = { records, required: required.length, count, isTerms, accept, list }
    fillClauses(leaf, shared.plan, part, filled, this.#shape, required)
    leaf.views.i32[(shared.plan + PLAN.primes) >> 2] = this.#primes(clauses, accept) ? 1 : 0
    this.#fillShape(leaf, shared)
    return filled
  }

  #takeClauses(leaf: Leaf, part: LeafPart, shared: SharedScratch, clauses: FilledClauses): void {
    if (this.#batches !== null) this.#gather(leaf, part, shared, clauses)
    else if (this.#sort === null) this.#calls.call(leaf, shared, clauses, this.#shape)
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
      this.#listMatches(leaf, part, shared, clauses, false)
      if (!state.isDone && this.#sort !== null) this.#sortMatches(leaf, part, shared, clauses)
    } else if (this.#firstLevel !== null) {
      this.#handNarrowed(leaf, part, this.#noteMatches(leaf, part, shared, clauses))
    } else if (clauses.list !== null && this.#sort === null && this.#isAccepted(clauses)) {
      this.#batches!.handList(leaf, part, clauses.list, () => this.#calls.look())
    } else {
      const matches = this.#noteMatches(leaf, part, shared, clauses)
      leaf.kernels.hooks.ticker = this.#calls
      this.#hand(leaf, part, matches)
      if (!state.isDone) this.#sort?.takeMatches(leaf, part, matches)
    }
    const isKept = this.#sort !== null || this.#collector !== null
    if (state.isDone || isKept || topCount === 0) return
    this.#fillShape(leaf, shared)
    this.#calls.call(leaf, shared, clauses, this.#shape)
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
    this.#listMatches(leaf, part, shared, clauses, true)
  }

  /** Has a kernel list the matches with scores. @param prunes but those that change no hit */
  #listMatches(
    leaf: Leaf,
    part: LeafPart,
    shared: SharedScratch,
    clauses: FilledClauses,
    prunes: boolean,
  ): void {
    const batches = this.#batches!
    batches.beginList(leaf, part.leafOrd, shared, prunes)
    this.#calls.over(batches, leaf, shared, () =>
      this.#calls.call(leaf, shared, clauses, this.#shape),
    )
    batches.endList(leaf, shared)
  }

  #hand(leaf: Leaf, part: LeafPart, matches: number, counts = true): void {
    this.#batches!.handWindows(leaf, part, matches, counts, () => this.#calls.look())
  }

  /** Counts all matches, and hands over those that may be hits by the first level of their sort. */
  #handNarrowed(leaf: Leaf, part: LeafPart, matches: number): void {
    const { kernels } = leaf
    const { start, bytes } = windowsOf(part, leaf.maxDoc)
    kernels.hooks.ticker = this.#calls
    this.#state.countMany(kernels.countBits(matches + start, bytes))
    this.#calls.look()
    if (!this.#state.isDone)
      this.#hand(leaf, part, this.#firstLevel!.narrow(leaf, part, matches), false)
  }

  /** Sorts one term's documents, or the matches given as bits. */
  #sortMatches(leaf: Leaf, part: LeafPart, shared: SharedScratch, clauses: FilledClauses): void {
    const { kernels } = leaf
    const { records, required, count, isTerms, accept } = clauses
    const state = this.#state
    // With gathers, all matches are counted already.
    const counts = this.#batches === null
    const isOne = required + count === 1 && isTerms
    if (isOne && isUnion(clauses, this.#shape, this.#input.spec)) {
      this.#input.report?.beginSearch()
      kernels.hooks.ticker = this.#calls
      const isCounted = counts && !state.isPastLimit()
      const found = this.#sort!.takeTerm(leaf, part, records, accept, isCounted)
      if (counts) state.countMany(found)
      return
    }
    const matches = this.#noteMatches(leaf, part, shared, clauses)
    kernels.hooks.ticker = this.#calls
    const { start, bytes } = windowsOf(part, leaf.maxDoc)
    if (counts) state.countMany(kernels.countBits(matches + start, bytes))
    if (!state.isDone) this.#sort!.takeMatches(leaf, part, matches)
  }

  /**
   * Sets the bits of a part's matches; returns the address of the leaf's bit set, of which the
   * windows that the part touches are defined: 0 outside the part. It is only to be read.
   */
  #noteMatches(leaf: Leaf, part: LeafPart, shared: SharedScratch, clauses: FilledClauses): number {
    const { kernels, scratch, views, maxDoc } = leaf
    const { records, required, count, accept } = clauses
    const isAccepted = this.#isAccepted(clauses)
    if (isAccepted && hasPartAlone(leaf, part, accept)) return accept
    const matches = scratch.allocate(bitsBytes(maxDoc))
    const { start, bytes } = windowsOf(part, maxDoc)
    if (isAccepted) {
      acceptRange(leaf, part, accept, matches)
      return matches
    }
    kernels.fillBits(matches + start, bytes + READ_PAST_BYTES, 0)
    if (isUnion(clauses, this.#shape, this.#input.spec)) {
      this.#input.report?.beginSearch()
      for (let i = 0; i < required + count; i++)
        orCursor(leaf, part, records + i * CURSOR_BYTES, matches)
      if (accept !== 0) kernels.andBits(matches + start, accept + start, bytes)
    } else {
      const { i32 } = views
      const plan = shared.plan >> 2
      i32[plan + PLAN.matches / 4] = matches
      i32[plan + PLAN.capacity / 4] = 0
      i32[plan + PLAN.hitCount / 4] = 0
      i32[plan + PLAN.primes / 4] = 0
      this.#calls.over(BITS_HANDOVER, leaf, shared, () =>
        this.#calls.call(leaf, shared, clauses, this.#shape),
      )
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
    this.#calls.tell(leaf, shared)
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
        this.#calls.look()
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
