/**
 * Runs one slice with the kernels: one call for each part of a leaf. The result is that of
 * `search-slice.ts`, to the bit; which one runs is decided by `bulk-shape.ts`.
 */
import type { Kernels } from '../../kernels/kernel-module.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Scratch } from '../../segment/scratch.ts'
import { nowInNanos } from '../../util/clock.ts'
import type { LeafPart, SliceCounters, SliceHit, SliceResult } from '../collector/collect-spec.ts'
import { SliceState } from '../collector/collector.ts'
import type { ScorerContext } from '../scorer/scorer-context.ts'
import { SliceStopped, Watch } from '../scorer/watch.ts'
import { WindowPool } from '../scorer/window-pool.ts'
import type { SliceInput } from '../search-slice.ts'
import type { LeafStates, Weight, WeightNode } from '../weight/weight.ts'
import { type SharedScratch, sharedScratch } from './bulk-scratch.ts'
import type { BulkShape, ScoringClause } from './bulk-shape.ts'
import { CursorMaker, type CursorScoring } from './cursor-maker.ts'
import { DocumentSets } from './document-sets.ts'
import { CURSOR, CURSOR_BYTES, PLAN } from './plan-record.ts'

/** Runs a slice to its end, or until it is stopped. */
export function bulkSlice(input: SliceInput, shape: BulkShape): SliceResult {
  return new BulkRun(input, shape).run()
}

/** What a leaf's part is searched with. */
interface Clauses {
  readonly required: readonly (readonly [field: string, state: TermStateOf, CursorScoring])[]
  readonly optional: readonly (
    | readonly [field: string, state: TermStateOf, CursorScoring]
    | readonly [node: WeightNode, score: number]
  )[]
}

type TermStateOf = NonNullable<LeafStates['terms'][number]>

