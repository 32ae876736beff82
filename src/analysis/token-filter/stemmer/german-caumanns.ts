/**
 * `german_stem`: J. Caumanns' stemmer (A fast and simple stemming algorithm for German words), which
 * hides common letter groups behind one sign each and then takes endings off as long as it can.
 */
import { isLetter } from '../../tokenizer/unicode-tables.ts'

/** Letter groups and the signs that stand for them; a second equal letter becomes `*`. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ['sch', '$'],
  ['ch', '§'],
  ['ei', '%'],
  ['ie', '&'],
  ['ig', '#'],
  ['st', '!'],
])
const SIGNS: ReadonlyMap<string, string> = new Map(
  Array.from(GROUPS, ([group, sign]) => [sign, group]),
)
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['ä', 'a'],
  ['ö', 'o'],
  ['ü', 'u'],
  ['ß', 's'],
])

/** Words with other than letters are made lower case and left alone. */
export function stemGermanCaumanns(term: string): string {
  const lower = term.toLowerCase()
  for (let i = 0; i < lower.length; i++) if (!isLetter(lower.charCodeAt(i))) return lower
  const { signs, saved } = substitute(lower)
  let stem = strip(signs, saved)
  if (stem.endsWith('erin*') && stem.length > 5) stem = strip(stem.slice(0, -1), saved)
  if (stem.endsWith('z')) stem = `${stem.slice(0, -1)}x`
  const word = resubstitute(stem)
  const particle = word.length > 4 ? word.indexOf('gege') : -1
  return particle < 0 ? word : word.slice(0, particle) + word.slice(particle + 2)
}

/** @returns the word in signs, and how many letters they save: an ß that becomes ss counts too */
function substitute(lower: string): { readonly signs: string; readonly saved: number } {
  // An ß is one letter more, and the s that it becomes may be the first of a group.
  const letters = lower.replaceAll('ß', 'ß\u0000')
  let signs = ''
  let before = ''
  let saved = 0
  let at = 0
  while (at < letters.length) {
    const raw = letters[at]!
    let letter = raw === '\u0000' ? 's' : raw
    if (letter === before) letter = '*'
    else if (PLAIN.has(letter)) letter = PLAIN.get(letter)!
    if (raw === 'ß') saved++
    const rest = letter + letters.slice(at + 1, at + 3).replaceAll('\u0000', 's')
    const group = GROUPS.has(rest) ? rest : rest.slice(0, 2)
    const sign = GROUPS.get(group)
    before = sign ?? letter
    signs += before
    saved += sign === undefined ? 0 : group.length - 1
    at += sign === undefined ? 1 : group.length
  }
  return { signs, saved }
}

function strip(signs: string, saved: number): string {
  let word = signs
  while (word.length > 3) {
    const whole = word.length + saved
    const isLong =
      (whole > 5 && word.endsWith('nd')) ||
      (whole > 4 && (word.endsWith('em') || word.endsWith('er')))
    if (isLong) word = word.slice(0, -2)
    else if ('esnt'.includes(word[word.length - 1]!)) word = word.slice(0, -1)
    else break
  }
  return word
}

function resubstitute(signs: string): string {
  let word = ''
  let before = ''
  for (const sign of signs.split('')) {
    const letters = sign === '*' ? before.slice(-1) : (SIGNS.get(sign) ?? sign)
    word += letters
    before = letters
  }
  return word
}
