/** Stemmers, letters of languages and language analyzers. */
import type { Chain } from '../../../src/analysis/analyzer/chain.ts'
import { stopWordsOf } from '../../../src/analysis/token-filter/stop-words.ts'
import { type ComponentSpec, makeAnalyzerChain, makeChain } from '../../support/analysis-chain.ts'
import type { AnalysisCase, KnownDifference } from '../../support/analysis-vectors.ts'
import { languageStrings } from '../../support/language-words.ts'
import type { LuceneFactory } from '../../support/lucene/lucene-oracle.ts'
import { Draw, variedStrings } from '../../support/varied-strings.ts'
import { hunspellCases } from './hunspell-cases.ts'
import { LATER_UNICODE } from './tokenizer-cases.ts'

const LUCENE_TOKENIZER = { name: 'whitespace', args: { maxTokenLen: '1000000' } }
const OUR_TOKENIZER = { type: 'whitespace', max_token_length: '1000000' }

const varied = variedStrings()
const made = new Map<string, readonly string[]>()

/** The varied strings, then those of a language. */
function textsOf(language: string): readonly string[] {
  const before = made.get(language)
  if (before !== undefined) return before
  const texts = [...varied, ...languageStrings(language)]
  made.set(language, texts)
  return texts
}

/** Our filter, Lucene's, language of the words. */
const NORMALIZATIONS = [
  ['arabic_normalization', 'arabicNormalization', 'arabic'],
  ['bengali_normalization', 'bengaliNormalization', 'bengali'],
  ['german_normalization', 'germanNormalization', 'german'],
  ['hindi_normalization', 'hindiNormalization', 'hindi'],
  ['indic_normalization', 'indicNormalization', 'indic'],
  ['persian_normalization', 'persianNormalization', 'persian'],
  ['scandinavian_folding', 'scandinavianFolding', 'scandinavian'],
  ['scandinavian_normalization', 'scandinavianNormalization', 'scandinavian'],
  ['serbian_normalization', 'serbianNormalization', 'serbian'],
  ['sorani_normalization', 'soraniNormalization', 'sorani'],
] as const

/** Name in `stemmer`, Lucene's factory, language of the words. */
const STEMMERS = [
  ['arabic', 'arabicStem', 'arabic'],
  ['bengali', 'bengaliStem', 'bengali'],
  ['brazilian', 'brazilianStem', 'portuguese'],
  ['bulgarian', 'bulgarianStem', 'bulgarian'],
  ['czech', 'czechStem', 'czech'],
  ['minimal_english', 'englishMinimalStem', 'english'],
  ['possessive_english', 'englishPossessive', 'english'],
  ['porter', 'porterStem', 'english'],
  ['light_english', 'kStem', 'english'],
  ['light_finnish', 'finnishLightStem', 'finnish'],
  ['light_french', 'frenchLightStem', 'french'],
  ['minimal_french', 'frenchMinimalStem', 'french'],
  ['galician', 'galicianStem', 'galician'],
  ['minimal_galician', 'galicianMinimalStem', 'galician'],
  ['light_german', 'germanLightStem', 'german'],
  ['minimal_german', 'germanMinimalStem', 'german'],
  ['greek', 'greekStem', 'greek'],
  ['hindi', 'hindiStem', 'hindi'],
  ['light_hungarian', 'hungarianLightStem', 'hungarian'],
  ['indonesian', 'indonesianStem', 'indonesian'],
  ['light_italian', 'italianLightStem', 'italian'],
  ['latvian', 'latvianStem', 'latvian'],
  ['light_norwegian', 'norwegianLightStem', 'norwegian'],
  ['minimal_norwegian', 'norwegianMinimalStem', 'norwegian'],
  ['light_nynorsk', 'norwegianLightStem:variant=nn', 'norwegian'],
  ['minimal_nynorsk', 'norwegianMinimalStem:variant=nn', 'norwegian'],
  ['light_portuguese', 'portugueseLightStem', 'portuguese'],
  ['minimal_portuguese', 'portugueseMinimalStem', 'portuguese'],
  ['portuguese_rslp', 'portugueseStem', 'portuguese'],
  ['light_russian', 'russianLightStem', 'russian'],
  ['light_spanish', 'spanishLightStem', 'spanish'],
  ['sorani', 'soraniStem', 'sorani'],
  ['light_swedish', 'swedishLightStem', 'swedish'],
] as const

