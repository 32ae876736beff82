/**
 * Patterns in which `*` matches any number of characters, and every other character itself: for
 * names of indices, fields, settings, nodes and response keys.
 */

/** Whether a pattern matches a whole name; linear in both. */
export function matchesWildcard(pattern: string, name: string): boolean {
  return pattern.includes('*') ? matchesPieces(pattern.split('*'), name) : pattern === name
}

/** Whether two patterns match a common name; takes their lengths multiplied. */
export function wildcardsIntersect(a: string, b: string): boolean {
  // reach[j]: the first i characters of `a` and the first j of `b` match a common text.
  let reach = new Uint8Array(b.length + 1)
  for (let i = 0; i <= a.length; i++) {
    const next = new Uint8Array(b.length + 1)
    for (let j = 0; j <= b.length; j++) {
      if (i === 0 && j === 0) next[j] = 1
      else if (i > 0 && a[i - 1] === '*') next[j] = reach[j]! | (j > 0 ? next[j - 1]! : 0)
      else if (j > 0 && b[j - 1] === '*') next[j] = next[j - 1]! | (i > 0 ? reach[j]! : 0)
      else if (i > 0 && j > 0 && a[i - 1] === b[j - 1]) next[j] = reach[j - 1]!
    }
    reach = next
  }
  return reach[b.length] === 1
}

/**
 * The same for a pattern that is split at its asterisks already.
 * @param pieces min one
 */
export function matchesPieces(pieces: readonly string[], name: string): boolean {
  const first = pieces[0]!
  if (pieces.length === 1) return name === first
  const last = pieces[pieces.length - 1]!
  const end = name.length - last.length
  if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false
  // The leftmost occurrence of each inner piece: greedy matching suffices.
  let offset = first.length
  for (let i = 1; i < pieces.length - 1; i++) {
    const piece = pieces[i]!
    const found = name.indexOf(piece, offset)
    if (found < 0 || found + piece.length > end) return false
    offset = found + piece.length
  }
  return true
}
