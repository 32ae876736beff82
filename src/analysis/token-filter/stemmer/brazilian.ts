/**
 * Lucene's stemmer of Brazilian Portuguese, which follows the Snowball one with unaccented letters
 * and a few slips of its own, kept here: `-logias` and `-ira` end the search without being removed.
 */
import { isLetter } from '../../tokenizer/unicode-tables.ts'
import { letterMap } from '../normalization/letter-map.ts'
import type { TermFunction } from '../term-filter.ts'

const plainLetters: TermFunction = letterMap([
  ['áâã', 'a'],
  ['éê', 'e'],
  ['í', 'i'],
  ['óôõ', 'o'],
  ['úü', 'u'],
  ['ç', 'c'],
  ['ñ', 'n'],
])

/** Suffixes in R2, but `amente` in R1; in the order in which they are tried. */
const STANDARD = (
  'uciones>u imentos amentos adores adoras logias>logias encias>ente amente idades acoes imento amento adora ' +
  'ismos istas logia>log ucion>u encia>ente mente idade acao ezas icos icas ismo avel ivel ista osos osas ador ' +
  'ivas ivos eiras>eir eza ico ica oso osa iva ivo eira>eir'
)
  .split(' ')
  .map(text => {
    const [suffix = '', replacement = ''] = text.split('>')
    return { suffix, replacement }
  })

/** Suffixes in RV, longest first. */
const VERBS = (
  'issemos essemos assemos ariamos eriamos iriamos iremos eremos aremos avamos iramos eramos aramos asseis ' +
  'esseis isseis arieis erieis irieis irmos iamos armos ermos areis ereis ireis asses esses isses astes assem ' +
  'essem issem ardes erdes irdes ariam eriam iriam arias erias irias estes istes aveis aria eria iria asse ' +
  'esse isse aste este iste arei erei irei aram eram iram avam arem erem irem ando endo indo arao erao irao ' +
  'adas idas aras eras iras avas ares eres ires ados idos amos emos imos ieis ada ida ara era ira iam ado ido ' +
  'ias ais eis ear ia ei am em ar er ir as es is eu iu ou'
).split(' ')

const isVowel = (letter: string): boolean => 'aeiou'.includes(letter)
const PUNCTUATION = '"\'-,;.?!'

/** Words of 3 to 29 letters are stemmed; shorter and longer ones stay. */
export function stemBrazilian(term: string): string {
  // Lower case makes a word at most three times as long, so this one is too long whatever comes.
  if (term.length > 200) return term
  const word = stripPunctuation(plainLetters(term.toLowerCase()))
  if (word.length <= 2 || word.length >= 30) return term
  for (let i = 0; i < word.length; i++) if (!isLetter(word.charCodeAt(i))) return word
  const region1 = behindVowelAndConsonant(word)
  const region2 = behindVowelAndConsonant(region1)
  const regionV = verbRegion(word)
  const noun = removeStandard(word, region1, region2, regionV)
  if (noun !== null) return removeE(noun, regionV)
  const verb = VERBS.find(suffix => regionV.endsWith(suffix))
  if (verb !== undefined) return removeE(verb === 'ira' ? word : cut(word, verb), regionV)
  const residue = ['os', 'a', 'i', 'o'].find(suffix => regionV.endsWith(suffix)) ?? ''
  return removeE(cut(word, residue), regionV)
}

function stripPunctuation(text: string): string {
  let word = text
  if (word.length >= 2 && PUNCTUATION.includes(word[0]!)) word = word.slice(1)
  if (word.length >= 2 && PUNCTUATION.includes(word[word.length - 1]!)) word = word.slice(0, -1)
  return word
}

/** The region behind the first consonant that follows a vowel; the last letter ends no search. */
function behindVowelAndConsonant(word: string): string {
  const last = word.length - 1
  let at = 0
  while (at < last && !isVowel(word[at]!)) at++
  while (at < last && isVowel(word[at]!)) at++
  return at < last ? word.slice(at + 1) : ''
}

function verbRegion(word: string): string {
  const last = word.length - 1
  const secondIsVowel = isVowel(word[1]!)
  if (!secondIsVowel || isVowel(word[0]!)) {
    let at = 2
    while (at < last && isVowel(word[at]!) === secondIsVowel) at++
    if (at < last) return word.slice(at + 1)
  }
  return word.length > 3 ? word.slice(3) : ''
}

/** @returns null where no suffix fits */
function removeStandard(
  word: string,
  region1: string,
  region2: string,
  regionV: string,
): string | null {
  for (const { suffix, replacement } of STANDARD) {
    if (!word.endsWith(suffix)) continue
    const isAgent = suffix.startsWith('eir')
    const region = isAgent ? regionV : suffix === 'amente' ? region1 : region2
    if (!region.endsWith(isAgent ? suffix.slice(1) : suffix)) continue
    return cut(word, suffix) + replacement
  }
  return null
}

/** The region is that of the word before anything was taken off. */
function removeE(word: string, region: string): string {
  if (!region.endsWith('e')) return word
  const without = cut(word, 'e')
  if (region.endsWith('gue')) return cut(without, 'u')
  return region.endsWith('cie') ? cut(without, 'i') : without
}

function cut(word: string, suffix: string): string {
  return suffix !== '' && word.endsWith(suffix) ? word.slice(0, -suffix.length) : word
}
