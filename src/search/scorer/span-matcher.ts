import type { PositionPostings } from './freq-postings.ts'
import type { PhraseMatcher } from './phrase-scorer.ts'
import { NO_MORE_POSITIONS, type Spans } from './spans.ts'

/** The frequency of a span in a document: each occurrence counts less, the wider it is. */
export class SpanMatcher implements PhraseMatcher {
  readonly #root: Spans
  readonly #postings: readonly PositionPostings[]
  readonly #docId: () => number

  /**
   * @param postings of all terms of the spans; those not positioned on the document do not occur in
   *                 it
   */
  constructor(root: Spans, postings: readonly PositionPostings[], docId: () => number) {
    this.#root = root
    this.#postings = postings
    this.#docId = docId
  }

  frequency(): number {
    const root = this.#root
    if (!root.open(this.#docId())) return 0
    let freq = 0
    while (root.next() !== NO_MORE_POSITIONS) freq = Math.fround(freq + 1 / (1 + root.width))
    return freq
  }

  maxFrequency(): number {
    const doc = this.#docId()
    let sum = 0
    for (const postings of this.#postings) if (postings.docId() === doc) sum += postings.freq()
    return sum
  }
}
