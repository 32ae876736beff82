import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import {
  type ChainSpec,
  type ComponentSpec,
  makeAnalyzerChain,
  makeChain,
} from '../support/analysis-chain.ts'
import { expectLinearTime } from '../support/linear-time.ts'

/** Terms of a text, those that stand on the one before with a `+`, keywords with a `!`. */
function terms(
  text: string,
  filters: readonly ComponentSpec[],
  files?: ChainSpec['files'],
): string[] {
  return shown(makeChain({ tokenizer: 'whitespace', filters, ...(files && { files }) }), text)
}

function shown(chain: ReturnType<typeof makeChain>, text: string): string[] {
  return chain
    .tokens(text)
    .tokens.map(
      token =>
        (token.positionIncrement === 0 ? '+' : '') + token.term + (token.isKeyword ? '!' : ''),
    )
}

const analyzed = (type: string, text: string, options = {}): string[] =>
  shown(makeAnalyzerChain(type, options), text)

describe('stemmer', () => {
  it.each([
    [undefined, 'rationalization', 'ration'],
    ['english', 'rationalization', 'ration'],
    ['porter2', 'generously', 'generous'],
    ['light_english', 'rationalization', 'rationalize'],
    ['minimal_english', 'ponies', 'pony'],
    ['possessive_english', 'dog’s', 'dog'],
    ['lovins', 'rationalization', 'rational'],
    ['LIGHT_FRENCH', 'résumés', 'resum'],
    ['lightFrench', 'résumés', 'resum'],
    ['light_finish', 'taloissa', 'talo'],
    ['dutchKp', 'gelopen', 'loop'],
    ['kp', 'gelopen', 'loop'],
    ['estonian', 'raamatutega', 'raama'],
    ['portuguese_rslp', 'meninas', 'menin'],
    ['turkish', 'evlerinden', 'ev'],
  ])('of %s makes %s %s', (language, word, stem) => {
    const filter = language === undefined ? 'stemmer' : { type: 'stemmer', language }
    expect(terms(word, [filter])).toEqual([stem])
  })

  it('takes its language from the older option as well', () => {
    expect(terms('résumés', [{ type: 'stemmer', name: 'minimal_french' }])).toEqual(['résum'])
  })

  it('leaves keywords alone, but for the possessive', () => {
    const marker = { type: 'keyword_marker', keywords: ["dogs's"] }
    expect(terms("dogs's", [marker, 'porter_stem'])).toEqual(["dogs's!"])
    expect(terms("dogs's", [marker, { type: 'stemmer', language: 'possessive_english' }])).toEqual([
      'dogs!',
    ])
  })

  it('leaves what is longer than any word alone', () => {
    const word = `${'hop'.repeat(6000)}ping`
    expect(terms(word, [{ type: 'stemmer', language: 'english' }])[0]).toHaveLength(255)
    const whole = makeChain({ tokenizer: 'keyword', filters: ['porter_stem'] })
    expect(shown(whole, word)).toEqual([word])
  })

  it('refuses a language that there is none of', () => {
    expect(() => terms('a', [{ type: 'stemmer', language: 'klingon' }])).toThrow(
      'Invalid stemmer class specified: Klingon',
    )
    expect(() => terms('a', [{ type: 'snowball', language: 'klingon' }])).toThrow(
      'Invalid stemmer class specified: Klingon',
    )
  })
})

describe('snowball', () => {
  it('is English where no language is given, and takes any other', () => {
    expect(terms('generously', ['snowball'])).toEqual(['generous'])
    expect(terms('aufeinander', [{ type: 'snowball', language: 'German' }])).toEqual(['aufeinand'])
    expect(terms('naechtliche', [{ type: 'snowball', language: 'german2' }])).toEqual(['nachtlich'])
  })
})

