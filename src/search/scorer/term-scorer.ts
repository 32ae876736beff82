/** Scoring of frequencies, and the scorer of one term. */
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
  /** The most by which inverse norms have grown since impacts were made; Infinity: nothing is known. */
  readonly drift: number
  /** In place of BM25, the score of a frequency and a length code, which nothing bounds; null: none. */
  readonly own: ((freq: number, lengthCode: number) => number) | null
}

/** The score of a frequency in a document. */
export function scoreOf(
  { norms, own, weight, inverse }: FreqScoring,
  freq: number,
  docId: number,
): number {
  const code = norms === null ? NO_NORM_CODE : norms.code(docId)
  return own === null ? bm25(weight, freq, inverse[code]!) : own(freq, code)
}

/** Upper bound of the scores of documents whose impact is at most the given one. */
export function maxScoreOf({ own, weight, drift }: FreqScoring, impact: number): number {
  return own === null ? maxBm25(weight, impact, drift) : Number.POSITIVE_INFINITY
}

/** One term's documents, scored by frequency; skips blocks that are not competitive. */
export class TermScorer implements Scorer, DocIdIterator {
  readonly #postings: FreqPostings
  readonly #scoring: FreqScoring
  readonly skipper: BlockSkipper

  constructor(postings: FreqPostings, scoring: FreqScoring, watch: Watch) {
    this.#postings = postings
    this.#scoring = scoring
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
    return scoreOf(this.#scoring, this.#postings.freq(), this.#postings.docId())
  }

  shallowAdvance(target: number): number {
    return target === NO_MORE_DOCS ? target : this.#postings.shallowAdvance(target)
  }

  maxScore(upTo: number): number {
    return maxScoreOf(this.#scoring, this.#postings.maxImpact(upTo))
  }

  setMinCompetitiveScore(score: number): void {
    this.skipper.raise(score)
  }
}
