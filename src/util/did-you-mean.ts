/**
 * Suggestions for a name that is not known: the candidates that are alike, by the ratio of Lucene's
 * LevenshteinDistance (1 − edits / length of the longer), best first.
 */

/** Names are told apart from wild guesses above this ratio, unless the caller says otherwise. */
const USUAL_RATIO = 0.5
/** Longer words than this are no misspelling of anything: they are not compared. */
const LONGEST_WORD = 1000

/**
 * Candidates whose likeness to `word` is above `ratio`, best first, equals in order of name.
 * Costs at most 1,000 steps per letter of a candidate, whatever the caller was sent.
 */
export function findAlike(
  word: string,
  candidates: Iterable<string>,
  ratio: number = USUAL_RATIO,
): string[] {
  if (word.length > LONGEST_WORD) return []
  const found: { name: string; likeness: number }[] = []
  for (const name of candidates) {
    const longer = Math.max(word.length, name.length)
    // The lengths alone may differ too much; most candidates end here.
    if (longer === 0 || 1 - Math.abs(word.length - name.length) / longer <= ratio) continue
    const likeness = 1 - countEdits(word, name) / longer
    if (likeness > ratio) found.push({ name, likeness })
  }
  found.sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
  return found.map(({ name }) => name)
}

/**
 * ` did you mean [a]?`, ` did you mean any of [a, b]?`, or nothing.
 * @param lead what stands before the words, a blank or ` -> `
 */
export function didYouMean(alike: readonly string[], lead = ' '): string {
  if (alike.length === 0) return ''
  const names = alike.length === 1 ? `[${alike[0]}]` : `any of [${alike.join(', ')}]`
  return `${lead}did you mean ${names}?`
}

/** Insertions, deletions and substitutions that make one word of the other. */
function countEdits(a: string, b: string): number {
  let above = Uint32Array.from({ length: b.length + 1 }, (_, i) => i)
  let row = new Uint32Array(b.length + 1)
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const substitution = above[j - 1]! + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1)
      row[j] = Math.min(substitution, above[j]! + 1, row[j - 1]! + 1)
    }
    const used = above
    above = row
    row = used
  }
  return above[b.length]!
}