describe('stemmers by a name of their own', () => {
  it.each([
    ['arabic_stem', 'والكتاب', 'كتاب'],
    ['persian_stem', 'كتابها', 'كتاب'],
    ['persian_stem', 'خوبترين', 'خوب'],
    ['persian_stem', 'ها', 'ها'],
    ['brazilian_stem', 'meninas', 'menin'],
    ['czech_stem', 'městech', 'měst'],
    ['dutch_stem', 'lichamelijk', 'licham'],
    ['french_stem', 'continuellement', 'continuel'],
    ['german_stem', 'matrizen', 'matrix'],
    ['kstem', 'ponies', 'pony'],
    ['porter_stem', 'ponies', 'poni'],
    ['russian_stem', 'книгами', 'книг'],
  ])('%s makes %s %s', (type, word, stem) => {
    expect(terms(word, [type])).toEqual([stem])
  })

  it('take stem_exclusion', () => {
    const stem_exclusion = ['matrizen']
    expect(terms('matrizen vektoren', [{ type: 'german_stem', stem_exclusion }])).toEqual([
      'matrizen!',
      'vektor',
    ])
  })
})

describe('keyword_marker', () => {
  it('marks words, in any case where that is asked for', () => {
    const keywords = ['Ponies', 'flies']
    expect(terms('Ponies flies PONIES', [{ type: 'keyword_marker', keywords }])).toEqual([
      'Ponies!',
      'flies!',
      'PONIES',
    ])
    expect(terms('PONIES', [{ type: 'keyword_marker', keywords, ignore_case: 'true' }])).toEqual([
      'PONIES!',
    ])
  })

  it('reads words from a file', () => {
    const files = { 'words.txt': ['# kept', '', ' flies '] }
    const filter = { type: 'keyword_marker', keywords_path: 'words.txt' }
    expect(terms('flies dies', [filter, 'porter_stem'], files)).toEqual(['flies!', 'di'])
  })

  it('marks what a pattern fits as a whole', () => {
    const filter = { type: 'keyword_marker', keywords_pattern: 'fl|fl[a-z]+s' }
    expect(terms('flies flies! fl afl', [filter])).toEqual(['flies!', 'flies!', 'fl!', 'afl'])
  })

  it('wants words or a pattern, and not both', () => {
    expect(() => terms('a', ['keyword_marker'])).toThrow(
      'keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be configured',
    )
    expect(() =>
      terms('a', [{ type: 'keyword_marker', keywords: 'a', keywords_pattern: 'a' }]),
    ).toThrow('cannot specify both `keywords_pattern` and `keywords` or `keywords_path`')
  })

  it('refuses a pattern that only fits in with ours', () => {
    expect(() => terms('a', [{ type: 'keyword_marker', keywords_pattern: 'a)|(b' }])).toThrow()
  })
})

describe('stemmer_override', () => {
  it('gives words the stems of its rules, of two the first', () => {
    const rules = ['running, runs => run', 'runs => other', 'mice=>mouse']
    expect(
      terms('running runs mice dies', [{ type: 'stemmer_override', rules }, 'porter_stem']),
    ).toEqual(['run!', 'run!', 'mouse!', 'di'])
  })

  it('reads rules from a file and takes one that is given alone', () => {
    const files = { 'rules.txt': ['mice => mouse'] }
    expect(terms('mice', [{ type: 'stemmer_override', rules_path: 'rules.txt' }], files)).toEqual([
      'mouse!',
    ])
    expect(terms('runs', [{ type: 'stemmer_override', rules: 'runs, ran => run' }])).toEqual([
      'run!',
    ])
  })

  it.each(['a', 'a=>', '=>b', 'a=>b=>c', 'a,=>b', 'a=>b,c'])('refuses the rule %j', rule => {
    expect(() => terms('a', [{ type: 'stemmer_override', rules: [rule] }])).toThrow(
      `Invalid Keyword override Rule:${rule}`,
    )
  })

  it('wants rules', () => {
    expect(() => terms('a', ['stemmer_override'])).toThrow(
      'stemmer override filter requires either `rules` or `rules_path` to be configured',
    )
  })
})