/** Language in `snowball`, language of the words. */
const SNOWBALL = (
  'Arabic Armenian Basque Catalan Danish Dutch English Estonian Finnish French German German2=german ' +
  'Hungarian Irish Italian Kp=dutch Lithuanian Lovins=english Norwegian Porter=english Portuguese Romanian ' +
  'Russian Spanish Swedish Turkish'
)
  .split(' ')
  .map(pair => {
    const [name = '', language = name.toLowerCase()] = pair.split('=')
    return [name, language] as const
  })

/** Our analyzer and the folder of Lucene's. */
const ANALYZERS = (
  'arabic=ar armenian=hy basque=eu bengali=bn brazilian=br bulgarian=bg catalan=ca cjk=cjk czech=cz danish=da ' +
  'dutch=nl english=en estonian=et finnish=fi french=fr galician=gl german=de greek=el hindi=hi hungarian=hu ' +
  'indonesian=id irish=ga italian=it latvian=lv lithuanian=lt norwegian=no persian=fa portuguese=pt romanian=ro ' +
  'russian=ru sorani=ckb spanish=es swedish=sv thai=th turkish=tr'
)
  .split(' ')
  .map(pair => pair.split('=') as [string, string])

/**
 * Java makes lower case with the form of a final sigma by its own word boundaries, which do not fall
 * at - and _ between letters.
 */
const FINAL_SIGMA: KnownDifference = {
  cause: "Java's final sigma before - or _ in stemmers that make lower case by themselves",
  applies: text => /\u03a3[-_]/.test(text),
}

function stemmerCase(
  name: string,
  ours: ComponentSpec,
  lucene: string,
  language: string,
): AnalysisCase {
  const [factory = '', ...pairs] = lucene.split(':')
  const args = Object.fromEntries(pairs.map(pair => pair.split('=') as [string, string]))
  return {
    name,
    lucene: { chain: { tokenizer: LUCENE_TOKENIZER, filters: [{ name: factory, args }] } },
    ours: () => makeChain({ tokenizer: OUR_TOKENIZER, filters: [ours] }),
    texts: () => textsOf(language),
    known: [FINAL_SIGMA],
  }
}

/** The class of Lucene's analyzer. */
function analyzerClass(language: string, folder: string): string {
  const name = language === 'cjk' ? 'CJK' : language.charAt(0).toUpperCase() + language.slice(1)
  return `org.apache.lucene.analysis.${folder}.${name}Analyzer`
}

/** Words that compounds are made of. */
const PARTS = (
  'donau dampf schiff fahrt gesellschaft kapitän rind fleisch etikett über wachung Haus tür schlüssel loch ' +
  'wasser koch er arbeit s amt bil dørr vand løb konge rige rig spel fot boll'
).split(' ')

/** A few patterns as those of German look. */
const HYPHENATION = `<?xml version="1.0" encoding="utf-8"?>
<hyphenation-info>
<hyphen-char value="-"/>
<hyphen-min before="2" after="2"/>
<classes>
aA bB cC dD eE fF gG hH iI jJ kK lL mM nN oO pP qQ rR sS tT uU vV wW xX yY zZ äÄ öÖ üÜ ß
</classes>
<exceptions>
wach-stube donau-tal
</exceptions>
<patterns>
.do1n u1d f1sc ff1f t1g t1k1a pi1t d1f h1e1t t1ü n1d2 1ge e1s2e l1s2c s2ch 1schl r1sc s1t ä1p l1l o1c er1a ß1e
1ba 1be 1bi 1da 1de 1fa 2fl f1l hts1 s1k 1ka k1ö r1k a1ß e1t2 te1r
</patterns>
</hyphenation-info>`

