/** Light and minimal stemmers of French (J. Savoy, of the University of Neuchâtel). */
import { isLetter } from '../../tokenizer/unicode-tables.ts'
import { letterMap } from '../normalization/letter-map.ts'
import type { TermFunction } from '../term-filter.ts'
import { EndingRules, removeDoubles } from './word.ts'

const plainLetters: TermFunction = letterMap([
  ['àáâ', 'a'],
  ['ô', 'o'],
  ['èéê', 'e'],
  ['ùû', 'u'],
  ['î', 'i'],
  ['ç', 'c'],
])

const isLetterUnit = (letter: string): boolean => isLetter(letter.charCodeAt(0))

const DERIVED = new EndingRules(
  '9 issement>ir;8 issant>ir;6 ement>e;11 ficatrice>fier;10 ficateur>fier;9 catrice>quer;' +
    '8 cateur>quer atrice>er;7 ateur>er',
)
const AGENTS = new EndingRules(
  '5 ième;7 teuse>ter;6 teur>ter;5 euse>eu;8 ère>er;7 ive>if;4 folle>fou molle>mou;9 nnelle>n nnel>n',
)
const LAST = new EndingRules('8 esse>e;7 inage>in;9 isation isateur;8 ation ition')

/** Plurals, feminines, derived words, then accents and doubled letters. */
export function stemLightFrench(term: string): string {
  let word = removePlural(term)
  const derived = DERIVED.apply(word)
  if (derived !== word) return normalize(endOfAdverb(word, derived))
  if (word.length > 6 && word.endsWith('trice')) word = `${word.slice(0, -5)}teur`
  const agent = AGENTS.apply(word)
  if (agent !== word) return normalize(agent)
  if (word.length > 4 && word.endsWith('ète')) word = `${word.slice(0, -3)}et`
  if (word.length > 8 && word.endsWith('ique')) word = word.slice(0, -4)
  const last = LAST.apply(word)
  const wasAdjective = word.endsWith('isation') && last.length > 5 && last.endsWith('ual')
  return normalize(wasAdjective ? `${last.slice(0, -2)}el` : last)
}

function removePlural(term: string): string {
  let word = term
  if (word.length > 5 && word.endsWith('x'))
    word =
      word.endsWith('aux') && word[word.length - 4] !== 'e'
        ? `${word.slice(0, -2)}l`
        : word.slice(0, -1)
  if (word.length > 3 && word.endsWith('x')) word = word.slice(0, -1)
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}

/** An adverb in -ivement comes of an adjective in -if. */
function endOfAdverb(word: string, derived: string): string {
  const isAdverb = word.endsWith('ement') && !(word.length > 9 && word.endsWith('issement'))
  return isAdverb && derived.length > 3 && derived.endsWith('ive')
    ? `${derived.slice(0, -2)}f`
    : derived
}

function normalize(term: string): string {
  let word = term
  if (word.length > 4) word = removeDoubles(plainLetters(word), isLetterUnit)
  if (word.length > 4 && word.endsWith('ie')) word = word.slice(0, -2)
  if (word.length <= 4) return word
  if (word.endsWith('r')) word = word.slice(0, -1)
  if (word.endsWith('e')) word = word.slice(0, -1)
  if (word.endsWith('e')) word = word.slice(0, -1)
  const { length } = word
  const isDouble = length > 1 && word[length - 1] === word[length - 2]
  return isDouble && isLetterUnit(word[length - 1]!) ? word.slice(0, -1) : word
}

/** Plural and feminine, without accents of their own. */
export function stemMinimalFrench(term: string): string {
  if (term.length < 6) return term
  if (term.endsWith('x')) return term.endsWith('aux') ? `${term.slice(0, -2)}l` : term.slice(0, -1)
  let word = term
  for (const ending of ['s', 'r', 'e', 'é']) if (word.endsWith(ending)) word = word.slice(0, -1)
  const { length } = word
  return word[length - 1] === word[length - 2] ? word.slice(0, -1) : word
}
