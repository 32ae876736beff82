/**
 * All analyzers, normalizers, tokenizers and filters that an index knows: the built-in ones and
 * those of its `index.analysis.*` settings. Definitions in settings are built once, when they are
 * read, so that a bad one fails the creation of the index and nothing later.
 */
import { IllegalArgumentError } from '../util/errors.ts'
import type { Analyzer } from './analyzer/analyzer.ts'
import { assemble } from './analyzer/assemble.ts'
import { LANGUAGE_ANALYZERS } from './analyzer/language-analyzers.ts'
import { PLAIN_ANALYZERS } from './analyzer/plain-analyzers.ts'
import { CHAR_FILTERS } from './char-filter/factories.ts'
import type { AnalyzerParts, ComponentContext, TokenizerComponent } from './component.ts'
import { type ComponentKind, type Definitions, readDefinitions } from './definitions.ts'
import { makeNormalizer, type Normalizer, normalizeText } from './normalizer.ts'
import { refuseNotSupported } from './not-supported.ts'
import { type ComponentOptions, intOption, listOption, NO_OPTIONS, textOption } from './options.ts'
import { pluginCharFilter, pluginFilter, pluginTokenizer } from './plugins.ts'
import { TOKEN_FILTERS } from './token-filter/factories.ts'
import { LANGUAGE_TOKEN_FILTERS } from './token-filter/language-factories.ts'
import type { TokenScriptSettings, TokenScripts } from './token-script.ts'
import {
  type CharFilterComponent,
  type TokenFilterComponent,
  type WordFiles,
  wordFileKey,
} from './token-stream.ts'
import { TOKENIZERS } from './tokenizer/factories.ts'

/** Position gap of analyzers that an index defines. */
const DEFAULT_GAP = 100

type FlatSettings = ReadonlyMap<string, string | readonly string[]>

/**
 * Makes the registry of an index out of its flat settings.
 * @throws {EngineError} a definition that cannot be made
 * @throws {CompilersNotLoadedError} it is to be made again when the compilers of scripts are loaded
 */
export type MakeAnalysis = (settings: FlatSettings) => AnalysisRegistry

/** Whether a component of a type comes with the engine; plug-ins may not take its name. */
export function hasBuiltIn(kind: 'tokenizer' | 'filter' | 'char_filter', type: string): boolean {
  if (kind === 'tokenizer') return TOKENIZERS.has(type)
  if (kind === 'char_filter') return CHAR_FILTERS.has(type)
  return TOKEN_FILTERS.has(type) || LANGUAGE_TOKEN_FILTERS.has(type)
}

/** For registries that have no files: naming one is refused. */
const NO_WORD_FILES: WordFiles = path => {
  throw new IllegalArgumentError(`no word files are at hand to read [${path}] from`)
}

/** For registries that run no scripts: asking for one is refused. */
const NO_SCRIPTS: TokenScripts = {
  settings: { regex: 'false', regexLimitFactor: 0 },
  compile() {
    throw new IllegalArgumentError('cannot execute scripts using [analysis] context')
  },
}

/** The analysis of one index, or with no settings that of a node. */
export class AnalysisRegistry {
  readonly #definitions: Definitions
  readonly #context: ComponentContext
  readonly #analyzers = new Map<string, Analyzer>()
  readonly #builtIn = new Map<string, Analyzer>()
  readonly #normalizers = new Map<string, Normalizer>()
  /** Of analyzers' stages. */
  readonly #ofAnalyzers = new WeakMap<AnalyzerParts, Normalizer>()
  readonly #tokenizers = new Map<string, TokenizerComponent>()
  readonly #filters = new Map<string, TokenFilterComponent>()
  readonly #charFilters = new Map<string, CharFilterComponent>()
  /** What files the settings name say, by `wordFileKey`: what another thread's registry needs. */
  readonly wordFiles: ReadonlyMap<string, readonly string[]>
  #scripts: TokenScriptSettings | null = null
  /** Makes another one of the same settings, from files as they are then. */
  readonly #remake: () => AnalysisRegistry

