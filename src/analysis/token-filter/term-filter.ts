/** The two plainest kinds of filter: one that rewrites terms, one that takes tokens out. */
import { TokenFilter, type TokenFilterComponent, type TokenStream } from '../token-stream.ts'

/** Changes the term of each token and nothing else. */
export class TermFilter extends TokenFilter {
  readonly #change: (term: string) => string

  constructor(input: TokenStream, change: (term: string) => string) {
    super(input)
    this.#change = change
  }

  next(): boolean {
    if (!this.input.next()) return false
    this.token.term = this.#change(this.token.term)
    return true
  }
}

/** A component that rewrites terms by a function without state. */
export function termComponent(
  name: string,
  change: (term: string) => string,
  isNormalizing: boolean,
): TokenFilterComponent {
  return { name, make: input => new TermFilter(input, change), isNormalizing }
}

/**
 * Takes out tokens that are not accepted. The positions they had stay empty: they are added to the
 * next token's increment, or to that of the end.
 */
export abstract class AcceptingFilter extends TokenFilter {
  #skipped = 0

  /** Whether the token at hand stays. */
  protected abstract accepts(): boolean

  next(): boolean {
    const { token } = this
    this.#skipped = 0
    while (this.input.next()) {
      if (this.accepts()) {
        token.positionIncrement += this.#skipped
        return true
      }
      this.#skipped += token.positionIncrement
    }
    return false
  }

  override end(): void {
    super.end()
    this.token.positionIncrement += this.#skipped
  }

  override reset(): void {
    super.reset()
    this.#skipped = 0
  }
}
