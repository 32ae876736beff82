/**
 * All analyzers, normalizers, tokenizers and filters that an index knows: the built-in ones and
 * those of its `index.analysis.*` settings. Everything is made once, when the settings are read, so
 * that a bad definition fails the creation of the index and nothing later.
 */
import { IllegalArgumentError } from '../util/errors.ts'
import type { Analyzer, AnalyzerParts } from './analyzer/analyzer.ts'
import { ByteAnalyzer } from './analyzer/byte-analyzer.ts'
import { ChainAnalyzer } from './analyzer/chain-analyzer.ts'
import { ByteSet } from './byte-set.ts'
import {
  booleanOption,
  CHAR_FILTERS_NOT_SUPPORTED,
  type ComponentOptions,
  type FilterComponent,
  intOption,
  listOption,
  makeFilter,
  makeTokenizer,
  notSupported,
  stopWords,
  type TokenizerComponent,
  textOption,
} from './component.ts'
import { LOWERCASE_GROWTH, lowerCaseInto } from './token-filter/lowercase.ts'
import { ENGLISH_STOP_WORDS } from './token-filter/stop.ts'

/** What makes one term of a keyword. */
export interface Normalizer {
  readonly name: string
  /** At most this many times the bytes come out. */
  readonly growth: number
  /** Writes the normal form of `bytes[start, end)` at `at`; returns the place behind it. */
  normalize(bytes: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number
}

/** Position gap of analyzers that an index defines. */
export const DEFAULT_GAP = 100

const NO_OPTIONS: ComponentOptions = new Map()

const ANALYZERS_NOT_SUPPORTED = new Set(
  (
    'arabic armenian basque bengali brazilian bulgarian catalan chinese cjk czech danish dutch ' +
    'english estonian fingerprint finnish french galician german greek hindi hungarian indonesian ' +
    'irish italian latvian lithuanian norwegian persian polish portuguese romanian russian ' +
    'snowball sorani spanish swedish thai turkish ukrainian'
  ).split(' '),
)

const LOWERCASE_NORMALIZER: Normalizer = {
  name: 'lowercase',
  growth: LOWERCASE_GROWTH,
  normalize: lowerCaseInto,
}

type Definitions = ReadonlyMap<string, ComponentOptions>

/** The analysis of one index, or with no settings that of a node. */
export class AnalysisRegistry {
  readonly #analyzers = new Map<string, Analyzer>()
  readonly #builtIn = new Map<string, Analyzer>()
  readonly #normalizers = new Map<string, Normalizer>()
  readonly #tokenizers = new Map<string, TokenizerComponent>()
  readonly #filters = new Map<string, FilterComponent>()

  /**
   * @param settings flat settings of the index; the keys `index.analysis.⟨kind⟩.⟨name⟩.⟨option⟩`
   * count
   * @throws {IllegalArgumentError} a definition that cannot be made
   */
  constructor(settings: ReadonlyMap<string, string | readonly string[]>) {
    const kinds = readDefinitions(settings)
    for (const name of kinds.get('char_filter')?.keys() ?? [])
      throw notSupported(`analysis.char_filter.${name}`)
    for (const [name, options] of kinds.get('tokenizer') ?? []) {
      const type = requiredType('tokenizer', name, options)
      const made = makeTokenizer(type, options)
      if (made === null)
        throw new IllegalArgumentError(`Unknown tokenizer type [${type}] for [${name}]`)
      this.#tokenizers.set(name, made)
    }
    for (const [name, options] of kinds.get('filter') ?? []) {
      const type = requiredType('filter', name, options)
      const made = makeFilter(name, type, options)
      if (made === null)
        throw new IllegalArgumentError(`Unknown filter type [${type}] for [${name}]`)
      this.#filters.set(name, made)
    }
    for (const [name, options] of kinds.get('normalizer') ?? [])
      this.#normalizers.set(name, this.#makeNormalizer(name, options))
    for (const [name, options] of kinds.get('analyzer') ?? [])
      this.#analyzers.set(name, this.#makeAnalyzer(name, options))
  }

