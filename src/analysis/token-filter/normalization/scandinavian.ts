/**
 * Scandinavian vowels, which are written in the Danish or Swedish way or with two letters. One
 * filter makes them the Danish letters, the other plain ones.
 */

const AFFECTED = /[aoäåæöø]/i

/** `ä` and `ae` become `æ`, `ö`, `oe` and `oo` become `ø`, `aa` and `ao` become `å`. */
export function normalizeScandinavian(term: string): string {
  return AFFECTED.test(term) ? change(term, DANISH) : term
}

/** `å ä æ aa ae ao` become `a`, `ö ø oe oo` become `o`. */
export function foldScandinavian(term: string): string {
  return AFFECTED.test(term) ? change(term, PLAIN) : term
}

/** Replacements of single letters and pairs, by the first letter in the case that it has. */
interface Letters {
  readonly single: ReadonlyMap<string, string>
  /** Of `a` or `o` and a second letter in lower case. */
  readonly pairs: ReadonlyMap<string, string>
}

const DANISH: Letters = {
  single: pairsOf('ä æ Ä Æ ö ø Ö Ø'),
  pairs: pairsOf('aa å ao å ae æ oe ø oo ø Aa Å Ao Å Ae Æ Oe Ø Oo Ø'),
}
const PLAIN: Letters = {
  single: pairsOf('å a ä a æ a Å A Ä A Æ A ö o ø o Ö O Ø O'),
  pairs: pairsOf('aa a ao a ae a oe o oo o Aa A Ao A Ae A Oe O Oo O'),
}

function pairsOf(words: string): ReadonlyMap<string, string> {
  const list = words.split(' ')
  const map = new Map<string, string>()
  for (let i = 0; i < list.length; i += 2) map.set(list[i]!, list[i + 1]!)
  return map
}

function change(term: string, { single, pairs }: Letters): string {
  let made = ''
  for (let i = 0; i < term.length; i++) {
    const letter = term[i]!
    const pair = i + 1 < term.length ? pairs.get(letter + lowerAscii(term[i + 1]!)) : undefined
    if (pair !== undefined) {
      made += pair
      i++
    } else made += single.get(letter) ?? letter
  }
  return made
}

function lowerAscii(letter: string): string {
  return letter >= 'A' && letter <= 'Z' ? letter.toLowerCase() : letter
}
