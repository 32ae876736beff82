/**
 * The stages of an analysis chain. A tokenizer cuts a text, filters change what passes through them,
 * and the one `TokenState` that all stages of a chain share holds the token at hand, as Lucene's
 * attributes do: a stage writes it in place, a consumer reads it before it asks for the next one.
 *
 *   chain.setText(text); stream.reset()
 *   while (stream.next()) … stream.token …
 *   stream.end()          token: final offset, positions taken out behind the last token
 *
 * A chain belongs to one thread and is used again for the next text.
 */

/** The members of a token. */
export class TokenState {
  term = ''
  /** In UTF-16 units of the text before char filters, half open. */
  startOffset = 0
  endOffset = 0
  /** As `_analyze` prints it: `word`, `<ALPHANUM>`, … */
  type = 'word'
  /** Positions after the token before: 1, more where something was taken out, 0 for a stack. */
  positionIncrement = 1
  /** Positions that the token spans, 1 or more. */
  positionLength = 1
  termFrequency = 1
  /** Stemmers leave it alone. */
  isKeyword = false
  flags = 0
  payload: Uint8Array | null = null

  /** As it is before a tokenizer writes a token. */
  clear(): void {
    this.term = ''
    this.startOffset = 0
    this.endOffset = 0
    this.type = 'word'
    this.positionIncrement = 1
    this.positionLength = 1
    this.termFrequency = 1
    this.isKeyword = false
    this.flags = 0
    this.payload = null
  }

  /** Takes over everything of another token. */
  copyFrom(other: TokenState): void {
    this.term = other.term
    this.startOffset = other.startOffset
    this.endOffset = other.endOffset
    this.type = other.type
    this.positionIncrement = other.positionIncrement
    this.positionLength = other.positionLength
    this.termFrequency = other.termFrequency
    this.isKeyword = other.isKeyword
    this.flags = other.flags
    this.payload = other.payload
  }

  clone(): TokenState {
    const copy = new TokenState()
    copy.copyFrom(this)
    return copy
  }
}

/**
 * Tokens that stand side by side and are ideographs, hiragana or words of katakana or hangul, each
 * character a UTF-16 unit: the units `[start, end)` of a text, whose places are offsets.
 */
export interface UnitRun {
  text: string
  start: number
  end: number
}

/** A stage of a chain. */
export abstract class TokenStream {
  /** The token at hand; the same object in every stage of the chain. */
  readonly token: TokenState

  protected constructor(token: TokenState) {
    this.token = token
  }

  /** Moves to the next token; false behind the last. */
  abstract next(): boolean

  /**
   * Call once `next` has been false: `token` then has the text's end as `endOffset` and the positions
   * taken out behind the last token as `positionIncrement`.
   */
  abstract end(): void

  /** Forgets the text before; call after the tokenizer has been given a new one. */
  abstract reset(): void

  /**
   * Takes the tokens that follow where they are such a run from `run.start` on and the stages up to
   * here leave it as it is; `token` stays. A short way beside `next`, for stages that look at characters.
   * @returns whether there was a run, of one unit or more; false tells nothing of what follows
   */
  takeUnits(_run: UnitRun): boolean {
    return false
  }

  /** True where lower case is known to change nothing of the token at hand; false tells nothing. */
  isLower(): boolean {
    return false
  }
}

/** Offsets in a text after char filters, as offsets in the text before them. */
export type OffsetCorrection = (offset: number) => number

/** The first stage: cuts a text. */
export abstract class Tokenizer extends TokenStream {
  protected text = ''
  #correct: OffsetCorrection | null = null

  constructor() {
    super(new TokenState())
  }

  /** @param correct null where no char filter changed the text */
  setText(text: string, correct: OffsetCorrection | null): void {
    this.text = text
    this.#correct = correct
  }

  /** Whether offsets are places in the text. */
  protected get isUncorrected(): boolean {
    return this.#correct === null
  }

  protected correctOffset(offset: number): number {
    return this.#correct === null ? offset : this.#correct(offset)
  }

  end(): void {
    this.token.clear()
    this.token.positionIncrement = 0
    const end = this.correctOffset(this.text.length)
    this.token.startOffset = end
    this.token.endOffset = end
  }
}

/** A stage that changes what another makes. */
export abstract class TokenFilter extends TokenStream {
  protected readonly input: TokenStream

  constructor(input: TokenStream) {
    super(input.token)
    this.input = input
  }

  end(): void {
    this.input.end()
  }

  reset(): void {
    this.input.reset()
  }
}

/** A text after a char filter. */
export interface FilteredText {
  readonly text: string
  /** Null where the offsets are those of the input. */
  readonly correct: OffsetCorrection | null
}

/** A char filter that settings or `_analyze` name. */
export interface CharFilterComponent {
  readonly name: string
  filter(text: string): FilteredText
  /** May stand in a normalizer. */
  readonly isNormalizing?: boolean
}

/** The chain before a filter; synonym rules are read through it. */
export interface ChainBefore {
  readonly charFilters: readonly CharFilterComponent[]
  makeTokenizer(): Tokenizer
  readonly filters: readonly TokenFilterComponent[]
}

/** Tokens in the shingles of a filter, and whether it lets the tokens through by themselves too. */
export interface ShingleSizes {
  readonly min: number
  readonly max: number
  readonly withUnigrams: boolean
}

/** A token filter that settings or `_analyze` name: makes stages, one for each chain. */
export interface TokenFilterComponent {
  readonly name: string
  make(input: TokenStream): TokenStream
  /** The filter for one chain, where it depends on what stands before it. */
  readonly bind?: (before: ChainBefore) => TokenFilterComponent
  /** May stand in a normalizer: it changes characters and nothing else. */
  readonly isNormalizing?: boolean
  /** Knows the keyword flag, which `explain` shows from here on. */
  readonly showsKeyword?: boolean
  /** The sizes of the shingles that it makes; absent: it makes none. */
  readonly shingles?: ShingleSizes
  /** Its equivalent in a chain over bytes. */
  readonly fast?: ByteStep
  /** Its substitute in a normalizer, where that is not the filter itself. */
  readonly normalizing?: TokenFilterComponent
  /** It may change while the index lives, so that it may stand in analyzers of searches alone. */
  readonly isForSearches?: boolean
  /** Its tokens overlap so that queries take them one by one, not as paths of a graph. */
  readonly disablesGraph?: boolean
  /**
   * Its substitute where rules of synonyms are read, where that is not the filter itself; null
   * for nothing.
   * @throws {IllegalArgumentError} rules cannot be read through it
   */
  readonly forSynonyms?: () => TokenFilterComponent | null
}

/** A filter that `ByteAnalyzer` has built in. */
export type ByteStep =
  | { readonly kind: 'lowercase' }
  | { readonly kind: 'stop'; readonly words: readonly string[] }

/** What is asked of a path: the lines of a file, or the names of a folder's files, sorted. */
export type WordFileKind = 'lines' | 'names'

/**
 * Looks words up where an option may name a file (`stopwords_path`, `synonyms_path`, …).
 * @param kind lines unless it says otherwise
 * @throws {IllegalArgumentError} no such file, or folder, under the configuration folder
 */
export type WordFiles = (path: string, kind?: WordFileKind) => readonly string[]

/** The key of what was asked of a path, in tables of such answers. */
export function wordFileKey(path: string, kind: WordFileKind = 'lines'): string {
  return `${kind} ${path}`
}
