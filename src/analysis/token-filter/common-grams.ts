/** Pairs of words of which one is common, beside the single words or in their stead. */
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'
import type { WordSet } from './word-set.ts'

const GRAM_TYPE = 'gram'

/** Adds a pair, joined by `_`, behind the first of two words where one is common. */
export class CommonGramsFilter extends TokenFilter {
  readonly #common: WordSet
  readonly #saved = new TokenState()
  #isPending = false
  /** The word before with its separator; empty where there is none. */
  #left = ''
  #leftStart = 0
  #isLeftCommon = false

  constructor(input: TokenStream, common: WordSet) {
    super(input)
    this.#common = common
  }

  next(): boolean {
    const { token } = this
    if (this.#isPending) {
      this.#isPending = false
      token.copyFrom(this.#saved)
    } else {
      if (!this.input.next()) return false
      if (this.#isLeftCommon || (this.#left !== '' && this.#common.has(token.term))) {
        this.#saved.copyFrom(token)
        this.#isPending = true
        this.#givePair()
        return true
      }
    }
    this.#left = `${token.term}_`
    this.#leftStart = token.startOffset
    this.#isLeftCommon = this.#common.has(token.term)
    return true
  }

  #givePair(): void {
    const { token } = this
    const { term, endOffset } = token
    token.clear()
    token.term = this.#left + term
    token.startOffset = this.#leftStart
    token.endOffset = endOffset
    token.positionIncrement = 0
    token.positionLength = 2
    token.type = GRAM_TYPE
    this.#left = ''
  }

  override reset(): void {
    super.reset()
    this.#isPending = false
    this.#left = ''
    this.#isLeftCommon = false
  }
}

/** Over `CommonGramsFilter`, for queries: pairs, and of the single words those in no pair alone. */
export class CommonGramsQueryFilter extends TokenFilter {
  readonly #previous = new TokenState()
  readonly #current = new TokenState()
  #hasPrevious = false
  /** Type of the token given last. */
  #lastType = ''
  #isExhausted = false

  next(): boolean {
    const { token } = this
    while (!this.#isExhausted && this.input.next()) {
      if (this.#hasPrevious && token.type !== GRAM_TYPE) {
        this.#current.copyFrom(token)
        this.#give()
        this.#previous.copyFrom(this.#current)
        this.#lastType = token.type
        return true
      }
      this.#previous.copyFrom(token)
      this.#hasPrevious = true
    }
    this.#isExhausted = true
    // A word behind a pair is in that pair.
    if (!this.#hasPrevious || this.#lastType === GRAM_TYPE) return false
    this.#give()
    this.#hasPrevious = false
    return true
  }

  #give(): void {
    const { token } = this
    token.copyFrom(this.#previous)
    if (token.type !== GRAM_TYPE) return
    token.positionIncrement = 1
    token.positionLength = 1
  }

  override reset(): void {
    super.reset()
    this.#hasPrevious = false
    this.#lastType = ''
    this.#isExhausted = false
  }
}
