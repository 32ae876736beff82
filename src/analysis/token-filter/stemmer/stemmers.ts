/** Stemmers by the names that the options of `stemmer` and `snowball` know. */
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { TokenFilterComponent, TokenStream } from '../../token-stream.ts'
import { stemmingComponent, TermFilter, type TermFunction } from '../term-filter.ts'
import { stemArabic } from './arabic.ts'
import { stemBrazilian } from './brazilian.ts'
import { stemBulgarian } from './bulgarian.ts'
import { stemCzech } from './czech.ts'
import { removePossessive, stemMinimalEnglish } from './english-plain.ts'
import { stemLightFinnish } from './finnish-light.ts'
import { stemLightFrench, stemMinimalFrench } from './french-light.ts'
import { stemLightGerman, stemMinimalGerman } from './german-light.ts'
import { stemGreek } from './greek.ts'
import { stemLightHungarian } from './hungarian-light.ts'
import { stemBengali, stemHindi } from './indic.ts'
import { stemIndonesian } from './indonesian.ts'
import { stemKrovetz } from './kstem.ts'
import { stemLatvian } from './latvian.ts'
import {
  stemLightNorwegian,
  stemLightNynorsk,
  stemMinimalNorwegian,
  stemMinimalNynorsk,
} from './norwegian-light.ts'
import { stemPersian } from './persian.ts'
import { stemPorter } from './porter.ts'
import { stemPorter2 } from './porter2.ts'
import { stemLightItalian, stemLightPortuguese, stemLightSpanish } from './romance-light.ts'
import { stemGalician, stemMinimalGalician, stemMinimalPortuguese, stemPortuguese } from './rslp.ts'
import { stemLightRussian } from './russian-light.ts'
import { stemDutchKp } from './snowball/dutch-kp.ts'
import { stemEstonian } from './snowball/estonian.ts'
import { stemGerman, stemGerman2 } from './snowball/german.ts'
import { stemHungarian } from './snowball/hungarian.ts'
import { stemLithuanian } from './snowball/lithuanian.ts'
import { stemLovins } from './snowball/lovins.ts'
import { packageStemmer } from './snowball/package.ts'
import { stemPortugueseSnowball } from './snowball/portuguese.ts'
import { stemSorani } from './sorani.ts'
import { stemLightSwedish } from './swedish-light.ts'

/** Stemmers of the Snowball project, by the names of their classes in Lucene. */
const SNOWBALL: ReadonlyMap<string, TermFunction> = new Map([
  ['Arabic', packageStemmer('arabic')],
  ['Armenian', packageStemmer('armenian')],
  ['Basque', packageStemmer('basque')],
  ['Catalan', packageStemmer('catalan')],
  ['Danish', packageStemmer('danish')],
  ['Dutch', packageStemmer('dutch')],
  ['English', stemPorter2],
  ['Estonian', stemEstonian],
  ['Finnish', packageStemmer('finnish')],
  ['French', packageStemmer('french')],
  ['German', stemGerman],
  ['German2', stemGerman2],
  ['Hungarian', stemHungarian],
  ['Irish', packageStemmer('irish')],
  ['Italian', packageStemmer('italian')],
  ['Kp', stemDutchKp],
  ['Lithuanian', stemLithuanian],
  ['Lovins', stemLovins],
  ['Norwegian', packageStemmer('norwegian')],
  ['Porter', packageStemmer('porter')],
  ['Portuguese', stemPortugueseSnowball],
  ['Romanian', packageStemmer('romanian')],
  ['Russian', packageStemmer('russian')],
  ['Spanish', packageStemmer('spanish')],
  ['Swedish', packageStemmer('swedish')],
  ['Turkish', packageStemmer('turkish')],
])

