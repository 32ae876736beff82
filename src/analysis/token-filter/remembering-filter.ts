/**
 * Filters that look at one token's term and at nothing else, run as one that remembers what became of
 * each term: they see a term when it is new, and the text's other tokens never.
 */
import { ownString, TermMemory } from '../term-memory.ts'
import { TokenFilter, type TokenFilterComponent, TokenState, TokenStream } from '../token-stream.ts'

/** The term that replaces a term; null where it is taken out. */
interface Outcome {
  readonly term: string | null
  readonly isKeyword: boolean
}

/** A stream of the one token that it is given. */
class OneToken extends TokenStream {
  #isRead = true

  constructor() {
    super(new TokenState())
  }

  give(term: string): void {
    this.token.clear()
    this.token.term = term
    this.#isRead = false
  }

  override next(): boolean {
    if (this.#isRead) return false
    this.#isRead = true
    return true
  }

  override end(): void {}

  override reset(): void {}
}

class RememberingFilter extends TokenFilter {
  readonly #memory: TermMemory<Outcome>
  #skipped = 0

  constructor(input: TokenStream, components: readonly TokenFilterComponent[]) {
    super(input)
    const one = new OneToken()
    let last: TokenStream = one
    for (const component of components) last = component.make(last)
    const { token } = one
    this.#memory = new TermMemory(term => {
      one.give(term)
      last.reset()
      if (!last.next()) return { term: null, isKeyword: false }
      return { term: ownString(token.term), isKeyword: token.isKeyword }
    })
  }

  override next(): boolean {
    const { token } = this
    let skipped = 0
    while (this.input.next()) {
      const { term, isKeyword } = this.#memory.get(token.term)
      if (term === null) {
        skipped += token.positionIncrement
        continue
      }
      token.term = term
      token.isKeyword = isKeyword
      token.positionIncrement += skipped
      return true
    }
    this.#skipped = skipped
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

/**
 * Filters as one. Each may change the term and the keyword flag, or take the token out; none may add
 * tokens, look at offsets or types, or hold a token back. They stand behind a tokenizer.
 */
export function remembering(
  name: string,
  components: readonly TokenFilterComponent[],
): TokenFilterComponent {
  return {
    name,
    make: input => new RememberingFilter(input, components),
    showsKeyword: components.some(component => component.showsKeyword === true),
  }
}
