/**
 * Thai has no blanks between words: runs of it are cut by the dictionary of the machine's ICU. What
 * stands around them is cut as java.text.BreakIterator does, which Lucene's ThaiTokenizer runs.
 */
import { Tokenizer } from '../token-stream.ts'

/** Longer runs are cut into pieces, so that the segmenter's memory stays bounded. */
const MOST_OF_RUN = 4096

const STARTS_TOKEN = /^[\p{L}\p{Nd}]/u

/** Tokenizer `thai`. */
export class ThaiTokenizer extends Tokenizer {
  readonly #segmenter = new Intl.Segmenter('th', { granularity: 'word' })
  #pieceStart = 0
  #pieceEnd = 0
  #segments: Iterator<Intl.SegmentData> | null = null

  reset(): void {
    this.#pieceStart = 0
    this.#pieceEnd = 0
    this.#segments = null
  }

  next(): boolean {
    for (;;) {
      const segment = this.#segments?.next()
      if (segment === undefined || segment.done === true) {
        if (!this.#nextPiece()) return false
        continue
      }
      const { segment: term, index } = segment.value
      if (!STARTS_TOKEN.test(term)) continue
      const { token } = this
      const start = this.#pieceStart + index
      token.clear()
      token.term = term
      token.startOffset = this.correctOffset(start)
      token.endOffset = this.correctOffset(start + term.length)
      return true
    }
  }

  /** The next piece of the text, up to a blank where there is one. */
  #nextPiece(): boolean {
    const { text } = this
    if (this.#pieceEnd >= text.length) return false
    this.#pieceStart = this.#pieceEnd
    let end = Math.min(text.length, this.#pieceStart + MOST_OF_RUN)
    if (end < text.length) {
      const blank = Math.max(text.lastIndexOf(' ', end), text.lastIndexOf('\n', end))
      if (blank > this.#pieceStart) end = blank
    }
    this.#pieceEnd = end
    this.#segments = this.#segmenter.segment(text.slice(this.#pieceStart, end))[Symbol.iterator]()
    return true
  }
}
