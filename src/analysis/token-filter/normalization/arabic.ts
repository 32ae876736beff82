/** Arabic letters that are written in several ways, as Lucene's ArabicNormalizer makes them one. */

const ALEF = '\u0627'
const YEH = '\u064a'
const HEH = '\u0647'

/** What it looks at: nothing outside of these is touched. */
const AFFECTED = /[\u0622\u0623\u0625\u0629\u0640\u0649\u064b-\u0652]/
const ALL_AFFECTED = new RegExp(AFFECTED.source, 'g')

/** Bare alef for alef with hamza or madda, yeh for dotless yeh, heh for teh marbuta; no tatweel, no vowels. */
export function normalizeArabic(term: string): string {
  return AFFECTED.test(term) ? term.replace(ALL_AFFECTED, plainLetter) : term
}

function plainLetter(letter: string): string {
  switch (letter) {
    case '\u0622':
    case '\u0623':
    case '\u0625':
      return ALEF
    case '\u0649':
      return YEH
    case '\u0629':
      return HEH
    default:
      return ''
  }
}
