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
  /** A binary heap, worst on top: lowest score, then highest document. */
  #heapScores: Float64Array
  #heapDocs: Float64Array
  #count = 0
  #docBase = 0
  #scorer: Scorer | null = null
  /** The competitive score that the current scorer has. */
  #told = 0
  #maxScore = Number.NaN

  /** @param capacity k, min 1 */
  constructor(capacity: number, state: SliceState, prunes: boolean) {
    this.#capacity = capacity
    this.#heapScores = new Float64Array(Math.min(capacity, 1024))
    this.#heapDocs = new Float64Array(this.#heapScores.length)
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
    } else if (score > this.#heapScores[0]!) {
      // Strictly above: of two equal scores the lower document wins, and it was collected first.
      this.#heapScores[0] = score
      this.#heapDocs[0] = docId + this.#docBase
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
      const worst = this.#heapScores[0]!
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
    return this.#count < this.#capacity ? -1 : this.#heapScores[0]!
  }

  /** The kept hits, best first. */
  hits(): SliceHit[] {
    const hits: SliceHit[] = []
    for (let i = 0; i < this.#count; i++)
      hits.push({ globalDoc: this.#heapDocs[i]!, score: this.#heapScores[i]!, sort: null })
    return hits.sort((a, b) => b.score - a.score || a.globalDoc - b.globalDoc)
  }

  #push(score: number, globalDoc: number): void {
    if (this.#count === this.#heapScores.length) this.#grow()
    let at = this.#count++
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (this.#isWorse(this.#heapScores[parent]!, this.#heapDocs[parent]!, score, globalDoc)) break
      this.#heapScores[at] = this.#heapScores[parent]!
      this.#heapDocs[at] = this.#heapDocs[parent]!
      at = parent
    }
    this.#heapScores[at] = score
    this.#heapDocs[at] = globalDoc
  }

  #sink(start: number): void {
    const scores = this.#heapScores
    const docs = this.#heapDocs
    const count = this.#count
    const score = scores[start]!
    const doc = docs[start]!
    let at = start
    for (;;) {
      let child = 2 * at + 1
      if (child >= count) break
      const right = child + 1
      if (
        right < count &&
        this.#isWorse(scores[right]!, docs[right]!, scores[child]!, docs[child]!)
      )
        child = right
      if (!this.#isWorse(scores[child]!, docs[child]!, score, doc)) break
      scores[at] = scores[child]!
      docs[at] = docs[child]!
      at = child
    }
    scores[at] = score
    docs[at] = doc
  }

  #isWorse(score: number, doc: number, thanScore: number, thanDoc: number): boolean {
    return score < thanScore || (score === thanScore && doc > thanDoc)
  }

  #grow(): void {
    const length = Math.min(this.#capacity, this.#heapScores.length * 2)
    const scores = new Float64Array(length)
    const docs = new Float64Array(length)
    scores.set(this.#heapScores)
    docs.set(this.#heapDocs)
    this.#heapScores = scores
    this.#heapDocs = docs
  }
}
