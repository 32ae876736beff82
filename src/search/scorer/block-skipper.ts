import { NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { Watch } from './watch.ts'

/** Upper bounds of scores over runs of documents. */
export interface BoundedScores {
  shallowAdvance(target: number): number
  maxScore(upTo: number): number
}

/**
 * Skips runs of documents whose bound is below the competitive score (Ding & Suel, "Faster Top-k
 * Document Retrieval Using Block-Max Indexes"). Without a competitive score it does nothing.
 */
export class BlockSkipper {
  readonly #scores: BoundedScores
  readonly #watch: Watch
  #min = 0
  /** End of the run that holds the last target, and its bound. */
  #runEnd = -1
  #bound = Number.POSITIVE_INFINITY
  /** Runs skipped; shown in statistics and asserted by tests. */
  skipped = 0

  constructor(scores: BoundedScores, watch: Watch) {
    this.#scores = scores
    this.#watch = watch
  }

  /** Sets the min competitive score. */
  raise(score: number): void {
    if (score > this.#min) this.#min = score
  }

  get min(): number {
    return this.#min
  }

  /** The first document at or after `target` that may compete, or `NO_MORE_DOCS`. */
  competitive(target: number): number {
    const min = this.#min
    if (min <= 0) return target
    let doc = target
    for (;;) {
      if (doc > this.#runEnd) {
        if (doc === NO_MORE_DOCS) return doc
        this.#runEnd = this.#scores.shallowAdvance(doc)
        this.#bound = this.#scores.maxScore(this.#runEnd)
      }
      if (this.#bound >= min) return doc
      this.skipped++
      this.#watch.spend(1)
      if (this.#runEnd === NO_MORE_DOCS) return NO_MORE_DOCS
      doc = this.#runEnd + 1
    }
  }
}
