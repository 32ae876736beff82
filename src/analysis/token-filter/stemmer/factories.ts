/** Filters that stem. */

import type { TokenFilterFactory } from '../../component.ts'
import { type ComponentOptions, listOption, textOption } from '../../options.ts'
import type { TokenFilterComponent, TokenStream } from '../../token-stream.ts'
import { keywordMarker, keywordsOf } from '../keyword-marker.ts'
import { stemmerOverride } from '../stemmer-override.ts'
import { stemmingComponent, type TermFunction } from '../term-filter.ts'
import { WordSet } from '../word-set.ts'
import { stemArabic } from './arabic.ts'
import { stemBrazilian } from './brazilian.ts'
import { stemCzech } from './czech.ts'
import { stemGermanCaumanns } from './german-caumanns.ts'
import { stemKrovetz } from './kstem.ts'
import { stemPersian } from './persian.ts'
import { stemPorter } from './porter.ts'
import { packageStemmer } from './snowball/package.ts'
import { capitalized, snowballOf, stemmerOf } from './stemmers.ts'

/** `stemmer`; `name` is an older name of the option. */
const stemmer: TokenFilterFactory = (name, options) =>
  stemmerOf(name, textOption(options, 'language') ?? textOption(options, 'name') ?? 'porter')

const snowball: TokenFilterFactory = (name, options) =>
  snowballOf(
    name,
    capitalized(textOption(options, 'language') ?? textOption(options, 'name') ?? 'English'),
  )

/** Words that an analyzer or stemmer leaves alone; null for none. */
export function stemExclusion(options: ComponentOptions): WordSet | null {
  if (textOption(options, 'stem_exclusion') === '_none_') return null
  const words = listOption(options, 'stem_exclusion')
  return words.length === 0 ? null : new WordSet(words, false)
}

/** A stemmer that takes `stem_exclusion`. */
function excluding(stem: TermFunction): TokenFilterFactory {
  return (name, options): TokenFilterComponent => {
    const component = stemmingComponent(name, stem)
    const words = stemExclusion(options)
    if (words === null) return component
    const marker = keywordsOf(name, words)
    return { ...component, make: (input: TokenStream) => component.make(marker.make(input)) }
  }
}

/** Type → factory. */
export const STEMMING_FILTERS: readonly (readonly [string, TokenFilterFactory])[] = [
  ['arabic_stem', name => stemmingComponent(name, stemArabic)],
  ['brazilian_stem', excluding(stemBrazilian)],
  ['czech_stem', name => stemmingComponent(name, stemCzech)],
  ['dutch_stem', excluding(packageStemmer('dutch'))],
  ['french_stem', excluding(packageStemmer('french'))],
  ['german_stem', excluding(stemGermanCaumanns)],
  ['keyword_marker', keywordMarker],
  ['kstem', name => stemmingComponent(name, stemKrovetz)],
  ['persian_stem', name => stemmingComponent(name, stemPersian)],
  ['porter_stem', name => stemmingComponent(name, stemPorter)],
  ['russian_stem', name => stemmingComponent(name, packageStemmer('russian'))],
  ['snowball', snowball],
  ['stemmer', stemmer],
  ['stemmer_override', stemmerOverride],
]
