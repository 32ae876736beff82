/** The whole text as one token; of the empty text the empty one, as in Lucene. */
import { Tokenizer } from '../token-stream.ts'

/** Tokenizer `keyword`. */
export class KeywordTokenizer extends Tokenizer {
  #isDone = false

  reset(): void {
    this.#isDone = false
  }

  next(): boolean {
    if (this.#isDone) return false
    this.#isDone = true
    const { token } = this
    token.clear()
    token.term = this.text
    token.startOffset = this.correctOffset(0)
    token.endOffset = this.correctOffset(this.text.length)
    return true
  }
}
