import type { ScriptRun } from '../../script/script-run.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Scorer } from '../scorer/scorer.ts'
import type { OpenNestedDocs } from '../sort/nested-docs.ts'
import type { AfterValue, SortKey } from '../sort/sort-key.ts'
import { SortLevels } from '../sort/sort-levels.ts'
import type { SliceHit } from './collect-spec.ts'
import type { Collector, LeafCollector, SliceState } from './collector.ts'
import type { CollapseKey } from './gather-plan.ts'
import { type Group, GroupValues } from './group-values.ts'
import { MatchScore } from './match-score.ts'

/** Slots that are moved one by one in less time than a call of `copyWithin` takes. */
const MAX_STEPS = 64

function isBestFirst(key: SortKey): boolean {
  return key.kind === 'score' && key.descending
}

/**
 * Keeps the first hit of each of the first k groups in sort order, ties by lowest document: Lucene's
 * `FirstPassGroupingCollector`. All matches are counted.
 */
export class TopGroupsCollector implements Collector, LeafCollector {
  readonly #state: SliceState
  readonly #capacity: number
  readonly #levels: SortLevels
  readonly #openNested: OpenNestedDocs
  readonly #hasAfter: boolean
  /** By score alone, best first: no comparator need be asked. */
  readonly #isByScore: boolean
  readonly #needsScore: boolean
  readonly #groups: GroupValues
  readonly #slotOf = new Map<string | bigint | null, number>()
  readonly #groupOf: Group[] = []
  /** Slots in sort order. */
  readonly #order: Int32Array
  readonly #docs: Float64Array
  readonly #scores: Float64Array
  #count = 0
  #docBase = 0
  readonly #matchScore = new MatchScore()
  /** Of the candidate; NaN where scores are not read. */
  #score = Number.NaN
  #maxScore = Number.NaN

  /**
   * @param capacity k, min 1
   * @param needsScore hits carry scores, and the max score of all matches is tracked
   */
  constructor(
    capacity: number,
    collapse: CollapseKey,
    keys: readonly SortKey[],
    searchAfter: readonly AfterValue[] | null,
    needsScore: boolean,
    state: SliceState,
    openNested: OpenNestedDocs,
    scripts: ScriptRun,
  ) {
    this.#openNested = openNested
    this.#capacity = capacity
    this.#groups = new GroupValues(collapse)
    this.#levels = new SortLevels(keys, capacity, searchAfter, scripts)
    this.#hasAfter = searchAfter !== null
    this.#isByScore = searchAfter === null && keys.length === 1 && isBestFirst(keys[0]!)
    this.#needsScore = needsScore
    this.#order = new Int32Array(capacity)
    this.#docs = new Float64Array(capacity)
    this.#scores = new Float64Array(capacity)
    this.#state = state
  }

  openLeaf(leaf: Leaf, leafOrd: number): LeafCollector {
    this.#docBase = leaf.docBase
    this.#groups.openLeaf(leaf)
    this.#levels.openLeaf(leaf, leafOrd, this.#openNested)
    return this
  }

  setScorer(scorer: Scorer): void {
    this.#matchScore.setScorer(scorer)
    this.#levels.setScorer(this.#matchScore)
  }

  collect(docId: number): void {
    this.#state.count()
    this.#matchScore.next()
    if (!this.#groups.isSingleValued) this.#groups.check(docId)
    if (this.#needsScore) {
      const score = this.#matchScore.score()
      this.#score = score
      if (!(score <= this.#maxScore)) this.#maxScore = score
      if (score <= this.floor()) return
    }
    if (!this.#isByScore) this.#levels.load(docId)
    if (this.#hasAfter && !this.#levels.isAfter()) return
    // A document behind the last group is behind its own group too, if that is kept.
    const isFull = this.#count === this.#capacity
    if (isFull && !this.#isBefore(this.#order[this.#count - 1]!)) return
    const group = this.#groups.group(docId)
    const { key } = group
    const known = this.#slotOf.get(key)
    if (known !== undefined && !this.#isBefore(known)) return
    const slot = known ?? (isFull ? this.#order[this.#count - 1]! : this.#count)
    if (known !== undefined || isFull) this.#remove(slot)
    if (known === undefined) {
      if (isFull) this.#slotOf.delete(this.#groupOf[slot]!.key)
      this.#slotOf.set(key, slot)
      this.#groupOf[slot] = group
    }
    this.#insert(slot)
    if (this.#isByScore) this.#levels.load(docId)
    this.#levels.store(slot)
    this.#docs[slot] = docId + this.#docBase
    this.#scores[slot] = this.#score
  }

  /** Whether the candidate sorts before a slot; it is the later document, so ties do not. */
  #isBefore(slot: number): boolean {
    if (this.#isByScore) return this.#score > this.#scores[slot]!
    return this.#levels.isBefore(slot)
  }

  #remove(slot: number): void {
    const order = this.#order
    let at = 0
    while (order[at] !== slot) at++
    const last = --this.#count
    if (last - at > MAX_STEPS) order.copyWithin(at, at + 1, last + 1)
    else for (; at < last; at++) order[at] = order[at + 1]!
  }

  /** Makes the slot the candidate's, behind all that it does not sort before. */
  #insert(slot: number): void {
    const order = this.#order
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#isBefore(order[middle]!)) high = middle
      else low = middle + 1
    }
    let at = this.#count++
    if (at - low > MAX_STEPS) order.copyWithin(low + 1, low, at)
    else for (; at > low; at--) order[at] = order[at - 1]!
    order[low] = slot
  }

  /** Max score of all matches; NaN when scores were not asked for. */
  maxScore(): number {
    return this.#maxScore
  }

  /** Later matches with this score or a lower one change no hit; −1: any may. */
  floor(): number {
    if (!this.#isByScore || !this.#groups.isSingleValued || this.#count < this.#capacity) return -1
    return this.#scores[this.#order[this.#count - 1]!]!
  }

  /** The groups' first hits in sort order; behind the values of the sort stands the group's. */
  hits(): SliceHit[] {
    return Array.from(this.#order.subarray(0, this.#count), slot => ({
      globalDoc: this.#docs[slot]!,
      score: this.#scores[slot]!,
      sort: [...this.#levels.values(slot), this.#groupOf[slot]!.value],
    }))
  }
}
