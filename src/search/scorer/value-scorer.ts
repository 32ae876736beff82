import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { Scorer, TwoPhase } from './scorer.ts'

/** Documents of an iterator, each with a score of its own; ends once no score can compete. */
export class ValueScorer implements Scorer, DocIdIterator {
  readonly #docs: DocIdIterator
  readonly #scoreOf: (docId: number) => number
  readonly #bound: number
  #stops = false
  #ended = false

  /**
   * @param scoreOf the score of the iterator's current document, float32
   * @param bound   of all scores
   */
  constructor(docs: DocIdIterator, scoreOf: (docId: number) => number, bound: number) {
    this.#docs = docs
    this.#scoreOf = scoreOf
    this.#bound = bound
  }

  docId(): number {
    return this.#ended ? NO_MORE_DOCS : this.#docs.docId()
  }

  nextDoc(): number {
    return this.#goesOn() ? this.#docs.nextDoc() : NO_MORE_DOCS
  }

  advance(target: number): number {
    return this.#goesOn() ? this.#docs.advance(target) : NO_MORE_DOCS
  }

  cost(): number {
    return this.#docs.cost()
  }

  iterator(): DocIdIterator {
    return this
  }

  twoPhase(): TwoPhase | null {
    return null
  }

  score(): number {
    return this.#scoreOf(this.#docs.docId())
  }

  shallowAdvance(_target: number): number {
    return NO_MORE_DOCS
  }

  maxScore(_upTo: number): number {
    return this.#bound
  }

  setMinCompetitiveScore(score: number): void {
    // The current document stays current: only the next move sees the end.
    if (score > this.#bound) this.#stops = true
  }

  #goesOn(): boolean {
    if (this.#stops) this.#ended = true
    return !this.#ended
  }
}
