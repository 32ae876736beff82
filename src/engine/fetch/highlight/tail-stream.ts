import type { Analyzer } from '../../../analysis/analyzer/analyzer.ts'
import { TokenState, type TokenStream } from '../../../analysis/token-stream.ts'
import type { TokenTail } from '../../../schema/field-storage.ts'
import { tailTokens } from '../../dsl/tail-tokens.ts'

/** The tokens of a text, one after the other. */
export type ValueStream = Pick<TokenStream, 'token' | 'next' | 'end'>

/** The terms that a field derived from texts makes of one, all at once: rows of words, or beginnings. */
export class TailStream implements ValueStream {
  readonly token: TokenState = new TokenState()
  readonly #made: readonly TokenState[]
  readonly #rest: number
  readonly #endOffset: number
  #at = 0

  /** @throws {IllegalArgumentError} too many ways of words in a row start at one position */
  constructor(analyzer: Analyzer, text: string, tail: TokenTail) {
    const { tokens, trailingIncrement, endOffset } = analyzer.tokens(text)
    this.#made = tailTokens(tokens, tail)
    // The last row starts ahead of the last word.
    this.#rest = trailingIncrement + positions(tokens) - positions(this.#made)
    this.#endOffset = endOffset
  }

  next(): boolean {
    const made = this.#made[this.#at++]
    if (made === undefined) return false
    this.token.term = made.term
    this.token.startOffset = made.startOffset
    this.token.endOffset = made.endOffset
    this.token.positionIncrement = made.positionIncrement
    return true
  }

  end(): void {
    this.token.positionIncrement = this.#rest
    this.token.endOffset = this.#endOffset
  }
}

function positions(tokens: readonly TokenState[]): number {
  return tokens.reduce((sum, { positionIncrement }) => sum + positionIncrement, 0)
}
