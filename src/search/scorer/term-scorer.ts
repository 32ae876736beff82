/** BM25 scoring of frequencies, and the scorer of one term. */
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { NO_NORM_CODE } from '../../codec/norms/format.ts'
import { bm25, maxBm25 } from '../similarity/bm25.ts'
import { BlockSkipper } from './block-skipper.ts'
import type { FreqPostings } from './freq-postings.ts'
import type { Scorer, TwoPhase } from './scorer.ts'
import type { Watch } from './watch.ts'

/** The length codes of a field's documents in memory; null for a field without norms. */
export interface LengthCodes {
  code(docId: number): number
}

/** Turns a frequency in a document into a score, for terms and phrases. */
export interface FreqScoring {
  /** f32(boost · idf). */
  readonly weight: number
  /** `inverseNorms` of the shard's mean length. */
  readonly inverse: Float32Array
  readonly norms: LengthCodes | null
  /** The mean length for scores, and the one that impacts were computed with. */
  readonly average: number
  readonly impactAverage: number
}

/** One term's documents, scored by BM25; skips blocks that are not competitive. */
export class TermScorer implements Scorer, DocIdIterator {
  readonly #postings: FreqPostings
  readonly #weight: number
  readonly #inverse: Float32Array
  readonly #norms: LengthCodes | null
  readonly #average: number
  readonly #impactAverage: number
  readonly skipper: BlockSkipper

  constructor(postings: FreqPostings, scoring: FreqScoring, watch: Watch) {
    this.#postings = postings
    this.#weight = scoring.weight
    this.#inverse = scoring.inverse
    this.#norms = scoring.norms
    this.#average = scoring.average
    this.#impactAverage = scoring.impactAverage
    this.skipper = new BlockSkipper(this, watch)
  }

  docId(): number {
    return this.#postings.docId()
  }

  nextDoc(): number {
    const next = this.#postings.docId() + 1
    const target = this.skipper.competitive(next)
    return target === next ? this.#postings.nextDoc() : this.#postings.advance(target)
  }

  advance(target: number): number {
    return this.#postings.advance(this.skipper.competitive(target))
  }

  cost(): number {
    return this.#postings.cost()
  }

  iterator(): DocIdIterator {
    return this
  }

  twoPhase(): TwoPhase | null {
    return null
  }

  score(): number {
    const norms = this.#norms
    const code = norms === null ? NO_NORM_CODE : norms.code(this.#postings.docId())
    return bm25(this.#weight, this.#postings.freq(), this.#inverse[code]!)
  }

  shallowAdvance(target: number): number {
    return target === NO_MORE_DOCS ? target : this.#postings.shallowAdvance(target)
  }

  maxScore(upTo: number): number {
    const impact = this.#postings.maxImpact(upTo)
    return maxBm25(this.#weight, impact, this.#impactAverage, this.#average)
  }

  setMinCompetitiveScore(score: number): void {
    this.skipper.raise(score)
  }
}
