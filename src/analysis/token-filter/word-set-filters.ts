/** Filters that keep or take out tokens by their words, types or lengths. */
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'
import { AcceptingFilter } from './term-filter.ts'
import type { WordSet } from './word-set.ts'

/** Takes out stop words. */
export class StopFilter extends AcceptingFilter {
  readonly #words: WordSet

  constructor(input: TokenStream, words: WordSet) {
    super(input)
    this.#words = words
  }

  protected accepts(): boolean {
    return !this.#words.has(this.token.term)
  }
}

/**
 * Takes out stop words, but not a last one that the text ends with: it may be the beginning of
 * another word. That one becomes a keyword.
 */
export class LenientStopFilter extends TokenFilter {
  readonly #words: WordSet
  readonly #saved = new TokenState()
  readonly #end = new TokenState()
  #isEnded = false

  constructor(input: TokenStream, words: WordSet) {
    super(input)
    this.#words = words
  }

  next(): boolean {
    const { token, input } = this
    if (this.#isEnded || !input.next()) return false
    let skipped = 0
    while (this.#words.has(token.term)) {
      this.#saved.copyFrom(token)
      if (input.next()) {
        skipped += this.#saved.positionIncrement
        continue
      }
      token.clear()
      input.end()
      this.#end.copyFrom(token)
      this.#isEnded = true
      if (token.endOffset > this.#saved.endOffset) return false
      token.copyFrom(this.#saved)
      token.isKeyword = true
      break
    }
    token.positionIncrement += skipped
    return true
  }

  override end(): void {
    if (this.#isEnded) this.token.copyFrom(this.#end)
    else super.end()
  }

  override reset(): void {
    super.reset()
    this.#isEnded = false
  }
}

/** Keeps the words of a set alone. */
export class KeepFilter extends AcceptingFilter {
  readonly #words: WordSet

  constructor(input: TokenStream, words: WordSet) {
    super(input)
    this.#words = words
  }

  protected accepts(): boolean {
    return this.#words.has(this.token.term)
  }
}

/** Keeps tokens of some types, or those of all others. */
export class KeepTypesFilter extends AcceptingFilter {
  readonly #types: ReadonlySet<string>
  readonly #isIncluding: boolean

  constructor(input: TokenStream, types: ReadonlySet<string>, isIncluding: boolean) {
    super(input)
    this.#types = types
    this.#isIncluding = isIncluding
  }

  protected accepts(): boolean {
    return this.#types.has(this.token.type) === this.#isIncluding
  }
}

/** Keeps terms of `min` to `max` UTF-16 units. */
export class LengthFilter extends AcceptingFilter {
  readonly #min: number
  readonly #max: number

  constructor(input: TokenStream, min: number, max: number) {
    super(input)
    this.#min = min
    this.#max = max
  }

  protected accepts(): boolean {
    const { length } = this.token.term
    return length >= this.#min && length <= this.#max
  }
}
