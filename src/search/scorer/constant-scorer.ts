import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { Scorer, TwoPhase } from './scorer.ts'

/** Documents of an iterator with a constant score; ends once that score is not competitive. */
export class ConstantScorer implements Scorer, DocIdIterator {
  readonly #approximation: DocIdIterator
  readonly #score: number
  readonly #twoPhase: TwoPhase | null
  #stops = false
  #ended = false
  /** 1 once the remaining documents were skipped as not competitive. */
  skipped = 0

  /** @param matches null when `approximation` is exact */
  constructor(score: number, approximation: DocIdIterator, matches: TwoPhase | null = null) {
    this.#score = score
    this.#approximation = approximation
    this.#twoPhase =
      matches === null
        ? null
        : {
            approximation: this,
            matches: () => matches.matches(),
            matchCost: () => matches.matchCost(),
          }
  }

  docId(): number {
    return this.#ended ? NO_MORE_DOCS : this.#approximation.docId()
  }

  nextDoc(): number {
    return this.#competes() ? this.#approximation.nextDoc() : NO_MORE_DOCS
  }

  advance(target: number): number {
    return this.#competes() ? this.#approximation.advance(target) : NO_MORE_DOCS
  }

  cost(): number {
    return this.#approximation.cost()
  }

  iterator(): DocIdIterator | null {
    return this.#twoPhase === null ? this : null
  }

  twoPhase(): TwoPhase | null {
    return this.#twoPhase
  }

  score(): number {
    return this.#score
  }

  shallowAdvance(_target: number): number {
    return NO_MORE_DOCS
  }

  maxScore(_upTo: number): number {
    return this.#score
  }

  setMinCompetitiveScore(score: number): void {
    // The current document stays current: only the next move sees the end.
    if (score > this.#score) this.#stops = true
  }

  #competes(): boolean {
    if (this.#stops) {
      this.#ended = true
      this.skipped = 1
    }
    return !this.#ended
  }
}
