/**
 * Every option of every component has an example that shows its effect and its default. What options
 * there are is not written down here: the factories are watched as they ask for them.
 */
import { describe, expect, it } from 'vitest'
import { bindFilters, Chain } from '../../src/analysis/analyzer/chain.ts'
import { LANGUAGE_ANALYZERS } from '../../src/analysis/analyzer/language-analyzers.ts'
import { PLAIN_ANALYZERS } from '../../src/analysis/analyzer/plain-analyzers.ts'
import { CHAR_FILTERS } from '../../src/analysis/char-filter/factories.ts'
import type { AnalyzerParts, ComponentContext } from '../../src/analysis/component.ts'
import { normalizeText } from '../../src/analysis/normalizer.ts'
import type { ComponentOptions } from '../../src/analysis/options.ts'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { checkedTokenScripts } from '../../src/analysis/run-token-script.ts'
import { TOKEN_FILTERS } from '../../src/analysis/token-filter/factories.ts'
import { LANGUAGE_TOKEN_FILTERS } from '../../src/analysis/token-filter/language-factories.ts'
import { TOKENIZERS } from '../../src/analysis/tokenizer/factories.ts'
import { EngineError, IllegalArgumentError } from '../../src/util/errors.ts'
import { namesIn } from '../support/analysis-chain.ts'
import {
  ANALYZER_EXAMPLES,
  CHAR_FILTER_EXAMPLES,
  FILES,
  FILTER_EXAMPLES,
  LANGUAGE_EXAMPLES,
  type OptionExample,
  type Options,
  TOKENIZER_EXAMPLES,
} from '../support/option-examples.ts'

type Kind = 'tokenizer' | 'char filter' | 'token filter' | 'analyzer'
type Named<Factory> = ReadonlyMap<string, Factory>

/** Older names of a type, and whose options they have. */
const SAME: Readonly<Record<string, string>> = {
  nGram: 'ngram',
  edgeNGram: 'edge_ngram',
  PathHierarchy: 'path_hierarchy',
}
/** Types that no options make. */
const REFUSED: Readonly<Record<string, string>> = {
  edgeNGram: 'Please change the tokenizer name to [edge_ngram]',
  delimited_payload_filter: 'use [delimited_payload] instead',
}

const FILTERS = new Map([...TOKEN_FILTERS, ...LANGUAGE_TOKEN_FILTERS])
const ANALYZERS = new Map([...PLAIN_ANALYZERS, ...LANGUAGE_ANALYZERS])

