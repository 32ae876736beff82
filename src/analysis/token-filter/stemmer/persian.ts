/** Light stemmer of Persian: endings of plurals, comparisons and possession, each taken off once. */

const SUFFIXES = ['ات', 'ان', 'ترين', 'تر', 'يي', 'ي', 'ها', '\u200c']

/** The stem of a normalized word; of each ending at least two letters stay before it. */
export function stemPersian(term: string): string {
  let word = term
  for (const suffix of SUFFIXES)
    if (word.length >= suffix.length + 2 && word.endsWith(suffix))
      word = word.slice(0, -suffix.length)
  return word
}
