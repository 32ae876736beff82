import { letterMap } from '../normalization/letter-map.ts'
import type { TermFunction } from '../term-filter.ts'
import { EndingRules, removeDoubles } from './word.ts'

const plainLetters: TermFunction = letterMap([
  ['äå', 'a'],
  ['ö', 'o'],
])
const PARTICLES = new EndingRules('8 kin ko')
const DERIVED = new EndingRules('11 dellinen dellisuus')
const ADVERBS = new EndingRules('5 lla tse sti ni aa>a')
const CASES = new EndingRules(
  '8 nnen>s ntena>s tten eiden;6 neen niin seen teen inen ' +
    'han hen hin hon hun hyn den>s ksen>s ssa sta lla lta tta ksi lle;5 na ne nei;' +
    '4 ja ta a an en in on un yn n',
)
const STEM_ENDS = new EndingRules('5 hde>ksi')
const PLURALS = new EndingRules('4 ei at;3 t s j e a i')

const isStop = (letter: string): boolean => letter === 'k' || letter === 'p' || letter === 't'

/** Light stemmer of Finnish (J. Savoy, Report on CLEF-2003 monolingual tracks). */
export function stemLightFinnish(term: string): string {
  if (term.length < 4) return term
  let word = plainLetters(term)
  for (let before = ''; before !== word; ) {
    before = word
    word = PARTICLES.apply(word)
  }
  word = PLURALS.apply(STEM_ENDS.apply(CASES.apply(ADVERBS.apply(DERIVED.apply(word)))))
  if (word.length > 8 && /[eou]$/.test(word)) word = word.slice(0, -1)
  if (word.length > 4 && word.endsWith('i')) word = word.slice(0, -1)
  return word.length > 4 ? removeDoubles(word, isStop) : word
}
