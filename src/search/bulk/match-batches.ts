import type { DocList } from '../../segment/kept-sets.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { LeafPart } from '../collector/collect-spec.ts'
import type { SliceState } from '../collector/collector.ts'
import { BATCH_DOCS, MatchBatch } from '../collector/gather.ts'
import type { LeafGathers } from '../collector/leaf-gathers.ts'
import type { BatchCollector } from './batch-collector.ts'
import type { SharedScratch } from './bulk-scratch.ts'
import type { Handover } from './handover.ts'
import { MatchWindows } from './match-windows.ts'
import { PLAN } from './plan-record.ts'

/** Matches of a list that leaves out others: the sooner it is handed over, the more are left out. */
const PRUNED_DOCS = 64

/** The batch of the thread's last search, for its next one. */
let idleBatch: MatchBatch | null = null

/**
 * Hands the matches of a slice in batches to its gathers and to the collector of its hits: as lists with
 * scores, which a kernel fills, or as windows of a bit set.
 */
export class MatchBatches implements Handover {
  readonly takesScores = true
  readonly countsOnly = false
  readonly #batch: MatchBatch
  readonly #gathers: LeafGathers
  /** Whether gathers are to have all matches. */
  readonly #gathersAll: boolean
  readonly #collector: BatchCollector | null
  readonly #state: SliceState
  /** Whether lists leave out matches that change no hit; they are counted apart. */
  #prunes = false
  /** Address of the list of scores and, behind it, of documents. */
  #list = 0

  constructor(
    gathers: LeafGathers,
    gathersAll: boolean,
    collector: BatchCollector | null,
    state: SliceState,
  ) {
    this.#batch = idleBatch ?? new MatchBatch()
    idleBatch = null
    this.#gathers = gathers
    this.#gathersAll = gathersAll
    this.#collector = collector
    this.#state = state
  }

  /** Leaves the memory to the next search. */
  release(): void {
    idleBatch = this.#batch
  }

  /**
   * Writes to a leaf's plan that matches are listed; full lists are handed over on the way.
   * @param prunes matches that change no hit are left out, and not counted
   */
  beginList(leaf: Leaf, leafOrd: number, { plan }: SharedScratch, prunes: boolean): void {
    const { i32 } = leaf.views
    const at = plan >> 2
    this.#prunes = prunes
    this.#list = leaf.scratch.allocate(8 * BATCH_DOCS)
    this.#batch.list(leaf, leafOrd)
    i32[at + PLAN.capacity / 4] = prunes ? PRUNED_DOCS : BATCH_DOCS
    i32[at + PLAN.hitCount / 4] = 0
    i32[at + PLAN.hitScores / 4] = this.#list
    i32[at + PLAN.hitDocs / 4] = this.#list + 4 * BATCH_DOCS
    i32[at + PLAN.lists / 4] = 1
    i32[at + PLAN.primes / 4] = 0
  }

  endList({ views }: Leaf, { plan }: SharedScratch): void {
    views.i32[(plan + PLAN.lists) >> 2] = 0
    this.#prunes = false
  }

  threshold(): number {
    return this.#prunes ? this.#collector!.neededScore() : 0
  }

  counts(): boolean {
    return !this.#prunes
  }

  /** Hands over the matches that a kernel has listed. */
  take({ views }: Leaf, { plan }: SharedScratch): void {
    const at = (plan + PLAN.hitCount) >> 2
    const count = views.i32[at]!
    views.i32[at] = 0
    if (count === 0) return
    const kept = this.#keepBests(count)
    const scores = this.#list >> 2
    const docs = scores + BATCH_DOCS
    const batch = this.#batch
    batch.docs().set(views.i32.subarray(docs, docs + kept))
    batch.scores = views.f32.subarray(scores, scores + kept)
    batch.close(kept)
    this.#hand()
    if (!this.#prunes) this.#state.countMany(count)
  }

  /** Leaves out listed matches that change no hit, where no gather is to have them. */
  #keepBests(count: number): number {
    if (this.#collector === null || this.#gathersAll) return count
    return this.#collector.keepBests(this.#list + 4 * BATCH_DOCS, this.#list, count)
  }

  /**
   * Hands over the windows of a bit set, until the search is stopped.
   * @param counts whether their matches are counted
   * @param look   looks after each whether to stop
   */
  handWindows(
    leaf: Leaf,
    part: LeafPart,
    matches: number,
    counts: boolean,
    look: () => void,
  ): void {
    const state = this.#state
    const batch = this.#batch
    const windows = new MatchWindows(leaf, part, matches)
    while (windows.next(batch)) {
      this.#hand()
      if (counts) state.countMany(batch.count)
      look()
      if (state.isDone) return
    }
  }

  /** Hands over the documents of a part in a list and counts them, until the search is stopped. */
  handList(leaf: Leaf, part: LeafPart, list: DocList, look: () => void): void {
    const { i32 } = leaf.views
    const first = list.at >> 2
    const end = firstFrom(i32, part.maxDoc, first, first + list.count)
    for (let next = firstFrom(i32, part.minDoc, first, end); next < end; ) {
      const count = Math.min(BATCH_DOCS, end - next)
      this.#batch.listed(leaf, part.leafOrd, { at: 4 * next, count })
      next += count
      this.#hand()
      this.#state.countMany(count)
      look()
      if (this.#state.isDone) return
    }
  }

  #hand(): void {
    this.#gathers.collect(this.#batch)
    this.#collector?.collect(this.#batch)
  }
}

/** The index in [from, to) of the first document that is not below another, `to` without one. */
function firstFrom(docs: Int32Array, doc: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (docs[middle]! < doc) low = middle + 1
    else high = middle
  }
  return low
}
