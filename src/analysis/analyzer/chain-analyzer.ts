/** Any chain: a text becomes a stream of tokens, and their terms become bytes. */
import { decodeUtf8 } from '../../util/bytes.ts'
import type { AnalyzerParts } from '../component.ts'
import type { TokenStream } from '../token-stream.ts'
import { Utf8Scratch } from '../utf8.ts'
import type { Analyzer, TokenSink } from './analyzer.ts'
import { type AnalyzedText, Chain } from './chain.ts'

/** How an analyzer is put together. */
export interface ChainAnalyzerOptions {
  readonly name: string
  readonly parts: AnalyzerParts
  readonly positionIncrementGap: number
  readonly isCustom: boolean
}

/** An analyzer made of parts; what `ByteAnalyzer` cannot do runs here. */
export class ChainAnalyzer implements Analyzer {
  readonly name: string
  readonly positionIncrementGap: number
  readonly parts: AnalyzerParts
  readonly isCustom: boolean
  readonly takesPlainWords: boolean = false
  readonly #scratch = new Utf8Scratch()
  /** Made with the first text: most analyzers of a registry are never run on most threads. */
  #chain: Chain | null = null

  constructor(options: ChainAnalyzerOptions) {
    this.name = options.name
    this.parts = options.parts
    this.positionIncrementGap = options.positionIncrementGap
    this.isCustom = options.isCustom
  }

  stream(text: string): TokenStream {
    this.#chain ??= new Chain(this.parts)
    return this.#chain.open(text)
  }

  tokens(text: string): AnalyzedText {
    this.#chain ??= new Chain(this.parts)
    return this.#chain.tokens(text)
  }

  analyzeBytes(
    bytes: Uint8Array,
    start: number,
    end: number,
    position: number,
    sink: TokenSink,
  ): number {
    const stream = this.stream(decodeUtf8(bytes.subarray(start, end)))
    const scratch = this.#scratch
    const { token } = stream
    let place = position
    while (stream.next()) {
      place += token.positionIncrement
      const length = scratch.put(token.term)
      // A first token that stacks on nothing would stand before the field.
      const at = Math.max(place, 0)
      if (token.termFrequency === 1) sink.token(scratch.bytes, 0, length, at)
      else sink.repeated(scratch.bytes, 0, length, at, token.termFrequency)
    }
    stream.end()
    return place + token.positionIncrement
  }
}
