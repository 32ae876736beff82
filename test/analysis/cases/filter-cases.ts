/** Token filters of no language, with their options, on varied texts and on texts of few words. */
import { bindFilters, Chain } from '../../../src/analysis/analyzer/chain.ts'
import type { ComponentContext } from '../../../src/analysis/component.ts'
import type { ComponentOptions } from '../../../src/analysis/options.ts'
import { TOKEN_FILTERS } from '../../../src/analysis/token-filter/factories.ts'
import {
  TokenFilter,
  type TokenFilterComponent,
  type Tokenizer,
} from '../../../src/analysis/token-stream.ts'
import { whitespaceTokenizer } from '../../../src/analysis/tokenizer/char-tokenizer.ts'
import { StandardTokenizer } from '../../../src/analysis/tokenizer/standard-tokenizer.ts'
import type { AnalysisCase, KnownDifference } from '../../support/analysis-vectors.ts'
import { fewWords, firstPlane, subwords } from '../../support/few-words.ts'
import type { LuceneChains, LuceneFactory } from '../../support/lucene/lucene-oracle.ts'
import { variedStrings } from '../../support/varied-strings.ts'

const TEXTS = {
  varied: variedStrings(),
  words: fewWords(),
  subwords: subwords(),
  plane: firstPlane(),
}

/** A tokenizer, theirs and ours. */
const TOKENIZERS = {
  space: {
    theirs: { name: 'whitespace', args: { maxTokenLen: '1000000' } },
    ours: (): Tokenizer => whitespaceTokenizer(1_000_000),
  },
  standard: { theirs: { name: 'standard' }, ours: (): Tokenizer => new StandardTokenizer(255) },
} as const

type Options = Readonly<Record<string, string | readonly string[]>>

/** A filter of ours, by type and options, or a chain of some. */
type Ours = readonly [type: string, options?: Options]
type TheirFilter = readonly [name: string, args?: Readonly<Record<string, string>>]
type TheirChains = { readonly chains: readonly (readonly TheirFilter[])[] }
type Theirs = TheirFilter | TheirChains

interface FilterCase {
  readonly name: string
  readonly texts: keyof typeof TEXTS
  readonly tokenizer?: keyof typeof TOKENIZERS
  readonly ours: readonly Ours[]
  readonly theirs: readonly Theirs[]
  readonly resources?: Readonly<Record<string, string>>
  readonly known?: readonly KnownDifference[]
}

const CONTEXT: ComponentContext = {
  words: path => {
    throw new Error(path)
  },
  limit: () => 100,
  filter: name => FILTERS_OF_CHAINS.get(name)?.() ?? null,
  script: ({ source }) => {
    throw new Error(source)
  },
}

/** What the chains of a multiplexer name. */
const FILTERS_OF_CHAINS: ReadonlyMap<string, () => TokenFilterComponent> = new Map([
  ['stop', () => filterOf(OUR_STOP)],
  ['grams', () => filterOf(['ngram', { min_gram: '2', max_gram: '3' }])],
  ['repeat', () => filterOf(['keyword_repeat'])],
  ['parts', () => filterOf(['word_delimiter_graph', { catenate_all: 'true' }])],
  ...['lowercase', 'uppercase', 'reverse', 'apostrophe', 'decimal_digit', 'trim'].map(
    (type): [string, () => TokenFilterComponent] => [type, () => filterOf([type])],
  ),
])

/** The type of what synonym rules put in is Lucene's here. */
class LuceneSynonymType extends TokenFilter {
  next(): boolean {
    if (!this.input.next()) return false
    if (this.token.type === '<SYNONYM>') this.token.type = 'SYNONYM'
    return true
  }
}

const LUCENE_SYNONYM_TYPE: TokenFilterComponent = {
  name: 'type',
  make: input => new LuceneSynonymType(input),
}