  /**
   * @param settings flat settings of the index; the keys `index.analysis.⟨kind⟩.⟨name⟩.⟨option⟩`
   * count, and the limits that components keep
   * @param words reads files that options name
   * @param scripts compiles those of options
   * @throws {IllegalArgumentError} a definition that cannot be made
   */
  constructor(
    settings: FlatSettings,
    words: WordFiles = NO_WORD_FILES,
    scripts: TokenScripts = NO_SCRIPTS,
  ) {
    this.#definitions = readDefinitions(settings)
    this.#remake = () => new AnalysisRegistry(settings, words, scripts)
    const wordFiles = new Map<string, readonly string[]>()
    this.wordFiles = wordFiles
    let isReady = false
    this.#context = {
      words: (path, kind) => {
        const key = wordFileKey(path, kind)
        const lines = wordFiles.get(key) ?? words(path, kind)
        // Files that `_analyze` names later do not belong to the settings.
        if (!isReady) wordFiles.set(key, lines)
        return lines
      },
      limit: (key, otherwise) => intOption(settings, key, otherwise),
      filter: name => this.filter(name),
      script: request => {
        if (!isReady) this.#scripts = scripts.settings
        return scripts.compile(request)
      },
    }
    const { char_filter, tokenizer, filter, normalizer, analyzer } = this.#definitions
    for (const [name, options] of char_filter)
      this.#charFilters.set(name, this.#define('char_filter', name, options, this.makeCharFilter))
    for (const [name, options] of tokenizer)
      this.#tokenizers.set(name, this.#define('tokenizer', name, options, this.makeTokenizer))
    for (const [name, options] of filter)
      this.#filters.set(name, this.#define('filter', name, options, this.makeFilter))
    for (const [name, options] of normalizer)
      this.#normalizers.set(name, this.#makeNormalizer(name, options))
    for (const [name, options] of analyzer)
      this.#analyzers.set(name, this.#makeAnalyzer(name, options))
    isReady = true
  }

  /** Settings of the scripts that the settings hold; null: they hold none. */
  get scripts(): TokenScriptSettings | null {
    return this.#scripts
  }

  /** The analyzer of that name, null when there is none. `default` is always there. */
  analyzer(name: string): Analyzer | null {
    const defined = this.#analyzers.get(name)
    if (defined !== undefined) return defined
    if (name === 'default') return this.analyzer('standard')
    const known = this.#builtIn.get(name)
    if (known !== undefined) return known
    const parts = this.#makeBuiltIn(name, name, NO_OPTIONS)
    if (parts === null) return null
    const made = assemble({ name, parts, positionIncrementGap: 0, isCustom: false })
    this.#builtIn.set(name, made)
    return made
  }

  /** The analyzer of texts whose field names none. */
  get defaultAnalyzer(): Analyzer {
    return this.analyzer('default')!
  }

  /** The analyzer of queries on fields that name none: `default_search`, else the default. */
  get defaultSearchAnalyzer(): Analyzer {
    return this.analyzer('default_search') ?? this.defaultAnalyzer
  }

  /** That of phrases on such fields: `default_search_quoted`, else the one of other queries. */
  get defaultQuoteAnalyzer(): Analyzer {
    return this.analyzer('default_search_quoted') ?? this.defaultSearchAnalyzer
  }

  /** @throws {IllegalArgumentError} a built-in analyzer of the real API that this build has not */
  hasAnalyzer(name: string): boolean {
    return this.analyzer(name) !== null
  }

  /** Names of an analyzer's filters that may stand in analyzers of searches alone. */
  searchFilters(analyzer: string): readonly string[] {
    return this.analyzer(analyzer)?.parts.filters.flatMap(searchFilterName) ?? []
  }

  /**
   * Reads the files of analyzers with filters of searches alone again. What has taken such an analyzer keeps it.
   * @returns names of these analyzers
   * @throws {IllegalArgumentError} one cannot be made any more; all stay as they are
   */
  reloadSearchAnalyzers(): readonly string[] {
    const names = [...this.#analyzers.keys()].filter(name => this.searchFilters(name).length > 0)
    if (names.length === 0) return names
    const made = this.#remake()
    for (const name of names) this.#analyzers.set(name, made.#analyzers.get(name)!)
    for (const [name, filter] of made.#filters)
      if (filter.isForSearches === true) this.#filters.set(name, filter)
    return names
  }

  /** The normalizer of that name, null when there is none. */
  normalizer(name: string): Normalizer | null {
    const made = this.#normalizers.get(name)
    if (made !== undefined || name !== 'lowercase') return made ?? null
    const lowercase = this.#makeNormalizer(name, new Map([['type', 'lowercase']]))
    this.#normalizers.set(name, lowercase)
    return lowercase
  }

  /**
   * A word, or a part of one, as an analyzer's stages that work character by character leave it.
   * @throws {IllegalArgumentError} they make other than one term of it
   */
  normalizeWord({ name, parts }: Analyzer, word: string): string {
    let normalizer = this.#ofAnalyzers.get(parts)
    if (normalizer === undefined) {
      const tokenizer = this.makeTokenizer('keyword', 'keyword', NO_OPTIONS)!
      const lowercase = this.makeFilter('lowercase', 'lowercase', NO_OPTIONS)!
      const stages = parts.filters
        .filter(filter => filter.isNormalizing === true)
        .map(filter => filter.normalizing ?? filter)
      normalizer = makeNormalizer(name, {
        charFilters: parts.charFilters.filter(filter => filter.isNormalizing === true),
        tokenizer,
        filters: parts.tokenizer.lowercases === true ? [lowercase, ...stages] : stages,
      })
      this.#ofAnalyzers.set(parts, normalizer)
    }
    return word === '' ? word : normalizeText(normalizer, word)
  }

  hasNormalizer(name: string): boolean {
    return this.normalizer(name) !== null
  }

  /** The tokenizer that the index defines or that is built in, null when there is none. */
  tokenizer(name: string): TokenizerComponent | null {
    return this.#tokenizers.get(name) ?? this.makeTokenizer(name, name, NO_OPTIONS)
  }

  /** The token filter that the index defines or that is built in, null when there is none. */
  filter(name: string): TokenFilterComponent | null {
    return this.#filters.get(name) ?? this.makeFilter(name, name, NO_OPTIONS)
  }

  /** The char filter that the index defines or that is built in, null when there is none. */
  charFilter(name: string): CharFilterComponent | null {
    return this.#charFilters.get(name) ?? this.makeCharFilter(name, name, NO_OPTIONS)
  }

  /**
   * Makes a tokenizer that is defined in place.
   * @returns null when there is no such type
   * @throws {IllegalArgumentError} an option that is missing or no value of it
   */
  makeTokenizer(name: string, type: string, options: ComponentOptions): TokenizerComponent | null {
    const factory = TOKENIZERS.get(type)
    return factory?.(name, options, this.#context) ?? pluginTokenizer(name, type, options)
  }

  /** The same for a token filter. */
  makeFilter(name: string, type: string, options: ComponentOptions): TokenFilterComponent | null {
    const factory = TOKEN_FILTERS.get(type) ?? LANGUAGE_TOKEN_FILTERS.get(type)
    return factory?.(name, options, this.#context) ?? pluginFilter(name, type, options)
  }

  /** The same for a char filter. */
  makeCharFilter(
    name: string,
    type: string,
    options: ComponentOptions,
  ): CharFilterComponent | null {
    const factory = CHAR_FILTERS.get(type)
    return factory?.(name, options, this.#context) ?? pluginCharFilter(name, type, options)
  }

  /** A component of the settings: its type must be given and known. */
  #define<Component>(
    kind: ComponentKind,
    name: string,
    options: ComponentOptions,
    make: (name: string, type: string, options: ComponentOptions) => Component | null,
  ): Component {
    const type = textOption(options, 'type')
    if (type === null)
      throw new IllegalArgumentError(
        `${kind} [${name}] must specify either an analyzer type, or a tokenizer`,
      )
    const made = make.call(this, name, type, options)
    if (made === null)
      throw new IllegalArgumentError(`Unknown ${kind} type [${type}] for [${name}]`)
    return made
  }

  #makeBuiltIn(name: string, type: string, options: ComponentOptions): AnalyzerParts | null {
    const factory = PLAIN_ANALYZERS.get(type) ?? LANGUAGE_ANALYZERS.get(type)
    if (factory === undefined) refuseNotSupported(type)
    return factory?.(name, options, this.#context) ?? null
  }

  #makeAnalyzer(name: string, options: ComponentOptions): Analyzer {
    const tokenizerName = textOption(options, 'tokenizer')
    const type = textOption(options, 'type') ?? (tokenizerName === null ? null : 'custom')
    if (type === null)
      throw new IllegalArgumentError(
        `analyzer [${name}] must specify either an analyzer type, or a tokenizer`,
      )
    const positionIncrementGap = intOption(options, 'position_increment_gap', DEFAULT_GAP)
    if (type !== 'custom') {
      const parts = this.#makeBuiltIn(name, type, options)
      if (parts === null)
        throw new IllegalArgumentError(`Unknown analyzer type [${type}] for [${name}]`)
      return assemble({ name, parts, positionIncrementGap, isCustom: false })
    }
    if (tokenizerName === null)
      throw new IllegalArgumentError(
        `Custom Analyzer [${name}] must be configured with a tokenizer`,
      )
    if (positionIncrementGap < 0)
      throw new IllegalArgumentError(
        `Custom Analyzer [${name}] has a negative position_increment_gap`,
      )
    const parts = {
      charFilters: this.#named('Analyzer', name, options, 'char_filter', this.charFilter),
      tokenizer: found('Analyzer', name, 'tokenizer', tokenizerName, this.tokenizer(tokenizerName)),
      filters: this.#named('Analyzer', name, options, 'filter', this.filter),
    }
    return assemble({ name, parts, positionIncrementGap, isCustom: true })
  }

  #makeNormalizer(name: string, options: ComponentOptions): Normalizer {
    const type = textOption(options, 'type') ?? 'custom'
    const tokenizer = this.makeTokenizer('keyword', 'keyword', NO_OPTIONS)!
    if (type === 'lowercase') {
      const filters = [this.makeFilter('lowercase', 'lowercase', NO_OPTIONS)!]
      return makeNormalizer(name, { charFilters: [], tokenizer, filters })
    }
    if (type !== 'custom')
      throw new IllegalArgumentError(`Unknown normalizer type [${type}] for [${name}]`)
    if (options.has('tokenizer'))
      throw new IllegalArgumentError(`Custom normalizer [${name}] cannot configure a tokenizer`)
    const charFilters = this.#named('normalizer', name, options, 'char_filter', this.charFilter)
    const filters = this.#named('normalizer', name, options, 'filter', this.filter)
    for (const charFilter of charFilters)
      if (charFilter.isNormalizing !== true)
        throw new IllegalArgumentError(
          `Custom normalizer [${name}] may not use char filter [${charFilter.name}]`,
        )
    for (const filter of filters)
      if (filter.isNormalizing !== true)
        throw new IllegalArgumentError(
          `Custom normalizer [${name}] may not use filter [${filter.name}]`,
        )
    const stages = filters.map(filter => filter.normalizing ?? filter)
    return makeNormalizer(name, { charFilters, tokenizer, filters: stages })
  }

  /** The components that an analyzer's or normalizer's option lists. */
  #named<Component>(
    owner: string,
    name: string,
    options: ComponentOptions,
    kind: 'char_filter' | 'filter',
    find: (name: string) => Component | null,
  ): Component[] {
    return listOption(options, kind).map(item =>
      found(owner, name, kind, item, find.call(this, item)),
    )
  }
}

function searchFilterName({ name, isForSearches }: TokenFilterComponent): readonly string[] {
  return isForSearches === true ? [name] : []
}

function found<Component>(
  owner: string,
  name: string,
  kind: ComponentKind,
  wanted: string,
  component: Component | null,
): Component {
  if (component === null)
    throw new IllegalArgumentError(
      `Custom ${owner} [${name}] failed to find ${kind} under name [${wanted}]`,
    )
  return component
}
