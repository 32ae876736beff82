/** All words of a text as one term: each once, sorted. */
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'

/** Sorts the distinct terms of the stream and joins them into one token. */
export class FingerprintFilter extends TokenFilter {
  readonly #maxLength: number
  readonly #separator: string
  readonly #final = new TokenState()
  #isDone = false

  /** @param maxLength of the result in UTF-16 units; a longer one is not given at all */
  constructor(input: TokenStream, maxLength: number, separator: string) {
    super(input)
    this.#maxLength = maxLength
    this.#separator = separator
  }

  next(): boolean {
    if (this.#isDone) return false
    this.#isDone = true
    const { token, input } = this
    const words = new Set<string>()
    let length = 0
    while (input.next()) {
      if (length > this.#maxLength || words.has(token.term)) continue
      length += token.term.length + (words.size > 0 ? 1 : 0)
      words.add(token.term)
    }
    input.end()
    token.startOffset = 0
    token.positionLength = 1
    token.positionIncrement = 1
    token.type = 'fingerprint'
    const isGiven = words.size > 0 && length <= this.#maxLength
    token.term = isGiven ? [...words].sort().join(this.#separator) : ''
    this.#final.copyFrom(token)
    return isGiven
  }

  override end(): void {
    // The stream has been ended to know the last offset; its increment of 1 is Lucene's too.
    if (this.#isDone) this.token.copyFrom(this.#final)
    else super.end()
  }

  override reset(): void {
    super.reset()
    this.#isDone = false
  }
}
