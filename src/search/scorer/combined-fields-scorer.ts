import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { NO_NORM_CODE } from '../../codec/norms/format.ts'
import { CODED_LENGTHS, encodeLength } from '../../codec/norms/length-code.ts'
import { bm25 } from '../similarity/bm25.ts'
import type { FreqPostings } from './freq-postings.ts'
import type { Scorer, TwoPhase } from './scorer.ts'
import type { LengthCodes } from './term-scorer.ts'

/** A term's postings in a field, and the field's weight, float32. */
interface WeightedPostings {
  readonly postings: FreqPostings
  readonly weight: number
}

/** A field's length codes and its weight, float32. */
interface WeightedLengths {
  readonly norms: LengthCodes
  readonly weight: number
}

/** Documents with any of several postings, scored by the weighted sums of frequencies and lengths. */
export class CombinedFieldsScorer implements Scorer, DocIdIterator {
  readonly #all: readonly WeightedPostings[]
  readonly #lengths: readonly WeightedLengths[]
  readonly #weight: number
  readonly #inverse: Float32Array
  #doc = -1
  #isOver = false

  /**
   * @param all     min one, in order of the fields, not shared
   * @param lengths of the fields that have norms; empty: every document has a length of 1
   * @param weight  f32(boost · idf)
   * @param inverse `inverseNorms` of the mean weighted length
   */
  constructor(
    all: readonly WeightedPostings[],
    lengths: readonly WeightedLengths[],
    weight: number,
    inverse: Float32Array,
  ) {
    this.#all = all
    this.#lengths = lengths
    this.#weight = weight
    this.#inverse = inverse
  }

  docId(): number {
    return this.#doc
  }

  nextDoc(): number {
    return this.advance(this.#doc + 1)
  }

  advance(target: number): number {
    let next = NO_MORE_DOCS
    if (!this.#isOver)
      for (const { postings } of this.#all) {
        const doc = postings.docId() < target ? postings.advance(target) : postings.docId()
        if (doc < next) next = doc
      }
    return (this.#doc = next)
  }

  cost(): number {
    let sum = 0
    for (const { postings } of this.#all) sum += postings.cost()
    return sum
  }

  iterator(): DocIdIterator {
    return this
  }

  twoPhase(): TwoPhase | null {
    return null
  }

  score(): number {
    const doc = this.#doc
    let freq = 0
    for (const { postings, weight } of this.#all)
      if (postings.docId() === doc) freq = Math.fround(freq + Math.fround(weight * postings.freq()))
    const lengths = this.#lengths
    const code = lengths.length === 0 ? NO_NORM_CODE : combinedLengthCode(lengths, doc)
    return bm25(this.#weight, freq, this.#inverse[code]!)
  }

  shallowAdvance(_target: number): number {
    return NO_MORE_DOCS
  }

  /** A score is the weight less a part of it. */
  maxScore(_upTo: number): number {
    return this.#weight
  }

  setMinCompetitiveScore(score: number): void {
    if (score > this.#weight) this.#isOver = true
  }
}

/** The code of a document's weighted length, summed in float32. @param lengths min one */
export function combinedLengthCode(lengths: readonly WeightedLengths[], doc: number): number {
  let length = 0
  for (const { norms, weight } of lengths)
    length = Math.fround(length + Math.fround(weight * CODED_LENGTHS[norms.code(doc)]!))
  return encodeLength(Math.min(2147483647, Math.floor(length + 0.5)))
}
