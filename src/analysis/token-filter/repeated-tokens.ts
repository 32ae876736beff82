/** Filters against tokens that come again, and one that makes them. */
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'

/** Takes out terms seen before, in the whole text or at the same position alone. */
export class UniqueFilter extends TokenFilter {
  readonly #onSamePosition: boolean
  readonly #seen = new Set<string>()

  constructor(input: TokenStream, onSamePosition: boolean) {
    super(input)
    this.#onSamePosition = onSamePosition
  }

  next(): boolean {
    const { token } = this
    while (this.input.next()) {
      const isStacked = token.positionIncrement === 0
      if (this.#onSamePosition && !isStacked) this.#seen.clear()
      const isRepeated = this.#seen.has(token.term) && (isStacked || !this.#onSamePosition)
      this.#seen.add(token.term)
      if (!isRepeated) return true
    }
    return false
  }

  override reset(): void {
    super.reset()
    this.#seen.clear()
  }
}

/** May give each token a second time at its position, changed. */
export abstract class StackingFilter extends TokenFilter {
  readonly #saved = new TokenState()
  #isPending = false

  /** Changes the token at hand; whether it comes again as it was before. */
  protected abstract first(): boolean

  /** Changes it when it has come again. */
  protected abstract second(): void

  next(): boolean {
    const { token } = this
    if (this.#isPending) {
      this.#isPending = false
      token.copyFrom(this.#saved)
      token.positionIncrement = 0
      this.second()
      return true
    }
    if (!this.input.next()) return false
    this.#saved.copyFrom(token)
    this.#isPending = this.first()
    return true
  }

  override reset(): void {
    super.reset()
    this.#isPending = false
  }
}

/** Gives each token twice: first as a keyword, which stemmers leave alone, then plain. */
export class KeywordRepeatFilter extends StackingFilter {
  protected override first(): boolean {
    this.token.isKeyword = true
    return true
  }

  protected override second(): void {
    this.token.isKeyword = false
  }
}

/** Adds each token's type as a term at its position. */
export class TypeAsSynonymFilter extends StackingFilter {
  readonly #prefix: string

  constructor(input: TokenStream, prefix: string) {
    super(input)
    this.#prefix = prefix
  }

  protected override first(): boolean {
    return true
  }

  protected override second(): void {
    this.token.term = this.#prefix + this.token.type
  }
}

/** Ends after so many tokens; the rest is read, for its end, only where that is wanted. */
export class LimitFilter extends TokenFilter {
  readonly #max: number
  readonly #consumesAll: boolean
  #count = 0
  #isExhausted = false

  constructor(input: TokenStream, max: number, consumesAll: boolean) {
    super(input)
    this.#max = max
    this.#consumesAll = consumesAll
  }

  next(): boolean {
    if (this.#isExhausted) return false
    if (this.#count < this.#max && this.input.next()) {
      this.#count++
      return true
    }
    if (this.#count >= this.#max && this.#consumesAll) while (this.input.next());
    this.#isExhausted = true
    return false
  }

  override reset(): void {
    super.reset()
    this.#count = 0
    this.#isExhausted = false
  }
}
