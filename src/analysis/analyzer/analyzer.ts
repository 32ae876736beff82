/**
 * An analyzer turns a text into tokens. The way into the index sends terms to a sink (`analyzeBytes`),
 * without an object a token; queries and `_analyze` pull tokens out of a stream. Both give the same
 * terms at the same positions.
 */
import type { AnalyzerParts } from '../component.ts'
import type { TokenStream } from '../token-stream.ts'
import type { AnalyzedText } from './chain.ts'

/** Receives the terms of a text; the bytes are valid during the call only. */
export interface TokenSink {
  /** Finds plain words itself, null when it cannot. */
  readonly words: WordSink | null
  /** @param position absolute, from 0 at the first value's first token */
  token(bytes: Uint8Array, start: number, end: number, position: number): void
  /**
   * A token that counts as many of the same.
   * @throws {IllegalArgumentError} the sink keeps positions, or it is too many
   */
  repeated(bytes: Uint8Array, start: number, end: number, position: number, count: number): void
}

/**
 * A sink that finds and lowers words of ASCII letters and digits itself, as the standard tokenizer
 * would cut them. Between two of its runs come the tokens that it leaves to the analyzer.
 */
export interface WordSink {
  /** Takes hold of a text, `bytes[start, end)`, until the next one. */
  openText(bytes: Uint8Array, start: number, end: number): void
  /**
   * Takes words from `from` on, one position each behind `position`.
   * @returns where a token starts that is no plain word, or the end
   */
  takeWords(from: number, position: number): number
  /** Position of the last token taken, in either way. */
  lastPosition(): number
}

/** An analyzer; safe to use again and again on one thread. */
export interface Analyzer {
  readonly name: string
  /** Positions between two texts of one field, unless the field's mapping says otherwise. */
  readonly positionIncrementGap: number
  /** Its stages; `explain` shows those of a custom analyzer. */
  readonly parts: AnalyzerParts
  /** False for a built-in analyzer, which `explain` shows as a whole. */
  readonly isCustom: boolean
  /** Whether runs of ASCII letters and digits between blanks are its tokens, in lower case and no other form. */
  readonly takesPlainWords: boolean
  /** The analyzer's own stream over a text: read it before asking for the next one. */
  stream(text: string): TokenStream
  /** All tokens of a text at once. */
  tokens(text: string): AnalyzedText
  /**
   * Sends the terms of the text `bytes[start, end)`, well-formed UTF-8, to a sink.
   * @param position of the token before, −1 before the first
   * @returns the position of the last token, plus what was taken out behind it
   */
  analyzeBytes(
    bytes: Uint8Array,
    start: number,
    end: number,
    position: number,
    sink: TokenSink,
  ): number
}