/** What the contract says of options and their defaults; `~` where no value says the default. */
const CONTRACT: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  tokenizer: {
    standard: 'max_token_length=255',
    whitespace: 'max_token_length=255',
    uax_url_email: 'max_token_length=255',
    classic: 'max_token_length=255',
    ngram: 'min_gram=1 max_gram=2 token_chars=~ custom_token_chars=~',
    edge_ngram: 'min_gram=1 max_gram=2',
    keyword: 'buffer_size=256',
    pattern: 'pattern=\\W+ flags= group=-1',
    simple_pattern: 'pattern=',
    simple_pattern_split: 'pattern=',
    char_group: 'tokenize_on_chars=~ max_token_length=255',
    path_hierarchy: 'delimiter=/ replacement=/ buffer_size=1024 reverse=false skip=0',
  },
  'char filter': {
    html_strip: 'escaped_tags=~',
    mapping: 'mappings=~',
    pattern_replace: 'pattern=~ replacement= flags=',
  },
  'token filter': {
    asciifolding: 'preserve_original=false',
    cjk_bigram: 'ignored_scripts=~ output_unigrams=false',
    common_grams: 'common_words=~ ignore_case=false query_mode=false',
    delimited_payload: 'delimiter=| encoding=float',
    delimited_term_freq: 'delimiter=|',
    dictionary_decompounder:
      'word_list=~ min_word_size=5 min_subword_size=2 max_subword_size=15 only_longest_match=false',
    edge_ngram: 'min_gram=1 max_gram=2 preserve_original=false side=front',
    elision: 'articles=~ articles_case=false',
    // The separator, a blank, cannot stand in this list; its example says it.
    fingerprint: 'max_output_size=255 separator=~',
    keep: 'keep_words=~ keep_words_case=false',
    keep_types: 'types=~ mode=include',
    keyword_marker: 'keywords=~ keywords_pattern=~ ignore_case=false',
    length: 'min=0 max=2147483647',
    limit: 'max_token_count=1 consume_all_tokens=false',
    lowercase: 'language=~',
    min_hash: 'hash_count=1 bucket_count=512 hash_set_size=1 with_rotation=true',
    multiplexer: 'filters=~ preserve_original=true',
    ngram: 'min_gram=1 max_gram=2 preserve_original=false',
    pattern_capture: 'patterns=~ preserve_original=true',
    pattern_replace: 'pattern=~ replacement= all=true flags=',
    shingle:
      'min_shingle_size=2 max_shingle_size=2 output_unigrams=true ' +
      'output_unigrams_if_no_shingles=false token_separator=~ filler_token=_',
    snowball: 'language=English',
    stemmer: 'language=english',
    stemmer_override: 'rules=~',
    stop: 'stopwords=_english_ ignore_case=false remove_trailing=true',
    synonym: 'synonyms=~ synonyms_path=~ format=solr expand=true lenient=false',
    synonym_graph: 'synonyms=~ synonyms_path=~ format=solr expand=true lenient=false',
    truncate: 'length=10',
    unique: 'only_on_same_position=false',
    word_delimiter:
      'generate_word_parts=true generate_number_parts=true catenate_words=false ' +
      'catenate_numbers=false catenate_all=false split_on_case_change=true ' +
      'split_on_numerics=true stem_english_possessive=true preserve_original=false ' +
      'protected_words=~ type_table=~',
    word_delimiter_graph:
      'generate_word_parts=true generate_number_parts=true catenate_words=false ' +
      'catenate_numbers=false catenate_all=false split_on_case_change=true ' +
      'split_on_numerics=true stem_english_possessive=true preserve_original=false ' +
      'protected_words=~ type_table=~ adjust_offsets=true ignore_keywords=false',
  },
  analyzer: {
    standard: 'max_token_length=255 stopwords=_none_',
    stop: 'stopwords=_english_',
    pattern: 'pattern=\\W+ flags= lowercase=true stopwords=_none_',
    fingerprint: 'separator=~ max_output_size=255 stopwords=_none_',
    ...Object.fromEntries(LANGUAGE_EXAMPLES.map(each => [each.type, 'stopwords=~'])),
    ...Object.fromEntries(
      LANGUAGE_EXAMPLES.filter(each => each.option === 'stem_exclusion').map(each => [
        each.type,
        'stopwords=~ stem_exclusion=_none_',
      ]),
    ),
  },
}

/** Options that remember what they were asked for. */
class WatchedOptions extends Map<string, string | readonly string[]> {
  readonly #asked: Set<string>

  constructor(options: Options, asked: Set<string>) {
    super(Object.entries(options))
    this.#asked = asked
  }

  override get(key: string): string | readonly string[] | undefined {
    this.#asked.add(key)
    return super.get(key)
  }

  override has(key: string): boolean {
    this.#asked.add(key)
    return super.has(key)
  }
}

const SCRIPTS = checkedTokenScripts({ regex: 'limited', regexLimitFactor: 6 }, 1000)

const CONTEXT: ComponentContext = {
  words: (path, kind) => {
    if (kind === 'names') return namesIn(path, FILES)
    const lines = FILES[path]
    if (lines === undefined) throw new Error(`no file ${path}`)
    return lines
  },
  limit: (_key, otherwise) => otherwise,
  filter: name => FILTERS.get(name)?.(name, new Map(), CONTEXT) ?? null,
  script: request => {
    if (request.lang !== 'painless') throw new IllegalArgumentError(`no scripts of ${request.lang}`)
    return SCRIPTS.compile(request)
  },
}

