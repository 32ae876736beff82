/**
 * Factories of components. A kind of component has one table, from type to factory; settings and
 * `_analyze` make their components through them, and a new type is one line in its table.
 */

import type { ComponentOptions } from './options.ts'
import type { TokenScript, TokenScriptRequest } from './token-script.ts'
import type {
  CharFilterComponent,
  TokenFilterComponent,
  Tokenizer,
  WordFiles,
} from './token-stream.ts'
import type { ByteTokenizer } from './tokenizer/byte-tokenizer.ts'

/** Things that a factory may ask for beside its options. */
export interface ComponentContext {
  /** Files that options name (`⟨option⟩_path`). */
  readonly words: WordFiles
  /** A whole-number setting of the index, as `index.max_ngram_diff`. */
  limit(key: string, otherwise: number): number
  /**
   * Another token filter of the index, or a built-in one; null when there is none. Ask in `bind`:
   * while settings are read, not all definitions have been made.
   */
  filter(name: string): TokenFilterComponent | null
  /**
   * A script that tells tokens apart.
   * @throws {EngineError} it does not compile, or settings forbid it
   */
  script(request: TokenScriptRequest): TokenScript
}

/** A tokenizer that settings or `_analyze` name. */
export interface TokenizerComponent {
  readonly name: string
  /** A tokenizer for one chain. */
  make(): Tokenizer
  /** The same over bytes in place, where there is one. */
  readonly bytes?: () => ByteTokenizer
  /** It makes lower case by itself. */
  readonly lowercases?: boolean
}

/**
 * Makes a component.
 * @param name as the settings define it, or the type; messages quote it
 * @throws {IllegalArgumentError} an option that is missing or no value of it
 */
type Factory<Component> = (
  name: string,
  options: ComponentOptions,
  context: ComponentContext,
) => Component

/** Makes a token filter of the options that settings give. */
export type TokenFilterFactory = Factory<TokenFilterComponent>
/** Makes a tokenizer of the options that settings give. */
export type TokenizerFactory = Factory<TokenizerComponent>
/** Makes a char filter of the options that settings give. */
export type CharFilterFactory = Factory<CharFilterComponent>

/** The stages of an analyzer. */
export interface AnalyzerParts {
  readonly charFilters: readonly CharFilterComponent[]
  readonly tokenizer: TokenizerComponent
  readonly filters: readonly TokenFilterComponent[]
}

/** Makes a built-in analyzer's stages; `name` is the type's or the one that the settings define. */
export type AnalyzerFactory = Factory<AnalyzerParts>
