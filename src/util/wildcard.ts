/**
 * Patterns in which `*` matches any number of characters, and every other character itself: for
 * names of indices, fields, settings, nodes and response keys.
 */

/** Whether a pattern matches a whole name; linear in both. */
export function matchesWildcard(pattern: string, name: string): boolean {
  return pattern.includes('*') ? matchesPieces(pattern.split('*'), name) : pattern === name
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
