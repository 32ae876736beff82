/**
 * Runs one slice with the kernels: one call for each part of a leaf. The result is that of
 * `search-slice.ts`, to the bit; which one runs is decided by `bulk-shape.ts`.
 */
import type { Ticker } from '../../kernels/kernel-module.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { nowInNanos } from '../../util/clock.ts'
import {
  type LeafPart,
  noCounts,
  type SliceCounters,
  type SliceResult,
} from '../collector/collect-spec.ts'
import { SliceState } from '../collector/collector.ts'
import { SliceStopped, Watch } from '../scorer/watch.ts'
import { WindowPool } from '../scorer/window-pool.ts'
import type { SliceInput } from '../search-slice.ts'
import type { ScorerContext } from '../weight/scorer-context.ts'
import type { LeafStates, Weight } from '../weight/weight.ts'
import type { BulkRefusal } from '../weight/weight-type.ts'
import { bitsBytes, type SharedScratch, sharedScratch } from './bulk-scratch.ts'
import type { BulkShape } from './bulk-shape.ts'
import { CursorMaker } from './cursor-maker.ts'
import { damageOf } from './damaged-postings.ts'
import { firstRange, takesFirst } from './doc-ranges.ts'
import { DocumentSets } from './document-sets.ts'
import { bulkSortKey, FieldSort } from './field-sort.ts'
import { type LeafClauses, type LeafTerm, leafClauses } from './leaf-clauses.ts'
import { CURSOR_BYTES, PATTERNS, PLAN } from './plan-record.ts'
import { ScoreHits } from './score-hits.ts'

/**
 * Runs a slice to its end, or until it is stopped.
 * @returns why not, where one of its leaves is for the iterators
 */
export function bulkSlice(input: SliceInput, shape: BulkShape): SliceResult | BulkRefusal {
  const key = bulkSortKey(input.spec)
  const sort = key === null ? null : new FieldSort(key, input.spec)
  if (sort !== null && !input.parts.every(part => sort.canSort(input.leafOf(part.leafOrd))))
    return 'multi_valued_sort'
  return new BulkRun(input, shape, sort).run()
}

class BulkRun implements Ticker {
  readonly #input: SliceInput
  readonly #shape: BulkShape
  readonly #sort: FieldSort | null
  /** Hits by score. */
  readonly #hits: ScoreHits
  /** Whether the first matches are the hits. */
  readonly #takesFirst: boolean
  readonly #state: SliceState
  readonly #counters: SliceCounters = noCounts()
  /** Whether sets take documents away, beside those that are deleted. */
  readonly #hasSets: boolean
  /** Whose plan a kernel works on now; null while none does. */
  #calledLeaf: Leaf | null = null
  #calledShared: SharedScratch | null = null

  /** @param sort null: by score */
  constructor(input: SliceInput, shape: BulkShape, sort: FieldSort | null) {
    const { spec, control } = input
    this.#input = input
    this.#shape = shape
    this.#sort = sort
    this.#hits = new ScoreHits(sort === null ? spec.topCount : 0, spec)
    this.#takesFirst = takesFirst(shape, spec)
    this.#hasSets = shape.filters.length + shape.prohibited.length > 0 || spec.postFilter !== null
    this.#state = new SliceState(control, spec.trackTotalHits, spec.knownTotal !== null)
  }

  run(): SliceResult {
    try {
      return this.#searchAll()
    } finally {
      this.#hits.release()
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
    this.#state.share()
    const hits = this.#sort?.hits() ?? this.#hits.hits()
    const maxScore = this.#sort === null ? this.#hits.maxScore(hits) : Number.NaN
    const state = this.#state
    return {
      hits,
      hitCount: state.hitCount,
      maxScore,
      timedOut: state.timedOut,
      cancelled: state.cancelled,
      terminatedEarly: false,
      counters: this.#counters,
    }
  }

  #searchPart(leaf: Leaf, part: LeafPart): void {
    const states = this.#input.weight.leaves[part.leafOrd] ?? NO_STATES
    const clauses = leafClauses(this.#shape, states)
    if (clauses === null) return
    const shared = sharedScratch(leaf.scratch, leaf.views)
    this.#hits.moveTo(leaf)
    shared.inverses.beginPart()
    if (!this.#takesFirst) {
      this.#searchRange(leaf, part, clauses, shared)
      return
    }
    const { spec } = this.#input
    const counts = this.#state.isPastLimit() ? 0 : spec.trackTotalHits + 1
    const wanted = Math.max(spec.topCount, counts)
    let docs = firstRange(this.#shape, spec, states, leaf, wanted)
    let { minDoc } = part
    while (minDoc < part.maxDoc && !this.#hasEnough()) {
      // A rest that is not much longer is taken along.
      const maxDoc = minDoc + 1.5 * docs < part.maxDoc ? minDoc + docs : part.maxDoc
      this.#searchRange(leaf, { leafOrd: part.leafOrd, minDoc, maxDoc }, clauses, shared)
      minDoc = maxDoc
      docs *= 2
    }
  }

  /** Whether documents behind those that were searched can neither be hits nor must be counted. */
  #hasEnough(): boolean {
    return this.#state.isDone || (this.#state.isPastLimit() && this.#hits.isFull)
  }

  #searchRange(leaf: Leaf, part: LeafPart, clauses: LeafClauses, shared: SharedScratch): void {
    const { scratch } = leaf
    const mark = scratch.mark()
    try {
      this.#searchClauses(leaf, part, clauses, shared)
    } catch (error) {
      throw damageOf(leaf, error)
    } finally {
      scratch.release(mark)
    }
  }

