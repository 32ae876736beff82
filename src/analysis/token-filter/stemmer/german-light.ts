/** Light and minimal stemmers of German (J. Savoy's and Harman's, of the University of Neuchâtel). */
import { letterMap } from '../normalization/letter-map.ts'
import type { TermFunction } from '../term-filter.ts'
import { EndingRules } from './word.ts'

const plainLetters: TermFunction = letterMap([
  ['äàáâ', 'a'],
  ['öòóô', 'o'],
  ['ïìíî', 'i'],
  ['üùúû', 'u'],
])
const plainUmlauts: TermFunction = letterMap([
  ['ä', 'a'],
  ['ö', 'o'],
  ['ü', 'u'],
])

/** Consonants that a genitive s or an -st may follow. */
const ST = Array.from('bdfghklmnt')
const CASES = new EndingRules(
  `5 ern;4 em en er es;3 e ${ST.map(letter => `${letter}s>${letter}`).join(' ')}`,
)
const DEGREES = new EndingRules(
  `5 est;4 er en ${ST.map(letter => `${letter}st>${letter}`).join(' ')}`,
)
const PLURALS = new EndingRules('6 nen;5 en se es er;4 n e s r')

/** Stems German lightly. */
export function stemLightGerman(term: string): string {
  return DEGREES.apply(CASES.apply(plainLetters(term)))
}

/** Plurals only. */
export function stemMinimalGerman(term: string): string {
  return term.length < 5 ? term : PLURALS.apply(plainUmlauts(term))
}
