/** Filters that keep or take out tokens by their words, types or lengths. */
import type { TokenStream } from '../token-stream.ts'
import { FilteringTokenFilter } from './stop-filter.ts'
import type { WordSet } from './word-set.ts'

/** Keeps the words of a set alone. */
export class KeepFilter extends FilteringTokenFilter {
  readonly #words: WordSet

  constructor(input: TokenStream, words: WordSet) {
    super(input)
    this.#words = words
  }

  protected override accept(): boolean {
    return this.#words.has(this.token.term)
  }
}

/** Keeps tokens of some types, or those of all others. */
export class KeepTypesFilter extends FilteringTokenFilter {
  readonly #types: ReadonlySet<string>
  readonly #isIncluding: boolean

  constructor(input: TokenStream, types: ReadonlySet<string>, isIncluding: boolean) {
    super(input)
    this.#types = types
    this.#isIncluding = isIncluding
  }

  protected override accept(): boolean {
    return this.#types.has(this.token.type) === this.#isIncluding
  }
}

/** Keeps terms of `min` to `max` UTF-16 units. */
export class LengthFilter extends FilteringTokenFilter {
  readonly #min: number
  readonly #max: number

  constructor(input: TokenStream, min: number, max: number) {
    super(input)
    this.#min = min
    this.#max = max
  }

  protected override accept(): boolean {
    const { length } = this.token.term
    return length >= this.#min && length <= this.#max
  }
}
