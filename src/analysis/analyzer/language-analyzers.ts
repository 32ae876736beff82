/** Analyzers of languages by type. Their chains are those of Lucene's analyzers of the same name. */
import type { AnalyzerFactory, AnalyzerParts, ComponentContext } from '../component.ts'
import { type ComponentOptions, NO_OPTIONS, textOption } from '../options.ts'
import { TOKEN_FILTERS } from '../token-filter/factories.ts'
import { keywordsOf } from '../token-filter/keyword-marker.ts'
import { LANGUAGE_TOKEN_FILTERS } from '../token-filter/language-factories.ts'
import { remembering } from '../token-filter/remembering-filter.ts'
import { stemExclusion } from '../token-filter/stemmer/factories.ts'
import { possessiveEnglish, snowballOf, stemmerOf } from '../token-filter/stemmer/stemmers.ts'
import { overriding } from '../token-filter/stemmer-override.ts'
import { removing } from '../token-filter/stop-filter.ts'
import { ENGLISH_STOP_WORDS, stopWords, stopWordsOf } from '../token-filter/stop-words.ts'
import type { CharFilterComponent, TokenFilterComponent } from '../token-stream.ts'
import { TOKENIZERS } from '../tokenizer/factories.ts'

/**
 * Language → its filters over the standard tokenizer, in order: `stop` stands for its stop words or
 * those of the option, `keywords` for `stem_exclusion`, `stem:⟨name⟩` for a stemmer by its name in
 * the filter `stemmer`, `elision:⟨articles⟩` and `drop:⟨words⟩` for lists divided by commas; all else
 * is a filter's type, behind a colon its language.
 */
const CHAINS: Readonly<Record<string, string>> = {
  arabic: 'lowercase decimal_digit stop arabic_normalization keywords stem:arabic',
  armenian: 'lowercase stop keywords stem:armenian',
  basque: 'lowercase stop keywords stem:basque',
  bengali:
    'lowercase decimal_digit keywords indic_normalization bengali_normalization stop stem:bengali',
  brazilian: 'lowercase stop keywords stem:brazilian',
  bulgarian: 'lowercase stop keywords stem:bulgarian',
  catalan: 'elision:d,l,m,n,s,t lowercase stop keywords stem:catalan',
  cjk: 'cjk_width lowercase cjk_bigram stop',
  czech: 'lowercase stop keywords stem:czech',
  danish: 'lowercase stop keywords stem:danish',
  dutch: 'lowercase stop keywords dutch_stems stem:dutch',
  english: 'possessive lowercase stop keywords stem:porter',
  estonian: 'lowercase stop keywords stem:estonian',
  finnish: 'lowercase stop keywords stem:finnish',
  french:
    'elision:l,m,t,qu,n,s,j,d,c,jusqu,quoiqu,lorsqu,puisqu lowercase stop keywords stem:light_french',
  galician: 'lowercase stop keywords stem:galician',
  german: 'lowercase stop keywords german_normalization stem:light_german',
  greek: 'lowercase:greek stop stem:greek',
  hindi: 'lowercase decimal_digit keywords indic_normalization hindi_normalization stop stem:hindi',
  hungarian: 'lowercase stop keywords stem:hungarian',
  indonesian: 'lowercase stop keywords stem:indonesian',
  irish: 'drop:h,n,t elision:d,m,b lowercase:irish stop keywords stem:irish',
  italian:
    'elision:c,l,all,dall,dell,nell,sull,coll,pell,gl,agl,dagl,degl,negl,sugl,un,m,t,s,v,d lowercase ' +
    'stop keywords stem:light_italian',
  latvian: 'lowercase stop keywords stem:latvian',
  lithuanian: 'lowercase stop keywords stem:lithuanian',
  norwegian: 'lowercase stop keywords stem:norwegian',
  persian: 'lowercase decimal_digit arabic_normalization persian_normalization stop stem:persian',
  portuguese: 'lowercase stop keywords stem:light_portuguese',
  romanian: 'lowercase stop keywords stem:romanian',
  russian: 'lowercase stop keywords stem:russian',
  sorani: 'sorani_normalization lowercase decimal_digit stop keywords stem:sorani',
  spanish: 'lowercase stop keywords stem:light_spanish',
  swedish: 'lowercase stop keywords stem:swedish',
  thai: 'lowercase decimal_digit stop',
  turkish: 'apostrophe lowercase:turkish stop keywords stem:turkish',
}

/** Words that the Dutch stemmer would get wrong. */
const DUTCH_STEMS: ReadonlyMap<string, string> = new Map([
  ['fiets', 'fiets'],
  ['bromfiets', 'bromfiets'],
  ['ei', 'eier'],
  ['kind', 'kinder'],
])

