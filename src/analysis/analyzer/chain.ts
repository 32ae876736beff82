/** The stages of an analyzer, put together for one thread and used for text after text. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { AnalyzerParts } from '../component.ts'
import type {
  ChainBefore,
  CharFilterComponent,
  OffsetCorrection,
  TokenFilterComponent,
  Tokenizer,
  TokenState,
  TokenStream,
} from '../token-stream.ts'

/** A text's tokens, and what follows the last one. */
export interface AnalyzedText {
  readonly tokens: readonly TokenState[]
  /** Positions of what was taken out behind the last token. */
  readonly trailingIncrement: number
  /** Length of the text in UTF-16 units. */
  readonly endOffset: number
}

/** Char filters, a tokenizer and token filters. */
export class Chain {
  readonly #charFilters: readonly CharFilterComponent[]
  readonly #tokenizer: Tokenizer
  readonly #stream: TokenStream

  constructor(parts: AnalyzerParts) {
    this.#charFilters = parts.charFilters
    this.#tokenizer = parts.tokenizer.make()
    let stream: TokenStream = this.#tokenizer
    for (const filter of parts.filters) stream = filter.make(stream)
    this.#stream = stream
  }

  /** The stream over a text; the chain's own, so that it ends with the next text. */
  open(text: string): TokenStream {
    let filtered = text
    let correct: OffsetCorrection | null = null
    for (const charFilter of this.#charFilters) {
      const output = charFilter.filter(filtered)
      filtered = output.text
      correct = compose(correct, output.correct)
    }
    this.#tokenizer.setText(filtered, correct)
    this.#stream.reset()
    return this.#stream
  }

  /** All tokens of a text. */
  tokens(text: string): AnalyzedText {
    const stream = this.open(text)
    const { token } = stream
    const tokens: TokenState[] = []
    while (stream.next()) tokens.push(token.clone())
    stream.end()
    return { tokens, trailingIncrement: token.positionIncrement, endOffset: token.endOffset }
  }
}

/** The offsets behind two char filters, through both of them. */
function compose(
  before: OffsetCorrection | null,
  after: OffsetCorrection | null,
): OffsetCorrection | null {
  if (before === null || after === null) return before ?? after
  return offset => before(after(offset))
}

/** How deep filters may hold filters that hold filters; deeper ones name themselves. */
const MAX_DEPTH = 10

let depth = 0

/**
 * Filters as they are in a chain: those that depend on what stands before them learn it.
 * @throws {IllegalArgumentError} a filter that cannot stand there
 */
export function bindFilters(
  filters: readonly TokenFilterComponent[],
  before: ChainBefore,
): readonly TokenFilterComponent[] {
  if (depth >= MAX_DEPTH)
    throw new IllegalArgumentError(
      `token filters hold each other more than ${MAX_DEPTH} deep, or in a circle`,
    )
  depth++
  try {
    const bound: TokenFilterComponent[] = [...before.filters]
    for (const filter of filters) {
      const { charFilters, makeTokenizer } = before
      bound.push(filter.bind?.({ charFilters, makeTokenizer, filters: [...bound] }) ?? filter)
    }
    return bound.slice(before.filters.length)
  } finally {
    depth--
  }
}
