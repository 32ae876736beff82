/**
 * A chain of a byte tokenizer, lower case and stop words, in that order: what most text is indexed
 * with. It runs over the bytes of the document in place and allocates nothing per token.
 */
import { decodeUtf8, encodeUtf8 } from '../../util/bytes.ts'
import type { ByteSet } from '../byte-set.ts'
import { LOWERCASE_GROWTH, lowerCaseInto } from '../token-filter/lowercase.ts'
import {
  type ByteTokenizer,
  HARD_BREAK,
  NO_START,
  PLAIN_WORD,
  StandardTokenizer,
} from '../tokenizer/byte-tokenizer.ts'
import type { Analyzer, AnalyzerParts, Token, TokenSink, TokenStream } from './analyzer.ts'

/** Longest word of the short way, in bytes. */
const PLAIN_LENGTH = 64

/** How the chain is put together. */
export interface ByteAnalyzerOptions {
  readonly name: string
  readonly tokenizer: ByteTokenizer
  readonly lowercase: boolean
  /** Words to take out after lower case, null for none. */
  readonly stopwords: ByteSet | null
  readonly positionIncrementGap: number
  readonly parts: AnalyzerParts | null
}

/** A tokenizer, lower case if wanted, stop words if any. */
export class ByteAnalyzer implements Analyzer {
  readonly name: string
  readonly positionIncrementGap: number
  readonly parts: AnalyzerParts | null
  readonly #tokenizer: ByteTokenizer
  readonly #lowercase: boolean
  readonly #stopwords: ByteSet | null
  /** The standard tokenizer with room for plain words, and lower case. */
  readonly #isPlain: boolean
  #scratch = new Uint8Array(1024)

  constructor(options: ByteAnalyzerOptions) {
    this.name = options.name
    this.positionIncrementGap = options.positionIncrementGap
    this.parts = options.parts
    this.#tokenizer = options.tokenizer
    this.#lowercase = options.lowercase
    this.#stopwords = options.stopwords
    this.#isPlain =
      options.lowercase &&
      options.tokenizer instanceof StandardTokenizer &&
      options.tokenizer.maxTokenLength > PLAIN_LENGTH
  }

  analyzeBytes(
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

  tokens(text: string): TokenStream {
    const raw = tokenizeText(this.#tokenizer, text)
    if (!this.#lowercase && this.#stopwords === null) return raw
    const kept: Token[] = []
    let skipped = 0
    for (const token of raw.tokens) {
      const term = this.#lowercase ? lowerCaseText(token.term) : token.term
      const bytes = encodeUtf8(term)
      if (this.#stopwords?.has(bytes, 0, bytes.length)) {
        skipped += token.positionIncrement
        continue
      }
      kept.push({ ...token, term, positionIncrement: token.positionIncrement + skipped })
      skipped = 0
    }
    return { tokens: kept, trailingIncrement: skipped, endOffset: raw.endOffset }
  }
}

/** Cuts a string by a byte tokenizer, with offsets in UTF-16 units. */
export function tokenizeText(tokenizer: ByteTokenizer, text: string): TokenStream {
  const bytes = encodeUtf8(text)
  // The same length in UTF-16 units, lone surrogates replaced.
  const wellFormed = decodeUtf8(bytes)
  const tokens: Token[] = []
  let at = 0
  // UTF-16 units before the byte `counted`.
  let counted = 0
  let units = 0
  const unitsAt = (place: number): number => {
    for (; counted < place; counted++) {
      const byte = bytes[counted]!
      if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
    }
    return units
  }
  while (tokenizer.next(bytes, at, bytes.length)) {
    at = tokenizer.end
    const startOffset = unitsAt(tokenizer.start)
    const endOffset = unitsAt(at)
    tokens.push({
      term: wellFormed.slice(startOffset, endOffset),
      startOffset,
      endOffset,
      type: tokenizer.type,
      positionIncrement: 1,
      positionLength: 1,
    })
  }
  return { tokens, trailingIncrement: 0, endOffset: text.length }
}

/** Lower case of a string by code points. */
export function lowerCaseText(text: string): string {
  let at = 0
  while (at < text.length && text.charCodeAt(at) < 0x80) at++
  // On ASCII the two agree.
  if (at === text.length) return text.toLowerCase()
  const bytes = encodeUtf8(text)
  const target = new Uint8Array(Math.ceil(bytes.length * LOWERCASE_GROWTH))
  return decodeUtf8(target.subarray(0, lowerCaseInto(bytes, 0, bytes.length, target, 0)))
}
