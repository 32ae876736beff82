/** Sorani Kurdish, whose letters are written with those of Arabic, Persian or Unicode's own. */

const AE = '\u06d5'
const HEH = '\u0647'
const RREH = '\u0695'
const AFFECTED = /[\p{Cf}\u0629\u0631\u0640\u0643\u0647\u0649-\u0652\u0692\u06be]/u
const FORMAT = /^\p{Cf}$/u

/** Normal form of a word. */
export function normalizeSorani(term: string): string {
  if (!AFFECTED.test(term)) return term
  const made: string[] = []
  for (let i = 0; i < term.length; i++) {
    const letter = term[i]!
    switch (letter) {
      case '\u0649':
      case '\u064a':
        made.push('\u06cc')
        break
      case '\u0643':
        made.push('\u06a9')
        break
      // A joiner behind heh shows that it is the vowel.
      case '\u200c':
        if (made.at(-1) === HEH) made[made.length - 1] = AE
        break
      case HEH:
        made.push(i === term.length - 1 ? AE : HEH)
        break
      case '\u0629':
        made.push(AE)
        break
      case '\u06be':
        made.push(HEH)
        break
      case '\u0631':
        made.push(made.length === 0 ? RREH : letter)
        break
      case '\u0692':
        made.push(RREH)
        break
      default:
        if ((letter >= '\u064b' && letter <= '\u0652') || letter === '\u0640') break
        if (!FORMAT.test(letter)) made.push(letter)
    }
  }
  return made.join('')
}
