/** The light stemmers of English. */

/** Takes a final `'s` off, whatever the apostrophe. */
export function removePossessive(term: string): string {
  const { length } = term
  if (length < 2) return term
  const mark = term.charCodeAt(length - 2)
  if (mark !== 0x27 && mark !== 0x2019 && mark !== 0xff07) return term
  const last = term.charCodeAt(length - 1)
  return last === 0x73 || last === 0x53 ? term.slice(0, -2) : term
}

/** Harman's S stemmer: plurals to singulars and nothing more. */
export function stemMinimalEnglish(term: string): string {
  const { length } = term
  if (length < 3 || term[length - 1] !== 's') return term
  switch (term[length - 2]) {
    case 'u':
    case 's':
      return term
    case 'e':
      if (
        length > 3 &&
        term[length - 3] === 'i' &&
        term[length - 4] !== 'a' &&
        term[length - 4] !== 'e'
      )
        return `${term.slice(0, -3)}y`
      // `ies` of three letters, and what ends in aes, ees, ies or oes.
      if ('iaoe'.includes(term[length - 3]!)) return term
      return term.slice(0, -1)
    default:
      return term.slice(0, -1)
  }
}