/** Those that `stemmer` knows beside Snowball's; without `_` and in lower case. */
const OTHERS: ReadonlyMap<string, TermFunction> = new Map([
  ['arabic', stemArabic],
  ['bengali', stemBengali],
  ['brazilian', stemBrazilian],
  ['bulgarian', stemBulgarian],
  ['czech', stemCzech],
  ['dutch_kp', stemDutchKp],
  ['dutchkp', stemDutchKp],
  ['kp', stemDutchKp],
  ['english', stemPorter],
  ['persian', stemPersian],
  ['porter', stemPorter],
  ['porter2', stemPorter2],
  ['light_english', stemKrovetz],
  ['lightenglish', stemKrovetz],
  ['kstem', stemKrovetz],
  ['minimal_english', stemMinimalEnglish],
  ['minimalenglish', stemMinimalEnglish],
  ['light_finish', stemLightFinnish],
  ['lightfinish', stemLightFinnish],
  ['light_finnish', stemLightFinnish],
  ['lightfinnish', stemLightFinnish],
  ['light_french', stemLightFrench],
  ['lightfrench', stemLightFrench],
  ['minimal_french', stemMinimalFrench],
  ['minimalfrench', stemMinimalFrench],
  ['galician', stemGalician],
  ['minimal_galician', stemMinimalGalician],
  ['light_german', stemLightGerman],
  ['lightgerman', stemLightGerman],
  ['minimal_german', stemMinimalGerman],
  ['minimalgerman', stemMinimalGerman],
  ['greek', stemGreek],
  ['hindi', stemHindi],
  ['light_hungarian', stemLightHungarian],
  ['lighthungarian', stemLightHungarian],
  ['indonesian', stemIndonesian],
  ['light_italian', stemLightItalian],
  ['lightitalian', stemLightItalian],
  ['latvian', stemLatvian],
  ['light_norwegian', stemLightNorwegian],
  ['lightnorwegian', stemLightNorwegian],
  ['minimal_norwegian', stemMinimalNorwegian],
  ['minimalnorwegian', stemMinimalNorwegian],
  ['light_nynorsk', stemLightNynorsk],
  ['lightnynorsk', stemLightNynorsk],
  ['minimal_nynorsk', stemMinimalNynorsk],
  ['minimalnynorsk', stemMinimalNynorsk],
  ['light_portuguese', stemLightPortuguese],
  ['lightportuguese', stemLightPortuguese],
  ['minimal_portuguese', stemMinimalPortuguese],
  ['minimalportuguese', stemMinimalPortuguese],
  ['portuguese_rslp', stemPortuguese],
  ['light_russian', stemLightRussian],
  ['lightrussian', stemLightRussian],
  ['light_spanish', stemLightSpanish],
  ['lightspanish', stemLightSpanish],
  ['sorani', stemSorani],
  ['light_swedish', stemLightSwedish],
  ['lightswedish', stemLightSwedish],
])

/** `english`, `light_french`, `possessive_english`, …: names of `stemmer`, whatever their case. */
export function stemmerOf(name: string, language: string): TokenFilterComponent {
  const key = language.toLowerCase()
  if (key === 'possessive_english' || key === 'possessiveenglish') return possessiveEnglish(name)
  const stem = OTHERS.get(key)
  return stem === undefined ? snowballOf(name, capitalized(key)) : stemmingComponent(name, stem)
}

/** The possessive goes from words that are marked as well. */
export function possessiveEnglish(name: string): TokenFilterComponent {
  return { name, make: input => new PossessiveFilter(input) }
}

class PossessiveFilter extends TermFilter {
  constructor(input: TokenStream) {
    super(input, removePossessive)
  }

  /** Less of a word in lower case is in lower case. */
  override isLower(): boolean {
    return this.input.isLower()
  }
}

/**
 * Snowball's stemmer of a language, which is written with a capital (`English`, `German2`).
 * @throws {IllegalArgumentError} there is none
 */
export function snowballOf(name: string, language: string): TokenFilterComponent {
  const stem = snowballStemmer(language)
  if (stem === null) throw new IllegalArgumentError(`Invalid stemmer class specified: ${language}`)
  return stemmingComponent(name, stem)
}

/** The same as a function, null where there is none. */
export function snowballStemmer(language: string): TermFunction | null {
  return SNOWBALL.get(language) ?? null
}

/** With a capital at first and nothing else changed. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
