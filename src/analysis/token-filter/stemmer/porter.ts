/**
 * Porter's stemmer (M. F. Porter, An algorithm for suffix stripping, 1980) with the departures that
 * its author published with his code and Lucene keeps: words of one or two letters stay, `bli`
 * becomes `ble` and `logi` becomes `log`. Letters outside of a–z count as consonants.
 */
import { WordBuffer } from './word-buffer.ts'

const A = 0x61
const E = 0x65
const I = 0x69
const L = 0x6c
const O = 0x6f
const S = 0x73
const T = 0x74
const U = 0x75
const W = 0x77
const X = 0x78
const Y = 0x79
const Z = 0x7a

/** Suffix and what it becomes, where a measure stands before it. */
type Rule = readonly [suffix: string, replacement: string]

/** By the last letter but one, as the paper suggests. */
function byLastButOne(rules: readonly Rule[]): readonly (readonly Rule[])[] {
  const table: Rule[][] = Array.from({ length: 26 }, () => [])
  for (const rule of rules) table[rule[0].charCodeAt(rule[0].length - 2) - A]!.push(rule)
  return table
}

function rulesOf(text: string): Rule[] {
  return text.split(' ').map(pair => {
    const [suffix = '', replacement = ''] = pair.split('>')
    return [suffix, replacement]
  })
}

const DOUBLE_SUFFIXES = byLastButOne(
  rulesOf(
    'ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ' +
      'ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al ' +
      'iviti>ive biliti>ble logi>log',
  ),
)
const MIDDLE_SUFFIXES = rulesOf('icate>ic ative> alize>al iciti>ic ical>ic ful> ness>')
const LAST_SUFFIXES = byLastButOne(
  rulesOf(
    'al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>',
  ),
)

const word = new WordBuffer()
/** 1 where the word has a consonant, as long as the word. */
let consonants = new Uint8Array(256)

/** The stem of a word in lower case. */
export function stemPorter(term: string): string {
  if (term.length <= 2) return term
  word.load(term)
  classify(0)
  removePlural()
  removePast()
  const last = word.length - 1
  if (word.units[last] === Y && hasVowel(last)) {
    word.units[last] = I
    consonants[last] = 0
  }
  replace(DOUBLE_SUFFIXES[word.units[word.length - 2]! - A])
  replace(MIDDLE_SUFFIXES)
  removeLast()
  removeE()
  return word.read(term)
}

/** Tells consonants from vowels from a place on; a y is a consonant at first and behind a vowel. */
function classify(from: number): void {
  const { units, length } = word
  if (consonants.length < length + 16) {
    const larger = new Uint8Array(length * 2 + 16)
    larger.set(consonants)
    consonants = larger
  }
  for (let at = from; at < length; at++) {
    switch (units[at]) {
      case A:
      case E:
      case I:
      case O:
      case U:
        consonants[at] = 0
        break
      case Y:
        consonants[at] = at === 0 ? 1 : 1 - consonants[at - 1]!
        break
      default:
        consonants[at] = 1
    }
  }
}

/** Whether at least `least` runs of vowels have consonants behind them before `end`. */
function hasMeasure(end: number, least: number): boolean {
  let measure = 0
  let at = 0
  for (;;) {
    while (at < end && consonants[at] === 1) at++
    while (at < end && consonants[at] === 0) at++
    if (at >= end) return false
    if (++measure >= least) return true
  }
}

function hasVowel(end: number): boolean {
  for (let at = 0; at < end; at++) if (consonants[at] === 0) return true
  return false
}

function endsInDouble(): boolean {
  const { units, length } = word
  return length >= 2 && units[length - 1] === units[length - 2] && consonants[length - 1] === 1
}

/** Consonant, vowel, consonant other than w, x and y before `end`: an e may have stood there. */
function isShort(end: number): boolean {
  if (end < 3 || consonants[end - 2] === 1) return false
  if (consonants[end - 1] === 0 || consonants[end - 3] === 0) return false
  const last = word.units[end - 1]
  return last !== W && last !== X && last !== Y
}

function removePlural(): void {
  const { units, length } = word
  if (units[length - 1] !== S) return
  if (word.endsWith('sses')) word.length -= 2
  else if (word.endsWith('ies')) word.length -= 2
  else if (units[length - 2] !== S) word.length--
}

function removePast(): void {
  if (word.endsWith('eed')) {
    if (hasMeasure(word.length - 3, 1)) word.length--
    return
  }
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  if (cut === 0 || !hasVowel(word.length - cut)) return
  word.length -= cut
  if (word.endsWith('at') || word.endsWith('bl') || word.endsWith('iz')) {
    addE()
  } else if (endsInDouble()) {
    const last = word.units[word.length - 1]
    if (last !== L && last !== S && last !== Z) word.length--
  } else if (isShort(word.length) && !hasMeasure(word.length, 2) && hasMeasure(word.length, 1))
    addE()
}

function addE(): void {
  consonants[word.length] = 0
  word.units[word.length++] = E
}

/** Applies the first rule whose suffix the word has, if a measure stands before it. */
function replace(rules: readonly Rule[] | undefined): void {
  if (rules === undefined) return
  for (const [suffix, replacement] of rules) {
    if (!word.endsWith(suffix)) continue
    const end = word.length - suffix.length
    if (!hasMeasure(end, 1)) return
    word.write(end, replacement)
    classify(end)
    return
  }
}

function removeLast(): void {
  const rules = LAST_SUFFIXES[word.units[word.length - 2]! - A]
  if (rules === undefined) return
  for (const [suffix] of rules) {
    if (!word.endsWith(suffix)) continue
    const end = word.length - suffix.length
    if (suffix === 'ion' && word.units[end - 1] !== S && word.units[end - 1] !== T) continue
    if (hasMeasure(end, 2)) word.length = end
    return
  }
}

function removeE(): void {
  const end = word.length - 1
  if (word.units[end] === E && (hasMeasure(end, 2) || (hasMeasure(end, 1) && !isShort(end))))
    word.length--
  const { units, length } = word
  if (units[length - 1] === L && endsInDouble() && hasMeasure(length, 2)) word.length--
}