describe('decompounders', () => {
  const word_list = ['donau', 'dampf', 'schiff', 'dampfschiff', 'Fahrt']

  it('give the words of a list that a word is made of', () => {
    const filter = { type: 'dictionary_decompounder', word_list }
    expect(terms('donaudampfschiff', [filter])).toEqual([
      'donaudampfschiff',
      '+donau',
      '+dampf',
      '+dampfschiff',
      '+schiff',
    ])
  })

  it.each([
    ['only_longest_match', 'true', ['+donau', '+dampfschiff', '+schiff']],
    ['min_word_size', '40', []],
    ['min_subword_size', '6', ['+dampfschiff', '+schiff']],
    ['max_subword_size', '5', ['+donau', '+dampf']],
  ])('keep to %s', (option, value, parts) => {
    const filter = { type: 'dictionary_decompounder', word_list, [option]: value }
    expect(terms('donaudampfschiff', [filter])).toEqual(['donaudampfschiff', ...parts])
  })

  it('ignore case where word_list_case says so', () => {
    const filter = { type: 'dictionary_decompounder', word_list }
    expect(terms('schifffahrt', [filter])).toEqual(['schifffahrt', '+schiff'])
    expect(terms('schifffahrt', [{ ...filter, word_list_case: 'true' }])).toEqual([
      'schifffahrt',
      '+schiff',
      '+fahrt',
    ])
  })

  it('cut by hyphenation patterns', () => {
    const files = {
      'de.xml': [
        '<hyphenation-info><classes>aA dD fF hH iI mM nN oO pP rR sS tT uU cC</classes>',
        '<patterns>u1d f1s</patterns></hyphenation-info>',
      ],
    }
    const filter = {
      type: 'hyphenation_decompounder',
      word_list,
      hyphenation_patterns_path: 'de.xml',
    }
    expect(terms('donaudampfschiff', [filter], files)).toEqual([
      'donaudampfschiff',
      '+donau',
      '+dampf',
      '+dampfschiff',
      '+schiff',
    ])
    expect(() => terms('a', [filter], { 'de.xml': ['<html/>'] })).toThrow(
      'Exception while reading hyphenation_patterns_path.',
    )
  })

  it('want their lists', () => {
    expect(() => terms('a', ['dictionary_decompounder'])).toThrow(
      'word_list must be provided for [dictionary_decompounder], either as a path to a file, or directly',
    )
    expect(() => terms('a', [{ type: 'hyphenation_decompounder', word_list }])).toThrow(
      'hyphenation_patterns_path is a required setting.',
    )
    const filter = { type: 'dictionary_decompounder', word_list, min_word_size: '-1' }
    expect(() => terms('a', [filter])).toThrow('[min_word_size] must be 0 or more, got [-1]')
  })
})

