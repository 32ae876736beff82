/**
 * What turns a text into tokens. The way into the index goes over bytes and makes no objects
 * (`analyzeBytes`); queries and `_analyze` take token records (`tokens`). Both give the same terms
 * at the same positions.
 */

/** Receives the terms of a text; the bytes are valid during the call only. */
export interface TokenSink {
  /** Finds plain words itself, null when it cannot. */
  readonly words: WordSink | null
  /** @param position absolute, from 0 at the first value's first token */
  token(bytes: Uint8Array, start: number, end: number, position: number): void
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

/** A token as `_analyze` shows it. */
export interface Token {
  readonly term: string
  /** In UTF-16 units of the text before char filters. */
  readonly startOffset: number
  readonly endOffset: number
  readonly type: string
  /** Positions after the token before: 1, more where something was taken out, 0 for a stack. */
  readonly positionIncrement: number
  readonly positionLength: number
}

/** A text's tokens and what follows the last one. */
export interface TokenStream {
  readonly tokens: readonly Token[]
  /** Positions of what was taken out behind the last token. */
  readonly trailingIncrement: number
  /** Length of the text in UTF-16 units. */
  readonly endOffset: number
}

/** One stage of a chain and what it makes of a text, for `_analyze` with `explain`. */
export interface AnalysisStage {
  readonly name: string
  run(input: TokenStream): TokenStream
}

/** The parts of a custom analyzer. */
export interface AnalyzerParts {
  readonly tokenizer: { readonly name: string; run(text: string): TokenStream }
  readonly filters: readonly AnalysisStage[]
}

/** An analyzer; safe to use again and again on one thread. */
export interface Analyzer {
  readonly name: string
  /** Positions between two texts of one field, unless the field's mapping says otherwise. */
  readonly positionIncrementGap: number
  /** Null for a built-in analyzer, which `explain` shows as a whole. */
  readonly parts: AnalyzerParts | null
  tokens(text: string): TokenStream
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