export function filterCases(): readonly AnalysisCase[] {
  return CASES.map(each => {
    const tokenizer = TOKENIZERS[each.tokenizer ?? 'space']
    const filters = each.theirs.map((part): LuceneFactory | LuceneChains =>
      'chains' in part
        ? { chains: part.chains.map(chain => chain.map(factoryOf)) }
        : factoryOf(part),
    )
    const resources = each.resources ?? {}
    return {
      name: each.name,
      lucene: { chain: { tokenizer: tokenizer.theirs, filters, resources } },
      ours: () => {
        const charFilters: readonly [] = []
        const before = { charFilters, makeTokenizer: tokenizer.ours, filters: [] }
        const bound = bindFilters(each.ours.map(filterOf), before)
        return new Chain({
          charFilters,
          tokenizer: { name: 'tokenizer', make: tokenizer.ours },
          filters: [...bound, LUCENE_SYNONYM_TYPE],
        })
      },
      texts: () => TEXTS[each.texts],
      ...(each.known === undefined ? {} : { known: each.known }),
    }
  })
}

function factoryOf([name, args]: TheirFilter): LuceneFactory {
  return args === undefined ? { name } : { name, args }
}

function filterOf([type, options]: Ours): TokenFilterComponent {
  return TOKEN_FILTERS.get(type)!(type, optionsOf(type, options ?? {}), CONTEXT)
}

function optionsOf(type: string, options: Options): ComponentOptions {
  return new Map([['type', type] as const, ...Object.entries(options)])
}

/** One filter of no or few options: ours and theirs. */
function plain(
  type: string,
  theirs: string,
  options: Options = {},
  args: Readonly<Record<string, string>> = {},
): Pick<FilterCase, 'ours' | 'theirs'> {
  return { ours: [[type, options]], theirs: [[theirs, args]] }
}

const STOP_WORDS = ['the', 'of', 'is']
const STOP: TheirFilter = ['stop', { words: 'stop', ignoreCase: 'false' }]
const OUR_STOP: Ours = ['stop', { stopwords: STOP_WORDS }]
const STOP_FILE = { stop: STOP_WORDS.join('\n') }

const SOLR = [
  'foo, bar',
  'foo => baz',
  'big apple, ny, new york city',
  'a b => x y z',
  'a => q',
  'one two three => one',
  'b c, d',
  'up => ab cd ef, gh',
]
const SOLR_FILE = { rules: SOLR.join('\n') }
const WORDNET = [
  "s(100000001,1,'foo',n,1,0).",
  "s(100000001,2,'bar',n,1,0).",
  "s(100000001,3,'baz foo',n,1,0).",
  "s(100000002,1,'one',n,1,0).",
  "s(100000002,2,'ny',n,1,0).",
  "s(100000003,1,'d',n,1,0).",
  "s(100000003,2,'o''clock',n,1,0).",
]

/** Lucene 8's standard tokenizer goes by Unicode 9. */
const NEW_HAN: KnownDifference = {
  cause: 'Han characters of Unicode 10 and later (U+9FD6 to U+9FFF)',
  applies: text => /[\u9fd6-\u9fff]/.test(text),
}

/** The machine's Java knows Unicode 13. */
const NEW_CAPITALS: KnownDifference = {
  cause: 'letters that got capitals in Unicode 14',
  applies: text => /[\u2c5f\ua7c1\ua7d1\ua7d7\ua7d9]/.test(text),
}

function synonymCases(kind: 'synonym' | 'synonym_graph', theirs: string): FilterCase[] {
  const rules = { synonyms: 'rules', format: 'solr' }
  return [
    {
      name: `${kind}, expand`,
      texts: 'words',
      ...plain(kind, theirs, { synonyms: SOLR }, { ...rules, expand: 'true' }),
      resources: SOLR_FILE,
    },
    {
      name: `${kind}, no expand`,
      texts: 'words',
      ...plain(kind, theirs, { synonyms: SOLR, expand: 'false' }, { ...rules, expand: 'false' }),
      resources: SOLR_FILE,
    },
    {
      name: `${kind}, wordnet`,
      texts: 'words',
      ...plain(
        kind,
        theirs,
        { synonyms: WORDNET, format: 'wordnet' },
        { ...rules, format: 'wordnet', expand: 'true' },
      ),
      resources: { rules: WORDNET.join('\n') },
    },
  ]
}

const ONE = '1'
const ZERO = '0'

