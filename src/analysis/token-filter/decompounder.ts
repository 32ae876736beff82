/** Takes compound words apart; the parts stand where the word stands. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { ComponentContext, TokenFilterFactory } from '../component.ts'
import {
  booleanOption,
  type ComponentOptions,
  intOption,
  textOption,
  wordListOption,
} from '../options.ts'
import { TokenFilter, TokenState, type TokenStream } from '../token-stream.ts'
import { notForSynonyms } from './for-synonyms.ts'
import { HyphenationPatterns } from './hyphenation-patterns.ts'
import { WordSet } from './word-set.ts'

/** How words are taken apart; lengths in UTF-16 units. */
export interface CompoundOptions {
  /** Null where every part counts, which only hyphenation can do. */
  readonly words: WordSet | null
  readonly minWordSize: number
  readonly minSubwordSize: number
  readonly maxSubwordSize: number
  readonly onlyLongestMatch: boolean
}

/** Parts of one word; more are let go, as no word has them. */
const MOST_PARTS = 100_000
/** Letters of parts that are looked up for one word; what has been found by then counts. */
const MOST_LETTERS_LOOKED_UP = 20_000_000

/** A word, then its parts with the offsets of the whole. */
export abstract class CompoundFilter extends TokenFilter {
  protected readonly options: CompoundOptions
  readonly #whole: TokenState = new TokenState()
  #parts: string[] = []
  #nextPart = 0

  constructor(input: TokenStream, options: CompoundOptions) {
    super(input)
    this.options = options
  }

  /** Calls `add` with each part of a word. */
  protected abstract decompose(word: string, add: (part: string) => void): void

  override next(): boolean {
    const { token } = this
    if (this.#nextPart < this.#parts.length) {
      token.copyFrom(this.#whole)
      token.term = this.#parts[this.#nextPart++]!
      token.positionIncrement = 0
      return true
    }
    if (!this.input.next()) return false
    this.#parts.length = 0
    this.#nextPart = 0
    if (token.term.length < this.options.minWordSize) return true
    this.decompose(token.term, part => {
      if (this.#parts.length < MOST_PARTS) this.#parts.push(part)
    })
    if (this.#parts.length > 0) this.#whole.copyFrom(token)
    return true
  }

  override reset(): void {
    super.reset()
    this.#parts.length = 0
    this.#nextPart = 0
  }
}

/** Finds the words of a list anywhere in a word. */
class DictionaryCompoundFilter extends CompoundFilter {
  protected override decompose(word: string, add: (part: string) => void): void {
    const { words, minSubwordSize, maxSubwordSize, onlyLongestMatch } = this.options
    let left = MOST_LETTERS_LOOKED_UP
    for (let start = 0; start <= word.length - minSubwordSize && left > 0; start++) {
      let longest: string | null = null
      const most = Math.min(maxSubwordSize, word.length - start)
      for (let length = minSubwordSize; length <= most; length++) {
        left -= length
        if (left < 0) break
        const part = word.slice(start, start + length)
        if (words?.has(part) !== true) continue
        if (onlyLongestMatch) longest = part
        else add(part)
      }
      if (longest !== null) add(longest)
    }
  }
}

/** Cuts where a word may be hyphenated, and keeps the parts that are words of a list. */
class HyphenationCompoundFilter extends CompoundFilter {
  readonly #patterns: HyphenationPatterns

  constructor(input: TokenStream, options: CompoundOptions, patterns: HyphenationPatterns) {
    super(input, options)
    this.#patterns = patterns
  }

  protected override decompose(word: string, add: (part: string) => void): void {
    const points = this.#patterns.hyphenate(word)
    if (points === null) return
    const { words, minSubwordSize, maxSubwordSize, onlyLongestMatch } = this.options
    let left = MOST_LETTERS_LOOKED_UP
    for (let from = 0; from < points.length && left > 0; from++) {
      let longest: string | null = null
      const start = points[from]!
      for (let to = from + 1; to < points.length; to++) {
        const length = points[to]! - start
        left -= length
        if (length > maxSubwordSize || left < 0) break
        if (length < minSubwordSize) continue
        let part: string | null = word.slice(start, start + length)
        if (words !== null && !words.has(part)) {
          // The letter that binds two words together belongs to neither.
          part = word.slice(start, start + length - 1)
          if (!words.has(part)) part = null
        }
        if (part === null) continue
        if (!onlyLongestMatch) add(part)
        else if (longest === null || longest.length < part.length) longest = part
      }
      if (longest !== null) add(longest)
    }
  }
}

/** `dictionary_decompounder` */
export const dictionaryDecompounder: TokenFilterFactory = (name, options, context) => {
  const compound = compoundOptions(name, options, context)
  return {
    name,
    make: input => new DictionaryCompoundFilter(input, compound),
    forSynonyms: notForSynonyms(name),
  }
}

/** `hyphenation_decompounder` */
export const hyphenationDecompounder: TokenFilterFactory = (name, options, context) => {
  const compound = compoundOptions(name, options, context)
  const path = textOption(options, 'hyphenation_patterns_path')
  if (path === null)
    throw new IllegalArgumentError('hyphenation_patterns_path is a required setting.')
  const patterns = new HyphenationPatterns(context.words(path).join('\n'))
  return {
    name,
    make: input => new HyphenationCompoundFilter(input, compound, patterns),
    forSynonyms: notForSynonyms(name),
  }
}

function compoundOptions(
  name: string,
  options: ComponentOptions,
  context: ComponentContext,
): CompoundOptions {
  const list = wordListOption(options, 'word_list', context.words)
  if (list === null)
    throw new IllegalArgumentError(
      `word_list must be provided for [${name}], either as a path to a file, or directly`,
    )
  const size = (key: string, otherwise: number): number => {
    const value = intOption(options, key, otherwise)
    if (value < 0) throw new IllegalArgumentError(`[${key}] must be 0 or more, got [${value}]`)
    return value
  }
  return {
    words: new WordSet(list, booleanOption(options, 'word_list_case', false)),
    minWordSize: size('min_word_size', 5),
    minSubwordSize: size('min_subword_size', 2),
    maxSubwordSize: size('max_subword_size', 15),
    onlyLongestMatch: booleanOption(options, 'only_longest_match', false),
  }
}