class BulkRun {
  readonly #input: SliceInput
  readonly #shape: BulkShape
  readonly #state: SliceState
  readonly #counters: SliceCounters = { blocksDecoded: 0, blocksSkipped: 0, runsSkipped: 0 }
  readonly #watch = new Watch(() => {
    this.#tick()
    if (this.#state.isDone) throw new SliceStopped()
  })
  readonly #shared = new Map<Scratch, SharedScratch>()
  /** Where the hits lie now; null before the first leaf. */
  #home: { readonly shared: SharedScratch; readonly leaf: Leaf } | null = null
  #hitCount = 0

  constructor(input: SliceInput, shape: BulkShape) {
    const { spec, control } = input
    this.#input = input
    this.#shape = shape
    this.#state = new SliceState(control, spec.trackTotalHits, spec.knownTotal !== null)
  }

  run(): SliceResult {
    try {
      return this.#searchAll()
    } finally {
      for (const [scratch, { mark }] of this.#shared) scratch.release(mark)
    }
  }

  #searchAll(): SliceResult {
    const { parts, leafOf } = this.#input
    for (const part of parts) {
      this.#tick()
      if (this.#state.isDone) break
      try {
        this.#searchPart(leafOf(part.leafOrd), part)
      } catch (error) {
        if (!(error instanceof SliceStopped)) throw error
      }
    }
    this.#state.share()
    const hits = this.#hits()
    const state = this.#state
    return {
      hits,
      hitCount: state.hitCount,
      maxScore: hits[0]?.score ?? Number.NaN,
      timedOut: state.timedOut,
      cancelled: state.cancelled,
      terminatedEarly: false,
      counters: this.#counters,
    }
  }

  #searchPart(leaf: Leaf, part: LeafPart): void {
    const { weight } = this.#input
    const clauses = this.#clauses(weight.leaves[part.leafOrd] ?? NO_STATES)
    if (clauses === null) return
    const shared = this.#moveHome(leaf)
    const mark = leaf.scratch.mark()
    const known = shared.inverses.size
    try {
      this.#searchClauses(leaf, part, clauses, shared)
    } finally {
      // Tables that were made behind the mark go with it.
      if (shared.inverses.size > known) shared.inverses.clear()
      leaf.scratch.release(mark)
    }
  }

  /** The clauses that the leaf has terms for; null when nothing can match. */
  #clauses(states: LeafStates): Clauses | null {
    const { phrase, required, optional, minimum, filters } = this.#shape
    const musts: [string, TermStateOf, CursorScoring][] = []
    if (phrase !== null) {
      const scoring = { weight: phrase.weight, isConstant: false, average: phrase.average }
      for (const termId of phrase.termIds) {
        const state = states.terms[termId] ?? null
        if (state === null) return null
        musts.push([phrase.field, state, scoring])
      }
    }
    for (const { node, constant } of required) {
      const state = states.terms[node.termId] ?? null
      if (state === null) return null
      musts.push([node.field, state, scoringOf(node, constant)])
    }
    const shoulds: Clauses['optional'][number][] = []
    for (const clause of optional) {
      if (clause.kind === 'set') shoulds.push([clause.node, clause.constant])
      else {
        const state = states.terms[clause.node.termId] ?? null
        if (state !== null)
          shoulds.push([clause.node.field, state, scoringOf(clause.node, clause.constant)])
      }
    }
    if (shoulds.length < minimum) return null
    if (musts.length === 0 && shoulds.length === 0 && filters.length === 0) return null
    return { required: musts, optional: shoulds }
  }

  #searchClauses(leaf: Leaf, part: LeafPart, clauses: Clauses, shared: SharedScratch): void {
    const { weight, spec } = this.#input
    const { phrase, filters, prohibited } = this.#shape
    const { scratch, views } = leaf
    const cursors = new CursorMaker(leaf, shared, float64(views.u8.buffer))
    const context = this.#context(leaf, part, weight)
    const sets = new DocumentSets(context, cursors, part)
    const all = filters.map(node => ({ node, context }))
    const { postFilter } = spec
    if (postFilter !== null) {
      // The shape lists it last; its terms are numbered by its own weight.
      all[all.length - 1] = {
        node: postFilter.root,
        context: this.#context(leaf, part, postFilter),
      }
    }
    const accept = sets.accepted(
      all,
      prohibited.map(node => ({ node, context })),
    )
    if (accept < 0) return
    const { required, optional } = clauses
    const count = required.length + optional.length
    const records = scratch.allocate(CURSOR_BYTES * Math.max(1, count))
    // Rarest first; equals as they stand, which decides what leads a phrase.
    const order = required.map((_, i) => i)
    order.sort((a, b) => required[a]![1].docFreq - required[b]![1].docFreq)
    let at = records
    for (const i of order) {
      const [field, state, scoring] = required[i]!
      cursors.term(at, field, state, scoring)
      if (phrase !== null) views.i32[(at + CURSOR.offset) >> 2] = phrase.positions[i]!
      at += CURSOR_BYTES
    }
    let sets_ = 0
    let shoulds = 0
    for (const clause of optional) {
      if (clause.length === 3) cursors.term(at, clause[0], clause[1], clause[2])
      else {
        const bits = sets.of(clause[0])
        if (bits < 0) continue
        cursors.set(at, bits, clause[1])
        sets_++
      }
      shoulds++
      at += CURSOR_BYTES
    }
    if (shoulds < this.#shape.minimum) return
    this.#fillPlan(leaf, part, shared, { records, required: required.length, shoulds, accept })
    this.#call(leaf.kernels, shared, required.length, shoulds, sets_)
  }

  #fillPlan(
    leaf: Leaf,
    part: LeafPart,
    shared: SharedScratch,
    given: {
      readonly records: number
      readonly required: number
      readonly shoulds: number
      readonly accept: number
    },
  ): void {
    const { spec } = this.#input
    const { phrase, minimum, constant, hasRequired } = this.#shape
    const { i32, f32 } = leaf.views
    const plan = shared.plan >> 2
    i32[plan + PLAN.cursors / 4] = given.records
    i32[plan + PLAN.required / 4] = given.required
    i32[plan + PLAN.optional / 4] = given.shoulds
    i32[plan + PLAN.minimum / 4] = minimum
    i32[plan + PLAN.minDoc / 4] = part.minDoc
    i32[plan + PLAN.maxDoc / 4] = part.maxDoc
    i32[plan + PLAN.accept / 4] = given.accept
    i32[plan + PLAN.docBase / 4] = leaf.docBase
    i32[plan + PLAN.capacity / 4] = spec.topCount
    i32[plan + PLAN.hitCount / 4] = this.#hitCount
    i32[plan + PLAN.hitScores / 4] = shared.hitScores
    i32[plan + PLAN.hitDocs / 4] = shared.hitDocs
    f32[plan + PLAN.minScore / 4] = Math.max(0, spec.minScore ?? 0)
    i32[plan + PLAN.counted / 4] = 0
    float64(leaf.views.u8.buffer)[(shared.plan + PLAN.constant) >> 3] = constant
    i32[plan + PLAN.hasRequired / 4] = hasRequired ? 1 : 0
    i32[plan + PLAN.exhaustive / 4] = 0
    i32[plan + PLAN.scores / 4] = shared.scores
    i32[plan + PLAN.counts / 4] = shared.counts
    i32[plan + PLAN.candidates / 4] = shared.candidates
    i32[plan + PLAN.sums / 4] = shared.sums
    i32[plan + PLAN.blockBuffers / 4] = shared.blockBuffers
    i32[plan + PLAN.order / 4] = leaf.scratch.allocate(4 * given.shoulds + 4)
    i32[plan + PLAN.prefix / 4] = leaf.scratch.allocate(8 * given.shoulds + 8)
    f32[plan + PLAN.phraseWeight / 4] = phrase?.weight ?? 0
    i32[plan + PLAN.windowBits / 4] = shared.windowBits
    i32[plan + PLAN.isPhrase / 4] = phrase === null ? 0 : 1
    this.#tellPlan(leaf, shared)
  }

  #call(
    kernels: Kernels,
    shared: SharedScratch,
    required: number,
    shoulds: number,
    sets: number,
  ): void {
    const { spec } = this.#input
    const { phrase, minimum, constant } = this.#shape
    const countsOnly = spec.topCount === 0 && spec.minScore === null
    const leaf = this.#home!.leaf
    kernels.hooks.tick = () => {
      this.#hear(leaf, shared)
      this.#tick()
      this.#tellPlan(leaf, shared)
      const isCounted = spec.topCount === 0 && this.#state.isPastLimit()
      return this.#state.isDone || isCounted ? 1 : 0
    }
    kernels.resetCounters()
    const isOneTerm =
      constant === 0 && phrase === null && sets === 0 && required + shoulds === 1 && minimum < 2
    if (isOneTerm && (required === 1 || minimum === 1) && !countsOnly)
      kernels.searchTerm(shared.plan)
    else if (required > 0) kernels.searchConjunction(shared.plan)
    else {
      if (!shared.isClear) kernels.clearWindow(shared.scores, shared.counts, shared.windowBits)
      shared.isClear = true
      if (countsOnly && minimum === 1) kernels.countDisjunction(shared.plan)
      else kernels.searchDisjunction(shared.plan)
    }
    this.#hear(leaf, shared)
    this.#counters.blocksDecoded += kernels.blocksDecoded.value
    this.#counters.blocksSkipped += kernels.blocksSkipped.value
    this.#counters.runsSkipped += kernels.runsSkipped.value
  }

  /** Takes what a kernel has counted and kept since it was heard last. */
  #hear(leaf: Leaf, shared: SharedScratch): void {
    const { i32, f32 } = leaf.views
    const plan = shared.plan >> 2
    const counted = i32[plan + PLAN.counted / 4]!
    if (counted > 0) this.#state.countMany(counted)
    i32[plan + PLAN.counted / 4] = 0
    this.#hitCount = i32[plan + PLAN.hitCount / 4]!
    const { topCount } = this.#input.spec
    if (topCount === 0 || this.#hitCount < topCount) return
    this.#state.control.raiseThreshold(f32[shared.hitScores >> 2]!)
  }

  #tellPlan(leaf: Leaf, shared: SharedScratch): void {
    const plan = shared.plan >> 2
    const { control } = this.#state
    leaf.views.f32[plan + PLAN.threshold / 4] = control.threshold()
    leaf.views.i32[plan + PLAN.counting / 4] = this.#state.isPastLimit() ? 0 : 1
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

  /** The ranges of the leaf's arena, with the hits found so far in them. */
  #moveHome(leaf: Leaf): SharedScratch {
    let shared = this.#shared.get(leaf.scratch)
    if (shared === undefined) {
      shared = sharedScratch(leaf.scratch, this.#input.spec.topCount)
      this.#shared.set(leaf.scratch, shared)
    }
    const old = this.#home
    if (old !== null && old.shared !== shared) {
      const from = old.leaf.views
      const to = leaf.views
      const count = this.#hitCount
      const scores = old.shared.hitScores >> 2
      const docs = old.shared.hitDocs >> 2
      to.f32.set(from.f32.subarray(scores, scores + count), shared.hitScores >> 2)
      to.i32.set(from.i32.subarray(docs, docs + count), shared.hitDocs >> 2)
    }
    this.#home = { shared, leaf }
    return shared
  }

  #hits(): SliceHit[] {
    if (this.#home === null) return []
    const { shared, leaf } = this.#home
    const { f32, u32 } = leaf.views
    const hits: SliceHit[] = []
    for (let i = 0; i < this.#hitCount; i++)
      hits.push({
        globalDoc: u32[(shared.hitDocs >> 2) + i]!,
        score: f32[(shared.hitScores >> 2) + i]!,
        sort: null,
      })
    return hits.sort((a, b) => b.score - a.score || a.globalDoc - b.globalDoc)
  }

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
      watch: this.#watch,
      batches: null,
    }
  }
}

const NO_STATES: LeafStates = { terms: [], expansions: [] }

function scoringOf(
  node: Extract<ScoringClause, { kind: 'term' }>['node'],
  constant: number | null,
): CursorScoring {
  if (constant !== null) return { weight: constant, isConstant: true, average: 0 }
  return { weight: node.weight, isConstant: false, average: node.average }
}

const doubles = new WeakMap<ArrayBufferLike, Float64Array>()

/** One view of a memory, made once in a thread. */
function float64(buffer: ArrayBufferLike): Float64Array {
  let view = doubles.get(buffer)
  if (view === undefined) doubles.set(buffer, (view = new Float64Array(buffer)))
  return view
}