/** Options of `word_delimiter`, with Lucene's names. */
const DELIMITER_OPTIONS: readonly (readonly [string, string])[] = [
  ['generate_word_parts', 'generateWordParts'],
  ['generate_number_parts', 'generateNumberParts'],
  ['catenate_words', 'catenateWords'],
  ['catenate_numbers', 'catenateNumbers'],
  ['catenate_all', 'catenateAll'],
  ['split_on_case_change', 'splitOnCaseChange'],
  ['split_on_numerics', 'splitOnNumerics'],
  ['preserve_original', 'preserveOriginal'],
  ['stem_english_possessive', 'stemEnglishPossessive'],
]

const DELIMITER_SETS: readonly (readonly [string, readonly string[]])[] = [
  ['defaults', []],
  ['words joined', ['catenate_words']],
  ['words and numbers joined', ['catenate_words', 'catenate_numbers']],
  ['all joined', ['catenate_all']],
  ['all joined ways', ['catenate_words', 'catenate_numbers', 'catenate_all']],
  ['original', ['preserve_original']],
  ['original and joined', ['preserve_original', 'catenate_words', 'catenate_all']],
  ['no word parts', ['!generate_word_parts', 'catenate_words']],
  ['no number parts', ['!generate_number_parts', 'catenate_numbers', 'catenate_all']],
  ['nothing but all', ['!generate_word_parts', '!generate_number_parts', 'catenate_all']],
  ['original alone', ['!generate_word_parts', '!generate_number_parts', 'preserve_original']],
  ['no case', ['!split_on_case_change']],
  ['no numerics', ['!split_on_numerics', 'catenate_words']],
  ['possessive', ['!stem_english_possessive', 'catenate_all']],
]

const KINDS = [
  '$ => DIGIT',
  '\\u0025 => ALPHA',
  '- => ALPHANUM',
  'é => SUBWORD_DELIM',
  '_ => LOWER',
]

function delimiterCases(kind: 'word_delimiter' | 'word_delimiter_graph'): FilterCase[] {
  const theirs = kind === 'word_delimiter' ? 'wordDelimiter' : 'wordDelimiterGraph'
  const cases = DELIMITER_SETS.flatMap(([name, set]): FilterCase[] => {
    const options: Record<string, string> = {}
    const args: Record<string, string> = {}
    for (const [ours, lucene] of DELIMITER_OPTIONS) {
      const isOn = set.includes(ours)
      const isOff = set.includes(`!${ours}`)
      if (isOn || isOff) options[ours] = String(isOn)
      if (isOn || isOff) args[lucene] = isOn ? ONE : ZERO
    }
    const both = { ours: [[kind, options]] as const, theirs: [[theirs, args]] as const }
    return [{ name: `${kind}, ${name}`, texts: 'subwords', ...both }]
  })
  return [
    ...cases,
    {
      name: `${kind}, varied`,
      texts: 'varied',
      ...plain(kind, theirs, { catenate_all: 'true' }, { catenateAll: ONE }),
    },
    {
      name: `${kind}, types and protected words`,
      texts: 'subwords',
      ...plain(
        kind,
        theirs,
        { type_table: KINDS, protected_words: ['PowerShot', 'wi-fi'] },
        { types: 'types', protected: 'protected' },
      ),
      resources: { types: KINDS.join('\n'), protected: 'PowerShot\nwi-fi' },
    },
    {
      name: `${kind}, behind stop words`,
      texts: 'subwords',
      ours: [OUR_STOP, [kind, { catenate_words: 'true', preserve_original: 'true' }]],
      theirs: [STOP, [theirs, { catenateWords: ONE, preserveOriginal: ONE }]],
      resources: STOP_FILE,
    },
  ]
}

