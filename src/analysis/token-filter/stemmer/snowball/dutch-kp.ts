/**
 * Snowball's `kp`: the Dutch stemmer of W. Kraaij and R. Pohlmann (Porter's stemming algorithm for
 * Dutch), which also takes `ge` away from the beginning and the middle of words.
 */
import { SuffixTable } from './suffix-table.ts'

const isVowel = (letter: string | undefined): boolean =>
  letter !== undefined && 'aeiouy'.includes(letter)
/** A word that ends with a consonant; `ij` is a vowel. */
const endsConsonant = (word: string): boolean =>
  word !== '' && !word.endsWith('ij') && !isVowel(word.at(-1))
const endsVowel = (word: string): boolean => isVowel(word.at(-1)) || word.endsWith('ij')

interface Regions {
  readonly region1: number
  readonly region2: number
}

const STEP_1 = new SuffixTable({
  "'s": "'s",
  s: 's',
  ies: 'ies',
  es: 'es',
  aus: 'aus',
  en: 'en',
  nde: 'nde',
})
const STEP_2 = new SuffixTable({
  je: 'je',
  ge: 'ge',
  lijke: 'lijke',
  ische: 'ische',
  de: 'de',
  te: 'te',
  se: 'se',
  re: 're',
  le: 'le',
  ene: 'ene',
  ieve: 'ieve',
})
const STEP_3 = new SuffixTable({
  atie: 'atie',
  long: 'iteit ing isme erij',
  cut: 'heid sel ster',
  rder: 'rder',
  arij: 'arij',
  fie: 'fie',
  gie: 'gie',
  tst: 'tst',
  dst: 'dst',
})
const STEP_4 = new SuffixTable({
  ioneel: 'ioneel',
  atief: 'atief',
  baar: 'baar achtig achtiger achtigst',
  n: 'naar',
  l: 'laar',
  r: 'raar',
  tant: 'tant',
  lijk: 'lijker lijkst',
  long: 'eriger erigst erig end',
})
const STEP_4_SHORT = new SuffixTable({ long: 'iger igst ig' })
const LAST = /(?:[kfp]t|([bcdfghjklmnpqrstvwxz])\1|[vz])$/

/** Stems Dutch by Kraaij and Pohlmann. */
export function stemDutchKp(term: string): string {
  const marked = markConsonants(term)
  const regions = measure(marked)
  const steps = [step1, step2, step3, step4]
  let word = marked
  let isStemmed = false
  for (const step of steps) {
    const made = step(word, regions)
    if (made === null) continue
    word = made
    isStemmed = true
  }
  const without = [losePrefix, loseInfix]
  let isGeRemoved = false
  for (const lose of without) {
    const made = lose(word)
    isGeRemoved = made !== null
    if (made !== null) word = step1c(made, measure(made)) ?? made
  }
  const last = /[kfp]t$/.exec(word)
  if (last !== null) {
    word = word.slice(0, -1)
    isStemmed = true
  }
  if (isStemmed || isGeRemoved) word = endSingle(word)
  return marked === term ? word : word.replaceAll('Y', 'y')
}

/** A y at first or behind a vowel is a consonant. */
function markConsonants(term: string): string {
  if (!term.includes('y')) return term
  let made = ''
  let before: string | undefined
  for (const letter of term.split('')) {
    const isConsonant = letter === 'y' && (before === undefined || isVowel(before))
    before = isConsonant ? 'Y' : letter
    made += before
  }
  return made
}

function measure(word: string): Regions {
  const region1 = behind(word, 0)
  return { region1: region1 ?? word.length, region2: behind(word, region1) ?? word.length }
}

/** Behind consonants, vowels (with `ij`) and one more consonant. */
function behind(word: string, from: number | null): number | null {
  if (from === null) return null
  let at = from
  // `ij` counts only where a run of vowels may begin or go on.
  while (at < word.length && !isVowel(word[at])) at++
  let vowels = 0
  while (at < word.length) {
    if (word.startsWith('ij', at)) at += 2
    else if (isVowel(word[at])) at++
    else break
    vowels++
  }
  return vowels > 0 && at < word.length ? at + 1 : null
}

/** Doubles the last vowel of a closed syllable that was open before. */
function lengthen(word: string): string {
  const last = word.length - 1
  if (last < 1 || 'aeiouywx'.includes(word[last]!)) return word
  const vowel = word[last - 1]!
  const before = word[last - 2]
  const isOpen = before === undefined || !isVowel(before)
  if ('aou'.includes(vowel) && isOpen) return word.slice(0, last) + vowel + word[last]
  if (vowel !== 'e' || !isOpen) return word
  if (before !== undefined && !keepsShort(word.slice(0, last - 2)))
    return `${word.slice(0, last)}e${word[last]}`
  return before === undefined ? `${word.slice(0, last)}e${word[last]}` : word
}

/** Whether an e behind a consonant behind this stays single: a syllable before it is open. */
function keepsShort(stem: string): boolean {
  const isAiou = (letter: string | undefined): boolean =>
    letter !== undefined && 'aiou'.includes(letter)
  if (isAiou(stem.at(-1))) return true
  const { length } = stem
  return length >= 3 && isAiou(stem[length - 2]) && !isVowel(stem[length - 3])
}

type Step = (word: string, regions: Regions) => string | null