function make<Component>(
  factories: Named<
    (name: string, options: ComponentOptions, context: ComponentContext) => Component
  >,
  type: string,
  options: ComponentOptions,
): Component {
  const factory = factories.get(type)
  if (factory === undefined) throw new Error(`there is no ${type}`)
  return factory('tested', options, CONTEXT)
}

/** The chain that an example wants, around the component that is looked at. */
function partsOf(kind: Kind, each: OptionExample, options: ComponentOptions): AnalyzerParts {
  if (kind === 'analyzer') return make(ANALYZERS, each.type, options)
  const charFilters = kind === 'char filter' ? [make(CHAR_FILTERS, each.type, options)] : []
  const [other, otherOptions = {}] = each.tokenizer ?? [
    kind === 'char filter' ? 'keyword' : 'whitespace',
  ]
  const tokenizer =
    kind === 'tokenizer'
      ? make(TOKENIZERS, each.type, options)
      : make(TOKENIZERS, other, new Map(Object.entries(otherOptions)))
  const before = (each.before ?? []).map(([type, given = {}]) =>
    make(FILTERS, type, new Map(Object.entries(given))),
  )
  const filters = kind === 'token filter' ? [...before, make(FILTERS, each.type, options)] : before
  const start = { charFilters, makeTokenizer: () => tokenizer.make(), filters: [] }
  return { charFilters, tokenizer, filters: bindFilters(filters, start) }
}

/** What an example prints with some options, or why it prints nothing. */
function outcome(kind: Kind, each: OptionExample, options: ComponentOptions): unknown {
  try {
    return show(each, new Chain(partsOf(kind, each, options)))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { refused: error.record.causedBy?.reason ?? error.message }
  }
}

function show({ see, text }: OptionExample, chain: Chain): string {
  const { tokens, trailingIncrement } = chain.tokens(text)
  let position = -1
  const shown = tokens.map(token => {
    position += token.positionIncrement
    switch (see) {
      case 'positions':
        return `${token.term}@${position}${token.positionLength > 1 ? `*${token.positionLength}` : ''}`
      case 'offsets':
        return `${token.term} ${token.startOffset}-${token.endOffset}`
      case 'keywords':
        return token.isKeyword ? `${token.term}!` : token.term
      case 'payloads':
        return token.payload === null
          ? token.term
          : `${token.term} ${Buffer.from(token.payload).toString('hex')}`
      case 'count':
        return ''
      default:
        return token.term
    }
  })
  if (see === 'count') return `${new Set(tokens.map(({ term }) => term)).size} of ${tokens.length}`
  return shown.join('|') + (see === 'end' ? `+${trailingIncrement}` : '')
}

const KINDS: readonly (readonly [Kind, readonly OptionExample[], readonly string[]])[] = [
  ['tokenizer', TOKENIZER_EXAMPLES, [...TOKENIZERS.keys()]],
  ['char filter', CHAR_FILTER_EXAMPLES, [...CHAR_FILTERS.keys()]],
  ['token filter', FILTER_EXAMPLES, [...FILTERS.keys()]],
  ['analyzer', [...ANALYZER_EXAMPLES, ...LANGUAGE_EXAMPLES], [...ANALYZERS.keys()]],
]

/** The examples of a type, or those of the one that it is an older name of. */
function examplesOf(all: readonly OptionExample[], type: string): OptionExample[] {
  const same = SAME[type] ?? type
  return all.filter(each => each.type === same).map(each => ({ ...each, type }))
}

