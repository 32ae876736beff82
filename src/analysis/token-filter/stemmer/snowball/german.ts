/**
 * Snowball's stemmers of German in the version that Lucene 8 has, which keeps `-niss`: `german`, and
 * `german2`, which reads ae, oe and ue as umlauts.
 */
import { letterMap } from '../../normalization/letter-map.ts'
import type { TermFunction } from '../../term-filter.ts'
import { behindVowelAndConsonant, SuffixTable } from './suffix-table.ts'

const VOWELS = 'aeiouyäöü'
const BETWEEN_VOWELS = /([aeiouyäöü])([uy])(?=[aeiouyäöü])/g

const STEP_1 = new SuffixTable({ remove: 'em ern er e en es', s: 's' })
const STEP_2 = new SuffixTable({ remove: 'en er est', st: 'st' })
const STEP_3 = new SuffixTable({
  ung: 'end ung',
  ig: 'ig ik isch',
  lich: 'lich heit',
  keit: 'keit',
})
const S_ENDING = 'bdfghklmnrt'
const ST_ENDING = 'bdfghklmnt'

const plainLetters: TermFunction = letterMap([
  ['U', 'u'],
  ['Y', 'y'],
  ['ä', 'a'],
  ['ö', 'o'],
  ['ü', 'u'],
])

/** Stems German. */
export function stemGerman(term: string): string {
  return stem(markConsonants(term.replaceAll('ß', 'ss')))
}

/** Stems German with umlauts in two letters. */
export function stemGerman2(term: string): string {
  const umlauts = { ß: 'ss', ae: 'ä', oe: 'ö', ue: 'ü' } as const
  return stem(
    markConsonants(term).replace(/ß|ae|oe|ue|qu[\s\S]{0,2}/g, letters =>
      letters in umlauts ? umlauts[letters as keyof typeof umlauts] : letters,
    ),
  )
}

/** An u or y between vowels is a consonant. */
function markConsonants(word: string): string {
  return word.replace(
    BETWEEN_VOWELS,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  )
}

function stem(marked: string): string {
  let word = marked
  let region1 = word.length
  let region2 = word.length
  if (word.length >= 3) {
    const first = behindVowelAndConsonant(word, VOWELS, 0)
    region1 = Math.max(first, 3)
    region2 = behindVowelAndConsonant(word, VOWELS, first)
  }
  word = removeCase(word, region1)
  word = removeDegree(word, region1)
  return plainLetters(removeDerived(word, region1, region2))
}

function removeCase(word: string, region1: number): string {
  const found = STEP_1.find(word)
  if (found === null) return word
  const end = word.length - found.suffix.length
  if (end < region1) return word
  if (found.action === 's' && !S_ENDING.includes(word[end - 1] ?? ' ')) return word
  return word.slice(0, end)
}

function removeDegree(word: string, region1: number): string {
  const found = STEP_2.find(word)
  if (found === null) return word
  const end = word.length - found.suffix.length
  if (end < region1) return word
  if (found.action === 'st' && (end < 4 || !ST_ENDING.includes(word[end - 1]!))) return word
  return word.slice(0, end)
}

function removeDerived(word: string, region1: number, region2: number): string {
  const found = STEP_3.find(word)
  if (found === null) return word
  const end = word.length - found.suffix.length
  if (end < region2) return word
  const left = word.slice(0, end)
  switch (found.action) {
    case 'ung':
      return left.endsWith('ig') && !left.endsWith('eig') && end - 2 >= region2
        ? left.slice(0, -2)
        : left
    case 'ig':
      return left.endsWith('e') ? word : left
    case 'lich':
      return /e[rn]$/.test(left) && end - 2 >= region1 ? left.slice(0, -2) : left
    case 'keit':
      if (left.endsWith('lich')) return end - 4 >= region2 ? left.slice(0, -4) : left
      return left.endsWith('ig') && end - 2 >= region2 ? left.slice(0, -2) : left
  }
}
