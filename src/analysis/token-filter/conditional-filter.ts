/** Tokens through a chain of filters, or past it, as a condition says. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { TokenFilter, TokenState, TokenStream } from '../token-stream.ts'

/**
 * Sends tokens for which a condition holds through a chain, and the others past it. The chain sees a
 * run of such tokens as a text of its own: its state is forgotten in between.
 */
export class ConditionalFilter extends TokenFilter {
  readonly #chain: TokenStream
  readonly #run: RunStream
  readonly #final = new TokenState()
  #isEnded = false
  #isDelegating = false
  #wasFiltered = false

  constructor(
    input: TokenStream,
    chain: (input: TokenStream) => TokenStream,
    isSelected: () => boolean,
  ) {
    super(input)
    this.#run = new RunStream(input, isSelected)
    this.#chain = chain(this.#run)
  }

  next(): boolean {
    const run = this.#run
    if (this.#isDelegating) {
      this.#wasFiltered = true
      return this.#chain.next() ? true : this.#endRun()
    }
    this.#wasFiltered = false
    if (run.hasBehind) {
      run.takeBehind()
      return true
    }
    if (run.isExhausted) return false
    if (!this.input.next()) {
      run.isExhausted = true
      return false
    }
    if (!run.isSelected()) return true
    this.#wasFiltered = true
    this.#chain.reset()
    run.start()
    if (!this.#chain.next()) return this.#endRun()
    this.#isDelegating = true
    if (run.isRaised) this.#lower()
    return true
  }

  /**
   * Takes back what the chain saw too many.
   * @throws {IllegalArgumentError} the chain took the token that it was for out, and left no hole
   */
  #lower(): void {
    const { token } = this
    this.#run.isRaised = false
    if (token.positionIncrement === 0)
      throw new IllegalArgumentError('Increment must be zero or greater: -1')
    token.positionIncrement--
  }

  /** The chain has no more of this run: the token that ended it comes. */
  #endRun(): boolean {
    const { token } = this
    const run = this.#run
    this.#isDelegating = false
    if (!run.hasBehind) return false
    this.#chain.end()
    const increment = token.positionIncrement
    run.takeBehind()
    token.positionIncrement += increment
    if (run.isRaised) this.#lower()
    return true
  }

  override end(): void {
    const { token } = this
    if (!this.#isEnded && !this.#run.hasFinal) super.end()
    else token.copyFrom(this.#run.hasFinal ? this.#run.final : this.#final)
    this.#isEnded = true
    this.#final.copyFrom(token)
    this.#run.endOffset = token.endOffset
    if (this.#wasFiltered) {
      this.#chain.end()
      this.#final.copyFrom(token)
    }
  }

  override reset(): void {
    super.reset()
    this.#chain.reset()
    this.#run.forget()
    this.#isEnded = false
    this.#isDelegating = false
    this.#wasFiltered = false
  }
}

/** The input of a chain: tokens from the current one on, as long as the condition holds. */
class RunStream extends TokenStream {
  readonly #input: TokenStream
  readonly isSelected: () => boolean
  #isAtStart = false
  /** The token that ended the run. */
  readonly #behind = new TokenState()
  hasBehind = false
  isExhausted = false
  /** A chain sees an increment of 1 at its first token even where there is none. */
  isRaised = false
  endOffset = 0
  readonly final = new TokenState()
  hasFinal = false

  constructor(input: TokenStream, isSelected: () => boolean) {
    super(input.token)
    this.#input = input
    this.isSelected = isSelected
  }

  start(): void {
    this.#isAtStart = true
  }

  takeBehind(): void {
    this.token.copyFrom(this.#behind)
    this.hasBehind = false
  }

  next(): boolean {
    const { token } = this
    if (this.#isAtStart) {
      this.#isAtStart = false
      if (token.positionIncrement === 0) {
        this.isRaised = true
        token.positionIncrement = 1
      }
      return true
    }
    if (!this.#input.next()) {
      this.isExhausted = true
      return false
    }
    if (this.isSelected()) return true
    this.endOffset = token.endOffset
    this.#behind.copyFrom(token)
    this.hasBehind = true
    return false
  }

  end(): void {
    const { token } = this
    if (this.isExhausted) {
      if (!this.hasFinal) {
        this.#input.end()
        this.final.copyFrom(token)
        this.hasFinal = true
      }
      this.endOffset = token.endOffset
    }
    token.clear()
    token.positionIncrement = 0
    token.startOffset = this.endOffset
    token.endOffset = this.endOffset
  }

  /** The chain is reset for each run; what is before it is not. */
  reset(): void {}

  forget(): void {
    this.#isAtStart = false
    this.hasBehind = false
    this.isExhausted = false
    this.isRaised = false
    this.endOffset = -1
    this.hasFinal = false
  }
}
