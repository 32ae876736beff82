/**
 * Porter's second stemmer of English (Snowball's `english`), as its author describes it: regions R1
 * and R2 behind the first and second run of vowels with a consonant, words that are exceptions, and
 * suffixes in five steps.
 */
import { WordBuffer } from './word-buffer.ts'

const WHOLE_WORDS: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...'sky news howe atlas cosmos bias andes'.split(' ').map(each => [each, each] as const),
])

/** Words that stay when their plural has gone. */
const KEPT: ReadonlySet<string> = new Set(
  'inning outing canning herring earring proceed exceed succeed'.split(' '),
)

const REGION_PREFIXES = ['gener', 'commun', 'arsen']

/** Longest first among those that share an ending. */
const STEP_2 = rulesOf(
  'ational>ate tional>tion ization>ize ation>ate enci>ence anci>ance abli>able entli>ent izer>ize ' +
    'ator>ate alism>al aliti>al alli>al fulness>ful ousness>ous ousli>ous iveness>ive iviti>ive ' +
    'biliti>ble bli>ble ogi>og fulli>ful lessli>less li>',
)
const STEP_3 = rulesOf(
  'ational>ate tional>tion alize>al icate>ic iciti>ic ical>ic ative> ful> ness>',
)
const STEP_4 = rulesOf(
  'al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ism> ate> iti> ous> ive> ize> ion>',
)

function rulesOf(text: string): readonly (readonly [string, string])[] {
  return text
    .split(' ')
    .map(pair => {
      const [suffix = '', replacement = ''] = pair.split('>')
      return [suffix, replacement] as const
    })
    .sort((one, other) => other[0].length - one[0].length)
}

const A = 0x61
const D = 0x64
const E = 0x65
const I = 0x69
const L = 0x6c
const S = 0x73
const T = 0x74
const Y = 0x79
/** A y that is a consonant while the word is worked on. */
const CONSONANT_Y = 0x59
const APOSTROPHE = 0x27

const word = new WordBuffer()
let region1 = 0
let region2 = 0

/** The stem of a word in lower case. */
export function stemPorter2(term: string): string {
  const whole = WHOLE_WORDS.get(term)
  if (whole !== undefined) return whole
  if (term.length <= 2) return term
  word.load(term)
  if (word.units[0] === APOSTROPHE) {
    word.units.copyWithin(0, 1, word.length)
    word.length--
  }
  const hasConsonantY = markY()
  findRegions()
  removePossessive()
  removePlural()
  if (!isKept()) {
    removePast()
    const last = word.length - 1
    const isY = word.units[last] === Y || word.units[last] === CONSONANT_Y
    if (isY && last > 1 && !isVowel(last - 1)) word.units[last] = I
    replaceDouble()
    replaceMiddle()
    removeLast()
    removeE()
  }
  if (hasConsonantY)
    for (let i = 0; i < word.length; i++) if (word.units[i] === CONSONANT_Y) word.units[i] = Y
  return word.read(term)
}

function isVowel(at: number): boolean {
  switch (word.units[at]) {
    case A:
    case E:
    case I:
    case 0x6f:
    case 0x75:
    case Y:
      return true
    default:
      return false
  }
}

/** A y at first or behind a vowel is a consonant. */
function markY(): boolean {
  let found = false
  for (let i = 0; i < word.length; i++)
    if (word.units[i] === Y && (i === 0 || isVowel(i - 1))) {
      word.units[i] = CONSONANT_Y
      found = true
    }
  return found
}

function findRegions(): void {
  region1 = -1
  for (const prefix of REGION_PREFIXES) if (startsWith(prefix)) region1 = prefix.length
  if (region1 < 0) region1 = behindVowelConsonant(0)
  region2 = behindVowelConsonant(region1)
}

function startsWith(prefix: string): boolean {
  if (prefix.length > word.length) return false
  for (let i = 0; i < prefix.length; i++) if (word.units[i] !== prefix.charCodeAt(i)) return false
  return true
}

