import type { Leaf } from '../../segment/leaf.ts'
import { nextFloat } from '../../util/next-float.ts'
import type { Scorer } from '../scorer/scorer.ts'
import type { SliceHit } from './collect-spec.ts'
import type { Collector, LeafCollector, SliceState } from './collector.ts'

/**
 * Keeps the k matches of highest score, ties by lowest document. Once it is full and enough hits
 * are counted, it passes the min competitive score to the scorer.
 */
export class TopScoreCollector implements Collector, LeafCollector {
  readonly #state: SliceState
  readonly #prunes: boolean
  readonly #capacity: number
  /** A binary heap of scores, each with its document behind it, worst on top: lowest score, then highest document. */
  #heap: Float64Array
  #count = 0
  #docBase = 0
  #scorer: Scorer | null = null
  /** The competitive score that the current scorer has. */
  #told = 0
  #maxScore = Number.NaN

  /** @param capacity k, min 1 */
  constructor(capacity: number, state: SliceState, prunes: boolean) {
    this.#capacity = capacity
    this.#heap = new Float64Array(2 * Math.min(capacity, 1024))
    this.#state = state
    this.#prunes = prunes
  }

  openLeaf(leaf: Leaf): LeafCollector {
    this.#docBase = leaf.docBase
    return this
  }

  setScorer(scorer: Scorer): void {
    this.#scorer = scorer
    this.#told = 0
    this.updateCompetitive()
  }

  collect(docId: number): void {
    const wasPast = this.#state.isPastLimit()
    this.#state.count()
    const score = this.#scorer!.score()
    if (!(score <= this.#maxScore)) this.#maxScore = score
    if (this.#count < this.#capacity) {
      this.#push(score, docId + this.#docBase)
      if (this.#count < this.#capacity) return
    } else if (score > this.#heap[0]!) {
      // Strictly above: of two equal scores the lower document wins, and it was collected first.
      this.#heap[0] = score
      this.#heap[1] = docId + this.#docBase
      this.#sink(0)
    } else if (wasPast === this.#state.isPastLimit()) return
    this.updateCompetitive()
  }

  /** Passes the competitive score to the scorer if it has risen; also called at every tick. */
  updateCompetitive(): void {
    if (!this.#prunes || !this.#state.isPastLimit()) return
    const { control } = this.#state
    let competitive = control.threshold()
    if (this.#count === this.#capacity) {
      const worst = this.#heap[0]!
      if (worst > competitive) control.raiseThreshold(worst)
      // A later document of this slice must score higher; one of another slice may have a lower doc
      // ID.
      competitive = Math.max(competitive, nextFloat(worst))
    }
    if (competitive <= this.#told) return
    this.#told = competitive
    this.#scorer?.setMinCompetitiveScore(competitive)
  }

  /** Max score of all scored matches. */
  maxScore(): number {
    return this.#maxScore
  }

  /** Later matches with this score or a lower one change no hit; −1: any may. */
  floor(): number {
    return this.#count < this.#capacity ? -1 : this.#heap[0]!
  }

  /** The kept hits, best first. */
  hits(): SliceHit[] {
    const hits: SliceHit[] = []
    for (let i = 0; i < this.#count; i++)
      hits.push({ globalDoc: this.#heap[2 * i + 1]!, score: this.#heap[2 * i]!, sort: null })
    return hits.sort((a, b) => b.score - a.score || a.globalDoc - b.globalDoc)
  }

  #push(score: number, globalDoc: number): void {
    if (2 * this.#count === this.#heap.length) this.#grow()
    const heap = this.#heap
    let at = this.#count++
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (isWorse(heap[2 * parent]!, heap[2 * parent + 1]!, score, globalDoc)) break
      heap[2 * at] = heap[2 * parent]!
      heap[2 * at + 1] = heap[2 * parent + 1]!
      at = parent
    }
    heap[2 * at] = score
    heap[2 * at + 1] = globalDoc
  }

  #sink(start: number): void {
    const heap = this.#heap
    const end = 2 * this.#count
    const score = heap[2 * start]!
    const doc = heap[2 * start + 1]!
    let at = 2 * start
    for (;;) {
      let child = 2 * at + 2
      if (child >= end) break
      const right = child + 2
      if (right < end && isWorse(heap[right]!, heap[right + 1]!, heap[child]!, heap[child + 1]!))
        child = right
      if (!isWorse(heap[child]!, heap[child + 1]!, score, doc)) break
      heap[at] = heap[child]!
      heap[at + 1] = heap[child + 1]!
      at = child
    }
    heap[at] = score
    heap[at + 1] = doc
  }

  #grow(): void {
    const heap = new Float64Array(Math.min(2 * this.#capacity, 2 * this.#heap.length))
    heap.set(this.#heap)
    this.#heap = heap
  }
}

function isWorse(score: number, doc: number, thanScore: number, thanDoc: number): boolean {
  return score < thanScore || (score === thanScore && doc > thanDoc)
}