const TERM_CASES: readonly FilterCase[] = [
  { name: 'apostrophe', texts: 'varied', ...plain('apostrophe', 'apostrophe') },
  { name: 'asciifolding', texts: 'varied', ...plain('asciifolding', 'asciiFolding') },
  { name: 'asciifolding, first plane', texts: 'plane', ...plain('asciifolding', 'asciiFolding') },
  { name: 'cjk_width, first plane', texts: 'plane', ...plain('cjk_width', 'cjkWidth') },
  {
    name: 'uppercase, first plane',
    texts: 'plane',
    ...plain('uppercase', 'uppercase'),
    known: [NEW_CAPITALS],
  },
  {
    name: 'decimal_digit, first plane',
    texts: 'plane',
    ...plain('decimal_digit', 'decimalDigit'),
  },
  {
    name: 'asciifolding, original',
    texts: 'varied',
    ...plain(
      'asciifolding',
      'asciiFolding',
      { preserve_original: 'true' },
      { preserveOriginal: 'true' },
    ),
  },
  { name: 'cjk_width', texts: 'varied', ...plain('cjk_width', 'cjkWidth') },
  { name: 'decimal_digit', texts: 'varied', ...plain('decimal_digit', 'decimalDigit') },
  { name: 'lowercase', texts: 'varied', ...plain('lowercase', 'lowercase') },
  {
    name: 'lowercase, greek',
    texts: 'varied',
    ...plain('lowercase', 'greekLowercase', { language: 'greek' }),
  },
  {
    name: 'lowercase, irish',
    texts: 'varied',
    ...plain('lowercase', 'irishLowercase', { language: 'irish' }),
  },
  {
    name: 'lowercase, turkish',
    texts: 'varied',
    ...plain('lowercase', 'turkishLowercase', { language: 'turkish' }),
  },
  { name: 'uppercase', texts: 'varied', ...plain('uppercase', 'uppercase') },
  { name: 'reverse', texts: 'varied', ...plain('reverse', 'reverseString') },
  { name: 'trim', texts: 'varied', ...plain('trim', 'trim') },
  {
    name: 'truncate',
    texts: 'varied',
    ...plain('truncate', 'truncate', { length: '3' }, { prefixLength: '3' }),
  },
  {
    name: 'elision',
    texts: 'subwords',
    ...plain('elision', 'elision', { articles: ['l', 'Qu'] }, { articles: 'words' }),
    resources: { words: 'l\nQu' },
  },
  {
    name: 'elision, any case',
    texts: 'subwords',
    ...plain(
      'elision',
      'elision',
      { articles: ['l', 'Qu'], articles_case: 'true' },
      { articles: 'words', ignoreCase: 'true' },
    ),
    resources: { words: 'l\nQu' },
  },
  {
    name: 'delimited_payload, identity',
    texts: 'subwords',
    ...plain(
      'delimited_payload',
      'delimitedPayload',
      { encoding: 'identity', delimiter: '-' },
      { encoder: 'identity', delimiter: '-' },
    ),
  },
  {
    name: 'pattern_replace, all',
    texts: 'subwords',
    ...plain(
      'pattern_replace',
      'patternReplace',
      { pattern: '([a-z])([0-9]*)', replacement: '<$2$1>' },
      { pattern: '([a-z])([0-9]*)', replacement: '<$2$1>', replace: 'all' },
    ),
  },
  {
    name: 'pattern_replace, first',
    texts: 'subwords',
    ...plain(
      'pattern_replace',
      'patternReplace',
      { pattern: '[^a-zA-Z]+', replacement: '\\$', all: 'false' },
      { pattern: '[^a-zA-Z]+', replacement: '\\$', replace: 'first' },
    ),
  },
  {
    name: 'pattern_replace, empty matches',
    texts: 'subwords',
    ...plain(
      'pattern_replace',
      'patternReplace',
      { pattern: 'x*', replacement: '_' },
      { pattern: 'x*', replacement: '_', replace: 'all' },
    ),
  },
  {
    name: 'pattern_capture',
    texts: 'subwords',
    ...plain(
      'pattern_capture',
      'patternCaptureGroup',
      { patterns: ['([a-z]+)([0-9]*)'] },
      { pattern: '([a-z]+)([0-9]*)', preserve_original: 'true' },
    ),
  },
  {
    name: 'pattern_capture, no original',
    texts: 'subwords',
    ...plain(
      'pattern_capture',
      'patternCaptureGroup',
      { patterns: ['(([A-Z])[a-z]*)-?'], preserve_original: 'false' },
      { pattern: '(([A-Z])[a-z]*)-?', preserve_original: 'false' },
    ),
  },
]

