/** Spellings of Bengali that sound the same made one. */

const HASANTA = '\u09cd'
const NGA = '\u0999'
const AFFECTED =
  /[\u0981\u0983\u0995\u0999\u09a3\u09ac\u09af\u09b6\u09b7\u09c0\u09c2\u09ce\u09dc\u09dd]/

/** Letters that are replaced wherever they stand. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['\u09c0', '\u09bf'],
  ['\u09c2', '\u09c1'],
  [NGA, '\u0982'],
  ['\u09b6', '\u09b8'],
  ['\u09b7', '\u09b8'],
  ['\u09a3', '\u09a8'],
  ['\u09dc', '\u09b0'],
  ['\u09dd', '\u09b0'],
  ['\u09ce', '\u09a4'],
])

/** Longer terms are no words, and letters are taken out of an array one by one. */
const MOST_LETTERS = 16_384

/** Normal form of a word. */
export function normalizeBengali(term: string): string {
  if (term.length > MOST_LETTERS || !AFFECTED.test(term)) return term
  const letters = term.split('')
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i]!
    switch (letter) {
      // Chandrabindu.
      case '\u0981':
        letters.splice(i--, 1)
        break
      case '\u0995':
        hardenK(letters, i)
        break
      case '\u09af':
        i = dropY(letters, i)
        break
      case '\u09ac':
        i = dropB(letters, i)
        break
      // Visarga: an h at the end of short words, else the letter behind it doubled.
      case '\u0983':
        if (i < letters.length - 1) letters[i] = letters[i + 1]!
        else if (letters.length <= 3) letters[i] = '\u09b9'
        else letters.pop()
        break
      default:
        letters[i] = PLAIN.get(letter) ?? letter
    }
  }
  return letters.join('')
}

/** K, hasanta and i as kh. */
function hardenK(letters: string[], at: number): void {
  if (letters[at + 1] !== HASANTA || letters[at + 2] !== '\u09bf') return
  if (at === 0) letters.splice(0, 3, '\u0996')
  else letters.splice(at + 1, 2, '\u0996')
}

/** A y under a consonant: e behind the first letter, silent elsewhere. Returns where to go on. */
function dropY(letters: string[], at: number): number {
  if (letters[at - 1] !== HASANTA) return at
  if (at !== 2) {
    letters.splice(at - 1, 2)
    return at - 2
  }
  letters[1] = '\u09c7'
  letters.splice(2, letters[3] === '\u09be' ? 2 : 1)
  return 1
}

/** A b under a consonant: silent at first and in clusters, else the consonant doubled. */
function dropB(letters: string[], at: number): number {
  if (letters[at - 1] !== HASANTA || at < 2) return at
  if (at === 2 || (at >= 5 && letters[at - 3] === HASANTA)) {
    letters.splice(at - 1, 2)
    return at - 2
  }
  letters[at - 1] = letters[at - 2]!
  letters.splice(at, 1)
  return at - 1
}
