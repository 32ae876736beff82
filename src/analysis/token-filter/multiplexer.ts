/** Each token through several chains of filters, the results stacked at its position. */
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'
import { ConditionalFilter } from './conditional-filter.ts'
import { UniqueFilter } from './repeated-tokens.ts'

/** Which chain the token at hand is for; shared by the stages of one multiplexer. */
interface Selection {
  chain: number
}

/**
 * Sends each token through each chain, and takes out what a chain made that another had made.
 * @param chains make the filters over a stream of single tokens; the identity keeps the original
 */
export function multiplex(
  input: TokenStream,
  chains: readonly ((input: TokenStream) => TokenStream)[],
): TokenStream {
  const selection: Selection = { chain: chains.length - 1 }
  let source: TokenStream = new CopyingFilter(input, chains.length, selection)
  for (const [i, chain] of chains.entries())
    source = new ConditionalFilter(source, chain, () => selection.chain === i)
  return new UniqueFilter(source, true)
}

/** Gives each token once for each chain. */
class CopyingFilter extends TokenFilter {
  readonly #count: number
  readonly #selection: Selection
  readonly #saved = new TokenState()

  constructor(input: TokenStream, count: number, selection: Selection) {
    super(input)
    this.#count = count
    this.#selection = selection
  }

  next(): boolean {
    const { token } = this
    if (this.#selection.chain >= this.#count - 1) {
      this.#selection.chain = 0
      if (!this.input.next()) return false
      this.#saved.copyFrom(token)
      return true
    }
    token.copyFrom(this.#saved)
    token.positionIncrement = 0
    this.#selection.chain++
    return true
  }

  override reset(): void {
    super.reset()
    this.#selection.chain = this.#count - 1
  }
}