describe.each(KINDS)('%s', (kind, all, types) => {
  const isRefused = (type: string): boolean => kind === 'token filter' && type in REFUSED

  it.each(all.map(each => [each.type, each.option, each.value, each] as const))(
    '%s: %s %j',
    (_type, option, value, each) => {
      const with_ = (given: Options): unknown =>
        outcome(kind, each, new Map(Object.entries({ ...each.beside, ...given })))
      expect(with_({ [option]: value })).toEqual(each.shows)
      expect(with_({})).toEqual(each.without)
      if (each.default !== undefined)
        expect(with_({ [option]: each.default })).toEqual(each.without)
      expect(each.shows).not.toEqual(each.without)
    },
  )

  it.each(types.filter(type => !isRefused(type)))('%s asks for no option but these', type => {
    const asked = new Set<string>()
    const examples = examplesOf(all, type)
    const bare: OptionExample = { type, option: '', value: '', text: 'a', shows: '', without: '' }
    for (const each of [bare, ...examples]) {
      const given = each.option === '' ? {} : { ...each.beside, [each.option]: each.value }
      const printed = outcome(kind, each, new WatchedOptions(given, asked))
      if (each.option !== '') expect(printed).toEqual(each.shows)
    }
    const shown = new Set(examples.map(each => each.option))
    expect([...asked].sort()).toEqual([...shown].sort())
  })

  it.each(Object.entries(CONTRACT[kind]))(
    '%s has the options of the contract: %s',
    (type, list) => {
      const examples = examplesOf(all, type)
      for (const entry of list.split(' ')) {
        const at = entry.indexOf('=')
        const option = entry.slice(0, at)
        const value = entry.slice(at + 1)
        const shown = examples.filter(each => each.option === option)
        expect([type, option, shown.length > 0]).toEqual([type, option, true])
        if (value !== '~') expect(shown.some(each => each.default === value)).toBe(true)
      }
    },
  )

  it('has examples of types that there are', () => {
    expect(all.map(each => each.type).filter(type => !types.includes(type))).toEqual([])
  })
})

it.each(Object.entries(REFUSED))('%s is refused', (type, reason) => {
  expect(() => make(FILTERS, type, new Map([['type', type]]))).toThrow(reason)
})

it.each(['nGram', 'edgeNGram'])('%s by its bare name is refused', type => {
  expect(() => make(FILTERS, type, new Map())).toThrow(
    `The [${type}] token filter name was deprecated in 6.4`,
  )
})

describe('custom analyzers and normalizers', () => {
  const registry = new AnalysisRegistry(
    new Map<string, string | readonly string[]>([
      ['index.analysis.analyzer.bare.tokenizer', 'whitespace'],
      ['index.analysis.analyzer.full.type', 'custom'],
      ['index.analysis.analyzer.full.tokenizer', 'keyword'],
      ['index.analysis.analyzer.full.filter', ['lowercase', 'reverse']],
      ['index.analysis.analyzer.full.char_filter', ['html_strip']],
      ['index.analysis.analyzer.full.position_increment_gap', '7'],
      ['index.analysis.normalizer.plain.type', 'custom'],
      ['index.analysis.normalizer.full.char_filter', ['dots']],
      ['index.analysis.normalizer.full.filter', ['lowercase']],
      ['index.analysis.char_filter.dots.type', 'mapping'],
      ['index.analysis.char_filter.dots.mappings', ['. => -']],
    ]),
  )
  const terms = (name: string, text: string): string[] =>
    registry
      .analyzer(name)!
      .tokens(text)
      .tokens.map(({ term }) => term)

  it('an analyzer has a tokenizer, filters, char filters and a gap of 100', () => {
    expect(terms('bare', '<b>A B')).toEqual(['<b>A', 'B'])
    expect(registry.analyzer('bare')!.positionIncrementGap).toBe(100)
    expect(terms('full', '<b>A B')).toEqual(['b a'])
    expect(registry.analyzer('full')!.positionIncrementGap).toBe(7)
  })

  it('a normalizer has filters and char filters', () => {
    expect(normalizeText(registry.normalizer('plain')!, 'A.B')).toBe('A.B')
    expect(normalizeText(registry.normalizer('full')!, 'A.B')).toBe('a-b')
    expect(normalizeText(registry.normalizer('lowercase')!, 'A.B')).toBe('a.b')
  })
})
