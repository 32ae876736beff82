/**
 * Suggestions for an unknown name: similar candidates by the ratio of Lucene's LevenshteinDistance
 * (1 − edits / length of the longer), best first.
 */

/** Default min similarity of a suggestion. */
const USUAL_RATIO = 0.5
/** Max length of compared words. */
const LONGEST_WORD = 1000

/**
 * Candidates whose similarity to `word` is above `ratio`, best first, ties by name. Costs at most
 * 1,000 steps per letter of a candidate for any input.
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
    // Rejects by length alone, which most candidates fail.
    if (longer === 0 || 1 - Math.abs(word.length - name.length) / longer <= ratio) continue
    const likeness = 1 - countEdits(word, name) / longer
    if (likeness > ratio) found.push({ name, likeness })
  }
  found.sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
  return found.map(({ name }) => name)
}

/**
 * ` did you mean [a]?`, ` did you mean any of [a, b]?`, or nothing.
 * @param lead the prefix, a blank or ` -> `
 */
export function didYouMean(alike: readonly string[], lead = ' '): string {
  if (alike.length === 0) return ''
  const names = alike.length === 1 ? `[${alike[0]}]` : `any of [${alike.join(', ')}]`
  return `${lead}did you mean ${names}?`
}

/** Edit distance: insertions, deletions and substitutions. */
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