  #searchClauses(leaf: Leaf, part: LeafPart, clauses: LeafClauses, shared: SharedScratch): void {
    const { required, admitting, optional } = clauses
    const { scratch } = leaf
    const cursors = new CursorMaker(leaf, shared)
    let sets: DocumentSets | null = null
    let accept = Math.max(leaf.record.liveDocs, 0)
    if (this.#hasSets || admitting.length > 0) {
      sets = this.#setsOf(leaf, cursors, part)
      accept = sets.accepted(this.#input, this.#shape, admitting)
      if (accept < 0) return
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
    if (count < this.#shape.minimum) return
    const plan = shared.plan >> 2
    const { i32 } = leaf.views
    i32[plan + PLAN.cursors / 4] = records
    i32[plan + PLAN.required / 4] = required.length
    i32[plan + PLAN.optional / 4] = count
    i32[plan + PLAN.minDoc / 4] = part.minDoc
    i32[plan + PLAN.maxDoc / 4] = part.maxDoc
    i32[plan + PLAN.accept / 4] = accept
    i32[plan + PLAN.primes / 4] = this.#primes(clauses, accept) ? 1 : 0
    i32[plan + PLAN.phraseOrder / 4] = this.#phraseOrder(leaf, records, required)
    i32[plan + PLAN.order / 4] = scratch.allocate(4 * count)
    i32[plan + PLAN.prefix / 4] = scratch.allocate(8 * count)
    this.#fillPlan(leaf, shared)
    if (this.#sort === null) this.#call(leaf, shared, required.length, count, isTerms)
    else this.#sortMatches(leaf, part, shared, { records, required, count, isTerms, accept })
  }

  /** The cursors of a sloppy phrase's terms by their positions in it; 0 where none is sloppy. */
  #phraseOrder(leaf: Leaf, records: number, required: readonly LeafTerm[]): number {
    const { phrase } = this.#shape
    if (phrase === null || phrase.slop === 0) return 0
    const at = leaf.scratch.allocate(4 * required.length)
    const order = required.map((_, i) => i)
    order.sort((a, b) => inPhrase(required[a]!, required[b]!))
    for (let i = 0; i < order.length; i++)
      leaf.views.i32[(at >> 2) + i] = records + order[i]! * CURSOR_BYTES
    return at
  }

  /** Has the sort look through one term's documents, or through the matches, noted as bits. */
  #sortMatches(
    leaf: Leaf,
    part: LeafPart,
    shared: SharedScratch,
    clauses: {
      readonly records: number
      readonly required: readonly LeafTerm[]
      readonly count: number
      readonly isTerms: boolean
      readonly accept: number
    },
  ): void {
    const { kernels, scratch, views, maxDoc } = leaf
    const { phrase, minimum } = this.#shape
    const { records, count, isTerms, accept } = clauses
    const required = clauses.required.length
    const state = this.#state
    const isUnion =
      phrase === null && isTerms && (required === 1 ? count === 0 : required === 0 && minimum === 1)
    if (isUnion && required + count === 1) {
      this.#input.report?.beginSearch()
      kernels.hooks.ticker = this
      state.countMany(this.#sort!.takeTerm(leaf, part, records, accept, !state.isPastLimit()))
      return
    }
    const bytes = bitsBytes(maxDoc)
    const matches = scratch.allocate(bytes)
    kernels.fillBits(matches, bytes, 0)
    if (isUnion) {
      this.#input.report?.beginSearch()
      for (let i = 0; i < required + count; i++)
        kernels.rewindAndOr(records + i * CURSOR_BYTES, matches, part.minDoc, part.maxDoc)
      if (accept !== 0) kernels.andBits(matches, accept, bytes - 64)
    } else {
      views.i32[(shared.plan + PLAN.matches) >> 2] = matches
      views.i32[(shared.plan + PLAN.counting) >> 2] = 1
      this.#call(leaf, shared, required, count, isTerms)
    }
    kernels.hooks.ticker = this
    state.countMany(kernels.countBits(matches, bytes - 64))
    if (!state.isDone) this.#sort!.takeMatches(leaf, part, matches)
  }

  /** Whether every document of any clause is a match, and nothing was found yet. */
  #primes({ required, optional }: LeafClauses, accept: number): boolean {
    const { minimum, constant, phrase } = this.#shape
    if (this.#sort !== null) return false
    if (accept !== 0 || !this.#hits.isEmpty || phrase !== null || constant !== 0) return false
    const { minScore, searchAfter } = this.#input.spec
    if (minScore !== null || searchAfter !== null) return false
    return required.length === 0 ? minimum === 1 : required.length === 1 && optional.length === 0
  }

  /** Fills in what does not depend on the clauses that the leaf has. */
  #fillPlan(leaf: Leaf, shared: SharedScratch): void {
    const { spec } = this.#input
    const { phrase, minimum, constant, hasRequired, tieBreaker } = this.#shape
    const { i32, f32, f64 } = leaf.views
    const plan = shared.plan >> 2
    i32[plan + PLAN.minimum / 4] = minimum
    i32[plan + PLAN.docBase / 4] = leaf.docBase
    i32[plan + PLAN.matches / 4] = 0
    f32[plan + PLAN.minScore / 4] = Math.max(0, spec.minScore ?? 0)
    i32[plan + PLAN.counted / 4] = 0
    f64[(shared.plan + PLAN.constant) >> 3] = constant
    i32[plan + PLAN.hasRequired / 4] = hasRequired ? 1 : 0
    i32[plan + PLAN.exhaustive / 4] = 0
    f32[plan + PLAN.phraseWeight / 4] = phrase?.weight ?? 0
    i32[plan + PLAN.isPhrase / 4] = phrase === null ? 0 : 1
    i32[plan + PLAN.slop / 4] = Math.min(phrase?.slop ?? 0, 0x7fffffff)
    i32[plan + PLAN.isDisMax / 4] = tieBreaker === null ? 0 : 1
    f64[(shared.plan + PLAN.tie) >> 3] = tieBreaker ?? 0
    this.#hits.fill(leaf.views, shared.plan)
    this.#tell(leaf, shared)
  }

  #call(
    leaf: Leaf,
    shared: SharedScratch,
    required: number,
    optional: number,
    isTerms: boolean,
  ): void {
    const { spec } = this.#input
    const { phrase, minimum, constant } = this.#shape
    const { kernels } = leaf
    const notes = this.#sort !== null
    const countsOnly = !notes && spec.topCount === 0 && spec.minScore === null
    kernels.hooks.ticker = this
    const isOneTerm = constant === 0 && phrase === null && isTerms && required + optional === 1
    const run =
      isOneTerm && !notes && !countsOnly && (required === 1 || minimum === 1)
        ? kernels.searchTerm
        : required > 0
          ? kernels.searchConjunction
          : countsOnly && (optional === 0 || minimum === 1)
            ? kernels.countDisjunction
            : kernels.searchDisjunction
    if (!shared.isClear)
      kernels.clearWindow(
        shared.scores,
        shared.counts,
        shared.windowBits,
        shared.maxima,
        shared.blockBuffers + PATTERNS,
      )
    // Until the call is back, what it leaves in the windows is not known.
    shared.isClear = false
    this.#input.report?.beginCall()
    this.#calledLeaf = leaf
    this.#calledShared = shared
    run(shared.plan)
    this.#calledLeaf = null
    shared.isClear = true
    this.#hear(leaf, shared)
    const { i32 } = leaf.views
    const plan = shared.plan >> 2
    this.#counters.blocksDecoded += i32[plan + PLAN.blocksDecoded / 4]!
    this.#counters.blocksSkipped += i32[plan + PLAN.blocksSkipped / 4]!
    this.#counters.runsSkipped += i32[plan + PLAN.runsSkipped / 4]!
    this.#counters.windows += i32[plan + PLAN.windows / 4]!
    this.#counters.postingsScored += i32[plan + PLAN.postingsScored / 4]!
    this.#counters.positionsChecked += i32[plan + PLAN.positionsChecked / 4]!
    this.#counters.candidates += i32[plan + PLAN.candidateCount / 4]!
  }

  /** For the kernels: takes and tells what was found, and says whether to stop. */
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
    const isCounted = this.#sort === null && topCount === 0 && this.#state.isPastLimit()
    return this.#state.isDone || isCounted ? 1 : 0
  }

  /** Takes what a kernel has counted and kept since it was heard last. */
  #hear(leaf: Leaf, shared: SharedScratch): void {
    const { i32 } = leaf.views
    const plan = shared.plan >> 2
    const counted = i32[plan + PLAN.counted / 4]!
    if (counted > 0) this.#state.countMany(counted)
    i32[plan + PLAN.counted / 4] = 0
    const reached = this.#hits.hear(leaf.views, shared.plan)
    if (reached >= 0) this.#state.control.raiseThreshold(reached)
  }

  /** Tells the plan what other slices have found. */
  #tell(leaf: Leaf, shared: SharedScratch): void {
    const plan = shared.plan >> 2
    leaf.views.f32[plan + PLAN.threshold / 4] = this.#state.control.threshold()
    leaf.views.i32[plan + PLAN.counting / 4] =
      this.#state.isPastLimit() && this.#sort === null ? 0 : 1
  }

  /** Shares the count, and looks whether to stop. */
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

  /** What the iterators need for the sets that they make. */
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
      batches: null,
    }
  }
}

function inPhrase(a: LeafTerm, b: LeafTerm): number {
  return a.offset - b.offset || a.ord - b.ord
}

const NO_STATES: LeafStates = { terms: [], expansions: [] }
