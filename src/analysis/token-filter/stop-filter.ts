/** Taking words out; the positions that they had stay empty. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { TokenFilterFactory } from '../component.ts'
import { booleanOption } from '../options.ts'
import {
  TokenFilter,
  type TokenFilterComponent,
  TokenState,
  type TokenStream,
} from '../token-stream.ts'
import { lowerCaseText } from './lowercase.ts'
import { ENGLISH_STOP_WORDS, stopWords } from './stop-words.ts'

/** Lets through what a predicate holds for; what it takes out leaves its positions empty. */
export abstract class FilteringTokenFilter extends TokenFilter {
  #skipped = 0

  /** Whether the token at hand stays. */
  protected abstract accept(): boolean

  next(): boolean {
    const { token } = this
    let skipped = 0
    while (this.input.next()) {
      if (this.accept()) {
        token.positionIncrement += skipped
        return true
      }
      skipped += token.positionIncrement
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

/** Cells for what words may start with. */
const STARTS = 1024

class StopFilter extends FilteringTokenFilter {
  readonly #words: ReadonlySet<string>
  readonly #ignoreCase: boolean
  /** Bounds that most terms fail before they are hashed: lengths and first bytes of words. */
  readonly #longest: number
  readonly #starts = new Uint8Array(STARTS)

  constructor(input: TokenStream, words: ReadonlySet<string>, ignoreCase: boolean) {
    super(input)
    this.#words = words
    this.#ignoreCase = ignoreCase
    let longest = 0
    for (const word of words) {
      longest = Math.max(longest, word.length)
      this.#starts[word.charCodeAt(0) & (STARTS - 1)] = 1
    }
    this.#longest = longest
  }

  protected override accept(): boolean {
    const { term } = this.token
    if (this.#ignoreCase) return !this.#words.has(lowerCaseText(term))
    if (term.length > this.#longest) return true
    if (this.#starts[term.charCodeAt(0) & (STARTS - 1)] === 0) return true
    return !this.#words.has(term)
  }
}

/** Keeps a stop word that the text ends with, which may be the beginning of a longer word. */
class InnerStopFilter extends TokenFilter {
  readonly #words: ReadonlySet<string>
  readonly #ignoreCase: boolean
  readonly #held: TokenState = new TokenState()
  readonly #atEnd: TokenState = new TokenState()
  #isOver = false

  constructor(input: TokenStream, words: ReadonlySet<string>, ignoreCase: boolean) {
    super(input)
    this.#words = words
    this.#ignoreCase = ignoreCase
  }

  next(): boolean {
    const { token } = this
    if (this.#isOver || !this.input.next()) return false
    let skipped = 0
    while (this.#isStopWord()) {
      this.#held.copyFrom(token)
      if (!this.input.next()) return this.#finish(skipped)
      skipped += this.#held.positionIncrement
    }
    token.positionIncrement += skipped
    return true
  }

  /** The last token is a stop word: it stays unless something follows it in the text. */
  #finish(skipped: number): boolean {
    const { token } = this
    this.input.end()
    this.#isOver = true
    this.#atEnd.copyFrom(token)
    if (token.endOffset > this.#held.endOffset) return false
    token.copyFrom(this.#held)
    token.positionIncrement += skipped
    token.isKeyword = true
    return true
  }

  #isStopWord(): boolean {
    const { term } = this.token
    return this.#words.has(this.#ignoreCase ? lowerCaseText(term) : term)
  }

  override end(): void {
    if (this.#isOver) this.token.copyFrom(this.#atEnd)
    else super.end()
  }

  override reset(): void {
    super.reset()
    this.#isOver = false
  }
}

/** `stop`. */
export const stopFilter: TokenFilterFactory = (name, options, context): TokenFilterComponent => {
  if (options.has('enable_position_increments'))
    throw new IllegalArgumentError(
      'enable_position_increments is not supported anymore. Please fix your analysis chain',
    )
  const words = stopWords(options, context, ENGLISH_STOP_WORDS)
  const ignoreCase = booleanOption(options, 'ignore_case', false)
  const removeTrailing = booleanOption(options, 'remove_trailing', true)
  const set = new Set(ignoreCase ? words.map(lowerCaseText) : words)
  const make = removeTrailing
    ? (input: TokenStream) => new StopFilter(input, set, ignoreCase)
    : (input: TokenStream) => new InnerStopFilter(input, set, ignoreCase)
  return ignoreCase || !removeTrailing ? { name, make } : removing(name, words)
}

/** Takes words out as they are written. */
export function removing(name: string, words: readonly string[]): TokenFilterComponent {
  const set = new Set(words)
  return { name, make: input => new StopFilter(input, set, false), fast: { kind: 'stop', words } }
}
