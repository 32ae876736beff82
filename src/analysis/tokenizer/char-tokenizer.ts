/** Tokenizers that keep runs of characters of one kind. */
import { lowerCaseText } from '../token-filter/lowercase.ts'
import { Tokenizer } from '../token-stream.ts'
import { isBlank, isLetter } from './unicode-tables.ts'

/** Whether a code point belongs to tokens. */
export type TokenCharTest = (point: number) => boolean

/** How a `CharTokenizer` cuts. */
export interface CharTokenizerOptions {
  readonly isTokenChar: TokenCharTest
  /** UTF-16 units after which a token is split. */
  readonly maxTokenLength: number
  readonly lowercases?: boolean
}

/** Runs of code points that a test holds for. */
export class CharTokenizer extends Tokenizer {
  readonly #isTokenChar: TokenCharTest
  /** The test's answers for ASCII. */
  readonly #ascii: Uint8Array
  readonly #maxTokenLength: number
  readonly #lowercases: boolean
  #at = 0

  constructor(options: CharTokenizerOptions) {
    super()
    const { isTokenChar } = options
    this.#isTokenChar = isTokenChar
    this.#ascii = Uint8Array.from({ length: 128 }, (_, point) => (isTokenChar(point) ? 1 : 0))
    this.#maxTokenLength = options.maxTokenLength
    this.#lowercases = options.lowercases ?? false
  }

  reset(): void {
    this.#at = 0
  }

  next(): boolean {
    const { text } = this
    const end = text.length
    let at = this.#at
    while (at < end && !this.#holds(at)) at += this.#size(at)
    if (at >= end) {
      this.#at = at
      return false
    }
    const start = at
    // As Java's CharTokenizer, which looks at the length once it has taken a code point.
    do at += this.#size(at)
    while (at < end && at - start < this.#maxTokenLength && this.#holds(at))
    this.#at = at
    const { token } = this
    token.clear()
    const term = text.slice(start, at)
    token.term = this.#lowercases ? lowerCaseText(term) : term
    token.startOffset = this.correctOffset(start)
    token.endOffset = this.correctOffset(at)
    return true
  }

  #holds(at: number): boolean {
    const unit = this.text.charCodeAt(at)
    return unit < 0x80 ? this.#ascii[unit] === 1 : this.#isTokenChar(this.text.codePointAt(at)!)
  }

  #size(at: number): number {
    const unit = this.text.charCodeAt(at)
    return unit < 0xd800 || unit > 0xdbff || this.text.codePointAt(at)! < 0x10000 ? 1 : 2
  }
}

/** Runs of letters. */
export function letterTokenizer(maxTokenLength: number, lowercases: boolean): CharTokenizer {
  return new CharTokenizer({ isTokenChar: isLetter, maxTokenLength, lowercases })
}

/** Runs between blanks. */
export function whitespaceTokenizer(maxTokenLength: number): CharTokenizer {
  return new CharTokenizer({ isTokenChar: point => !isBlank(point), maxTokenLength })
}