  /** The analyzer of that name, null when there is none. `default` is always there. */
  analyzer(name: string): Analyzer | null {
    const defined = this.#analyzers.get(name)
    if (defined !== undefined) return defined
    if (name === 'default') return this.analyzer('standard')
    const known = this.#builtIn.get(name)
    if (known !== undefined) return known
    const made = makeBuiltIn(name, name, NO_OPTIONS, 0)
    if (made !== null) this.#builtIn.set(name, made)
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

  /** @throws {IllegalArgumentError} a built-in analyzer of the real API that this build has not */
  hasAnalyzer(name: string): boolean {
    return this.analyzer(name) !== null
  }

  /** The normalizer of that name, null when there is none. */
  normalizer(name: string): Normalizer | null {
    return this.#normalizers.get(name) ?? (name === 'lowercase' ? LOWERCASE_NORMALIZER : null)
  }

  hasNormalizer(name: string): boolean {
    return this.normalizer(name) !== null
  }

  /** The tokenizer that the index defines or that is built in, null when there is none. */
  tokenizer(name: string): TokenizerComponent | null {
    return this.#tokenizers.get(name) ?? makeTokenizer(name, NO_OPTIONS)
  }

  /** The token filter that the index defines or that is built in, null when there is none. */
  filter(name: string): FilterComponent | null {
    return this.#filters.get(name) ?? makeFilter(name, name, NO_OPTIONS)
  }

  #makeAnalyzer(name: string, options: ComponentOptions): Analyzer {
    const tokenizerName = textOption(options, 'tokenizer')
    const type = textOption(options, 'type') ?? (tokenizerName === null ? null : 'custom')
    if (type === null)
      throw new IllegalArgumentError(
        `analyzer [${name}] must specify either an analyzer type, or a tokenizer`,
      )
    const gap = intOption(options, 'position_increment_gap', DEFAULT_GAP)
    if (type !== 'custom') {
      const made = makeBuiltIn(name, type, options, gap)
      if (made === null)
        throw new IllegalArgumentError(`Unknown analyzer type [${type}] for [${name}]`)
      return made
    }
    if (tokenizerName === null)
      throw new IllegalArgumentError(
        `Custom Analyzer [${name}] must be configured with a tokenizer`,
      )
    if (gap < 0)
      throw new IllegalArgumentError(
        `Custom Analyzer [${name}] has a negative position_increment_gap`,
      )
    const charFilter = listOption(options, 'char_filter')[0]
    if (charFilter !== undefined) {
      if (CHAR_FILTERS_NOT_SUPPORTED.has(charFilter)) throw notSupported(charFilter)
      throw new IllegalArgumentError(
        `Custom Analyzer [${name}] failed to find char_filter under name [${charFilter}]`,
      )
    }
    const tokenizer = this.tokenizer(tokenizerName)
    if (tokenizer === null)
      throw new IllegalArgumentError(
        `Custom Analyzer [${name}] failed to find tokenizer under name [${tokenizerName}]`,
      )
    const filters = listOption(options, 'filter').map(filterName => {
      const filter = this.filter(filterName)
      if (filter === null)
        throw new IllegalArgumentError(
          `Custom Analyzer [${name}] failed to find filter under name [${filterName}]`,
        )
      return filter
    })
    return assemble(name, tokenizerName, tokenizer, filters, gap, true)
  }

  #makeNormalizer(name: string, options: ComponentOptions): Normalizer {
    const type = textOption(options, 'type') ?? 'custom'
    if (type === 'lowercase') return { ...LOWERCASE_NORMALIZER, name }
    if (type !== 'custom')
      throw new IllegalArgumentError(`Unknown normalizer type [${type}] for [${name}]`)
    if (options.has('tokenizer'))
      throw new IllegalArgumentError(`Custom normalizer [${name}] cannot configure a tokenizer`)
    const charFilter = listOption(options, 'char_filter')[0]
    if (charFilter !== undefined) throw notSupported(`char_filter: ${charFilter}`)
    let lowercases = false
    for (const filterName of listOption(options, 'filter')) {
      const filter = this.filter(filterName)
      if (filter === null)
        throw new IllegalArgumentError(
          `Custom normalizer [${name}] failed to find filter under name [${filterName}]`,
        )
      if (filter.fast?.kind !== 'lowercase')
        throw new IllegalArgumentError(
          `Custom normalizer [${name}] may not use filter [${filterName}]`,
        )
      lowercases = true
    }
    return lowercases ? { ...LOWERCASE_NORMALIZER, name } : identityNormalizer(name)
  }
}

function identityNormalizer(name: string): Normalizer {
  return {
    name,
    growth: 1,
    normalize(bytes, start, end, target, at) {
      target.set(bytes.subarray(start, end), at)
      return at + end - start
    },
  }
}