/** Compounds, which other texts have few of. */
function compoundTexts(): readonly string[] {
  const draw = new Draw(4711)
  const texts: string[] = []
  for (let i = 0; i < 1000; i++) {
    let text = ''
    for (let words = draw.below(3); words >= 0; words--) {
      let word = draw.below(6) === 0 ? '-' : ''
      for (let parts = draw.below(5); parts >= 0; parts--) word += draw.of(PARTS)
      if (draw.below(5) === 0) word += draw.of(['s', '!', 'en', "'s"])
      text += (text === '' ? '' : ' ') + (draw.below(4) === 0 ? word.toUpperCase() : word)
    }
    texts.push(text)
  }
  return [...variedStrings(), ...texts]
}

function decompounderCases(): readonly AnalysisCase[] {
  const texts = compoundTexts()
  const sizes = { min_word_size: '4', min_subword_size: '3', max_subword_size: '9' }
  const theirSizes = { minWordSize: '4', minSubwordSize: '3', maxSubwordSize: '9' }
  const one = (
    name: string,
    type: string,
    options: Readonly<Record<string, string>>,
    lucene: string,
    args: Readonly<Record<string, string>>,
  ): AnalysisCase => ({
    name,
    lucene: {
      chain: {
        tokenizer: LUCENE_TOKENIZER,
        filters: [{ name: lucene, args }],
        resources: { 'words.txt': PARTS.join('\n'), 'patterns.xml': HYPHENATION },
      },
    },
    ours: () =>
      makeChain({
        tokenizer: OUR_TOKENIZER,
        filters: [{ type, word_list: PARTS, ...options }],
        files: { 'patterns.xml': HYPHENATION.split('\n') },
      }),
    texts: () => texts,
  })
  const words = { dictionary: 'words.txt' }
  const longest = { only_longest_match: 'true' }
  const ours = { hyphenation_patterns_path: 'patterns.xml' }
  const theirs = { ...words, hyphenator: 'patterns.xml' }
  return [
    one('dictionary_decompounder', 'dictionary_decompounder', {}, 'dictionaryCompoundWord', {
      ...words,
      onlyLongestMatch: 'false',
    }),
    one(
      'dictionary_decompounder, longest',
      'dictionary_decompounder',
      { ...longest, ...sizes },
      'dictionaryCompoundWord',
      { ...words, onlyLongestMatch: 'true', ...theirSizes },
    ),
    one('hyphenation_decompounder', 'hyphenation_decompounder', ours, 'hyphenationCompoundWord', {
      ...theirs,
      onlyLongestMatch: 'false',
    }),
    one(
      'hyphenation_decompounder, longest',
      'hyphenation_decompounder',
      { ...ours, ...longest, ...sizes },
      'hyphenationCompoundWord',
      { ...theirs, onlyLongestMatch: 'true', ...theirSizes },
    ),
  ]
}

/** Analyzers that Lucene has no class for, beside their parts. */
function chainCases(): readonly AnalysisCase[] {
  const one = (
    name: string,
    type: string,
    options: Readonly<Record<string, string>>,
    filters: readonly LuceneFactory[],
    language: string,
    resources: Readonly<Record<string, string>> = {},
  ): AnalysisCase => ({
    name,
    lucene: { chain: { tokenizer: { name: 'standard' }, filters, resources } },
    ours: () => makeAnalyzerChain(type, options),
    texts: () => textsOf(language),
    known: [LATER_UNICODE],
  })
  const lowercase = { name: 'lowercase' }
  const stop = { name: 'stop', args: { words: 'words.txt' } }
  const stem = (language: string) => ({ name: 'snowballPorter', args: { language } })
  const lists = (language: string) => ({ 'words.txt': stopWordsOf(language).join('\n') })
  const possessive = { name: 'englishPossessive' }
  const english = [possessive, lowercase, stop, stem('English')]
  return [
    one('analyzer_snowball', 'snowball', {}, english, 'english', lists('english')),
    one(
      'analyzer_snowball, German2',
      'snowball',
      { language: 'German2' },
      [lowercase, stop, stem('German2')],
      'german',
      lists('german'),
    ),
    one(
      'analyzer_snowball, Turkish',
      'snowball',
      { language: 'Turkish' },
      [{ name: 'turkishLowercase' }, stem('Turkish')],
      'turkish',
    ),
    one('analyzer_chinese', 'chinese', {}, [lowercase, stop], 'cjk', lists('english')),
    one(
      'analyzer_fingerprint',
      'fingerprint',
      {},
      [
        lowercase,
        { name: 'asciiFolding' },
        { name: 'fingerprint', args: { maxOutputTokenSize: '255' } },
      ],
      'french',
    ),
  ]
}

