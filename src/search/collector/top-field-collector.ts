import type { ScriptRun } from '../../script/script-run.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Scorer } from '../scorer/scorer.ts'
import type { SliceHit } from './collect-spec.ts'
import type { Collector, LeafCollector, SliceState } from './collector.ts'
import { MatchScore } from './match-score.ts'
import type { OpenNestedDocs } from './nested-docs.ts'
import type { AfterValue, SortKey } from './sort-key.ts'
import { SortLevels } from './sort-levels.ts'

/**
 * Keeps the first k matches in sort order, ties by lowest document. Matches not after `searchAfter`
 * are counted and not kept.
 */
export class TopFieldCollector implements Collector, LeafCollector {
  readonly #state: SliceState
  readonly #capacity: number
  readonly #levels: SortLevels
  readonly #openNested: OpenNestedDocs
  readonly #hasAfter: boolean
  readonly #needsScore: boolean
  /** Slots as a binary heap, last in sort order on top. */
  readonly #heap: Int32Array
  readonly #docs: Float64Array
  readonly #scores: Float64Array
  #count = 0
  #docBase = 0
  readonly #score = new MatchScore()
  #maxScore = Number.NaN
  /** Some match of the current leaf was not competitive. */
  hasPassedOver = false

  /**
   * @param capacity k, min 1
   * @param needsScore hits carry scores, and the max score of all matches is tracked
   */
  constructor(
    capacity: number,
    keys: readonly SortKey[],
    searchAfter: readonly AfterValue[] | null,
    needsScore: boolean,
    state: SliceState,
    openNested: OpenNestedDocs,
    scripts: ScriptRun,
  ) {
    this.#openNested = openNested
    this.#capacity = capacity
    this.#levels = new SortLevels(keys, capacity, searchAfter, scripts)
    this.#hasAfter = searchAfter !== null
    this.#needsScore = needsScore
    this.#heap = new Int32Array(capacity)
    this.#docs = new Float64Array(capacity)
    this.#scores = new Float64Array(capacity)
    this.#state = state
  }

  openLeaf(leaf: Leaf, leafOrd: number): LeafCollector {
    this.#docBase = leaf.docBase
    this.hasPassedOver = false
    this.#levels.openLeaf(leaf, leafOrd, this.#openNested)
    return this
  }

  setScorer(scorer: Scorer): void {
    this.#score.setScorer(scorer)
    this.#levels.setScorer(this.#score)
  }

  collect(docId: number): void {
    this.#state.count()
    this.#score.next()
    let score = Number.NaN
    if (this.#needsScore) {
      score = this.#score.score()
      if (!(score <= this.#maxScore)) this.#maxScore = score
    }
    this.#levels.load(docId)
    if (this.#hasAfter && !this.#levels.isAfter()) return
    const slot = this.#count < this.#capacity ? this.#count : this.#heap[0]!
    if (this.#count === this.#capacity && !this.#levels.isBefore(slot)) {
      this.hasPassedOver = true
      return
    }
    this.#levels.store(slot)
    this.#docs[slot] = docId + this.#docBase
    this.#scores[slot] = score
    if (this.#count < this.#capacity) this.#rise(this.#count++, slot)
    else this.#sink(slot)
  }

  #compare(a: number, b: number): number {
    const order = this.#levels.compareSlots(a, b)
    return order !== 0 ? order : this.#docs[a]! - this.#docs[b]!
  }

  #rise(start: number, slot: number): void {
    const heap = this.#heap
    let at = start
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (this.#compare(heap[parent]!, slot) >= 0) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = slot
  }

  #sink(slot: number): void {
    const heap = this.#heap
    const count = this.#count
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= count) break
      if (child + 1 < count && this.#compare(heap[child + 1]!, heap[child]!) > 0) child++
      if (this.#compare(heap[child]!, slot) <= 0) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = slot
  }

  /** Max score of all matches; NaN when scores were not asked for. */
  maxScore(): number {
    return this.#maxScore
  }

  /** Later matches with this score or a lower one change no hit; −1: any may. */
  floor(): number {
    return -1
  }

  /** The kept hits in sort order. */
  hits(): SliceHit[] {
    const slots = Array.from(this.#heap.subarray(0, this.#count))
    slots.sort((a, b) => this.#compare(a, b))
    return slots.map(slot => ({
      globalDoc: this.#docs[slot]!,
      score: this.#scores[slot]!,
      sort: this.#levels.values(slot),
    }))
  }
}