const SELECTION_CASES: readonly FilterCase[] = [
  { name: 'stop', texts: 'words', ours: [OUR_STOP], theirs: [STOP], resources: STOP_FILE },
  {
    name: 'stop, any case',
    texts: 'words',
    ours: [['stop', { stopwords: STOP_WORDS, ignore_case: 'true' }]],
    theirs: [['stop', { words: 'stop', ignoreCase: 'true' }]],
    resources: STOP_FILE,
  },
  {
    name: 'stop, trailing words stay',
    texts: 'words',
    ours: [['stop', { stopwords: STOP_WORDS, remove_trailing: 'false' }]],
    theirs: [['suggestStop', { words: 'stop', ignoreCase: 'false' }]],
    resources: STOP_FILE,
  },
  {
    name: 'stop, trailing words stay, any case, varied',
    texts: 'varied',
    ours: [
      [
        'stop',
        { stopwords: [...STOP_WORDS, 'a', 'b'], remove_trailing: 'false', ignore_case: 'true' },
      ],
    ],
    theirs: [['suggestStop', { words: 'stop', ignoreCase: 'true' }]],
    resources: { stop: [...STOP_WORDS, 'a', 'b'].join('\n') },
  },
  {
    // Lucene has it for one position alone.
    name: 'unique, on the same position',
    texts: 'words',
    ours: [['keyword_repeat'], ['lowercase'], ['unique', { only_on_same_position: 'true' }]],
    theirs: [['keywordRepeat'], ['lowercase'], ['removeDuplicates']],
  },
  {
    name: 'unique, on the same position, subwords',
    texts: 'subwords',
    ours: [
      ['word_delimiter', { catenate_all: 'true', preserve_original: 'true' }],
      ['unique', { only_on_same_position: 'true' }],
    ],
    theirs: [['wordDelimiter', { catenateAll: ONE, preserveOriginal: ONE }], ['removeDuplicates']],
  },
  {
    name: 'keep',
    texts: 'words',
    ...plain('keep', 'keepWord', { keep_words: ['foo', 'The', 'ny'] }, { words: 'words' }),
    resources: { words: 'foo\nThe\nny' },
  },
  {
    name: 'keep, any case',
    texts: 'words',
    ...plain(
      'keep',
      'keepWord',
      { keep_words: ['foo', 'The', 'ny'], keep_words_case: 'true' },
      { words: 'words', ignoreCase: 'true' },
    ),
    resources: { words: 'foo\nThe\nny' },
  },
  {
    name: 'keep_types',
    texts: 'varied',
    tokenizer: 'standard',
    known: [NEW_HAN],
    ...plain(
      'keep_types',
      'type',
      { types: ['<NUM>', '<HANGUL>'] },
      { types: 'types', useWhitelist: 'true' },
    ),
    resources: { types: '<NUM>\n<HANGUL>' },
  },
  {
    name: 'keep_types, exclude',
    texts: 'varied',
    tokenizer: 'standard',
    known: [NEW_HAN],
    ...plain('keep_types', 'type', { types: ['<ALPHANUM>'], mode: 'exclude' }, { types: 'types' }),
    resources: { types: '<ALPHANUM>' },
  },
  {
    name: 'length',
    texts: 'varied',
    ...plain('length', 'length', { min: '3', max: '6' }, { min: '3', max: '6' }),
  },
  {
    name: 'limit, all read',
    texts: 'varied',
    ...plain(
      'limit',
      'limitTokenCount',
      { max_token_count: '2', consume_all_tokens: 'true' },
      { maxTokenCount: '2', consumeAllTokens: 'true' },
    ),
  },
  { name: 'keyword_repeat', texts: 'varied', ...plain('keyword_repeat', 'keywordRepeat') },
  {
    name: 'remove_duplicates',
    texts: 'words',
    ours: [['keyword_repeat'], ['lowercase'], ['remove_duplicates']],
    theirs: [['keywordRepeat'], ['lowercase'], ['removeDuplicates']],
  },
  {
    name: 'type_as_synonym',
    texts: 'varied',
    tokenizer: 'standard',
    known: [NEW_HAN],
    ...plain('type_as_synonym', 'typeAsSynonym', { prefix: '_t_' }, { prefix: '_t_' }),
  },
  {
    name: 'common_grams',
    texts: 'words',
    ...plain('common_grams', 'commonGrams', { common_words: STOP_WORDS }, { words: 'stop' }),
    resources: STOP_FILE,
  },
  {
    name: 'common_grams, any case',
    texts: 'words',
    ...plain(
      'common_grams',
      'commonGrams',
      { common_words: STOP_WORDS, ignore_case: 'true' },
      { words: 'stop', ignoreCase: 'true' },
    ),
    resources: STOP_FILE,
  },
  {
    name: 'common_grams, queries',
    texts: 'words',
    ...plain(
      'common_grams',
      'commonGramsQuery',
      { common_words: STOP_WORDS, query_mode: 'true' },
      { words: 'stop' },
    ),
    resources: STOP_FILE,
  },
]

