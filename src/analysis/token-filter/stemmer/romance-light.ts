/** Light stemmers of Italian, Spanish and Portuguese (J. Savoy), and of Portuguese plurals. */
import { letterMap } from '../normalization/letter-map.ts'
import type { TermFunction } from '../term-filter.ts'
import { EndingRules } from './word.ts'

const VOWELS = [
  ['àáâä', 'a'],
  ['òóôö', 'o'],
  ['èéêë', 'e'],
  ['ùúûü', 'u'],
  ['ìíîï', 'i'],
] as const
const plainVowels: TermFunction = letterMap(VOWELS)
const plainPortuguese: TermFunction = letterMap([...VOWELS, ['ã', 'a'], ['õ', 'o'], ['ç', 'c']])

const ITALIAN = new EndingRules('0 ie he e hi ii i ia a io o')
const SPANISH = new EndingRules('0 o a e eses>es ces>z os as es')

const PORTUGUESE_PLURALS = new EndingRules(
  '4 res>r ses>s les>l zes>z;3 ns>m;4 eis>el éis>el ais>al óis>ol is>il;3 ões>ão ães>ão;6 mente;3 s',
)
const PORTUGUESE_FEMININES = new EndingRules(
  '7 inha>inho iaca>iaco eira>eiro;6 osa>oso ica>ico ida>ido ada>ado iva>ivo ama>amo ona>ão ora>or ' +
    'esa>ês na>no',
)
const LAST_VOWEL = new EndingRules('4 e a o')

/** Stems Italian lightly. */
export function stemLightItalian(term: string): string {
  return term.length < 6 ? term : ITALIAN.apply(plainVowels(term))
}

/** Stems Spanish lightly. */
export function stemLightSpanish(term: string): string {
  return term.length < 5 ? term : SPANISH.apply(plainVowels(term))
}

/** Stems Portuguese lightly. */
export function stemLightPortuguese(term: string): string {
  if (term.length < 4) return term
  const singular = PORTUGUESE_PLURALS.apply(term)
  const masculine =
    singular.length > 3 && singular.endsWith('a') ? PORTUGUESE_FEMININES.apply(singular) : singular
  return plainPortuguese(LAST_VOWEL.apply(masculine))
}