/** Persian writes a joiner that does not join where others have a blank. */
const PERSIAN_BLANKS: CharFilterComponent = {
  name: 'persian',
  filter: text => ({ text: text.replaceAll('\u200c', ' '), correct: null }),
}

/** Type → factory. */
export const LANGUAGE_ANALYZERS: ReadonlyMap<string, AnalyzerFactory> = new Map<
  string,
  AnalyzerFactory
>([
  ...Object.entries(CHAINS).map(([language, chain]): [string, AnalyzerFactory] => [
    language,
    (_name, options, context) => {
      const words = stopWords(options, context, stopWordsOf(language))
      return makeParts(language, chain, words, options, context)
    },
  ]),
  [
    'chinese',
    (_name, _options, context) =>
      makeParts('chinese', 'lowercase stop', ENGLISH_STOP_WORDS, NO_OPTIONS, context),
  ],
  ['fingerprint', fingerprint],
  ['snowball', snowball],
])

function makeParts(
  language: string,
  chain: string,
  words: readonly string[],
  options: ComponentOptions,
  context: ComponentContext,
): AnalyzerParts {
  const filters: TokenFilterComponent[] = []
  for (const step of chain.split(' ')) {
    const filter = makeStep(step, words, options, context)
    if (filter !== null) filters.push(filter)
  }
  // Bigrams are made of neighbours; without a stemmer there is nothing to remember that is worth it.
  const isRemembered = chain.includes('stem:')
  const tokenizer = language === 'thai' ? 'thai' : 'standard'
  return {
    charFilters: language === 'persian' ? [PERSIAN_BLANKS] : [],
    tokenizer: TOKENIZERS.get(tokenizer)!(tokenizer, NO_OPTIONS, context),
    filters: isRemembered ? [remembering(language, filters)] : filters,
  }
}

function makeStep(
  step: string,
  words: readonly string[],
  options: ComponentOptions,
  context: ComponentContext,
): TokenFilterComponent | null {
  const [name = '', argument = ''] = step.split(':')
  const make = (type: string, made: ComponentOptions = NO_OPTIONS): TokenFilterComponent => {
    const factory = TOKEN_FILTERS.get(type) ?? LANGUAGE_TOKEN_FILTERS.get(type)
    return factory!(type, made, context)
  }
  switch (name) {
    case 'stop':
      return words.length === 0 ? null : removing('stop', words)
    case 'drop':
      return make(
        'stop',
        new Map([
          ['stopwords', argument],
          ['ignore_case', 'true'],
        ]),
      )
    case 'elision':
      return make(
        'elision',
        new Map([
          ['articles', argument],
          ['articles_case', 'true'],
        ]),
      )
    case 'keywords': {
      const excluded = stemExclusion(options)
      return excluded === null ? null : keywordsOf('keyword_marker', excluded)
    }
    case 'possessive':
      return possessiveEnglish('possessive_english')
    case 'dutch_stems':
      return overriding('stemmer_override', DUTCH_STEMS)
    case 'stem':
      return stemmerOf('stemmer', argument)
    default:
      return argument === '' ? make(name) : make(name, new Map([['language', argument]]))
  }
}

const SNOWBALL_STOP_WORDS: Readonly<Record<string, string>> = {
  English: 'english',
  Dutch: 'dutch',
  German: 'german',
  German2: 'german',
  French: 'french',
}

/** `snowball`: an older way to name a language. */
function snowball(
  _name: string,
  options: ComponentOptions,
  context: ComponentContext,
): AnalyzerParts {
  const language = textOption(options, 'language') ?? textOption(options, 'name') ?? 'English'
  const list = SNOWBALL_STOP_WORDS[language]
  const otherwise = list === undefined ? [] : stopWordsOf(list)
  const isEnglish = language === 'English' || language === 'Porter' || language === 'Lovins'
  const lowercase = language === 'Turkish' ? 'lowercase:turkish' : 'lowercase'
  const chain = `${isEnglish ? 'possessive ' : ''}${lowercase} stop`
  const words = stopWords(options, context, otherwise)
  const parts = makeParts('snowball', chain, words, NO_OPTIONS, context)
  const filters = [...parts.filters, snowballOf('snowball', language)]
  return { ...parts, filters: [remembering('snowball', filters)] }
}

/** `fingerprint`: all words of a text once, sorted, as one. */
function fingerprint(
  _name: string,
  options: ComponentOptions,
  context: ComponentContext,
): AnalyzerParts {
  const words = stopWords(options, context, [])
  const parts = makeParts('fingerprint', 'lowercase asciifolding stop', words, NO_OPTIONS, context)
  const last = TOKEN_FILTERS.get('fingerprint')!('fingerprint', options, context)
  return { ...parts, filters: [...parts.filters, last] }
}
