/** Light stemmer of Arabic: the article with its prepositions, then all endings in turn. */

const PREFIXES = ['ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و']
const SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ية', 'ه', 'ة', 'ي']

/** The stem of a normalized word. */
export function stemArabic(term: string): string {
  let word = term
  for (const prefix of PREFIXES) {
    const least = prefix.length === 1 ? 4 : prefix.length + 2
    if (word.length < least || !word.startsWith(prefix)) continue
    word = word.slice(prefix.length)
    break
  }
  for (const suffix of SUFFIXES)
    if (word.length >= suffix.length + 2 && word.endsWith(suffix))
      word = word.slice(0, -suffix.length)
  return word
}