/** Analyzers with stop words and exclusions of their own. */
function optionCases(): readonly AnalysisCase[] {
  const options: Readonly<Record<string, readonly [stopwords: string, exclusions: string]>> = {
    dutch: ['de het een', 'fiets kinderen arbeid lopen'],
    english: ['the running of', 'dying conditional flies hopefulness'],
    french: ['le oder résumé', 'running œuvre façade goodness'],
    german: ['oder und the', 'maße straße running flies'],
    hindi: ['और the', 'running ४५६'],
    irish: ['oder the', 'running flies'],
    turkish: ['the oder', 'flies istanbul'],
  }
  const folders = new Map(ANALYZERS)
  return Object.entries(options).map(([language, lists]) => {
    const [stopwords, exclusions] = lists.map(list => list.split(' ')) as [string[], string[]]
    return {
      name: `analyzer_${language} with options`,
      lucene: {
        analyzer: { class: analyzerClass(language, folders.get(language)!), stopwords, exclusions },
      },
      ours: () => makeAnalyzerChain(language, { stopwords, stem_exclusion: exclusions }),
      texts: () => textsOf(language),
      known: [LATER_UNICODE],
    }
  })
}

/** Name of a stop-word list and the class of the analyzer that has it. */
export const STOP_WORD_CASES: readonly (readonly [string, string])[] = ANALYZERS.map(
  ([language, folder]) => [language, analyzerClass(language, folder)],
)

export function languageCases(): readonly AnalysisCase[] {
  return [
    ...NORMALIZATIONS.map(([type, lucene, language]) => stemmerCase(type, type, lucene, language)),
    ...STEMMERS.map(([name, lucene, language]) =>
      stemmerCase(`stemmer_${name}`, { type: 'stemmer', language: name }, lucene, language),
    ),
    ...SNOWBALL.map(([name, language]) =>
      stemmerCase(
        `snowball_${name.toLowerCase()}`,
        { type: 'snowball', language: name },
        `snowballPorter:language=${name}`,
        language,
      ),
    ),
    stemmerCase('german_stem', 'german_stem', 'germanStem', 'german'),
    ...decompounderCases(),
    ...hunspellCases(),
    ...chainCases(),
    ...optionCases(),
    // Thai itself is cut by another dictionary than Java's; see the tokenizer.
    ...ANALYZERS.filter(([language]) => language !== 'thai').map(([language, folder]) => ({
      name: `analyzer_${language}`,
      lucene: { analyzer: { class: analyzerClass(language, folder) } },
      ours: () => (language === 'persian' ? unstemmedPersian() : makeAnalyzerChain(language)),
      texts: () => textsOf(language),
      known: [LATER_UNICODE],
    })),
    {
      name: 'analyzer_thai',
      lucene: { analyzer: { class: analyzerClass('thai', 'th') } },
      ours: () => makeAnalyzerChain('thai'),
      texts: () => [...varied.filter(text => !/[\u0e01-\u0e4e]/.test(text)), ...thaiTexts()],
    },
  ]
}

/** The analyzer of Persian as it was before Lucene 10 put a stemmer at its end. */
function unstemmedPersian(): Chain {
  return makeChain({
    charFilters: [{ type: 'mapping', mappings: ['\\u200c=>\\u0020'] }],
    tokenizer: 'standard',
    filters: [
      'lowercase',
      'decimal_digit',
      'arabic_normalization',
      'persian_normalization',
      { type: 'stop', stopwords: '_persian_' },
    ],
  })
}

/** Words that every dictionary of Thai has, with blanks, digits and stop words between them. */
function thaiTexts(): readonly string[] {
  const draw = new Draw(31)
  const words = 'ประเทศ ไทย ภาษา โรงเรียน กิน ข้าว และ ที่ เป็น ๑๒๓ 2026 Bangkok the'.split(' ')
  return Array.from({ length: 300 }, () =>
    Array.from({ length: 1 + draw.below(5) }, () => draw.of(words)).join(' '),
  )
}
