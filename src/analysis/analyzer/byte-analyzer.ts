/**
 * A chain of a byte tokenizer, lower case and stop words, in that order: what most text is indexed
 * with. It runs over the bytes of the document in place and allocates nothing per token. Its stream,
 * for queries and `_analyze`, is that of any chain.
 */
import type { ByteSet } from '../byte-set.ts'
import { LOWERCASE_GROWTH, lowerCaseInto } from '../token-filter/lowercase.ts'
import {
  type ByteTokenizer,
  HARD_BREAK,
  KeywordByteTokenizer,
  NO_START,
  PLAIN_WORD,
  StandardByteTokenizer,
} from '../tokenizer/byte-tokenizer.ts'
import type { TokenSink } from './analyzer.ts'
import { ChainAnalyzer, type ChainAnalyzerOptions } from './chain-analyzer.ts'

/** Longest word of the short way, in bytes. */
const PLAIN_LENGTH = 64

/** How the chain is put together. */
export interface ByteAnalyzerOptions extends ChainAnalyzerOptions {
  readonly tokenizer: ByteTokenizer
  readonly lowercase: boolean
  /** Words to take out after lower case, null for none. */
  readonly stopwords: ByteSet | null
}

/** A tokenizer, lower case if wanted, stop words if any. */
export class ByteAnalyzer extends ChainAnalyzer {
  readonly #tokenizer: ByteTokenizer
  readonly #lowercase: boolean
  readonly #stopwords: ByteSet | null
  /** The standard tokenizer with room for plain words, and lower case. */
  readonly #isPlain: boolean
  override readonly takesPlainWords: boolean
  /** The keyword tokenizer, of whose empty text the empty token is made. */
  readonly #takesEmpty: boolean
  #scratch = new Uint8Array(1024)

  constructor(options: ByteAnalyzerOptions) {
    super(options)
    this.#tokenizer = options.tokenizer
    this.#lowercase = options.lowercase
    this.#stopwords = options.stopwords
    this.#takesEmpty = options.tokenizer instanceof KeywordByteTokenizer
    this.#isPlain =
      options.lowercase &&
      options.tokenizer instanceof StandardByteTokenizer &&
      options.tokenizer.maxTokenLength > PLAIN_LENGTH
    this.takesPlainWords = this.#isPlain && options.stopwords === null
  }

  override analyzeBytes(
    bytes: Uint8Array,
    start: number,
    end: number,
    position: number,
    sink: TokenSink,
  ): number {
    const tokenizer = this.#tokenizer
    const stopwords = this.#stopwords
    const words = this.#isPlain && stopwords === null ? sink.words : null
    words?.openText(bytes, start, end)
    let place = position
    let at = start
    if (start === end && this.#takesEmpty) {
      sink.token(bytes, start, start, ++place)
      return place
    }
    for (;;) {
      // Words of ASCII letters and digits alone, which English text is made of, are scanned and
      // lowered in one go, by the sink itself where it can; the automaton takes the rest.
      if (words !== null) {
        at = words.takeWords(at, place)
        place = Math.max(place, words.lastPosition())
        if (at === end) break
      } else if (this.#isPlain) {
        const scratch = this.#scratch
        let from = at
        while (from < end && NO_START[bytes[from]!] === 1) from++
        let length = 0
        let lower = 0
        while (
          from + length < end &&
          length < PLAIN_LENGTH &&
          (lower = PLAIN_WORD[bytes[from + length]!]!) !== 0
        )
          scratch[length++] = lower
        if (length > 0 && (from + length === end || HARD_BREAK[bytes[from + length]!] === 1)) {
          at = from + length
          place++
          if (stopwords === null || !stopwords.has(scratch, 0, length))
            sink.token(scratch, 0, length, place)
          continue
        }
        at = from
      }
      if (!tokenizer.next(bytes, at, end)) break
      at = tokenizer.end
      place++
      if (this.#lowercase) {
        const from = tokenizer.start
        if ((at - from) * LOWERCASE_GROWTH > this.#scratch.length)
          this.#scratch = new Uint8Array((at - from) * 2)
        const scratch = this.#scratch
        const length = lowerCaseInto(bytes, from, at, scratch, 0)
        if (stopwords?.has(scratch, 0, length)) continue
        sink.token(scratch, 0, length, place)
      } else {
        if (stopwords?.has(bytes, tokenizer.start, at)) continue
        sink.token(bytes, tokenizer.start, at, place)
      }
    }
    return place
  }
}