describe('hunspell', () => {
  const files = {
    'hunspell/en/en.aff': [
      'SET UTF-8',
      'PFX U Y 1',
      'PFX U 0 un .',
      'SFX S Y 1',
      'SFX S 0 s .',
      'SFX Z Y 1',
      'SFX Z 0 s .',
    ],
    'hunspell/en/en.dic': ['3', 'lock/SUZ', 'locks', 'unlock/S'],
  }
  const filter = { type: 'hunspell', locale: 'en' }

  it('gives all stems of a word once, or as often as they are found, or the longest', () => {
    expect(terms('unlocks', [filter], files)).toEqual(['lock', '+unlock'])
    expect(terms('locks', [{ ...filter, dedup: 'false' }], files)).toEqual([
      'locks',
      '+lock',
      '+lock',
    ])
    expect(terms('unlocks', [{ ...filter, longest_only: 'true' }], files)).toEqual(['unlock'])
  })

  it('takes its locale from other options, and leaves keywords alone', () => {
    for (const option of ['language', 'lang'])
      expect(terms('locks', [{ type: 'hunspell', [option]: 'en' }], files)).toContain('+lock')
    const marker = { type: 'keyword_marker', keywords: 'locks' }
    expect(terms('locks', [marker, filter], files)).toEqual(['locks!'])
  })

  it('reads all lists of words of the folder, whatever the files are called', () => {
    const other = {
      'hunspell/de/de_DE.aff': ['SET UTF-8', 'SFX S Y 1', 'SFX S 0 en .'],
      'hunspell/de/de_DE.dic': ['1', 'Haus'],
      'hunspell/de/own.dic': ['1', 'Tür/S'],
      'hunspell/de/README.txt': [],
    }
    const german = { type: 'hunspell', locale: 'de' }
    expect(terms('Türen Haus', [german], other)).toEqual(['Tür', 'Haus'])
    expect(() => terms('a', [german], { 'hunspell/de/x.dic': ['0'] })).toThrow(
      'Missing affix file for hunspell dictionary [de]',
    )
    expect(() => terms('a', [german], { ...other, 'hunspell/de/x.aff': [] })).toThrow(
      'Too many affix files exist for hunspell dictionary [de]',
    )
  })

  it('reads the dictionary of a set of its own', () => {
    const other = {
      'analyzers/law_2/hunspell/en/en.aff': ['SET UTF-8', 'SFX S Y 1', 'SFX S 0 ed .'],
      'analyzers/law_2/hunspell/en/en.dic': ['1', 'lock/S'],
    }
    const own = { ...filter, ref_path: 'law_2' }
    expect(terms('locked', [own], { ...files, ...other })).toEqual(['lock'])
    expect(terms('locked', [filter], { ...files, ...other })).toEqual(['locked'])
    for (const path of ['../law', 'a/b', ''])
      expect(() => terms('a', [{ ...filter, ref_path: path }], files)).toThrow(
        `Invalid [ref_path] of hunspell token filter: [${path}]`,
      )
  })

  it('refuses what it cannot read', () => {
    expect(() => terms('a', ['hunspell'])).toThrow(
      'missing [locale | language | lang] configuration for hunspell token filter',
    )
    expect(() => terms('a', [{ type: 'hunspell', locale: '../en' }], files)).toThrow(
      'Unknown hunspell dictionary [../en]',
    )
    const damaged = (lines: readonly string[]) => () =>
      terms('a', [filter], { ...files, 'hunspell/en/en.aff': lines })
    expect(damaged(['SET ISO8859-1'])).toThrow(
      'hunspell dictionaries must be UTF-8, but the affix file says [SET ISO8859-1]',
    )
    expect(damaged([])).toThrow('Unexpected end of affix file.')
    expect(damaged(['SET UTF-8', 'SFX S Y x'])).toThrow('[x] is no count of lines in an affix file')
    expect(damaged(['SET UTF-8', 'SFX S Y 1', 'SFX S 0'])).toThrow(
      'The affix file contains a rule with less than four elements: SFX S 0',
    )
    expect(damaged(['SET UTF-8', 'FLAG short'])).toThrow('Unknown flag type: short')
    expect(damaged(['SET UTF-8', 'FLAG long', 'SFX S Y 1', 'SFX S 0 s'])).toThrow(
      'Invalid flags (should be even number of characters): S',
    )
  })

  it('ends where rules lead to rules without end', () => {
    const many = Array.from({ length: 400 }, (_, i) => `SFX S 0 ${'a'.repeat(i % 20)}/S .`)
    const endless = {
      'hunspell/en/en.aff': ['SET UTF-8', 'SFX S Y 400', ...many],
      'hunspell/en/en.dic': ['1', 'b/S'],
    }
    expect(terms('a'.repeat(200), [filter], endless)).toEqual(['a'.repeat(200)])
  })
})

