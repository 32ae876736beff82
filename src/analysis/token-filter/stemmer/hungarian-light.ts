import { letterMap } from '../normalization/letter-map.ts'
import type { TermFunction } from '../term-filter.ts'
import { EndingRules, endsWithAny } from './word.ts'

const plainLetters: TermFunction = letterMap([
  ['á', 'a'],
  ['ëé', 'e'],
  ['í', 'i'],
  ['óőõö', 'o'],
  ['úűũûü', 'u'],
])

const LONG_CASES = new EndingRules(
  '6 kent;5 nak nek val vel ert rol ban ben bol nal nel hoz hez tol',
)
const SHORT_CASES = new EndingRules('4 at et ot va ve ra re ba be ul ig')
const LAST_LETTERS = new EndingRules('3 a e i o')

const isVowel = (letter: string | undefined): boolean =>
  letter !== undefined && 'aeiouy'.includes(letter)

/** Light stemmer of Hungarian (J. Savoy): case, possessive, plural, last vowel. */
export function stemLightHungarian(term: string): string {
  return LAST_LETTERS.apply(removePlural(removePossessive(removeCase(plainLetters(term)))))
}

function removeCase(word: string): string {
  const long = LONG_CASES.apply(word)
  if (long !== word) return long
  const { length } = word
  if (length > 5 && (word.endsWith('al') || word.endsWith('el'))) {
    if (!isVowel(word[length - 3]) && word[length - 3] === word[length - 4])
      return word.slice(0, -3)
  }
  const short = SHORT_CASES.apply(word)
  if (short !== word || length <= 4) return short
  if ((word.endsWith('on') || word.endsWith('en')) && !isVowel(word[length - 3]))
    return word.slice(0, -2)
  switch (word[length - 1]) {
    case 't':
    case 'n':
      return word.slice(0, -1)
    case 'a':
    case 'e':
      return word[length - 2] === word[length - 3] && !isVowel(word[length - 2])
        ? word.slice(0, -2)
        : word
    default:
      return word
  }
}

const PLURAL_OWNERS = ['atok', 'otok', 'etek']
const PLURAL_OWNERS_I = ['itek', 'itok']
const OWNERS_OF_3 = ['unk', 'tok', 'tek']
const OWNERS_OF_2 = ['am', 'em', 'om', 'ad', 'ed', 'od', 'uk']
const OWNERS_BEHIND_VOWEL = ['nk', 'ja', 'je']
const OWNERS_I = ['im', 'id', 'ik']

function removePossessive(word: string): string {
  const { length } = word
  const isVowelAt = (fromEnd: number): boolean => isVowel(word[length - fromEnd])
  if (length > 6) {
    if (!isVowelAt(5) && endsWithAny(word, PLURAL_OWNERS)) return word.slice(0, -4)
    if (endsWithAny(word, PLURAL_OWNERS_I)) return word.slice(0, -4)
  }
  if (length > 5) {
    if (!isVowelAt(4) && endsWithAny(word, OWNERS_OF_3)) return word.slice(0, -3)
    if (isVowelAt(4) && word.endsWith('juk')) return word.slice(0, -3)
    if (word.endsWith('ink')) return word.slice(0, -3)
  }
  if (length > 4) {
    if (!isVowelAt(3) && endsWithAny(word, OWNERS_OF_2)) return word.slice(0, -2)
    if (isVowelAt(3) && endsWithAny(word, OWNERS_BEHIND_VOWEL)) return word.slice(0, -2)
    if (endsWithAny(word, OWNERS_I)) return word.slice(0, -2)
  }
  if (length <= 3) return word
  switch (word[length - 1]) {
    case 'a':
    case 'e':
      return isVowelAt(2) ? word : word.slice(0, -1)
    case 'm':
    case 'd':
      return isVowelAt(2) ? word.slice(0, -1) : word
    case 'i':
      return word.slice(0, -1)
    default:
      return word
  }
}

function removePlural(word: string): string {
  if (word.length <= 3 || !word.endsWith('k')) return word
  const hasLinkVowel = word.length > 4 && endsWithAny(word, ['ak', 'ok', 'ek'])
  return word.slice(0, hasLinkVowel ? -2 : -1)
}