const step1: Step = (word, { region1 }) => {
  const found = STEP_1.find(word)
  if (found === null) return null
  const left = word.slice(0, -found.suffix.length)
  const isIn1 = left.length >= region1
  /** The stem before another ending, where that stands in R1 behind a consonant. */
  const before = (ending: string): string | null => {
    const stem = left.slice(0, -ending.length)
    return left.endsWith(ending) && stem.length >= region1 && endsConsonant(stem) ? stem : null
  }
  switch (found.action) {
    case "'s":
      return left
    case 's':
      if (!isIn1 || (left.endsWith('t') && left.length - 1 >= region1)) return null
      return endsConsonant(left) ? left : null
    case 'ies':
      return isIn1 ? `${left}ie` : null
    case 'es': {
      const long = before('ar')
      if (long !== null) return lengthen(long)
      const short = before('er')
      if (short !== null) return short
      return isIn1 && endsConsonant(left) ? `${left}e` : null
    }
    case 'aus':
      return isIn1 && endsVowel(left) ? `${left}au` : null
    case 'en': {
      if (left.endsWith('hed') && left.length - 3 >= region1) return `${left.slice(0, -3)}heid`
      if (left.endsWith('nd')) return left
      const stem = before('d')
      if (stem !== null) return stem
      if (/[ij]$/.test(left) && endsVowel(left.slice(0, -1))) return left
      return isIn1 && endsConsonant(left) ? lengthen(left) : null
    }
    case 'nde':
      return `${left}nd`
  }
}

const step2: Step = (word, { region1 }) => {
  const found = STEP_2.find(word)
  if (found === null) return null
  const left = word.slice(0, -found.suffix.length)
  const isIn1 = left.length >= region1
  switch (found.action) {
    case 'je':
      return removeDiminutive(left, region1)
    case 'de':
      return isIn1 && endsConsonant(left) ? left : null
    case 'le':
      return isIn1 ? lengthen(`${left}l`) : null
    case 'ene':
      return isIn1 && endsConsonant(left) ? lengthen(`${left}en`) : null
    case 'ieve':
      return isIn1 && endsConsonant(left) ? `${left}ief` : null
    default:
      return isIn1 ? word.slice(0, -1) : null
  }
}

function removeDiminutive(left: string, region1: number): string | null {
  if (left.endsWith("'t")) return left.slice(0, -2)
  const stem2 = left.slice(0, -2)
  if (left.endsWith('et') && stem2.length >= region1 && endsConsonant(stem2)) return stem2
  if (left.endsWith('rnt')) return `${left.slice(0, -3)}rn`
  const stem1 = left.slice(0, -1)
  // The letter before t does not count, but what stands before that.
  if (left.endsWith('t') && stem1.length >= region1 && endsVowel(stem1.slice(0, -1))) return stem1
  if (left.endsWith('ink')) return `${left.slice(0, -3)}ing`
  if (left.endsWith('mp')) return `${left.slice(0, -2)}m`
  if (left.endsWith("'") && stem1.length >= region1) return stem1
  return left.length >= region1 && endsConsonant(left) ? left : null
}

const step3: Step = (word, { region1, region2 }) => {
  const found = STEP_3.find(word)
  if (found === null) return null
  const left = word.slice(0, -found.suffix.length)
  const isIn1 = left.length >= region1
  const isBehindConsonant = isIn1 && endsConsonant(left)
  switch (found.action) {
    case 'atie':
      return isIn1 ? `${left}eer` : null
    case 'long':
      return isIn1 ? lengthen(left) : null
    case 'cut':
      return isIn1 ? left : null
    case 'rder':
      return `${left}r`
    case 'arij':
      return isBehindConsonant ? `${left}aar` : null
    case 'tst':
      return isBehindConsonant ? `${left}t` : null
    case 'dst':
      return isBehindConsonant ? `${left}d` : null
    default:
      return left.length >= region2 ? lengthen(left + found.action[0]) : null
  }
}

const step4: Step = (word, { region1 }) => {
  const found = STEP_4.find(word)
  const left = found === null ? '' : word.slice(0, -found.suffix.length)
  if (found !== null && left.length >= region1) {
    switch (found.action) {
      case 'ioneel':
        return `${left}ie`
      case 'atief':
        return `${left}eer`
      case 'baar':
        return left
      case 'tant':
        return `${left}teer`
      case 'lijk':
        return `${left}lijk`
      case 'long':
        if (endsConsonant(left)) return lengthen(left)
        break
      default:
        if (endsVowel(left)) return left + found.action
    }
  }
  const short = STEP_4_SHORT.find(word)
  if (short === null) return null
  const stem = word.slice(0, -short.suffix.length)
  return stem.length >= region1 && endsConsonant(stem) ? lengthen(stem) : null
}

const step1c: Step = (word, { region1 }) => {
  const last = word.at(-1)
  if (last !== 'd' && last !== 't') return null
  const left = word.slice(0, -1)
  if (left.length < region1 || !endsConsonant(left)) return null
  return left.endsWith(last === 'd' ? 'n' : 'h') && left.length - 1 >= region1 ? null : left
}

/** A consonant at the end once, v as f and z as s. */
function endSingle(word: string): string {
  const found = LAST.exec(word)
  if (found === null || /[kfp]t$/.test(word)) return word
  if (found[0].length === 2) return word.slice(0, -1)
  return word.slice(0, -1) + (found[0] === 'v' ? 'f' : 's')
}

/** Whether a vowel with a consonant somewhere behind it follows. */
function hasSyllable(word: string, from: number): boolean {
  let at = from
  while (at < word.length && !isVowel(word[at])) at++
  while (at < word.length && isVowel(word[at])) at++
  return at < word.length
}

/** Null where there is none. */
function losePrefix(word: string): string | null {
  if (!word.startsWith('ge') || word.length < 5 || !hasSyllable(word, 2)) return null
  return word.slice(2)
}

function loseInfix(word: string): string | null {
  const at = word.indexOf('ge', 1)
  if (at < 0 || word.length < at + 5 || !hasSyllable(word, at + 2)) return null
  return word.slice(0, at) + word.slice(at + 2)
}