/**
 * Puts a chain together: over bytes where tokenizer and filters allow it, else over records.
 * @param isCustom whether `explain` shows its parts
 */
export function assemble(
  name: string,
  tokenizerName: string,
  tokenizer: TokenizerComponent,
  filters: readonly FilterComponent[],
  positionIncrementGap: number,
  isCustom: boolean,
): Analyzer {
  const parts: AnalyzerParts = {
    tokenizer: { name: tokenizerName, run: tokenizer.run },
    filters: filters.map(filter => filter.stage),
  }
  let lowercase = tokenizer.lowercases
  let words: readonly string[] | null = null
  let isFast = tokenizer.bytes !== null
  for (const { fast } of filters) {
    // Stop words before lower case, or two lists, keep their order in the slow chain.
    if (fast === null || words !== null) isFast = false
    else if (fast.kind === 'lowercase') lowercase = true
    else words = fast.words
  }
  if (!isFast || tokenizer.bytes === null)
    return new ChainAnalyzer(name, parts, positionIncrementGap, isCustom)
  return new ByteAnalyzer({
    name,
    tokenizer: tokenizer.bytes(),
    lowercase,
    stopwords: words === null || words.length === 0 ? null : new ByteSet(words),
    positionIncrementGap,
    parts: isCustom ? parts : null,
  })
}

function makeBuiltIn(
  name: string,
  type: string,
  options: ComponentOptions,
  gap: number,
): Analyzer | null {
  const chain = (tokenizerType: string, lowercase: boolean, words: readonly string[]): Analyzer => {
    const tokenizer = makeTokenizer(tokenizerType, options)!
    const filters: FilterComponent[] = []
    if (lowercase) filters.push(makeFilter('lowercase', 'lowercase', NO_OPTIONS)!)
    if (words.length > 0) filters.push(makeFilter('stop', 'stop', new Map([['stopwords', words]]))!)
    return assemble(name, tokenizerType, tokenizer, filters, gap, false)
  }
  switch (type) {
    case 'standard':
    case 'default':
      return chain('standard', true, stopWords(options, []))
    case 'simple':
      return chain('lowercase', false, [])
    case 'whitespace':
      return chain('whitespace', false, [])
    case 'keyword':
      return chain('keyword', false, [])
    case 'stop':
      return chain('lowercase', false, stopWords(options, ENGLISH_STOP_WORDS))
    case 'pattern':
      return chain('pattern', booleanOption(options, 'lowercase', true), stopWords(options, []))
    default:
      if (ANALYZERS_NOT_SUPPORTED.has(type)) throw notSupported(type)
      return null
  }
}

const PREFIX = 'index.analysis.'

/** Kind → name → options. */
function readDefinitions(
  settings: ReadonlyMap<string, string | readonly string[]>,
): ReadonlyMap<string, Definitions> {
  const kinds = new Map<string, Map<string, Map<string, string | readonly string[]>>>()
  for (const [key, value] of settings) {
    if (!key.startsWith(PREFIX)) continue
    const rest = key.slice(PREFIX.length)
    const first = rest.indexOf('.')
    const last = rest.lastIndexOf('.')
    if (first < 0 || last === first) throw new IllegalArgumentError(`unknown setting [${key}]`)
    const kind = rest.slice(0, first)
    if (!KINDS.has(kind)) throw new IllegalArgumentError(`unknown setting [${key}]`)
    // A list may come as one text or as numbered items.
    const isItem = /^\d+$/.test(rest.slice(last + 1))
    const end = isItem ? rest.lastIndexOf('.', last - 1) : last
    const name = rest.slice(first + 1, end)
    const option = rest.slice(end + 1, isItem ? last : undefined)
    const names = kinds.get(kind) ?? new Map<string, Map<string, string | readonly string[]>>()
    kinds.set(kind, names)
    const options = names.get(name) ?? new Map<string, string | readonly string[]>()
    names.set(name, options)
    const before = options.get(option)
    const items = typeof before === 'object' ? before : []
    options.set(option, isItem && typeof value === 'string' ? [...items, value] : value)
  }
  return kinds
}

const KINDS = new Set(['analyzer', 'normalizer', 'tokenizer', 'filter', 'char_filter'])

function requiredType(kind: string, name: string, options: ComponentOptions): string {
  const type = textOption(options, 'type')
  if (type === null)
    throw new IllegalArgumentError(
      `${kind} [${name}] must specify either an analyzer type, or a tokenizer`,
    )
  return type
}
