/** German umlauts as they are written with and without dots: `ä`, `ae` and `a` become one. */

const AFFECTED = /[eäöüß]/

/**
 * Where an `e` is the sign of an umlaut: behind a or o, or behind u unless a
 * vowel or q stands before that (`bauen`, `quelle`).
 */
type Place = 'other' | 'vowel' | 'umlaut'

/** Undoes umlauts in a word of lower case; ß becomes ss. */
export function normalizeGerman(term: string): string {
  if (!AFFECTED.test(term)) return term
  let made = ''
  let place: Place = 'other'
  for (let i = 0; i < term.length; i++) {
    const letter = term[i]!
    switch (letter) {
      case 'a':
      case 'o':
        place = 'umlaut'
        made += letter
        break
      case 'u':
        place = place === 'other' ? 'umlaut' : 'vowel'
        made += letter
        break
      case 'e':
        if (place !== 'umlaut') made += letter
        place = 'vowel'
        break
      case 'i':
      case 'q':
      case 'y':
        place = 'vowel'
        made += letter
        break
      case 'ä':
      case 'ö':
      case 'ü':
        place = 'vowel'
        made += letter === 'ä' ? 'a' : letter === 'ö' ? 'o' : 'u'
        break
      default:
        place = 'other'
        made += letter === 'ß' ? 'ss' : letter
    }
  }
  return made
}
