/** Marks words that stemmers leave alone. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { Matcher } from '../../util/pattern/matcher.ts'
import { compilePattern, type Program } from '../../util/pattern/pattern-program.ts'
import type { TokenFilterFactory } from '../component.ts'
import { booleanOption, textOption, wordListOption } from '../options.ts'
import { TokenFilter, type TokenFilterComponent, type TokenStream } from '../token-stream.ts'
import { WordSet } from './word-set.ts'

class KeywordMarkerFilter extends TokenFilter {
  readonly #isKeyword: (term: string) => boolean

  constructor(input: TokenStream, isKeyword: (term: string) => boolean) {
    super(input)
    this.#isKeyword = isKeyword
  }

  override next(): boolean {
    if (!this.input.next()) return false
    const { token } = this
    if (this.#isKeyword(token.term)) token.isKeyword = true
    return true
  }
}

class KeywordPatternFilter extends KeywordMarkerFilter {
  readonly #matcher: Matcher

  constructor(input: TokenStream, program: Program) {
    const matcher = new Matcher(program)
    super(input, term => {
      matcher.resetPart(term)
      return matcher.find(0)
    })
    this.#matcher = matcher
  }

  override reset(): void {
    super.reset()
    this.#matcher.reset('')
  }
}

/** Marks the words of a list. */
export function keywordsOf(name: string, words: WordSet): TokenFilterComponent {
  const make = (input: TokenStream) => new KeywordMarkerFilter(input, term => words.has(term))
  return { name, showsKeyword: true, make }
}

/** Marks the words that a pattern fits as a whole. */
function keywordsLike(name: string, pattern: string): TokenFilterComponent {
  const program = compilePattern(pattern, '', 'whole')
  const make = (input: TokenStream): TokenStream => new KeywordPatternFilter(input, program)
  return { name, showsKeyword: true, make }
}

/** `keyword_marker` */
export const keywordMarker: TokenFilterFactory = (name, options, context) => {
  const pattern = textOption(options, 'keywords_pattern')
  if (pattern !== null) {
    if (options.has('keywords') || options.has('keywords_path'))
      throw new IllegalArgumentError(
        'cannot specify both `keywords_pattern` and `keywords` or `keywords_path`',
      )
    return keywordsLike(name, pattern)
  }
  const words = wordListOption(options, 'keywords', context.words)
  if (words === null)
    throw new IllegalArgumentError(
      'keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be configured',
    )
  return keywordsOf(name, new WordSet(words, booleanOption(options, 'ignore_case', false)))
}