const GRAM_CASES: readonly FilterCase[] = [
  {
    name: 'ngram',
    texts: 'varied',
    ...plain(
      'ngram',
      'nGram',
      { min_gram: '1', max_gram: '2' },
      { minGramSize: '1', maxGramSize: '2' },
    ),
  },
  {
    name: 'ngram, original, behind stop words',
    texts: 'words',
    ours: [OUR_STOP, ['ngram', { min_gram: '2', max_gram: '3', preserve_original: 'true' }]],
    theirs: [STOP, ['nGram', { minGramSize: '2', maxGramSize: '3', preserveOriginal: 'true' }]],
    resources: STOP_FILE,
  },
  {
    name: 'edge_ngram',
    texts: 'varied',
    ...plain(
      'edge_ngram',
      'edgeNGram',
      { min_gram: '2', max_gram: '4' },
      { minGramSize: '2', maxGramSize: '4' },
    ),
  },
  {
    name: 'edge_ngram, original, behind stop words',
    texts: 'words',
    ours: [OUR_STOP, ['edge_ngram', { min_gram: '2', max_gram: '3', preserve_original: 'true' }]],
    theirs: [STOP, ['edgeNGram', { minGramSize: '2', maxGramSize: '3', preserveOriginal: 'true' }]],
    resources: STOP_FILE,
  },
  { name: 'shingle', texts: 'varied', ...plain('shingle', 'shingle') },
  {
    name: 'shingle, behind stop words',
    texts: 'words',
    ours: [
      OUR_STOP,
      ['shingle', { max_shingle_size: '3', filler_token: '*', token_separator: '' }],
    ],
    theirs: [STOP, ['shingle', { maxShingleSize: '3', fillerToken: '*', tokenSeparator: '' }]],
    resources: STOP_FILE,
  },
  {
    name: 'shingle, no unigrams',
    texts: 'words',
    ours: [
      OUR_STOP,
      [
        'shingle',
        {
          min_shingle_size: '3',
          max_shingle_size: '4',
          output_unigrams: 'false',
          output_unigrams_if_no_shingles: 'true',
        },
      ],
    ],
    theirs: [
      STOP,
      [
        'shingle',
        {
          minShingleSize: '3',
          maxShingleSize: '4',
          outputUnigrams: 'false',
          outputUnigramsIfNoShingles: 'true',
        },
      ],
    ],
    resources: STOP_FILE,
  },
  {
    name: 'cjk_bigram',
    texts: 'varied',
    tokenizer: 'standard',
    known: [NEW_HAN],
    ...plain('cjk_bigram', 'cjkBigram'),
  },
  {
    name: 'cjk_bigram, unigrams',
    texts: 'varied',
    tokenizer: 'standard',
    known: [NEW_HAN],
    ...plain(
      'cjk_bigram',
      'cjkBigram',
      { output_unigrams: 'true', ignored_scripts: ['katakana'] },
      { outputUnigrams: 'true', katakana: 'false' },
    ),
  },
  {
    name: 'fingerprint',
    texts: 'varied',
    ...plain(
      'fingerprint',
      'fingerprint',
      { max_output_size: '255' },
      { maxOutputTokenSize: '255' },
    ),
  },
  {
    name: 'fingerprint, separator',
    texts: 'words',
    ...plain(
      'fingerprint',
      'fingerprint',
      { max_output_size: '40', separator: '+' },
      { maxOutputTokenSize: '40', separator: '+' },
    ),
  },
  {
    name: 'min_hash',
    texts: 'words',
    ...plain(
      'min_hash',
      'minHash',
      { hash_count: '2', bucket_count: '5', hash_set_size: '2', with_rotation: 'false' },
      { hashCount: '2', bucketCount: '5', hashSetSize: '2', withRotation: 'false' },
    ),
  },
  {
    name: 'min_hash, rotated',
    texts: 'varied',
    ...plain('min_hash', 'minHash', { bucket_count: '7' }, { bucketCount: '7' }),
  },
]