describe('language analyzers', () => {
  it.each([
    ['arabic', 'والكتاب', ['كتاب']],
    ['brazilian', 'as meninas', ['menin']],
    ['cjk', '東京都 the', ['東京', '京都']],
    ['dutch', 'de fietsen', ['fiets']],
    ['english', "The dog's running flies", ['dog', 'run', 'fli']],
    ['french', "L'avion des élèves", ['avion', 'elev']],
    ['german', 'Die Häuser', ['haus']],
    ['greek', 'Η Ελλάδα', ['ελλαδ']],
    ['irish', 'an t-Athair', ['athair']],
    ['persian', 'کتاب‌ها', ['كتاب']],
    ['thai', 'ภาษาไทย ๑', ['ภาษา', 'ไทย', '1']],
    ['turkish', "İstanbul'da", ['istanbul']],
  ])('%s makes of %j %j', (type, text, expected) => {
    expect(analyzed(type, text)).toEqual(expected)
  })

  it('of plug-ins are refused by name', () => {
    expect(() => analyzed('polish', 'a')).toThrow('[polish] is not supported yet')
  })

  it('take stop words and words that are not stemmed', () => {
    const text = 'the running flies'
    expect(analyzed('english', text, { stopwords: ['running'] })).toEqual(['the', 'fli'])
    expect(analyzed('english', text, { stopwords: '_none_' })).toEqual(['the', 'run', 'fli'])
    expect(analyzed('english', 'die Flies', { stopwords: '_german_' })).toEqual(['fli'])
    expect(analyzed('english', text, { stem_exclusion: ['flies'] })).toEqual(['run', 'flies!'])
    expect(analyzed('english', text, { stem_exclusion: '_none_' })).toEqual(['run', 'fli'])
  })

  it('snowball takes its language, fingerprint its separator and length', () => {
    expect(analyzed('snowball', 'The generously')).toEqual(['generous'])
    expect(analyzed('snowball', 'Die Häuser', { language: 'German' })).toEqual(['haus'])
    expect(() => analyzed('snowball', 'a', { language: 'english' })).toThrow(
      'Invalid stemmer class specified: english',
    )
    expect(analyzed('fingerprint', 'Züge an Züge')).toEqual(['an zuge'])
    expect(analyzed('fingerprint', 'Züge an', { separator: '+', stopwords: ['an'] })).toEqual([
      'zuge',
    ])
    expect(analyzed('fingerprint', 'b a', { separator: '+' })).toEqual(['a+b'])
    expect(analyzed('fingerprint', 'b a', { max_output_size: '2' })).toEqual([])
  })

  it('a named list of stop words may stand among other words', () => {
    const filter = { type: 'stop', stopwords: ['_german_', 'haus'] }
    expect(terms('das haus steht _german_', [filter])).toEqual(['steht', '_german_'])
    expect(terms('_cjk_ www', [{ type: 'stop', stopwords: ['_cjk_'] }])).toEqual(['www'])
  })
})

describe('terms of a hundred thousand letters', () => {
  const word_list = ['a'.repeat(5000), 'ab']
  const files = {
    'h.xml': [
      '<hyphenation-info><classes>aA bB</classes><patterns>a1 1b1</patterns></hyphenation-info>',
    ],
  }
  it.each<[string, ComponentSpec]>([
    ['arabic', 'arabic_normalization'],
    ['bengali', 'bengali_normalization'],
    ['sorani', 'sorani_normalization'],
    ['german', 'german_stem'],
    ['dutch', { type: 'stemmer', language: 'kp' }],
    ['galician', { type: 'stemmer', language: 'galician' }],
    ['italian', { type: 'stemmer', language: 'italian' }],
    [
      'dictionaries',
      { type: 'dictionary_decompounder', word_list, max_subword_size: '2000000000' },
    ],
    [
      'hyphens',
      { type: 'hyphenation_decompounder', word_list, hyphenation_patterns_path: 'h.xml' },
    ],
  ])('cost no more than their length, with %s', (_name, filter) => {
    const chain = makeChain({ tokenizer: 'keyword', filters: [filter], files })
    expectLinearTime(12_500, size => {
      for (const part of ['a', 'i', 'ab', 'ge', 'inho', 'est', 'ه\u200c', '\u0981', 'ß'])
        expect(chain.tokens(part.repeat(size / part.length)).tokens[0]).toBeDefined()
    })
  })
})

describe('normalizers', () => {
  it('may have what changes letters of a language, and no stemmer', () => {
    const settings = (filter: string) =>
      new Map([
        ['index.analysis.normalizer.n.type', 'custom'],
        ['index.analysis.normalizer.n.filter', filter],
      ])
    for (const name of ['german_normalization', 'arabic_normalization', 'scandinavian_folding'])
      expect(new AnalysisRegistry(settings(name)).normalizer('n')).not.toBeNull()
    expect(() => new AnalysisRegistry(settings('porter_stem'))).toThrow(
      'Custom normalizer [n] may not use filter [porter_stem]',
    )
  })
})
