import type { Scorer } from '../scorer/scorer.ts'

/**
 * The score of the match that is collected: computed when it is first asked for, and once, however many
 * levels of a sort read it beside the collector.
 */
export class MatchScore implements Pick<Scorer, 'score'> {
  #scorer: Pick<Scorer, 'score'> | null = null
  #score = Number.NaN
  #isKnown = false

  /** The scorer of a leaf, before its first match. */
  setScorer(scorer: Pick<Scorer, 'score'>): void {
    this.#scorer = scorer
    this.#isKnown = false
  }

  /** The scorer stands on another match. */
  next(): void {
    this.#isKnown = false
  }

  score(): number {
    if (this.#isKnown) return this.#score
    this.#isKnown = true
    this.#score = this.#scorer!.score()
    return this.#score
  }
}