const GRAPH_CASES: readonly FilterCase[] = [
  // Not for the graph, whose later versions keep holes, as ours does; see the tests of the filter.
  {
    name: 'synonym, behind stop words',
    texts: 'words',
    ours: [OUR_STOP, ['synonym', { synonyms: SOLR }]],
    theirs: [STOP, ['synonym', { synonyms: 'rules', format: 'solr', expand: 'true' }]],
    resources: { ...STOP_FILE, ...SOLR_FILE },
  },
  {
    name: 'flatten_graph, behind stop words',
    texts: 'words',
    ours: [['synonym_graph', { synonyms: SOLR }], OUR_STOP, ['flatten_graph']],
    theirs: [
      ['synonymGraph', { synonyms: 'rules', format: 'solr', expand: 'true' }],
      STOP,
      ['flattenGraph'],
    ],
    resources: { ...STOP_FILE, ...SOLR_FILE },
  },
  ...synonymCases('synonym', 'synonym'),
  ...synonymCases('synonym_graph', 'synonymGraph'),
  ...delimiterCases('word_delimiter'),
  ...delimiterCases('word_delimiter_graph'),
  {
    name: 'flatten_graph, synonyms',
    texts: 'words',
    ours: [['synonym_graph', { synonyms: SOLR }], ['flatten_graph']],
    theirs: [
      ['synonymGraph', { synonyms: 'rules', format: 'solr', expand: 'true' }],
      ['flattenGraph'],
    ],
    resources: SOLR_FILE,
  },
  {
    name: 'flatten_graph, subwords',
    texts: 'subwords',
    ours: [
      ['word_delimiter_graph', { preserve_original: 'true', catenate_all: 'true' }],
      ['flatten_graph'],
    ],
    theirs: [['wordDelimiterGraph', { preserveOriginal: ONE, catenateAll: ONE }], ['flattenGraph']],
  },
]

function multiplexerCases(): FilterCase[] {
  const grams: TheirFilter = ['nGram', { minGramSize: '2', maxGramSize: '3' }]
  const chains: readonly (readonly [string, string[], readonly (readonly TheirFilter[])[]])[] = [
    [
      'upper case and reversed',
      ['uppercase', 'lowercase,reverse'],
      [[['uppercase']], [['lowercase'], ['reverseString']]],
    ],
    ['stop words', ['stop', 'uppercase'], [[STOP], [['uppercase']]]],
    ['grams', ['grams', 'stop,grams'], [[grams], [STOP, grams]]],
    ['repeated', ['repeat', 'lowercase'], [[['keywordRepeat']], [['lowercase']]]],
    [
      'parts',
      ['parts', 'lowercase'],
      [[['wordDelimiterGraph', { catenateAll: ONE }]], [['lowercase']]],
    ],
  ]
  return chains.flatMap(([name, ours, theirs]) =>
    ['words', 'subwords', 'varied'].flatMap(texts =>
      [true, false].map(
        (keeps): FilterCase => ({
          name: `multiplexer, ${name}, ${texts}${keeps ? '' : ', no original'}`,
          texts: texts as FilterCase['texts'],
          ours: [['multiplexer', { filters: ours, preserve_original: String(keeps) }]],
          theirs: [{ chains: keeps ? [[], ...theirs] : theirs }],
          resources: STOP_FILE,
        }),
      ),
    ),
  )
}

const CASES: readonly FilterCase[] = [
  ...multiplexerCases(),
  ...TERM_CASES,
  ...SELECTION_CASES,
  ...GRAM_CASES,
  ...GRAPH_CASES,
]
