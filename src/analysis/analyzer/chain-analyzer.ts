/** A chain of any stages: a text becomes token records, and these become bytes. */
import { decodeUtf8, encodeUtf8 } from '../../util/bytes.ts'
import type { Analyzer, AnalyzerParts, TokenSink, TokenStream } from './analyzer.ts'

/** An analyzer made of parts; what `ByteAnalyzer` cannot do runs here. */
export class ChainAnalyzer implements Analyzer {
  readonly name: string
  readonly positionIncrementGap: number
  readonly parts: AnalyzerParts | null
  readonly #chain: AnalyzerParts

  /** @param isCustom whether `explain` shows the parts */
  constructor(name: string, chain: AnalyzerParts, positionIncrementGap: number, isCustom: boolean) {
    this.name = name
    this.positionIncrementGap = positionIncrementGap
    this.parts = isCustom ? chain : null
    this.#chain = chain
  }

  tokens(text: string): TokenStream {
    let stream = this.#chain.tokenizer.run(text)
    for (const filter of this.#chain.filters) stream = filter.run(stream)
    return stream
  }

  analyzeBytes(
    bytes: Uint8Array,
    start: number,
    end: number,
    position: number,
    sink: TokenSink,
  ): number {
    const stream = this.tokens(decodeUtf8(bytes.subarray(start, end)))
    let place = position
    for (const token of stream.tokens) {
      place += token.positionIncrement
      const term = encodeUtf8(token.term)
      // A first token that stacks on nothing would stand before the field.
      sink.token(term, 0, term.length, Math.max(place, 0))
    }
    return place + stream.trailingIncrement
  }
}