function behindVowelConsonant(from: number): number {
  let at = from
  while (at < word.length && !isVowel(at)) at++
  while (at < word.length && isVowel(at)) at++
  return Math.min(at + 1, word.length)
}

function hasVowel(end: number): boolean {
  for (let i = 0; i < end; i++) if (isVowel(i)) return true
  return false
}

/** Whether the word ends in a short syllable. */
function endsShort(): boolean {
  const { length, units } = word
  if (length === 2) return isVowel(0) && !isVowel(1)
  if (length < 3 || isVowel(length - 1) || !isVowel(length - 2) || isVowel(length - 3)) return false
  const last = units[length - 1]
  return last !== 0x77 && last !== 0x78 && last !== CONSONANT_Y
}

function removePossessive(): void {
  if (word.endsWith("'s'")) word.length -= 3
  else if (word.endsWith("'s")) word.length -= 2
  else if (word.endsWith("'")) word.length--
}

function removePlural(): void {
  if (word.endsWith('sses')) word.length -= 2
  else if (word.endsWith('ied') || word.endsWith('ies')) word.length -= word.length > 4 ? 2 : 1
  else if (word.endsWith('us') || word.endsWith('ss')) return
  else if (word.endsWith('s') && hasVowel(word.length - 2)) word.length--
}

function isKept(): boolean {
  if (word.length < 6 || word.length > 7) return false
  return KEPT.has(String.fromCharCode(...word.units.subarray(0, word.length)))
}

function removePast(): void {
  for (const suffix of ['eedly', 'eed'])
    if (word.endsWith(suffix)) {
      if (word.length - suffix.length >= region1) word.length -= suffix.length - 2
      return
    }
  for (const suffix of ['ingly', 'edly', 'ing', 'ed']) {
    if (!word.endsWith(suffix)) continue
    const end = word.length - suffix.length
    if (!hasVowel(end)) return
    word.length = end
    if (word.endsWith('at') || word.endsWith('bl') || word.endsWith('iz'))
      word.units[word.length++] = E
    else if (endsInDouble()) word.length--
    else if (region1 >= word.length && endsShort()) word.units[word.length++] = E
    return
  }
}

/** `bb dd ff gg mm nn pp rr tt` */
function endsInDouble(): boolean {
  const { units, length } = word
  if (length < 2 || units[length - 1] !== units[length - 2]) return false
  switch (units[length - 1]) {
    case 0x62:
    case D:
    case 0x66:
    case 0x67:
    case 0x6d:
    case 0x6e:
    case 0x70:
    case 0x72:
    case T:
      return true
    default:
      return false
  }
}

function replaceDouble(): void {
  for (const [suffix, replacement] of STEP_2) {
    if (!word.endsWith(suffix)) continue
    const end = word.length - suffix.length
    if (end < region1) return
    if (suffix === 'ogi' && word.units[end - 1] !== L) return
    if (suffix === 'li' && !'cdeghkmnrt'.includes(String.fromCharCode(word.units[end - 1]!))) return
    word.write(end, replacement)
    return
  }
}

function replaceMiddle(): void {
  for (const [suffix, replacement] of STEP_3) {
    if (!word.endsWith(suffix)) continue
    const end = word.length - suffix.length
    if (end >= (suffix === 'ative' ? region2 : region1)) word.write(end, replacement)
    return
  }
}

function removeLast(): void {
  for (const [suffix] of STEP_4) {
    if (!word.endsWith(suffix)) continue
    const end = word.length - suffix.length
    if (end < region2) return
    if (suffix === 'ion' && word.units[end - 1] !== S && word.units[end - 1] !== T) return
    word.length = end
    return
  }
}

function removeE(): void {
  const end = word.length - 1
  if (word.units[end] === E) {
    if (end >= region2) word.length = end
    else if (end >= region1) {
      word.length = end
      if (endsShort()) word.length = end + 1
    }
  } else if (word.units[end] === L && end >= region2 && word.units[end - 1] === L) word.length = end
}
